/*-------------------------------------------------------------------------
 *
 * within3.c
 *	  spqtree_dwithin(a, b, distance) and spqtree_expand(shape, distance) in
 *	  SQL, for spheres and segments of three dimensions.
 *
 * A shape is a box with a radius, or a segment.  A point and a center are
 * boxes without extent.  The first comparison is whether the bounds of each
 * shape meet those of the other, enlarged by the distance.  So indexes and
 * joins that compare bounds find all answers.
 *
 * With a distance of 0 or more, shapes for which the exact operator && is true
 * are within the distance.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/box3.h"
#include "solid/geometry/shapes3.h"
#include "sql_function.h"

typedef enum ShapeKind
{
	POINT,
	BOX3,
	SPHERE,
	SEGMENT
} ShapeKind;

typedef struct Shape
{
	ShapeKind	kind;
	SpqBox3		core;			/* the bounds; of a sphere, its center */
	float8		radius;			/* of a sphere, else 0 */
	const SpqSegment3 *segment; /* of that kind */
} Shape;

/* The ends of a segment, and the points where it passes a side of a box. */
#define STOPS	(2 + 2 * SPQ_AXES)

static Shape
shape_of(ShapeKind kind, Datum value)
{
	Shape		shape = {.kind = kind};
	const SpqPoint3 *point;

	switch (kind)
	{
		case BOX3:
			memcpy(&shape.core, DatumGetPointer(value), sizeof(SpqBox3));
			break;
		case SPHERE:
		case POINT:
			point = (SpqPoint3 *) DatumGetPointer(value);
			if (kind == SPHERE)
			{
				point = &((SpqSphere3 *) DatumGetPointer(value))->center;
				shape.radius = ((SpqSphere3 *) DatumGetPointer(value))->radius;
			}
			memcpy(shape.core.high, point, sizeof(SpqPoint3));
			memcpy(shape.core.low, point, sizeof(SpqPoint3));
			break;
		case SEGMENT:
			shape.segment = (SpqSegment3 *) DatumGetPointer(value);
			spq_box3_of_corners(shape.segment->p[0].x, shape.segment->p[1].x, &shape.core);
			break;
	}
	return shape;
}

/*
 * Set the bounds of a shape, enlarged by a distance.  Return false as
 * spq_box3_expanded().
 */
static bool
expanded(const Shape *shape, float8 distance, SpqBox3 *result)
{
	SpqBox3		bounds;

	return spq_box3_expanded(spq_box_corners(&shape->core), shape->radius, &bounds) &&
		spq_box3_expanded(spq_box_corners(&bounds), distance, result);
}

static bool
bounds_meet(const Shape *a, const Shape *b, float8 distance)
{
	SpqBox3		a_bounds,
				b_bounds;

	return expanded(a, distance, &a_bounds) && expanded(b, 0, &b_bounds) &&
		spq_box_overlaps(&a_bounds, &b_bounds);
}

/*
 * Return the distance of a number from an interval: negative if the number is
 * below it, 0 if it is inside.
 */
static float8
offset(float8 low, float8 high, float8 x)
{
	return x < low ? x - low : x > high ? x - high : 0;
}

/*
 * The way from one end of a segment (t = 0) to the other (t = 1), and a box.
 */
typedef struct Way
{
	float8		from[SPQ_AXES],
				to[SPQ_AXES],
				low[SPQ_AXES],
				high[SPQ_AXES];
} Way;

/*
 * Return the distance of the point at t from the box.  Set "increase" to half
 * the derivative of its square.
 */
static float8
look(const Way *way, float8 t, float8 *increase)
{
	float8		distance = 0;

	*increase = 0;
	for (int i = 0; i < SPQ_AXES; i++)
	{
		float8		x = way->from[i] * (1 - t) + way->to[i] * t,
					away = offset(way->low[i], way->high[i], x);

		distance = hypot(distance, away);
		*increase += away * (way->to[i] - way->from[i]);
	}
	return distance;
}

/* Set the stops in ascending order; return their number. */
static int
find_stops(const Way *way, float8 *stop)
{
	int			count = 0;

	stop[count++] = 0;
	for (int i = 0; i < SPQ_AXES; i++)
		for (int side = 0; side < 2; side++)
		{
			float8		end = side == 0 ? way->low[i] : way->high[i],
						t = (end - way->from[i]) / (way->to[i] - way->from[i]);
			int			place;

			/* t may also be NaN */
			if (!(t > 0 && t < 1))
				continue;
			for (place = count++; stop[place - 1] > t; place--)
				stop[place] = stop[place - 1];
			stop[place] = t;
		}
	stop[count++] = 1;
	return count;
}

/*
 * Return the distance of a finite segment from a box.
 *
 * The square of the distance from the box is convex along the segment, and a
 * polynomial of degree two between stops.  So it is least at a stop, or
 * between two stops where its derivative, which is linear there, is 0.  All
 * numbers are divided by a power of two first, so that products do not
 * overflow or underflow.
 */
