/*-------------------------------------------------------------------------
 *
 * distance.c
 *	  The distances that nearest-neighbor scans order by.
 *
 * A scan must compute the values of the operators to the last bit; otherwise
 * its rows would be in another order than those of a sequential scan.  But it
 * must not raise an error on overflow, as the operators do.  So this file uses
 * the floating-point operations of PostgreSQL's geo_ops.c, in the same order,
 * without the overflow checks:
 *
 *	box <-> box		distance of the centers
 *	box <-> point	zero if the box holds the point, else the smallest of the
 *					distances to its four sides
 *
 * The distance to a side is the distance to the foot of the perpendicular if
 * the foot is on the side, else to an end of the side.  Fuzzy comparisons
 * decide whether the foot is on the side, and whether it is an end.  So the
 * result can differ from the exact distance by some EPSILON, and for infinite
 * boxes by any amount: both parts of an infinite side are infinitely long, so
 * each foot is "on" the side.  Hence the allowances in spq_box_min_distance().
 *
 * Where the operator raises an error, the value here is what the arithmetic
 * yields.  On overflow that is infinity or NaN, so these rows come last.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/float.h"
#include "utils/geo_decls.h"

#include "compat.h"
#include "box/distance.h"
#include "box/relation.h"

/* Below this, sums and hypotenuses cannot overflow. */
#define SAFE_MAX	1e300

/* Up to this, the sum of two squares cannot overflow. */
#define SAFE_SQUARE 1e150

/*
 * Return the hypotenuse as the operators compute it, or infinity where they
 * raise an overflow error.
 */
static inline float8
hypotenuse(float8 x, float8 y)
{
	if (!SPQ_HYPOT_RAISES || likely(fabs(x) < SAFE_MAX && fabs(y) < SAFE_MAX))
		return spq_hypot(x, y);
	if (isinf(x) || isinf(y) || isnan(x) || isnan(y))
		return spq_hypot(x, y);

	/* x * sqrt(1 + (y/x)^2), and infinity if it overflows */
	x = fabs(x);
	y = fabs(y);
	if (x < y)
	{
		float8		swap = x;

		x = y;
		y = swap;
	}
	if (y == 0.0)
		return x;
	y = y / x;
	return x * sqrt(1.0 + (y * y));
}

/* Return what the operator point ~= point returns. */
static inline bool
same_point(const Point *a, const Point *b)
{
	return spq_box_same_corner((const float8 *) a, (const float8 *) b);
}

static inline float8
distance(const Point *a, const Point *b)
{
	return hypotenuse(a->x - b->x, a->y - b->y);
}

/*
 * Return the intersection of a vertical line at "on_x" and a horizontal one at
 * "on_y".
 *
 * PostgreSQL's formula for the intersection of two lines has these products
 * with zero, which are NaN if the other factor is infinite.  Like PostgreSQL,
 * turn negative zeros into positive ones.
 */
static inline Point
meeting_point(float8 on_x, float8 on_y)
{
	Point		result;

	result.x = (-on_x - 0.0 * on_y) / -1.0 + 0.0;
	result.y = -(0.0 * result.x + on_y) / -1.0 + 0.0;
	return result;
}

/*
 * Return the distance of a point from the side from a to b, which is vertical
 * or horizontal.
 */
static float8
side_distance(const Point *a, const Point *b, const Point *p)
{
	bool		vertical = FPeq(a->x, b->x);
	Point		foot = vertical ? meeting_point(a->x, p->y) :
		meeting_point(p->x, a->y);
	const Point *nearest;

	if (FPeq(distance(&foot, a) + distance(&foot, b), distance(a, b)))
	{
		/* the foot is on the side */
		nearest = same_point(a, &foot) ? a : same_point(b, &foot) ? b : &foot;
	}
	else
	{
		/* the nearest point is the end closer to the perpendicular */
		Point		near_a = vertical ? foot : meeting_point(p->x, a->y);
		Point		near_b = vertical ? meeting_point(b->x, p->y) :
			meeting_point(p->x, b->y);

		nearest = distance(&near_a, a) < distance(&near_b, b) ? a : b;
	}
	return distance(nearest, p);
}

/*
 * Return the distance by the operator's definition: the smallest of the
 * distances to the four sides.
 */
static float8
distance_by_sides(const BOX *box, const Point *point)
{
	Point		upper_left,
				lower_right;
	float8		least,
				d;

	upper_left.x = box->low.x;
	upper_left.y = box->high.y;
	lower_right.x = box->high.x;
	lower_right.y = box->low.y;

	least = side_distance(&box->low, &upper_left, point);
	d = side_distance(&box->high, &upper_left, point);
	if (float8_lt(d, least))
		least = d;
	d = side_distance(&box->low, &lower_right, point);
	if (float8_lt(d, least))
		least = d;
	d = side_distance(&box->high, &lower_right, point);
	if (float8_lt(d, least))
		least = d;
	return least;
}

/*
 * Return whether a number is so small that sums of a few of them are exact to
 * well within EPSILON.
 */
