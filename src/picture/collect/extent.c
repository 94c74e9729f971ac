/*-------------------------------------------------------------------------
 *
 * extent.c
 *	  The extent that a picture shows.  See collect.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "inspect/inspect.h"
#include "picture/collect/collect.h"
#include "picture/model/box_sample.h"
#include "picture/model/view.h"

/* The sample has at most this many boxes. */
#define MAX_SAMPLE	8192

/* Fraction of the sample that may be far away, at each end of each axis. */
#define FAR_OFF		0.01

/* Where the boxes that can be drawn are. */
typedef struct Spread
{
	SpqInspectRange axes[3];
	SpqPictureSample sample;
} Spread;

typedef struct Extent
{
	SpqInspectRange fence[3];
	SpqInspectRange axes[3];
} Extent;

static void
init_ranges(SpqInspectRange *axes)
{
	for (int axis = 0; axis < 3; axis++)
	{
		axes[axis].low = INFINITY;
		axes[axis].high = -INFINITY;
	}
}

static void
add_to_spread(Spread *spread, const SpqInspectBox *box)
{
	SpqInspectBounds bounds = spq_picture_box_bounds(box);
	SpqInspectRange axes[3];

	if (!spq_picture_can_draw(box))
		return;
	spq_picture_bounds_ranges(&bounds, axes);
	for (int axis = 0; axis < 3; axis++)
	{
		spread->axes[axis].low = Min(spread->axes[axis].low, axes[axis].low);
		spread->axes[axis].high = Max(spread->axes[axis].high, axes[axis].high);
	}
	spq_picture_sample_add(&spread->sample, box);
}

static void
visit_for_spread(void *arg, SpqInspectStep *step)
{
	for (int64 i = 0; !step->inner && i < step->tuples; i++)
		add_to_spread((Spread *) arg, &step->boxes[i]);
}

/*
 * Return the fence along one axis, given the low and high sides of the sample.
 */
static SpqInspectRange
fence_axis(float8 *low, float8 *high, int n)
{
	int			skip = (int) (n * FAR_OFF);
	SpqInspectRange fence;
	float8		breadth;

	qsort(low, n, sizeof(float8), spq_picture_compare_numbers);
	qsort(high, n, sizeof(float8), spq_picture_compare_numbers);
	fence.low = low[skip];
	fence.high = high[n - 1 - skip];
	breadth = fence.high - fence.low;
	if (breadth > 0)
	{
		fence.low -= breadth;
		fence.high += breadth;
	}
	else
	{
		/* nearly all are equal, which says nothing about near and far */
		fence.low = low[0];
		fence.high = high[n - 1];
	}
	return fence;
}

/*
 * Compute the fence around nearly all boxes.  Return false if all boxes are
 * within it.
 */
static bool
find_fence(const Spread *spread, SpqInspectRange *fence)
{
	int			n = spread->sample.n;
	float8	   *low;
	float8	   *high;
	bool		beyond = false;

	if (n == 0)
		return false;
	low = palloc(n * sizeof(float8));
	high = palloc(n * sizeof(float8));
	for (int axis = 0; axis < 3; axis++)
	{
		for (int i = 0; i < n; i++)
		{
			SpqInspectRange axes[3];

			spq_picture_box_ranges(&spread->sample.boxes[i], axes);
			low[i] = axes[axis].low;
			high[i] = axes[axis].high;
		}
		fence[axis] = fence_axis(low, high, n);
		beyond |= fence[axis].low > spread->axes[axis].low ||
			fence[axis].high < spread->axes[axis].high;
	}
	pfree(low);
	pfree(high);
	return beyond;
}

/*
 * Widen the extent by a box, or by those of its sides that are within the
 * fence.
 */
static void
add_to_extent(Extent *extent, const SpqInspectBox *box)
{
	SpqInspectRange axes[3];

	if (!spq_picture_can_draw(box))
		return;
	spq_picture_box_ranges(box, axes);
	for (int axis = 0; axis < 3; axis++)
		if (axes[axis].high < extent->fence[axis].low || axes[axis].low > extent->fence[axis].high)
			return;
	for (int axis = 0; axis < 3; axis++)
	{
		if (axes[axis].low >= extent->fence[axis].low)
			extent->axes[axis].low = Min(extent->axes[axis].low, axes[axis].low);
		if (axes[axis].high <= extent->fence[axis].high)
			extent->axes[axis].high = Max(extent->axes[axis].high, axes[axis].high);
	}
}

static void
visit_for_extent(void *arg, SpqInspectStep *step)
{
	for (int64 i = 0; !step->inner && i < step->tuples; i++)
		add_to_extent((Extent *) arg, &step->boxes[i]);
}

/*
 * Return the extent to be shown; without a box that can be drawn, it is
 * empty.  A second walk is needed only if some boxes are beyond the fence.
 */
SpqInspectBounds
spq_picture_find_extent(SpqInspectIndex *inspected)
{
	Spread		spread;
	Extent		extent;
	SpqInspectVisitor visitor = {.no_nulls = true,.boxes = true};
	bool		all_within;

	init_ranges(spread.axes);
	spq_picture_sample_init(&spread.sample, MAX_SAMPLE);
	visitor.visit = visit_for_spread;
	visitor.arg = &spread;
	spq_inspect_walk(inspected, &visitor);
	all_within = !find_fence(&spread, extent.fence);
	pfree(spread.sample.boxes);
	if (all_within)
		return spq_picture_ranges_bounds(spread.axes);

	init_ranges(extent.axes);
	visitor.visit = visit_for_extent;
	visitor.arg = &extent;
	spq_inspect_walk(inspected, &visitor);
	return spq_picture_ranges_bounds(extent.axes);
}
