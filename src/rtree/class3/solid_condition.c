/*-------------------------------------------------------------------------
 *
 * solid_condition.c
 *	  Conditions on boxes and points of three dimensions with other shapes.
 *
 * A row can satisfy "b && shape" or "b <@ shape" only if it meets the shape's
 * bounding box.  Comparisons, rounded outward, test that for eight entries at a
 * time.  The bounds of a page that pass are then tested against the shape: if
 * they do not meet it, no box within them does (src/solid/README.md).  For the
 * rows that pass, the operator itself is evaluated.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "solid/geometry/shapes3.h"

#include "rtree/class/box_condition.h"
#include "rtree/class3/solid_condition.h"
#include "rtree/class3/solid_distance.h"
#include "rtree/class3/solid_frustum.h"
#include "types/registry.h"
#include "types/value_box.h"

/* Require that a row meets an interval on an axis, or is in it. */
static void
compare_interval(SpqRtreeCondition *condition, int axis, float8 low, float8 high, bool is_in)
{
	if (isfinite(high))
		spq_rtree_compare(condition, is_in ? axis : SPQ_AXES + axis, true, high);
	if (isfinite(low))
		spq_rtree_compare(condition, is_in ? SPQ_AXES + axis : axis, false, low);
}

/* Compare rows with the box of a shape.  If it has a NaN, "meets" decides alone. */
static void
compare_with_box(SpqRtreeCondition *condition, const SpqType *type, Datum shape, bool is_in)
{
	const SpqTypeBoxOf how = {.type = type,.exact = true};
	SpqBox3		box;

	spq_type_box_of(&how, shape, (float8 *) &box);
	for (int axis = 0; axis < SPQ_AXES; axis++)
		compare_interval(condition, axis, box.low[axis], box.high[axis], is_in);
}

/* Set the kernel for eight boxes of a page at a time, if the type has one. */
static void
set_prefilter(SpqRtreeCondition *condition, const SpqType *type, bool is_in)
{
	if (type == &spq_type_ray3)
		condition->prefilter = spq_rtree_prefilter_by_ray;
	else if (type == &spq_type_frustum3)
		condition->prefilter = is_in ? spq_rtree_prefilter_in_frustum :
			spq_rtree_prefilter_by_frustum;
	else
		return;
	condition->argument_size = type->size;
}

void
spq_rtree_solid_condition(const ScanKeyData *key, const SpqType *own,
						  SpqRtreeCondition *condition)
{
	const SpqTypeOperator *row = spq_type_class_row(own, key->sk_strategy);
	const SpqType *type = row->right;
	const void *argument = DatumGetPointer(key->sk_argument);
	bool		is_in = own->is_point || row->relation == SPQ_BOX_CONTAINED;

	if (row->fraction == SPQ_TYPE_EXACT)
	{
		*condition = spq_rtree_box_comparisons(row->relation, type->is_point ?
											   spq_point3_corners(argument) :
											   spq_box_corners(argument));
		return;
	}
	condition->ncomparisons = 0;
	condition->exact = false;
	condition->ask = NULL;
	condition->argument = argument;
	condition->reaches = type->meets;
	if (type->box)
		compare_with_box(condition, type, key->sk_argument, is_in);
	set_prefilter(condition, type, is_in);
}
