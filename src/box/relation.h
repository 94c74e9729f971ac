/*-------------------------------------------------------------------------
 *
 * relation.h
 *	  The relations of two boxes, "a relation b", decided exactly.
 *
 * This is the only description of what PostgreSQL's operators for boxes
 * compare.  Index scans, joins, estimates and checks all use it.
 * spq_box_related() returns what the operator returns, for all boxes: same
 * comparisons, same EPSILON, same rounding, also for NaN.
 *
 * All relations except two are conjunctions of comparisons of an end of a with
 * an end of b, along each axis or along one of them.  Per axis, at most one
 * comparison requires an end of a to be low enough, and at most one requires an
 * end of a to be high enough:
 *
 *		relation   operator		along	a is low enough		a is high enough
 *		OVERLAPS   &&  ?#		all		a.low  <= b.high	a.high >= b.low
 *		CONTAINS   @>			all		a.low  <= b.low		a.high >= b.high
 *		CONTAINED  <@			all		a.high <= b.high	a.low  >= b.low
 *		MEETS	   @> point		all		a.low  <= b.high	a.high >= b.low
 *		LEFT	   <<  <<|		one		a.high <  b.low
 *		OVERLEFT   &<  &<|		one		a.high <= b.high
 *		RIGHT	   >>  |>>		one							a.low  >  b.high
 *		OVERRIGHT  &>  |&>		one							a.low  >= b.low
 *
 * In this table MEETS compares exactly, and all others with EPSILON.  The
 * relations not in the table are SAME, the operator ~=, which requires
 * |x - y| <= EPSILON of all ends, and WITHIN, which compares a distance.
 * EPSILON is SPQ_BOX_EPSILON: PostgreSQL's in two dimensions; in three it is 0,
 * and all comparisons are exact.
 *
 * Exchanging the sides exchanges the last two columns (spq_box_commute).
 *
 * A join can choose candidates by this: the relations along all axes imply, on
 * each axis, with s = spq_box_slack(),
 *
 *		a.low - s <= b.high   and   b.low <= a.high + s
 *
 *			   b   low +---------------+ high
 *			   a			  low - s <-s-> low +------+ high
 *
 * in floating point, with each sum rounded (src/join/README.md proves it).
 * Rounding is monotonic, so the same comparisons hold for anything that
 * encloses the boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_RELATION_H
#define SPQ_BOX_RELATION_H

#include <float.h>

#include "box/box.h"
#include "box/lanes.h"

typedef enum SpqRelation
{
	/* along all axes */
	SPQ_BOX_OVERLAPS,			/* a && b */
	SPQ_BOX_CONTAINS,			/* a @> b */
	SPQ_BOX_CONTAINED,			/* a <@ b */
	SPQ_BOX_SAME,				/* a ~= b */
	SPQ_BOX_MEETS,				/* as && but without EPSILON; if b is a point,
								 * box @> point */
	SPQ_BOX_WITHIN,				/* a && b, or at most a distance apart */

	/* along one axis: four for the first, four for the second ... */
	SPQ_BOX_LEFT,				/* a << b */
	SPQ_BOX_OVERLEFT,			/* a &< b */
	SPQ_BOX_RIGHT,				/* a >> b */
	SPQ_BOX_OVERRIGHT,			/* a &> b */
	SPQ_BOX_BELOW,				/* a <<| b */
	SPQ_BOX_OVERBELOW,			/* a &<| b */
	SPQ_BOX_ABOVE,				/* a |>> b */
	SPQ_BOX_OVERABOVE,			/* a |&> b */
#if SPQ_DIM > 2
	SPQ_BOX_FRONT,
	SPQ_BOX_OVERFRONT,
	SPQ_BOX_BACK,
	SPQ_BOX_OVERBACK,
#endif
} SpqRelation;

/* How two coordinates are compared. */
typedef enum SpqBoxComparison
{
	SPQ_BOX_COMPARE_EXACT,		/* x <= y */
	SPQ_BOX_COMPARE_FUZZY,		/* as FPle: x <= y + EPSILON */
	SPQ_BOX_COMPARE_FUZZY_STRICT,	/* as FPlt: x + EPSILON < y */
	SPQ_BOX_COMPARE_SAME		/* as FPeq, seen from one side */
} SpqBoxComparison;

