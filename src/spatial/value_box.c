/*-------------------------------------------------------------------------
 *
 * value_box.c
 *	  The bounding box of a value: of a row's column, or of a query's constant.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/float.h"

#include "quadtree/compact_box.h"
#include "spatial/value_box.h"

/*
 * Prepare for many values.  "exact": the relation of the boxes decides, and not
 * the operator.  "collation" is the operator's.
 */
void
spq_spatial_box_init(SpqSpatialBoxOf *bounds, const SpqSpatialOperand *operand, bool exact,
					 Oid collation)
{
	bounds->kind = operand->kind;
	bounds->exact = exact;
	bounds->collation = collation;
	if (OidIsValid(operand->function))
		fmgr_info(operand->function, &bounds->function);
}

/*
 * Return the box of a circle, a little too large: what it is compared with
 * takes several roundings of numbers of the size of radius and center.
 */
static void
circle_bounds(const CIRCLE *circle, SpqBox *box)
{
	double		radius = fabs(circle->radius) * (1 + 16 * DBL_EPSILON),
				dx = radius + fabs(circle->center.x) * (4 * DBL_EPSILON),
				dy = radius + fabs(circle->center.y) * (4 * DBL_EPSILON);

	box->low.x = circle->center.x - dx;
	box->low.y = circle->center.y - dy;
	box->high.x = circle->center.x + dx;
	box->high.y = circle->center.y + dy;
}

/*
 * Make a box safe where the operator decides.  One with NaN or infinity becomes
 * a box that overlaps all others, since the operator may treat these in its own
 * way (a polygon with a corner at infinity can hold points outside of its box).
 * Others grow by a few units in the last place: |a - b| <= EPSILON, as many
 * operators compare, and a <= b + EPSILON, as boxes do, are rounded differently.
 */
static void
make_safe(SpqBox *box)
{
	const double infinity = get_float8_infinity();
	double		sum = fabs(box->low.x) + fabs(box->low.y) +
		fabs(box->high.x) + fabs(box->high.y);

	if (!(sum < infinity))
	{
		box->high.x = box->high.y = infinity;
		box->low.x = box->low.y = -infinity;
		return;
	}
	box->low.x -= (fabs(box->low.x) + EPSILON) * (4 * DBL_EPSILON);
	box->low.y -= (fabs(box->low.y) + EPSILON) * (4 * DBL_EPSILON);
	box->high.x += (fabs(box->high.x) + EPSILON) * (4 * DBL_EPSILON);
	box->high.y += (fabs(box->high.y) + EPSILON) * (4 * DBL_EPSILON);
}

/* Return the box of a value that is not null. */
void
spq_spatial_box_of(SpqSpatialBoxOf *bounds, Datum value, SpqBox *box)
{
	switch (bounds->kind)
	{
		case SPQ_SPATIAL_BOX:
			*box = *DatumGetBoxP(value);
			break;
		case SPQ_SPATIAL_POINT:
			box->high = box->low = *DatumGetPointP(value);
			break;
		case SPQ_SPATIAL_CIRCLE:
			circle_bounds(DatumGetCircleP(value), box);
			break;
		case SPQ_SPATIAL_POLYGON:
			{
				/* it starts with its box; the rest may be long, and elsewhere */
				const int	end = offsetof(POLYGON, p);
				POLYGON    *polygon = (POLYGON *)
					PG_DETOAST_DATUM_SLICE(value, 0, end - VARHDRSZ);

				*box = polygon->boundbox;
				if ((Pointer) polygon != DatumGetPointer(value))
					pfree(polygon);
				break;
			}
		case SPQ_SPATIAL_FUNCTION:
			*box = *DatumGetBoxP(FunctionCall1Coll(&bounds->function,
												   bounds->collation, value));
			break;
		case SPQ_SPATIAL_COMPACT:
			*box = spq_quad_outer_box(DatumGetSpqQuadCompactBox(FunctionCall1Coll(&bounds->function,
																				  bounds->collation, value)));
			break;
	}
	if (!bounds->exact)
		make_safe(box);
}
