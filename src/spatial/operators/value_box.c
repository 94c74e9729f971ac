/*-------------------------------------------------------------------------
 *
 * value_box.c
 *	  The bounding box of a value in the plane.  Boxes in space are in
 *	  solid_box.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/float.h"

#include "box/compact_box.h"
#include "spatial/operators/value_box.h"

/*
 * Prepare to compute the boxes of many values.  "exact" means that the
 * relation of the boxes decides, not the operator.  "collation" is the
 * operator's.
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
 * Set the box of a circle, slightly enlarged: operators that compare it round
 * several numbers of the size of radius and center.
 */
static void
circle_bounds(const CIRCLE *circle, BOX *box)
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
 * Make a box safe if the operator decides.  A box with NaN or infinity becomes
 * one that overlaps all others, since the operator may treat these values in
 * its own way (a polygon with a corner at infinity can hold points outside its
 * box).  Other boxes grow by a few units in the last place: many operators
 * compare |a - b| <= EPSILON and boxes compare a <= b + EPSILON, and the two
 * round differently.
 */
static void
make_safe(BOX *box)
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

/* Set the box of points.  An axis on which one point is NaN gets NaN. */
static void
points_bounds(const Point *points, int count, BOX *box)
{
	box->high = box->low = points[0];
	for (int i = 1; i < count; i++)
	{
		const Point *p = &points[i];

		/* comparisons with NaN are false, so NaN stays */
		if (!(p->x <= box->high.x))
			box->high.x = isnan(box->high.x) ? box->high.x : p->x;
		if (!(p->x >= box->low.x))
			box->low.x = isnan(box->low.x) ? box->low.x : p->x;
		if (!(p->y <= box->high.y))
			box->high.y = isnan(box->high.y) ? box->high.y : p->y;
		if (!(p->y >= box->low.y))
			box->low.y = isnan(box->low.y) ? box->low.y : p->y;
	}
}

/*
 * Enlarge the box of the corners of a shape, so that it contains all points
 * that operators find to be on its edges.
 *
 * A point P is on an edge from A to B if the sum of its distances from A and B
 * equals the edge's length L, within EPSILON:
 *
 *			____________P__________
 *		A _/_______________________\_ B		|PA| + |PB| <= L + e
 *		   \_______________________/
 *
 * This is an ellipse.  Its points are at most sqrt(2 L e + e e) / 2, half of
 * the minor axis, away from the edge, and at most e beyond its ends.  So all
 * of it is within sqrt(L e / 2) + 2 e.  L is at most the sum of the box's
 * sides. e is EPSILON and the rounding of three hypotenuses and two sums.
 */
void
spq_spatial_cover_edges(BOX *box)
{
	double		length = (box->high.x - box->low.x) + (box->high.y - box->low.y),
				e = EPSILON + (EPSILON + length) * (64 * DBL_EPSILON),
				reach = sqrt(length * e / 2) + 2 * e;

	box->high.x += reach;
	box->high.y += reach;
	box->low.x -= reach;
	box->low.y -= reach;
}

/* Set the box of a value in the plane that is not NULL. */
void
spq_spatial_box_of(SpqSpatialBoxOf *bounds, Datum value, BOX *box)
{
	switch (bounds->kind)
	{
		case SPQ_SPATIAL_BOX:
			*box = *DatumGetBoxP(value);
			break;
		case SPQ_SPATIAL_AS_IS:
			*box = *DatumGetBoxP(value);
			return;
		case SPQ_SPATIAL_POINT:
			box->high = box->low = *DatumGetPointP(value);
			break;
		case SPQ_SPATIAL_CIRCLE:
			circle_bounds(DatumGetCircleP(value), box);
			break;
		case SPQ_SPATIAL_POLYGON:
			{
				/*
				 * the box comes first; the rest may be long, and in a TOAST
				 * table
				 */
				const int	end = offsetof(POLYGON, p);
				POLYGON    *polygon = (POLYGON *)
					PG_DETOAST_DATUM_SLICE(value, 0, end - VARHDRSZ);

				*box = polygon->boundbox;
				if ((Pointer) polygon != DatumGetPointer(value))
					pfree(polygon);
				break;
			}
		case SPQ_SPATIAL_LSEG:
			points_bounds(DatumGetLsegP(value)->p, 2, box);
			if (!bounds->exact)
				spq_spatial_cover_edges(box);
			break;
		case SPQ_SPATIAL_PATH:
			{
				PATH	   *path = DatumGetPathP(value);

				points_bounds(path->p, path->npts, box);
				if (!bounds->exact)
					spq_spatial_cover_edges(box);
				if ((Pointer) path != DatumGetPointer(value))
					pfree(path);
				break;
			}
		case SPQ_SPATIAL_FUNCTION:
			*box = *DatumGetBoxP(FunctionCall1Coll(&bounds->function,
												   bounds->collation, value));
			break;
		case SPQ_SPATIAL_COMPACT:
			*box = spq_compact_outer_box(DatumGetSpqCompactBox(FunctionCall1Coll(&bounds->function,
																				 bounds->collation, value)));
			break;
		case SPQ_SPATIAL_BOX3:
		case SPQ_SPATIAL_POINT3:
		case SPQ_SPATIAL_LSEG3:
		case SPQ_SPATIAL_SPHERE3:
		case SPQ_SPATIAL_RAY3:
			elog(ERROR, "kind %d has no box in the plane", bounds->kind);
			break;
	}
	if (!bounds->exact)
		make_safe(box);
}