typedef enum SpqBoxEnd
{
	SPQ_BOX_NO_END,				/* no such comparison */
	SPQ_BOX_LOW_END,
	SPQ_BOX_HIGH_END
} SpqBoxEnd;

/* A row of the table above. */
typedef struct SpqBoxRule
{
	SpqBoxComparison comparison;
	SpqBoxEnd	low_a,			/* this end of a must not exceed ... */
				low_b,			/* ... this end of b */
				high_a,			/* this end of a must not be below ... */
				high_b;			/* ... this end of b */
} SpqBoxRule;

/*
 * The rules of the relations along all axes, and along the first axis.  The
 * rule of SAME is for a box that encloses a.  WITHIN has no rule.
 */
static const SpqBoxRule spq_box_rules[] = {
	[SPQ_BOX_OVERLAPS] = {SPQ_BOX_COMPARE_FUZZY,
	SPQ_BOX_LOW_END, SPQ_BOX_HIGH_END, SPQ_BOX_HIGH_END, SPQ_BOX_LOW_END},
	[SPQ_BOX_CONTAINS] = {SPQ_BOX_COMPARE_FUZZY,
	SPQ_BOX_LOW_END, SPQ_BOX_LOW_END, SPQ_BOX_HIGH_END, SPQ_BOX_HIGH_END},
	[SPQ_BOX_CONTAINED] = {SPQ_BOX_COMPARE_FUZZY,
	SPQ_BOX_HIGH_END, SPQ_BOX_HIGH_END, SPQ_BOX_LOW_END, SPQ_BOX_LOW_END},
	[SPQ_BOX_SAME] = {SPQ_BOX_COMPARE_SAME,
	SPQ_BOX_LOW_END, SPQ_BOX_LOW_END, SPQ_BOX_HIGH_END, SPQ_BOX_HIGH_END},
	[SPQ_BOX_MEETS] = {SPQ_BOX_COMPARE_EXACT,
	SPQ_BOX_LOW_END, SPQ_BOX_HIGH_END, SPQ_BOX_HIGH_END, SPQ_BOX_LOW_END},
	[SPQ_BOX_LEFT] = {SPQ_BOX_COMPARE_FUZZY_STRICT,
	SPQ_BOX_HIGH_END, SPQ_BOX_LOW_END, SPQ_BOX_NO_END, SPQ_BOX_NO_END},
	[SPQ_BOX_OVERLEFT] = {SPQ_BOX_COMPARE_FUZZY,
	SPQ_BOX_HIGH_END, SPQ_BOX_HIGH_END, SPQ_BOX_NO_END, SPQ_BOX_NO_END},
	[SPQ_BOX_RIGHT] = {SPQ_BOX_COMPARE_FUZZY_STRICT,
	SPQ_BOX_NO_END, SPQ_BOX_NO_END, SPQ_BOX_LOW_END, SPQ_BOX_HIGH_END},
	[SPQ_BOX_OVERRIGHT] = {SPQ_BOX_COMPARE_FUZZY,
	SPQ_BOX_NO_END, SPQ_BOX_NO_END, SPQ_BOX_LOW_END, SPQ_BOX_LOW_END}
};

/* Return the corner that an end belongs to. */
static inline const float8 *
spq_box_end(SpqBoxCorners box, SpqBoxEnd end)
{
	return end == SPQ_BOX_LOW_END ? box.low : box.high;
}

/* Number of relations along one axis, for each axis. */
#define SPQ_BOX_AXIS_RELATIONS	4

/* Return whether a relation compares along one axis only. */
static inline bool
spq_box_is_axial(SpqRelation relation)
{
	return relation >= SPQ_BOX_LEFT;
}

/* Return the axis of a relation along one axis. */
static inline int
spq_box_axis(SpqRelation relation)
{
	return (relation - SPQ_BOX_LEFT) / SPQ_BOX_AXIS_RELATIONS;
}

/* Return whether a relation concerns an axis. */
static inline bool
spq_box_concerns(SpqRelation relation, int axis)
{
	return !spq_box_is_axial(relation) || spq_box_axis(relation) == axis;
}

