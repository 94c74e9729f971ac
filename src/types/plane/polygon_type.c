/*-------------------------------------------------------------------------
 *
 * polygon_type.c
 *	  The type polygon.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "shapes/geometry/shapes.h"
#include "types/plane/plane.h"

#include "catalog/pg_type_d.h"

/*
 * The box comes first in a polygon; the rest may be long, and in a TOAST
 * table.
 */
static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	const int	end = offsetof(POLYGON, p);
	POLYGON    *polygon = (POLYGON *) PG_DETOAST_DATUM_SLICE(value, 0, end - VARHDRSZ);

	memcpy(numbers, &polygon->boundbox, sizeof(BOX));
	if ((Pointer) polygon != DatumGetPointer(value))
		pfree(polygon);
}

static double
filled(Datum value)
{
	const POLYGON *polygon = DatumGetPolygonP(value);
	const BOX  *box = &polygon->boundbox;
	double		twice = 0,
				whole = (box->high.x - box->low.x) * (box->high.y - box->low.y);

	for (int i = 0, j = polygon->npts - 1; i < polygon->npts; j = i++)
		twice += (polygon->p[j].x - box->low.x) * (polygon->p[i].y - box->low.y) -
			(polygon->p[i].x - box->low.x) * (polygon->p[j].y - box->low.y);
	twice = fabs(twice) / 2 / whole;
	return twice >= 0 && twice <= 1 ? twice : 1;
}

static bool
reaches(const void *polygon, const float8 *bounds)
{
	return spq_shape_polygon_reaches(polygon, (const BOX *) bounds);
}

static bool
window_of(const void *polygon, BOX *window)
{
	return spq_shape_polygon_window(polygon, window);
}

static const SpqTypeOperator operators[] = {
	BUILTIN(1, "<<", polygon, polygon, F_POLY_LEFT, SPQ_BOX_LEFT, 1),
	BUILTIN(2, "&<", polygon, polygon, F_POLY_OVERLEFT, SPQ_BOX_OVERLEFT, 1),
	BUILTIN(3, "&&", polygon, polygon, F_POLY_OVERLAP, SPQ_BOX_OVERLAPS, POLYGONS_OVERLAP),
	BUILTIN(4, "&>", polygon, polygon, F_POLY_OVERRIGHT, SPQ_BOX_OVERRIGHT, 1),
	BUILTIN(5, ">>", polygon, polygon, F_POLY_RIGHT, SPQ_BOX_RIGHT, 1),
	BUILTIN(6, "~=", polygon, polygon, F_POLY_SAME, SPQ_BOX_SAME, 1),
	BUILTIN(7, "@>", polygon, polygon, F_POLY_CONTAIN, SPQ_BOX_CONTAINS, POLYGON_CONTAINS),
	BUILTIN(8, "<@", polygon, polygon, F_POLY_CONTAINED, SPQ_BOX_CONTAINED, POLYGON_CONTAINS),
	BUILTIN(9, "&<|", polygon, polygon, F_POLY_OVERBELOW, SPQ_BOX_OVERBELOW, 1),
	BUILTIN(10, "<<|", polygon, polygon, F_POLY_BELOW, SPQ_BOX_BELOW, 1),
	BUILTIN(11, "|>>", polygon, polygon, F_POLY_ABOVE, SPQ_BOX_ABOVE, 1),
	BUILTIN(12, "|&>", polygon, polygon, F_POLY_OVERABOVE, SPQ_BOX_OVERABOVE, 1),
	BUILTIN(16, "@>", polygon, point, F_POLY_CONTAIN_PT, SPQ_BOX_OVERLAPS, POLYGON_CONTAINS),
	BUILTIN(48, "<@", point, polygon, F_PT_CONTAINED_POLY, SPQ_BOX_OVERLAPS, POLYGON_CONTAINS),

	OWN(33, "&&", box, polygon, "spq_box_overlaps_polygon", SPQ_BOX_OVERLAPS, POLYGONS_OVERLAP),
	OWN(23, "&&", polygon, box, "spq_polygon_overlaps_box", SPQ_BOX_OVERLAPS, POLYGONS_OVERLAP),
	OWN(34, "<@", box, polygon, "spq_box_in_polygon", SPQ_BOX_CONTAINED, POLYGON_CONTAINS),
	OWN(27, "@>", polygon, box, "spq_polygon_holds_box", SPQ_BOX_CONTAINS, POLYGON_CONTAINS),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator distances[] = {
	BUILTIN_ORDER(15, "<->", polygon, point, F_DIST_POLYP),
	BUILTIN_ORDER(55, "<->", point, polygon, F_DIST_PPOLY),
	BUILTIN_ORDER(55, "<->", circle, polygon, F_DIST_CPOLY),
	BUILTIN_ORDER(75, "<->", polygon, circle, F_DIST_POLYC),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator orders[] = {
	BUILTIN_ORDER(17, "<->", polygon, polygon, F_POLY_DISTANCE),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction harmless[] = {SPQ_TYPE_BUILTIN(F_POLYGON_BOX), SPQ_TYPE_NO_FUNCTION};

const SpqType spq_type_polygon = {
	.name = "polygon",
	.oid = POLYGONOID,
	.axes = 2,
	.has_center = true,
	.is_long = true,
	.box = box_of,
	.operators = operators,
	.distances = distances,
	.orders = orders,
	.harmless = harmless,
	.filled = filled,
	.has_edges = true,
	.reaches = reaches,
	.window = window_of,
	.around = "polygon_around",
};
