/*-------------------------------------------------------------------------
 *
 * solid_distance.c
 *	  Distances of boxes and points of three dimensions, as orders of a scan.
 *
 * The distance from a point or a box is that of the gap (gap.h), without a
 * margin: the types have no EPSILON.
 *
 * Along a ray, it is the largest of the distances to the near sides of the
 * box's slabs.  For eight entries at a time, this is computed with a factor for
 * each axis instead of a division, and with margins that make roundings
 * harmless:
 *
 *		     near						The distance is at least that to the near
 *		  ---|=========|--->			side of each slab; and if the ray leaves
 *		origin		  far				one slab before it enters another, it
 *									misses.
 *
 * A missed entry gets the largest finite bound, because its rows are at
 * infinity; so does an entry that is farther away than this bound.  If the
 * search has a condition with the same ray, a missed entry is dropped instead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/box3.h"
#include "solid/geometry/shapes3.h"

#include "box/strategy.h"
#include "rtree/class/gap.h"
#include "rtree/class/kernel.h"
#include "rtree/class3/solid_distance.h"

/* More than the rounding errors of a distance here and in the operator. */
#define MARGIN	(32 * DBL_EPSILON)

/* The largest factor: it is finite, so that its product with 0 is not NaN. */
#define MOST_FACTOR	1e300

/* Underflow changes a computed distance by less than this. */
#define UNDERFLOW	1e-290

/* Distances below this have not overflowed. */
#define MOST_SURE	1e300

static float8
distance_from_box(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_box3_distance(spq_box_corners((const SpqBox3 *) ends),
							 spq_box_corners((const SpqBox3 *) order->numbers));
}

static void
least_from_box(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	const float8 margins[SPQ_AXES] = {0};
	float8		query[2 * SPQ_AXES];

	/* a copy, which stores into "squares" cannot change */
	memcpy(query, order->numbers, sizeof(query));
	spq_rtree_least_squares(columns, query, margins, 0, false, squares);
}

static float8
distance_along_ray(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_ray3_distance(order->argument, (const SpqBox3 *) ends);
}

/* An axis of a ray. */
typedef struct RayAxis
{
	float8		origin;
	int			sign;			/* of the direction */
	float8		near_factor;	/* from a difference of coordinates to a
								 * length along the ray, rounded down */
	float8		far_factor;		/* the same, rounded up; 0 if too large */
} RayAxis;

/* Set the axes of a ray.  Return false if it meets nothing. */
static bool
find_axes(const SpqRay3 *ray, RayAxis *axes)
{
	const float8 *direction = ray->direction.x;
	float8		largest = Max(Max(fabs(direction[0]), fabs(direction[1])), fabs(direction[2])),
				square = 0;

	if (!spq_point3_is_finite(&ray->origin) || !spq_point3_is_finite(&ray->direction) ||
		!(ray->max_distance >= 0))
		return false;
	for (int i = 0; i < SPQ_AXES; i++)
		square += (direction[i] / largest) * (direction[i] / largest);
	for (int i = 0; i < SPQ_AXES; i++)
	{
		float8		part = fabs(direction[i]) / largest,
					factor = sqrt(square) / part;

		axes[i].origin = ray->origin.x[i];
		axes[i].sign = (direction[i] > 0) - (direction[i] < 0);
		/* if the part has lost bits, the factor exceeds the limit anyway */
		axes[i].near_factor = axes[i].sign * Min(factor, MOST_FACTOR) * (1 - MARGIN);
		axes[i].far_factor = factor <= MOST_FACTOR ? axes[i].sign * factor * (1 + MARGIN) : 0;
	}
	return true;
}

/*
 * Where a ray enters and leaves the places of a group, or an interval around
 * that.
 */
typedef struct Passage
{
	float8		enters[SPQ_RTREE_GROUP];
	float8		leaves[SPQ_RTREE_GROUP];
} Passage;

/* Narrow the passages of a group to its slabs on an axis. */
static inline void
pass_slabs(const RayAxis *axis, const float8 *low, const float8 *high, Passage *passage)
{
	const float8 *near = axis->sign < 0 ? high : low,
			   *far = axis->sign < 0 ? low : high;
	float8		origin = axis->origin;

	/* parallel to the slab: all of the line is in it or out of it */
	if (axis->sign == 0)
	{
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			passage->leaves[i] = ((low[i] > origin) | (high[i] < origin)) ?
				-get_float8_infinity() : passage->leaves[i];
		return;
	}
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		float8		distance = (near[i] - origin) * axis->near_factor;

		passage->enters[i] = distance > passage->enters[i] ? distance : passage->enters[i];
	}
	if (axis->far_factor == 0)
		return;
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		float8		distance = (far[i] - origin) * axis->far_factor;

		passage->leaves[i] = distance < passage->leaves[i] ? distance : passage->leaves[i];
	}
}