static inline const SpqBoxRule *
spq_box_rule(SpqRelation relation)
{
	if (spq_box_is_axial(relation))
		relation = SPQ_BOX_LEFT + (relation - SPQ_BOX_LEFT) % SPQ_BOX_AXIS_RELATIONS;
	Assert(relation != SPQ_BOX_WITHIN);
	return &spq_box_rules[relation];
}

/*
 * Return the relation with the sides exchanged.  The relation must not be
 * OVERLEFT, OVERRIGHT or the like on another axis: these operators have no
 * commutator.
 */
static inline SpqRelation
spq_box_commute(SpqRelation relation)
{
	switch (relation)
	{
		case SPQ_BOX_CONTAINS:
			return SPQ_BOX_CONTAINED;
		case SPQ_BOX_CONTAINED:
			return SPQ_BOX_CONTAINS;
		default:
			if (!spq_box_is_axial(relation))
				return relation;
			Assert((relation - SPQ_BOX_LEFT) % 2 == 0);
			return SPQ_BOX_LEFT + ((relation - SPQ_BOX_LEFT) ^ 2);
	}
}

/*
 * Return whether this box can match any other.  Comparisons with NaN are
 * false, except that for SAME, NaN equals NaN.
 */
static inline bool
spq_box_can_match(SpqRelation relation, const SpqBox *box)
{
	if (spq_box_is_axial(relation))
	{
		int			axis = spq_box_axis(relation);

		return !isnan(spq_box_low(box)[axis]) || !isnan(spq_box_high(box)[axis]);
	}
	return relation == SPQ_BOX_SAME || !spq_box_has_nan(box);
}

/*
 * Return how much to enlarge a on each side so that it meets every b for which
 * the relation holds.  The relation must be one along all axes.
 *
 * The slack is twice EPSILON, because "a <= b + EPSILON" is decided after
 * rounding.  For WITHIN the distance is added, and more than the rounding
 * errors of differences and of hypot(); close to DBL_MAX the sum is infinity.
 */
static inline double
spq_box_slack(SpqRelation relation, double distance)
{
	double		slack = 2 * SPQ_BOX_EPSILON;

	Assert(!spq_box_is_axial(relation));
	if (relation == SPQ_BOX_WITHIN)
		slack += distance * (1 + 8 * DBL_EPSILON);
	return slack;
}

/*
 * Return whether x is low enough for y, or, equivalently, y is high enough for
 * x: FPge(y, x) is FPle(x, y), and FPgt(y, x) is FPlt(x, y), also in rounding.
 */
static pg_attribute_always_inline bool
spq_box_compare(SpqBoxComparison comparison, float8 x, float8 y)
{
	switch (comparison)
	{
		case SPQ_BOX_COMPARE_EXACT:
			return x <= y;
		case SPQ_BOX_COMPARE_FUZZY:
			return x <= y + SPQ_BOX_EPSILON;
		case SPQ_BOX_COMPARE_FUZZY_STRICT:
			return x + SPQ_BOX_EPSILON < y;
		case SPQ_BOX_COMPARE_SAME:
			return x <= y || x - y <= SPQ_BOX_EPSILON;
	}
	return false;
}

/*
 * Compare x and y along all axes, the first two at once.  Return a bit for each
 * axis, bit 0 for the first.  Not for COMPARE_SAME.
 */
static pg_attribute_always_inline int
spq_box_compare_axes(SpqBoxComparison comparison, const float8 *x, const float8 *y)
{
	const SpqDoubles epsilon = spq_doubles_set(SPQ_BOX_EPSILON);
	SpqDoubles	two_x = spq_doubles_load(x),
				two_y = spq_doubles_load(y);
	int			third = 0;

	Assert(comparison != SPQ_BOX_COMPARE_SAME);
#if SPQ_DIM > 2
	third = (int) spq_box_compare(comparison, x[2], y[2]) << 2;
#endif
	if (comparison == SPQ_BOX_COMPARE_FUZZY)
		two_y += epsilon;
	else if (comparison == SPQ_BOX_COMPARE_FUZZY_STRICT)
		two_x += epsilon;
	return third | spq_doubles_bits(comparison == SPQ_BOX_COMPARE_FUZZY_STRICT ?
									two_x < two_y : two_x <= two_y);
}