static inline bool
is_tame(float8 v)
{
	return fabs(v) < 1e8;
}

/*
 * Return the gap along one axis between a value and an interval: zero if the
 * value is inside; NaN if the value is so near to an end, or the interval so
 * short, that fuzzy comparisons may confuse an end of the interval and the foot
 * of a perpendicular.
 */
static inline float8
clear_gap(float8 low, float8 high, float8 v)
{
	const float8 fuzz = 4.0 * EPSILON;
	float8		length = high - low;
	float8		gap;

	if (v > low + fuzz && v < high - fuzz)
		return 0.0;
	gap = v < low ? low - v : v - high;
	if (gap > fuzz && length > fuzz && length > 1e-12 * gap)
		return gap;
	return get_float8_nan();
}

/*
 * Return what the operator box <-> point returns.
 *
 * In nearly all cases a shortcut gives the same value, to the last bit:
 *
 * - A box of size zero: all sides are the same point.
 * - A point beside the box, away from the lines through its sides: the foot on
 *	 the nearest side is the point's projection, and the distance is the
 *	 difference of one coordinate, as the other coordinate is the same.  The
 *	 distances to the other sides are not smaller: they are hypotenuses over a
 *	 leg that is not shorter.
 * - A point diagonally off a corner: two sides end in the nearest corner.  The
 *	 other two end in corners that share one coordinate with it and have a
 *	 longer leg along the other axis: so much longer (clear_gap) that rounding,
 *	 a few units in the last place, cannot make their hypotenuses smaller.
 *
 * For tame numbers (is_tame), the fuzzy tests of side_distance() have the
 * results assumed here.
 */
float8
spq_box_point_distance(const BOX *box, const Point *point)
{
	if (box->high.x >= point->x && box->low.x <= point->x &&
		box->high.y >= point->y && box->low.y <= point->y)
		return 0.0;

	if (is_tame(box->low.x) && is_tame(box->low.y) &&
		is_tame(box->high.x) && is_tame(box->high.y) &&
		is_tame(point->x) && is_tame(point->y))
	{
		float8		dx,
					dy;

		if (box->low.x == box->high.x && box->low.y == box->high.y)
			return spq_hypot(box->low.x - point->x, box->low.y - point->y);

		dx = clear_gap(box->low.x, box->high.x, point->x);
		dy = clear_gap(box->low.y, box->high.y, point->y);
		if (dx == 0.0 && !isnan(dy))
			return dy;
		if (dy == 0.0 && !isnan(dx))
			return dx;
		if (dx > 0.0 && dy > 0.0)
			return spq_hypot(dx, dy);
	}
	return distance_by_sides(box, point);
}

/*
 * Return the center of a box as the operator box <-> box computes it, so that
 * distances are the same to the last bit.  Unlike spq_box_middle(), the sum can
 * overflow; there the operator raises an error.
 */
Point
spq_box_center(const BOX *box)
{
	Point		center;

	center.x = (box->high.x + box->low.x) / 2.0;
	center.y = (box->high.y + box->low.y) / 2.0;
	return center;
}

/*
 * Return what the operator point <-> point returns.
 */
float8
spq_point_distance(const Point *a, const Point *b)
{
	return distance(a, b);
}

/*
 * Return what the operator box <-> box returns.
 */
float8
spq_box_center_distance(const BOX *box, const BOX *query)
{
	Point		a = spq_box_center(box);
	Point		b = spq_box_center(query);

	return distance(&a, &b);
}

/*
 * Return the gap between a value and an interval, less the difference that
 * fuzzy comparisons may ignore between numbers of this magnitude.
 */
static inline float8
least_gap(float8 min, float8 max, float8 v)
{
	float8		gap = spq_box_gap(min, max, v, v);
	float8		ignored = 2.0 * EPSILON + 8.0 * DBL_EPSILON *
		(fabs(v) + Max(fabs(min), fabs(max)));

	return gap > ignored ? gap - ignored : 0.0;
}

/*
 * Return a lower bound of both distance operators for all boxes within the
 * bounds.  The point is the query, or the query's center.
 *
 * The operator's distance to a side is off by at most half of EPSILON, plus the
 * rounding of sums of lengths.  For boxes with infinite sides the operator may
 * return any distance.
 */
float8
spq_box_min_distance(const SpqBoxBounds *bounds, const Point *point)
{
	float8		dx,
				dy;

	if (isinf(bounds->xmin) || isinf(bounds->xmax) ||
		isinf(bounds->ymin) || isinf(bounds->ymax))
		return 0.0;
	dx = least_gap(bounds->xmin, bounds->xmax, point->x);
	dy = least_gap(bounds->ymin, bounds->ymax, point->y);
	if (dx == 0.0 || dy == 0.0 || dx > SAFE_SQUARE || dy > SAFE_SQUARE)
		return Max(dx, dy);
	return sqrt(dx * dx + dy * dy) * (1.0 - 8.0 * DBL_EPSILON);
}
