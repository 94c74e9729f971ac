/*-------------------------------------------------------------------------
 *
 * quiet.c
 *	  PostgreSQL's operators of points and other shapes, without errors.  See
 *	  quiet.h.
 *
 * The functions follow geo_ops.c step by step: the same operations in the same
 * order give the same bits.  Where geo_ops.c raises an error, they set
 * "raises" and continue; then the result has no meaning.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>
#include <math.h>

#include "utils/float.h"

#include "box/distance.h"
#include "shapes/geometry/quiet.h"
#include "shapes/geometry/shapes.h"

/* The result of crosses() if the origin is on the edge. */
#define ON_EDGE		INT_MAX

/* A line: a x + b y + c = 0 */
typedef struct Line
{
	float8		a;
	float8		b;
	float8		c;
} Line;

/* ----------------------------------------------------------------
 *		Checked arithmetic, as in utils/float.h
 * ----------------------------------------------------------------
 */

static inline float8
plus(float8 a, float8 b, bool *raises)
{
	float8		result = a + b;

	if (unlikely(isinf(result)) && !isinf(a) && !isinf(b))
		*raises = true;
	return result;
}

static inline float8
minus(float8 a, float8 b, bool *raises)
{
	float8		result = a - b;

	if (unlikely(isinf(result)) && !isinf(a) && !isinf(b))
		*raises = true;
	return result;
}

static inline float8
times(float8 a, float8 b, bool *raises)
{
	float8		result = a * b;

	if (unlikely(isinf(result)) && !isinf(a) && !isinf(b))
		*raises = true;
	if (unlikely(result == 0.0) && a != 0.0 && b != 0.0)
		*raises = true;
	return result;
}

static inline float8
divide(float8 a, float8 b, bool *raises)
{
	float8		result = a / b;

	if (unlikely(b == 0.0) && !isnan(a))
		*raises = true;
	if (unlikely(isinf(result)) && !isinf(a))
		*raises = true;
	if (unlikely(result == 0.0) && a != 0.0 && !isinf(b))
		*raises = true;
	return result;
}

/* ----------------------------------------------------------------
 *		Points, lines and segments
 * ----------------------------------------------------------------
 */

/* point_dt() */
static float8
distance(const Point *a, const Point *b, bool *raises)
{
	float8		dx = minus(a->x, b->x, raises),
				dy = minus(a->y, b->y, raises),
				result = spq_point_distance(a, b);

	if (unlikely(isinf(result)) && !isinf(dx) && !isinf(dy))
		*raises = true;
	return result;
}

/* point_eq_point() */
static bool
same_point(const Point *a, const Point *b)
{
	if (unlikely(isnan(a->x) || isnan(a->y) || isnan(b->x) || isnan(b->y)))
		return float8_eq(a->x, b->x) && float8_eq(a->y, b->y);
	return FPeq(a->x, b->x) && FPeq(a->y, b->y);
}

/* point_sl() */
static float8
slope(const Point *a, const Point *b, bool *raises)
{
	if (FPeq(a->x, b->x))
		return get_float8_infinity();
	if (FPeq(a->y, b->y))
		return 0.0;
	return divide(minus(a->y, b->y, raises), minus(a->x, b->x, raises), raises);
}

/* point_invsl() */
static float8
slope_across(const Point *a, const Point *b, bool *raises)
{
	if (FPeq(a->x, b->x))
		return 0.0;
	if (FPeq(a->y, b->y))
		return get_float8_infinity();
	return divide(minus(a->x, b->x, raises), minus(b->y, a->y, raises), raises);
}

/* line_invsl() */
static float8
slope_across_line(const Line *line, bool *raises)
{
	if (FPzero(line->a))
		return get_float8_infinity();
	if (FPzero(line->b))
		return 0.0;
	return divide(line->b, line->a, raises);
}

/* line_construct() */
static Line
make_line(const Point *point, float8 slope, bool *raises)
{
	Line		line;

	if (isinf(slope))
	{
		line.a = -1.0;
		line.b = 0.0;
		line.c = point->x;
	}
	else if (slope == 0)
	{
		line.a = 0.0;
		line.b = -1.0;
		line.c = point->y;
	}
	else
	{
		line.a = slope;
		line.b = -1.0;
		line.c = minus(point->y, times(slope, point->x, raises), raises);
		if (line.c == 0.0)
			line.c = 0.0;
	}
	return line;
}

/* line_interpt_line(): return false if the lines do not meet */
static bool
lines_meet(const Line *k, const Line *l, Point *meeting, bool *raises)
{
	const Line *swap;

	if (FPzero(k->b))
	{
		if (FPzero(l->b))
			return false;
		swap = k;
		k = l;
		l = swap;
	}
	if (FPeq(l->a, times(k->a, divide(l->b, k->b, raises), raises)))
		return false;
	meeting->x = divide(minus(times(k->b, l->c, raises), times(l->b, k->c, raises), raises),
						minus(times(k->a, l->b, raises), times(l->a, k->b, raises), raises),
						raises);
	meeting->y = divide(-plus(times(k->a, meeting->x, raises), k->c, raises), k->b, raises);
	if (meeting->x == 0.0)
		meeting->x = 0.0;
	if (meeting->y == 0.0)
		meeting->y = 0.0;
	return true;
}