/*
 * Return whether a relation that is a conjunction of comparisons holds.  The
 * relation should be a constant; then this compiles to a few instructions.
 * There are no branches, since no predictor can guess which comparison fails.
 */
static pg_attribute_always_inline bool
spq_box_conjunction(SpqRelation relation, SpqBoxCorners a, SpqBoxCorners b)
{
	const SpqBoxRule *rule = spq_box_rule(relation);
	const int	all_axes = (1 << SPQ_DIM) - 1;
	int			axes = all_axes;

	if (spq_box_is_axial(relation))
	{
		int			axis = spq_box_axis(relation);

		return rule->low_a != SPQ_BOX_NO_END ?
			spq_box_compare(rule->comparison, spq_box_end(a, rule->low_a)[axis],
							spq_box_end(b, rule->low_b)[axis]) :
			spq_box_compare(rule->comparison, spq_box_end(b, rule->high_b)[axis],
							spq_box_end(a, rule->high_a)[axis]);
	}
	if (rule->low_a != SPQ_BOX_NO_END)
		axes &= spq_box_compare_axes(rule->comparison,
									 spq_box_end(a, rule->low_a),
									 spq_box_end(b, rule->low_b));
	if (rule->high_a != SPQ_BOX_NO_END)
		axes &= spq_box_compare_axes(rule->comparison,
									 spq_box_end(b, rule->high_b),
									 spq_box_end(a, rule->high_a));
	return axes == all_axes;
}

extern bool spq_box_same_nan_corner(const float8 *a, const float8 *b, int dim);

/*
 * Return whether two corners are the same, as the operator ~= of points does:
 * with EPSILON, or, if a corner has a NaN, exactly; then NaN equals NaN.
 */
static inline bool
spq_box_same_corner(const float8 *a, const float8 *b)
{
	bool		same = true,
				has_nan = false;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		same = same && (a[axis] == b[axis] ||
						fabs(a[axis] - b[axis]) <= SPQ_BOX_EPSILON);
	if (same)
		return true;
	for (int axis = 0; axis < SPQ_DIM; axis++)
		has_nan |= isnan(a[axis]) || isnan(b[axis]);
	return unlikely(has_nan) && spq_box_same_nan_corner(a, b, SPQ_DIM);
}

/* a ~= b */
static inline bool
spq_box_same(SpqBoxCorners a, SpqBoxCorners b)
{
	return spq_box_same_corner(a.high, b.high) && spq_box_same_corner(a.low, b.low);
}

/*
 * Return the gap between two intervals, 0 if they meet.  Subtract only if there
 * is a gap: the difference of equal infinities would be NaN.
 */
static inline double
spq_box_gap(double a_low, double a_high, double b_low, double b_high)
{
	if (a_low > b_high)
		return a_low - b_high;
	if (b_low > a_high)
		return b_low - a_high;
	return 0;
}

/* Distances whose squares neither overflow nor lose bits. */
#define SPQ_BOX_LEAST_SQUARE	1e-280
#define SPQ_BOX_LARGEST_SQUARE	1e280

/* More than what rounds a square, a sum of three squares, and two hypot(). */
#define SPQ_BOX_SQUARE_MARGIN	(32 * DBL_EPSILON)

/* The same by hypot(), for distances where the squares do not decide. */
static inline bool
spq_box_within_hypot(const double *gap, double distance)
{
	double		apart = 0;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		if (gap[axis] > 0)
			apart = apart > 0 ? hypot(apart, gap[axis]) : gap[axis];
	return apart <= distance;
}

/*
 * Return whether the closest points of two boxes are at most this far apart.
 * The boxes must not have a NaN.  Gaps along several axes are combined by
 * hypot(), since squares overflow and underflow long before coordinates do.
 * But where they do not, their sum nearly always tells what hypot() would: it is
 * farther from the square of the distance than rounding explains.
 */
static inline bool
spq_box_within(SpqBoxCorners a, SpqBoxCorners b, double distance)
{
	const double square = distance * distance;
	double		gap[SPQ_DIM],
				sum = 0;

	spq_each_axis(axis)
	{
		gap[axis] = spq_box_gap(a.low[axis], a.high[axis], b.low[axis], b.high[axis]);
		if (gap[axis] > distance)
			return false;
		sum += gap[axis] * gap[axis];
	}
	if (square >= SPQ_BOX_LEAST_SQUARE && square <= SPQ_BOX_LARGEST_SQUARE)
	{
		if (sum < square * (1 - SPQ_BOX_SQUARE_MARGIN))
			return true;
		if (sum > square * (1 + SPQ_BOX_SQUARE_MARGIN))
			return false;
	}
	return spq_box_within_hypot(gap, distance);
}

