/*-------------------------------------------------------------------------
 *
 * polygon_type.c
 *	  The type polygon.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

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

static const SpqTypeOperator operators[] = {
	OPERATORS_OF(POLY, polygon, POLYGONS_OVERLAP, POLYGON_CONTAINS, 1),
	BUILTIN(F_POLY_CONTAIN_PT, SPQ_BOX_OVERLAPS, POLYGON_CONTAINS, polygon, point),
	BUILTIN(F_PT_CONTAINED_POLY, SPQ_BOX_OVERLAPS, POLYGON_CONTAINS, point, polygon),

	OWN("spq_box_overlaps_polygon", SPQ_BOX_OVERLAPS, POLYGONS_OVERLAP, box, polygon),
	OWN("spq_polygon_overlaps_box", SPQ_BOX_OVERLAPS, POLYGONS_OVERLAP, polygon, box),
	OWN("spq_box_in_polygon", SPQ_BOX_CONTAINED, POLYGON_CONTAINS, box, polygon),
	OWN("spq_polygon_holds_box", SPQ_BOX_CONTAINS, POLYGON_CONTAINS, polygon, box),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeFunction distances[] = {
	SPQ_TYPE_BUILTIN(F_DIST_PPOLY),
	SPQ_TYPE_BUILTIN(F_DIST_POLYP),
	SPQ_TYPE_BUILTIN(F_DIST_CPOLY),
	SPQ_TYPE_BUILTIN(F_DIST_POLYC),
	SPQ_TYPE_NO_FUNCTION
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
	.harmless = harmless,
	.filled = filled,
	.argument_number = 2,
	.has_edges = true,
};
