/*-------------------------------------------------------------------------
 *
 * window_condition.c
 *	  Conditions on a box and another shape, as comparisons with a window.
 *
 * Each operator of src/shapes begins by comparing the box with the window of
 * the other shape.  These comparisons are necessary but not sufficient, so the
 * operator itself is evaluated for the remaining rows.
 *
 * A window says little about a shape that fills a small part of it, such as a
 * long segment.  So bounds of pages, which are tested once for a hundred rows,
 * are tested against the shape itself, too.
 *
 * The operator for segments is PostgreSQL's (inter_sb).  It begins with && of
 * the segment's bounds, and may raise an error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/strategy.h"
#include "rtree/class/box_condition.h"
#include "rtree/class/window_condition.h"
#include "shapes/geometry/quiet.h"
#include "shapes/geometry/shapes.h"
#include "types/registry.h"

StaticAssertDecl(SPQ_DIM == 2, "the shapes have two axes");

/* Add the comparisons of spq_shape_meets_window() or spq_shape_is_in_window(). */
static void
compare_with_window(SpqRtreeCondition *condition, const BOX *window, bool is_in)
{
	SpqBoxCorners corners = spq_box_corners(window);
	int			low = spq_rtree_first_end(SPQ_BOX_LOW_END),
				high = spq_rtree_first_end(SPQ_BOX_HIGH_END);

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		spq_rtree_compare(condition, (is_in ? high : low) + axis, true, corners.high[axis]);
		spq_rtree_compare(condition, (is_in ? low : high) + axis, false, corners.low[axis]);
	}
}

static SpqRtreeAnswer
ask_segment(const ScanKeyData *key, Datum argument, const float8 *ends)
{
	bool		raises = false,
				result = spq_quiet_box_meets_segment((const BOX *) ends,
													 DatumGetLsegP(argument), &raises);

	return raises ? SPQ_RTREE_RECHECK : result ? SPQ_RTREE_YES : SPQ_RTREE_NO;
}

/*
 * Set the condition of a key whose argument is a circle, polygon or segment.
 * For other strategies return false.
 */
bool
spq_rtree_window_condition(const ScanKeyData *key, SpqRtreeCondition *condition)
{
	BOX			window;
	const SpqTypeOperator *row;
	bool		is_in,
				any;

	if (key->sk_strategy <= SPQ_BOX_CENTER_DISTANCE_STRATEGY)
		return false;
	row = spq_type_class_row(&spq_type_box, key->sk_strategy);
	is_in = row->relation == SPQ_BOX_CONTAINED;

	condition->ncomparisons = 0;
	condition->ask = NULL;
	if (row->right->window == NULL)
	{
		/* a segment */
		window = spq_shape_segment_bounds(DatumGetLsegP(key->sk_argument));
		*condition = spq_rtree_box_comparisons(row->relation, spq_box_corners(&window));
		condition->reaches = row->right->reaches;
		condition->argument = DatumGetLsegP(key->sk_argument);
		condition->ask = ask_segment;
		condition->exact = false;
		return true;
	}
	/* detoasted by the access method */
	condition->argument = DatumGetPointer(key->sk_argument);
	condition->reaches = row->right->reaches;
	any = row->right->window(condition->argument, &window);
	if (any)
		compare_with_window(condition, &window, is_in);
	else
		/* no box satisfies it: nothing is at most NaN */
		spq_rtree_compare(condition, 0, true, get_float8_nan());
	condition->exact = false;
	return true;
}