/*
 * Return whether "a relation b" holds.  The relation must be a constant, and
 * not WITHIN.  spq_box_corners_related() returns the same, but the compiler
 * must copy each of its cases into each call before it drops all but one.
 */
static pg_attribute_always_inline bool
spq_box_constant_related(SpqRelation relation, SpqBoxCorners a, SpqBoxCorners b)
{
	return relation == SPQ_BOX_SAME ? spq_box_same(a, b) :
		spq_box_conjunction(relation, a, b);
}

/* Return whether "a relation b" holds.  Only WITHIN uses the distance. */
static pg_attribute_always_inline bool
spq_box_corners_related(SpqRelation relation, double distance,
						SpqBoxCorners a, SpqBoxCorners b)
{
	switch (relation)
	{
		case SPQ_BOX_OVERLAPS:
			return spq_box_conjunction(SPQ_BOX_OVERLAPS, a, b);
		case SPQ_BOX_CONTAINS:
			return spq_box_conjunction(SPQ_BOX_CONTAINS, a, b);
		case SPQ_BOX_CONTAINED:
			return spq_box_conjunction(SPQ_BOX_CONTAINED, a, b);
		case SPQ_BOX_MEETS:
			return spq_box_conjunction(SPQ_BOX_MEETS, a, b);
		case SPQ_BOX_LEFT:
			return spq_box_conjunction(SPQ_BOX_LEFT, a, b);
		case SPQ_BOX_OVERLEFT:
			return spq_box_conjunction(SPQ_BOX_OVERLEFT, a, b);
		case SPQ_BOX_RIGHT:
			return spq_box_conjunction(SPQ_BOX_RIGHT, a, b);
		case SPQ_BOX_OVERRIGHT:
			return spq_box_conjunction(SPQ_BOX_OVERRIGHT, a, b);
		case SPQ_BOX_BELOW:
			return spq_box_conjunction(SPQ_BOX_BELOW, a, b);
		case SPQ_BOX_OVERBELOW:
			return spq_box_conjunction(SPQ_BOX_OVERBELOW, a, b);
		case SPQ_BOX_ABOVE:
			return spq_box_conjunction(SPQ_BOX_ABOVE, a, b);
		case SPQ_BOX_OVERABOVE:
			return spq_box_conjunction(SPQ_BOX_OVERABOVE, a, b);
#if SPQ_DIM > 2
		case SPQ_BOX_FRONT:
			return spq_box_conjunction(SPQ_BOX_FRONT, a, b);
		case SPQ_BOX_OVERFRONT:
			return spq_box_conjunction(SPQ_BOX_OVERFRONT, a, b);
		case SPQ_BOX_BACK:
			return spq_box_conjunction(SPQ_BOX_BACK, a, b);
		case SPQ_BOX_OVERBACK:
			return spq_box_conjunction(SPQ_BOX_OVERBACK, a, b);
#endif
		case SPQ_BOX_SAME:
			return spq_box_same(a, b);
		case SPQ_BOX_WITHIN:
			return spq_box_conjunction(SPQ_BOX_OVERLAPS, a, b) ||
				spq_box_within(a, b, distance);
	}
	pg_unreachable();
}

static pg_attribute_always_inline bool
spq_box_related(SpqRelation relation, double distance,
				const SpqBox *a, const SpqBox *b)
{
	return spq_box_corners_related(relation, distance,
								   spq_box_corners(a), spq_box_corners(b));
}

/* a && b */
static inline bool
spq_box_overlaps(const SpqBox *a, const SpqBox *b)
{
	return spq_box_related(SPQ_BOX_OVERLAPS, 0, a, b);
}

/* a @> b */
static inline bool
spq_box_contains(const SpqBox *a, const SpqBox *b)
{
	return spq_box_related(SPQ_BOX_CONTAINS, 0, a, b);
}

#endif							/* SPQ_BOX_RELATION_H */
