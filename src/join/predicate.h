/*-------------------------------------------------------------------------
 *
 * predicate.h
 *	  The conditions that a spatial join can be asked for, decided exactly.
 *
 * spq_join_matches() has the last word on every pair.  It gives what the
 * operator of PostgreSQL gives, for all boxes: same comparisons, same
 * EPSILON, same rounding, NaN included.  All that comes before it (cells,
 * bounds, batches) only chooses candidates, and may choose too many.
 *
 * How candidates can be chosen at all: every condition implies, in x and in
 * y, with s = spq_join_slack(),
 *
 *		probe.low - s <= build.high   and   build.low <= probe.high + s
 *
 *			   build  low +---------------+ high
 *			   probe			 low - s <-s-> low +------+ high
 *
 * in floating point, with each sum rounded (README.md proves it).  Rounding is
 * monotone, so that the same comparisons hold for anything that encloses
 * the boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_PREDICATE_H
#define SPQ_JOIN_PREDICATE_H

#include <float.h>
#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "utils/geo_decls.h"

#include "box/distance.h"

typedef enum SpqJoinPredicate
{
	SPQ_JOIN_OVERLAPS,			/* probe && build */
	SPQ_JOIN_CONTAINS,			/* probe @> build */
	SPQ_JOIN_CONTAINED,			/* probe <@ build */
	SPQ_JOIN_SAME,				/* probe ~= build */
	SPQ_JOIN_MEETS,				/* as && but without EPSILON; with a point on
								 * one side, what box @> point is */
	SPQ_JOIN_WITHIN				/* probe && build, or no farther apart than
								 * "distance" */
} SpqJoinPredicate;

/* The condition with the sides exchanged. */
static inline SpqJoinPredicate
spq_join_commute(SpqJoinPredicate predicate)
{
	switch (predicate)
	{
		case SPQ_JOIN_CONTAINS:
			return SPQ_JOIN_CONTAINED;
		case SPQ_JOIN_CONTAINED:
			return SPQ_JOIN_CONTAINS;
		default:
			return predicate;
	}
}

static inline bool
spq_box_has_nan(const BOX *box)
{
	return isnan(box->low.x) || isnan(box->low.y) ||
		isnan(box->high.x) || isnan(box->high.y);
}

/*
 * Can this box match any other?  With a NaN none of the comparisons that && @>
 * <@ and "meets" consist of is true, whereas ~= finds NaN the same as NaN.
 */
static inline bool
spq_join_can_match(SpqJoinPredicate predicate, const BOX *box)
{
	return predicate == SPQ_JOIN_SAME || !spq_box_has_nan(box);
}

/*
 * By how much to grow a probe on each side.  Twice EPSILON, because "a <= b +
 * EPSILON" is decided after rounding; for a distance, more than any rounding
 * of differences and of hypot() can hide, which next to DBL_MAX is infinity.
 */
static inline double
spq_join_slack(SpqJoinPredicate predicate, double distance)
{
	double		slack = 2 * EPSILON;

	if (predicate == SPQ_JOIN_WITHIN)
		slack += distance * (1 + 8 * DBL_EPSILON);
	return slack;
}

/*
 * box_overlap() of PostgreSQL, which is four times FPle().  Without branches, as
 * which comparison fails is a toss-up; where the processor compares two numbers
 * at once, x and y together.
 */
static inline bool
spq_boxes_overlap(const BOX *a, const BOX *b)
{
#ifdef __SSE2__
	const __m128d epsilon = _mm_set1_pd(EPSILON);
	__m128d		a_high = _mm_loadu_pd(&a->high.x),
				a_low = _mm_loadu_pd(&a->low.x),
				b_high = _mm_loadu_pd(&b->high.x),
				b_low = _mm_loadu_pd(&b->low.x);

	StaticAssertStmt(offsetof(Point, y) == sizeof(double), "x and y are neighbours");
	return _mm_movemask_pd(_mm_and_pd(_mm_cmple_pd(a_low, _mm_add_pd(b_high, epsilon)),
									  _mm_cmple_pd(b_low, _mm_add_pd(a_high, epsilon)))) == 3;
#else
	int			x = (int) FPle(a->low.x, b->high.x) & (int) FPle(b->low.x, a->high.x),
				y = (int) FPle(a->low.y, b->high.y) & (int) FPle(b->low.y, a->high.y);

	return (x & y) != 0;
#endif
}

/* The same without EPSILON: for a point, box_contain_point() of PostgreSQL. */
static inline bool
spq_boxes_meet(const BOX *a, const BOX *b)
{
#ifdef __SSE2__
	__m128d		a_high = _mm_loadu_pd(&a->high.x),
				a_low = _mm_loadu_pd(&a->low.x),
				b_high = _mm_loadu_pd(&b->high.x),
				b_low = _mm_loadu_pd(&b->low.x);

	return _mm_movemask_pd(_mm_and_pd(_mm_cmple_pd(a_low, b_high),
									  _mm_cmple_pd(b_low, a_high))) == 3;
#else
	int			x = (int) (a->low.x <= b->high.x) & (int) (b->low.x <= a->high.x),
				y = (int) (a->low.y <= b->high.y) & (int) (b->low.y <= a->high.y);

	return (x & y) != 0;
#endif
}

/* box_contain() of PostgreSQL */
static inline bool
spq_box_contains(const BOX *a, const BOX *b)
{
	int			x = (int) FPge(a->high.x, b->high.x) & (int) FPle(a->low.x, b->low.x),
				y = (int) FPge(a->high.y, b->high.y) & (int) FPle(a->low.y, b->low.y);

	return (x & y) != 0;
}

/*
 * Room between two boxes that do not overlap, along one axis.  Computed only
 * where there is some: the difference of equal infinities would be NaN.
 */
static inline double
spq_gap(double alow, double ahigh, double blow, double bhigh)
{
	if (alow > bhigh)
		return alow - bhigh;
	if (blow > ahigh)
		return blow - ahigh;
	return 0;
}

/*
 * The closest points of the boxes, which have no NaN, are at most this far
 * apart.  Corner against corner takes hypot(): the sum of squares overflows
 * and underflows long before the coordinates do.
 */
static inline bool
spq_boxes_within(const BOX *a, const BOX *b, double distance)
{
	double		dx = spq_gap(a->low.x, a->high.x, b->low.x, b->high.x);
	double		dy = spq_gap(a->low.y, a->high.y, b->low.y, b->high.y);

	if (dx > distance || dy > distance)
		return false;
	if (dx == 0 || dy == 0)
		return true;
	return hypot(dx, dy) <= distance;
}

static inline bool
spq_join_matches(SpqJoinPredicate predicate, double distance,
				 const BOX *probe, const BOX *build)
{
	switch (predicate)
	{
		case SPQ_JOIN_OVERLAPS:
			return spq_boxes_overlap(probe, build);
		case SPQ_JOIN_CONTAINS:
			return spq_box_contains(probe, build);
		case SPQ_JOIN_CONTAINED:
			return spq_box_contains(build, probe);
		case SPQ_JOIN_SAME:
			return spq_same_point(&probe->high, &build->high) &&
				spq_same_point(&probe->low, &build->low);
		case SPQ_JOIN_MEETS:
			return spq_boxes_meet(probe, build);
		case SPQ_JOIN_WITHIN:
			return spq_boxes_overlap(probe, build) ||
				spq_boxes_within(probe, build, distance);
	}
	return false;
}

#endif							/* SPQ_JOIN_PREDICATE_H */