/* lseg_contain_point() */
static bool
on_segment(const Point *point, const LSEG *segment, bool *raises)
{
	return FPeq(distance(point, &segment->p[0], raises) +
				distance(point, &segment->p[1], raises),
				distance(&segment->p[0], &segment->p[1], raises));
}

/* lseg_interpt_line() */
static bool
segment_meets_line(const LSEG *segment, const Line *line, Point *meeting, bool *raises)
{
	Line		own = make_line(&segment->p[0],
								slope(&segment->p[0], &segment->p[1], raises), raises);

	if (!lines_meet(&own, line, meeting, raises) || !on_segment(meeting, segment, raises))
		return false;
	if (same_point(&segment->p[0], meeting))
		*meeting = segment->p[0];
	else if (same_point(&segment->p[1], meeting))
		*meeting = segment->p[1];
	return true;
}

/* lseg_interpt_lseg() */
static bool
segments_meet(const LSEG *a, const LSEG *b, bool *raises)
{
	Line		line = make_line(&b->p[0], slope(&b->p[0], &b->p[1], raises), raises);
	Point		meeting;

	return segment_meets_line(a, &line, &meeting, raises) && on_segment(&meeting, b, raises);
}

/* line_closept_point() */
static float8
line_distance(const Line *line, const Point *point, bool *raises)
{
	Line		across = make_line(point, slope_across_line(line, raises), raises);
	Point		foot;

	if (!lines_meet(&across, line, &foot, raises))
		return get_float8_nan();
	return distance(&foot, point, raises);
}

/* lseg_closept_point() */
static float8
segment_distance(const LSEG *segment, const Point *point, bool *raises)
{
	Line		across = make_line(point, slope_across(&segment->p[0], &segment->p[1], raises),
								   raises);
	Point		closest;

	/* lseg_closept_line() */
	if (!segment_meets_line(segment, &across, &closest, raises))
	{
		float8		first = line_distance(&across, &segment->p[0], raises),
					second = line_distance(&across, &segment->p[1], raises);

		closest = segment->p[first < second ? 0 : 1];
	}
	return distance(&closest, point, raises);
}

static inline LSEG
make_segment(const Point *a, const Point *b)
{
	LSEG		segment;

	segment.p[0] = *a;
	segment.p[1] = *b;
	return segment;
}

/* ----------------------------------------------------------------
 *		Points inside a polygon or a closed path
 * ----------------------------------------------------------------
 */

/* lseg_crossing() */
static int
crosses(float8 x, float8 y, float8 prev_x, float8 prev_y, bool *raises)
{
	float8		z;
	int			sign;

	if (FPzero(y))
	{
		if (FPzero(x))
			return ON_EDGE;
		if (FPgt(x, 0))
		{
			if (FPzero(prev_y))
				return FPgt(prev_x, 0.0) ? 0 : ON_EDGE;
			return FPlt(prev_y, 0.0) ? 1 : -1;
		}
		if (FPzero(prev_y))
			return FPlt(prev_x, 0.0) ? 0 : ON_EDGE;
		return 0;
	}
	sign = FPgt(y, 0.0) ? 1 : -1;
	if (FPzero(prev_y))
		return FPlt(prev_x, 0.0) ? 0 : sign;
	if ((sign < 0 && FPlt(prev_y, 0.0)) || (sign > 0 && FPgt(prev_y, 0.0)))
		return 0;
	if (FPge(x, 0.0) && FPgt(prev_x, 0.0))
		return 2 * sign;
	if (FPlt(x, 0.0) && FPle(prev_x, 0.0))
		return 0;
	z = minus(times(minus(x, prev_x, raises), y, raises),
			  times(minus(y, prev_y, raises), x, raises), raises);
	if (FPzero(z))
		return ON_EDGE;
	if ((sign < 0 && FPlt(z, 0.0)) || (sign > 0 && FPgt(z, 0.0)))
		return 0;
	return 2 * sign;
}

/* point_inside() */
static bool
is_inside(const Point *point, int npoints, const Point *points, bool *raises)
{
	float8		first_x = minus(points[0].x, point->x, raises),
				first_y = minus(points[0].y, point->y, raises),
				prev_x = first_x,
				prev_y = first_y;
	int			total = 0;

	for (int i = 1; i <= npoints; i++)
	{
		bool		closing = i == npoints;
		float8		x = closing ? first_x : minus(points[i].x, point->x, raises),
					y = closing ? first_y : minus(points[i].y, point->y, raises);
		int			crossed = crosses(x, y, prev_x, prev_y, raises);

		if (crossed == ON_EDGE)
			return true;
		total += crossed;
		prev_x = x;
		prev_y = y;
	}
	return total != 0;
}