/* Find the passages of a group. */
static pg_attribute_always_inline void
pass_group(const RayAxis *axes, float8 end, const SpqRtreeColumns *columns,
		   const char *group, Passage *passage)
{
	const SpqRtreeColumn *highs = (const SpqRtreeColumn *) group,
			   *lows = highs + columns->low;

	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		passage->enters[i] = 0;
		passage->leaves[i] = end;
	}
	for (int axis = 0; axis < SPQ_AXES; axis++)
		pass_slabs(&axes[axis], lows[axis], highs[axis], passage);
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		passage->leaves[i] += UNDERFLOW;
}

/*
 * Return which places of a group the ray misses: it leaves them before it
 * enters them, and no distance that decides this has overflowed.
 */
static inline uint8
missed(const Passage *passage)
{
	float8		most[SPQ_RTREE_GROUP];

	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		most[i] = MOST_SURE;
	return spq_rtree_less(passage->leaves, passage->enters) &
		spq_rtree_less(passage->leaves, most);
}

static void
least_along_ray(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	const SpqRay3 *ray = order->argument;
	const char *group = columns->first;
	float8		missed_square = order->missed;
	RayAxis		axes[SPQ_AXES];

	if (!find_axes(ray, axes))
	{
		for (int i = 0; i < columns->ngroups * SPQ_RTREE_GROUP; i++)
			squares[i] = order->missed;
		return;
	}
	for (int g = 0; g < columns->ngroups; g++, group += columns->size, squares += SPQ_RTREE_GROUP)
	{
		Passage		passage;

		if (columns->matches && columns->matches[g] == 0)
			continue;
		pass_group(axes, ray->max_distance * (1 + MARGIN), columns, group, &passage);
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			float8		square = passage.enters[i] * passage.enters[i];

			square = square < SPQ_RTREE_MOST_SQUARE ? square : SPQ_RTREE_MOST_SQUARE;
			square = square >= SPQ_RTREE_LEAST_SQUARE ? square : 0;
			/* as in missed() */
			squares[i] = ((passage.leaves[i] < passage.enters[i]) & (passage.leaves[i] < MOST_SURE)) ?
				missed_square : square;
		}
	}
}

/* Rows need a further test; bounds that are not missed count as met. */
void
spq_rtree_prefilter_by_ray(const void *ray, const SpqRtreeColumns *columns, uint8 *matches,
						   uint8 *sure)
{
	const char *group = columns->first;
	RayAxis		axes[SPQ_AXES];

	if (!find_axes(ray, axes))
	{
		memset(matches, 0, columns->ngroups);
		return;
	}
	for (int g = 0; g < columns->ngroups; g++, group += columns->size)
	{
		Passage		passage;

		if (matches[g] == 0)
			continue;
		pass_group(axes, ((const SpqRay3 *) ray)->max_distance * (1 + MARGIN), columns, group,
				   &passage);
		matches[g] &= ~missed(&passage);
		if (!columns->of_rows)
			sure[g] = matches[g];
	}
}

void
spq_rtree_solid_order(const ScanKeyData *key, SpqRtreeOrder *order)
{
	const void *argument = DatumGetPointer(key->sk_argument);

	order->argument = argument;
	order->distance = distance_from_box;
	order->least = least_from_box;
	switch (key->sk_strategy)
	{
		case RTKNNSearchStrategyNumber:
			memcpy(order->numbers, argument, sizeof(SpqPoint3));
			memcpy(order->numbers + SPQ_AXES, argument, sizeof(SpqPoint3));
			break;
		case SPQ_BOX_CENTER_DISTANCE_STRATEGY:
			memcpy(order->numbers, argument, sizeof(SpqBox3));
			break;
		case SPQ_SOLID_RAY_DISTANCE_STRATEGY:
			order->distance = distance_along_ray;
			order->least = least_along_ray;
			order->prefilter = spq_rtree_prefilter_by_ray;
			break;
		default:
			spq_box_unknown_strategy(key->sk_strategy);
	}
}
