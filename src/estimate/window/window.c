/*-------------------------------------------------------------------------
 *
 * window.c
 *	  Conditions with constants, as limits on the ends of a box.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"

#include "estimate/window/window.h"

void
spq_estimate_window_init(SpqEstimateWindow *window, int axes)
{
	const double infinity = get_float8_infinity();

	memset(window, 0, sizeof(*window));
	window->axes = axes;
	for (int axis = 0; axis < axes; axis++)
	{
		window->low_min[axis] = window->high_min[axis] = -infinity;
		window->low_max[axis] = window->high_max[axis] = infinity;
	}
	window->fraction = 1;
}

/*
 * Return the tolerance of a comparison.  Comparisons of three axes are exact.
 */
static double
tolerance(SpqBoxComparison comparison, int axes)
{
	if (axes != 2)
		return 0;
	switch (comparison)
	{
		case SPQ_BOX_COMPARE_FUZZY:
		case SPQ_BOX_COMPARE_SAME:
			return EPSILON;
		case SPQ_BOX_COMPARE_FUZZY_STRICT:
			return -EPSILON;
		default:
			return 0;
	}
}

static void
limit_from_above(SpqEstimateWindow *window, SpqBoxEnd end, int axis, double limit)
{
	double	   *max = end == SPQ_BOX_LOW_END ? window->low_max : window->high_max;

	max[axis] = Min(max[axis], limit);
}

static void
limit_from_below(SpqEstimateWindow *window, SpqBoxEnd end, int axis, double limit)
{
	double	   *min = end == SPQ_BOX_LOW_END ? window->low_min : window->high_min;

	min[axis] = Max(min[axis], limit);
}

/*
 * Add the condition "box relation constant", or "constant relation box" unless
 * box_is_left.  "fraction" is that of the SpqSpatialOperator.
 */
void
spq_estimate_window_add(SpqEstimateWindow *window, SpqRelation relation,
						double fraction, const float8 *constant, bool box_is_left)
{
	const SpqBoxRule *rule = spq_box_rule(relation);
	const double slack = tolerance(rule->comparison, window->axes);
	const float8 *end[] = {
		[SPQ_BOX_LOW_END] = constant + window->axes,
		[SPQ_BOX_HIGH_END] = constant
	};

	window->fraction *= fraction;
	window->same |= relation == SPQ_BOX_SAME;
	for (int i = 0; i < 2 * window->axes; i++)
		window->nothing |= isnan(constant[i]);
	for (int axis = 0; axis < window->axes; axis++)
	{
		if (spq_box_is_axial(relation) && spq_box_axis(relation) != axis)
			continue;
		if (relation == SPQ_BOX_SAME)
			for (SpqBoxEnd e = SPQ_BOX_LOW_END; e <= SPQ_BOX_HIGH_END; e++)
			{
				limit_from_above(window, e, axis, end[e][axis] + slack);
				limit_from_below(window, e, axis, end[e][axis] - slack);
			}
		else if (box_is_left)
		{
			if (rule->low_a != SPQ_BOX_NO_END)
				limit_from_above(window, rule->low_a, axis,
								 end[rule->low_b][axis] + slack);
			if (rule->high_a != SPQ_BOX_NO_END)
				limit_from_below(window, rule->high_a, axis,
								 end[rule->high_b][axis] - slack);
		}
		else
		{
			if (rule->low_a != SPQ_BOX_NO_END)
				limit_from_below(window, rule->low_b, axis,
								 end[rule->low_a][axis] - slack);
			if (rule->high_a != SPQ_BOX_NO_END)
				limit_from_above(window, rule->high_b, axis,
								 end[rule->high_a][axis] + slack);
		}
	}
}

/*
 * Add the condition that a box meets a shape or lies in it.  Ignore it if
 * there are SPQ_ESTIMATE_SHAPES already.
 */
void
spq_estimate_window_add_shape(SpqEstimateWindow *window, const SpqEstimateShape *shape)
{
	if (window->shapes < SPQ_ESTIMATE_SHAPES)
		window->shape[window->shapes++] = *shape;
}