/* ----------------------------------------------------------------
 *		The operators
 * ----------------------------------------------------------------
 */

/* point <@ circle */
bool
spq_quiet_in_circle(const Point *point, const CIRCLE *circle, bool *raises)
{
	return distance(&circle->center, point, raises) <= circle->radius;
}

/* point <@ polygon */
bool
spq_quiet_in_polygon(const Point *point, const POLYGON *polygon, bool *raises)
{
	return is_inside(point, polygon->npts, polygon->p, raises);
}

/* point <@ lseg */
bool
spq_quiet_on_segment(const Point *point, const LSEG *segment, bool *raises)
{
	return on_segment(point, segment, raises);
}

/* point <@ path */
bool
spq_quiet_on_path(const Point *point, const PATH *path, bool *raises)
{
	float8		from_first,
				from_second;

	if (path->closed)
		return is_inside(point, path->npts, path->p, raises);
	from_first = distance(point, &path->p[0], raises);
	for (int i = 0; i < path->npts - 1; i++)
	{
		from_second = distance(point, &path->p[i + 1], raises);
		if (FPeq(plus(from_first, from_second, raises),
				 distance(&path->p[i], &path->p[i + 1], raises)))
			return true;
		from_first = from_second;
	}
	return false;
}

/* box ?# lseg: as PostgreSQL's lseg ?# box, after our own test */
bool
spq_quiet_box_meets_segment(const BOX *box, const LSEG *segment, bool *raises)
{
	BOX			bounds = spq_shape_segment_bounds(segment);
	Point		corners[4] = {box->low, {box->low.x, box->high.y}, box->high,
	{box->high.x, box->low.y}};
	static const int edges[4][2] = {{0, 1}, {2, 1}, {0, 3}, {2, 3}};

	if (!spq_shape_segment_reaches(segment, box))
		return false;
	if (!(FPle(bounds.low.x, box->high.x) && FPle(box->low.x, bounds.high.x) &&
		  FPle(bounds.low.y, box->high.y) && FPle(box->low.y, bounds.high.y)))
		return false;
	for (int i = 0; i < 2; i++)
		if (box->high.x >= segment->p[i].x && box->low.x <= segment->p[i].x &&
			box->high.y >= segment->p[i].y && box->low.y <= segment->p[i].y)
			return true;
	for (int i = 0; i < 4; i++)
	{
		LSEG		edge = make_segment(&corners[edges[i][0]], &corners[edges[i][1]]);

		if (segments_meet(&edge, segment, raises))
			return true;
	}
	return false;
}

/* Return the distance, or infinity if the operator raises an error. */
static inline float8
or_infinity(float8 distance, bool raises)
{
	return unlikely(raises) ? get_float8_infinity() : distance;
}

/* point <-> circle */
float8
spq_quiet_circle_distance(const Point *point, const CIRCLE *circle)
{
	bool		raises = false;
	float8		result = minus(distance(point, &circle->center, &raises), circle->radius,
							   &raises);

	return or_infinity(result < 0.0 ? 0.0 : result, raises);
}

/* point <-> polygon */
float8
spq_quiet_polygon_distance(const Point *point, const POLYGON *polygon)
{
	bool		raises = false;
	int			last = polygon->npts - 1;
	LSEG		edge = make_segment(&polygon->p[0], &polygon->p[last]);
	float8		least;

	if (is_inside(point, polygon->npts, polygon->p, &raises))
		return or_infinity(0.0, raises);
	least = segment_distance(&edge, point, &raises);
	for (int i = 0; i < last; i++)
	{
		float8		next;

		edge = make_segment(&polygon->p[i], &polygon->p[i + 1]);
		next = segment_distance(&edge, point, &raises);
		if (float8_lt(next, least))
			least = next;
	}
	return or_infinity(least, raises);
}

/* point <-> lseg */
float8
spq_quiet_segment_distance(const Point *point, const LSEG *segment)
{
	bool		raises = false;
	float8		result = segment_distance(segment, point, &raises);

	return or_infinity(result, raises);
}

/* point <-> path */
float8
spq_quiet_path_distance(const Point *point, const PATH *path)
{
	bool		raises = false,
				has_least = false;
	float8		least = 0.0;

	for (int i = path->closed ? 0 : 1; i < path->npts; i++)
	{
		LSEG		edge = make_segment(&path->p[i > 0 ? i - 1 : path->npts - 1], &path->p[i]);
		float8		next = segment_distance(&edge, point, &raises);

		if (!has_least || float8_lt(next, least))
			least = next;
		has_least = true;
	}
	return or_infinity(least, raises);
}
