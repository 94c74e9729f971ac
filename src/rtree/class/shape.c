/*-------------------------------------------------------------------------
 *
 * shape.c
 *	  Conditions and distances of shapes, by their bounds alone.  See shape.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "rtree/class/box_condition.h"
#include "rtree/class/gap.h"
#include "rtree/class/shape.h"
#include "types/plane/plane.h"
#include "types/registry.h"

/*
 * The margin of comparisons and gaps.  FUZZ covers the tolerance of operators
 * (the most is that of ~= for circles, whose ends differ by up to twice
 * EPSILON); ROUNDING covers rounding, for each unit of the coordinates.
 */
#define FUZZ		(4 * EPSILON)
#define ROUNDING	(32 * DBL_EPSILON)

static void
set_whole_plane(SpqBox *box)
{
	box->high.x = box->high.y = get_float8_infinity();
	box->low.x = box->low.y = -get_float8_infinity();
}

/*
 * Set a box that encloses a value; if "with_edges", also all points that
 * operators accept as points of its edges.  If the value does not restrict
 * anything, set the whole plane and return false.
 */
static bool
enclose(const SpqType *type, Datum value, bool with_edges, SpqBox *box)
{
	const SpqTypeBoxOf how = {.type = type,.grows = true};

	spq_type_box_of(&how, value, (float8 *) box);
	if (type->is_box && spq_box_is_finite(box))
	{
		SpqBox		raw = *box;

		/* if its corners are the wrong way round, its sides are the same */
		box->high.x = Max(raw.low.x, raw.high.x);
		box->high.y = Max(raw.low.y, raw.high.y);
		box->low.x = Min(raw.low.x, raw.high.x);
		box->low.y = Min(raw.low.y, raw.high.y);
	}
	if (with_edges && type->has_edges && spq_box_is_finite(box))
		spq_type_cover_edges(box);
	if (spq_box_is_finite(box) && (type->excludes == NULL || type->excludes(value)))
		return true;
	set_whole_plane(box);
	return false;
}

/* Set the ends of a row, given its value. */
void
spq_rtree_shape_ends(const SpqType *type, Datum value, float8 *ends)
{
	SpqBox		box;

	enclose(type, value, true, &box);
	memcpy(ends, &box, sizeof(box));
}

/* Return the box that stands for the argument of a condition or an order. */
SpqRtreeShape
spq_rtree_shape(const ScanKeyData *key, const SpqTypeOperator *row)
{
	SpqRtreeShape shape = {.relation = row->relation};

	shape.is_known = enclose(row->right, key->sk_argument, row->relation == SPQ_BOX_WITHIN,
							 &shape.box);
	return shape;
}

/* Set the margins along the axes. */
static void
set_margins(const SpqBox *box, float8 *margins)
{
	for (int axis = 0; axis < SPQ_DIM; axis++)
		margins[axis] = FUZZ + ROUNDING *
			(fabs(spq_box_low(box)[axis]) + fabs(spq_box_high(box)[axis]));
}

/*
 * Set the comparisons that a relation with a shape implies for ends of bounds.
 *
 * They follow the rule of the relation of boxes (box/relation.h).  If it
 * requires an end of a box to be low enough, then the low end of anything
 * around the box is low enough; likewise for high.
 */
void
spq_rtree_shape_condition(const SpqRtreeShape *shape, SpqRtreeCondition *condition)
{
	float8		margins[SPQ_DIM];

	condition->ncomparisons = 0;
	condition->exact = false;
	if (!shape->is_known)
		return;
	set_margins(&shape->box, margins);
	spq_rtree_compare_bounds(condition, shape->relation, spq_box_corners(&shape->box),
							 margins, SPQ_DIM);
}

/*
 * Set the squares of lower bounds of the distances from a shape, whose box is
 * in the order's "numbers".
 */
void
spq_rtree_shape_least(const SpqRtreeOrder *order, const SpqRtreeColumns *columns,
					  float8 *squares)
{
	const SpqBox *box = (const SpqBox *) order->numbers;
	float8		margins[SPQ_DIM];

	set_margins(box, margins);
	spq_rtree_least_squares(columns, order->numbers, margins, ROUNDING, false, squares);
}