static float8
segment_distance(const SpqSegment3 *segment, const SpqBox3 *box)
{
	Way			way;
	float8		stop[STOPS],
				largest = 0,
				last = 0,
				least = HUGE_VAL;
	int			exponent,
				count;

	for (int i = 0; i < SPQ_AXES; i++)
	{
		largest = Max(largest, Max(fabs(segment->p[0].x[i]), fabs(segment->p[1].x[i])));
		if (isfinite(box->low[i]))
			largest = Max(largest, fabs(box->low[i]));
		if (isfinite(box->high[i]))
			largest = Max(largest, fabs(box->high[i]));
		/* the box lies entirely at infinity */
		if (box->low[i] == HUGE_VAL || box->high[i] == -HUGE_VAL)
			return HUGE_VAL;
	}
	(void) frexp(largest, &exponent);
	for (int i = 0; i < SPQ_AXES; i++)
	{
		way.from[i] = ldexp(segment->p[0].x[i], -exponent);
		way.to[i] = ldexp(segment->p[1].x[i], -exponent);
		way.low[i] = ldexp(box->low[i], -exponent);
		way.high[i] = ldexp(box->high[i], -exponent);
	}
	count = find_stops(&way, stop);
	for (int i = 0; i < count; i++)
	{
		float8		increase,
					distance = look(&way, stop[i], &increase);

		least = Min(least, distance);
		if (i > 0 && last < 0 && increase > 0)
		{
			float8		t = stop[i - 1] + (stop[i] - stop[i - 1]) * (last / (last - increase));
			float8		unused;

			least = Min(least, look(&way, t, &unused));
		}
		last = increase;
	}
	return ldexp(least, exponent);
}

static SpqSphere3
sphere_of(const Shape *shape)
{
	SpqSphere3	sphere;

	memcpy(&sphere.center, shape->core.low, sizeof(SpqPoint3));
	sphere.radius = shape->radius;
	return sphere;
}

/* Return whether two shapes have a point in common, by the exact operators. */
static bool
meet(const Shape *a, const Shape *b)
{
	SpqSphere3	sphere = sphere_of(b),
				other = sphere_of(a);

	if (b->kind == SEGMENT)
		return a->kind == BOX3 && spq_segment3_meets_box(b->segment, &a->core);
	if (b->kind != SPHERE)
		return false;			/* if boxes meet, their distance is 0 */
	return a->kind == SPHERE ? spq_sphere3_meets_sphere(&other, &sphere) :
		spq_sphere3_meets_box(&sphere, &a->core);
}

/*
 * Return whether two shapes are at most a distance apart.  Return false for a
 * NaN, a distance below 0, and a segment with an infinite end.
 */
static bool
is_within(const Shape *a, const Shape *b, float8 distance)
{
	float8		gap;

	if (a->kind > b->kind)
	{
		const Shape *swap = a;

		a = b;
		b = swap;
	}
	if ((b->kind == SEGMENT && !(spq_point3_is_finite(&b->segment->p[0]) &&
								 spq_point3_is_finite(&b->segment->p[1]))) ||
		!bounds_meet(a, b, distance) || !bounds_meet(b, a, distance))
		return false;
	if (isinf(distance) || isinf(a->radius) || isinf(b->radius) || meet(a, b))
		return true;
	gap = b->kind == SEGMENT ? segment_distance(b->segment, &a->core) :
		spq_box3_distance(spq_box_corners(&a->core), spq_box_corners(&b->core));
	return gap - (a->radius + b->radius) <= distance;
}

static Datum
within(FunctionCallInfo fcinfo, ShapeKind a_kind, ShapeKind b_kind)
{
	Shape		a = shape_of(a_kind, PG_GETARG_DATUM(0)),
				b = shape_of(b_kind, PG_GETARG_DATUM(1));

	PG_RETURN_BOOL(is_within(&a, &b, PG_GETARG_FLOAT8(2)));
}

static Datum
expand(FunctionCallInfo fcinfo, ShapeKind kind)
{
	Shape		shape = shape_of(kind, PG_GETARG_DATUM(0));
	SpqBox3    *result = palloc(sizeof(SpqBox3));

	if (!expanded(&shape, PG_GETARG_FLOAT8(1), result))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(result);
}

#define WITHIN(name, a, b) SPQ_SQL_FUNCTION(name, return within(fcinfo, a, b))
#define EXPAND(name, kind) SPQ_SQL_FUNCTION(name, return expand(fcinfo, kind))

/* box3_operators.c has boxes and points with each other */
WITHIN(spq_dwithin_point3_sphere3, POINT, SPHERE)
WITHIN(spq_dwithin_sphere3_point3, SPHERE, POINT)
WITHIN(spq_dwithin_box3_sphere3, BOX3, SPHERE)
WITHIN(spq_dwithin_sphere3_box3, SPHERE, BOX3)
WITHIN(spq_dwithin_sphere3_sphere3, SPHERE, SPHERE)
WITHIN(spq_dwithin_lseg3_point3, SEGMENT, POINT)
WITHIN(spq_dwithin_point3_lseg3, POINT, SEGMENT)
WITHIN(spq_dwithin_lseg3_box3, SEGMENT, BOX3)
WITHIN(spq_dwithin_box3_lseg3, BOX3, SEGMENT)
WITHIN(spq_dwithin_lseg3_sphere3, SEGMENT, SPHERE)
WITHIN(spq_dwithin_sphere3_lseg3, SPHERE, SEGMENT)

EXPAND(spq_expand_sphere3, SPHERE)
EXPAND(spq_expand_lseg3, SEGMENT)
