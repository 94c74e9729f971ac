/*-------------------------------------------------------------------------
 *
 * view.c
 *	  Which part of the plane a picture shows, and where on the paper.
 *	  See view.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "lattice/lattice.h"
#include "picture/view.h"

/* Empty space around the extent, as a fraction of it. */
#define MARGIN		0.04

/* Fraction of the sample that may be far away, at each end of each axis. */
#define FAR_OFF		0.01

/* Limits of the height of the paper, as a multiple of its width. */
#define MIN_HEIGHT	0.4
#define MAX_HEIGHT		1.1

/* An extent gets empty space up to this factor before it is stretched. */
#define MAX_SPACE		2.5

/* A smaller view is widened, so that scales are finite. */
#define MIN_SIDE		spq_lattice_pow2(-980)

SpqPictureBounds
spq_picture_no_bounds(void)
{
	SpqPictureBounds bounds = {spq_box_bounds_nothing(), {INFINITY, -INFINITY}};

	return bounds;
}

SpqPictureBounds
spq_picture_box_bounds(const SpqPictureBox *box)
{
	SpqPictureBounds bounds = {spq_box_bounds(&box->plane), box->depth};

	if (isnan(box->depth.low) || isnan(box->depth.high))
	{
		bounds.depth.low = -INFINITY;
		bounds.depth.high = INFINITY;
	}
	return bounds;
}

void
spq_picture_spread_init(SpqPictureSpread *spread)
{
	memset(spread, 0, sizeof(SpqPictureSpread));
	spread->bounds = spq_picture_no_bounds();
	spread->sample = palloc(SPQ_PICTURE_MAX_SAMPLE * sizeof(SpqPictureBox));
	spread->stride = 1;
}

/* Return whether a box can be drawn: arithmetic on larger numbers may overflow. */
bool
spq_picture_can_draw(const SpqPictureBox *box)
{
	const BOX  *plane = &box->plane;
	float8		limit = spq_lattice_pow2(SPQ_LATTICE_MAX_EXP);

	return fabs(plane->low.x) < limit && fabs(plane->low.y) < limit &&
		fabs(plane->high.x) < limit && fabs(plane->high.y) < limit &&
		fabs(box->depth.low) < limit && fabs(box->depth.high) < limit;
}

/*
 * Add a box.  When the sample is full, every other box of it is dropped.
 */
void
spq_picture_spread_add(SpqPictureSpread *spread, const SpqPictureBox *box)
{
	SpqPictureBounds bounds;
	int64		number;

	spread->boxes++;
	if (!spq_picture_can_draw(box))
	{
		spread->unplaced++;
		return;
	}
	bounds = spq_picture_box_bounds(box);
	spq_box_bounds_add(&spread->bounds.plane, &bounds.plane);
	spread->bounds.depth.low = Min(spread->bounds.depth.low, bounds.depth.low);
	spread->bounds.depth.high = Max(spread->bounds.depth.high, bounds.depth.high);

	number = spread->boxes - spread->unplaced - 1;
	if (number % spread->stride != 0)
		return;
	if (spread->n_sample == SPQ_PICTURE_MAX_SAMPLE)
	{
		for (int i = 0; i < SPQ_PICTURE_MAX_SAMPLE / 2; i++)
			spread->sample[i] = spread->sample[2 * i];
		spread->n_sample /= 2;
		spread->stride *= 2;
		if (number % spread->stride != 0)
			return;
	}
	spread->sample[spread->n_sample++] = *box;
}

static int
compare_float8(const void *a, const void *b)
{
	float8		x = *(const float8 *) a;
	float8		y = *(const float8 *) b;

	return (x > y) - (x < y);
}

/*
 * Compute the fence along one axis, from the sample's low and high sides.
 */
static void
fence_axis(float8 *low, float8 *high, int n, float8 *min, float8 *max)
{
	int			skip = (int) (n * FAR_OFF);
	float8		breadth;

	qsort(low, n, sizeof(float8), compare_float8);
	qsort(high, n, sizeof(float8), compare_float8);
	*min = low[skip];
	*max = high[n - 1 - skip];
	breadth = *max - *min;
	if (breadth > 0)
	{
		*min -= breadth;
		*max += breadth;
	}
	else
	{
		/* nearly all are equal, which says nothing about near and far */
		*min = low[0];
		*max = high[n - 1];
	}
}

/*
 * Compute the fence around nearly all boxes.  Return false if all boxes are
 * within it; then their bounds are shown.
 */
bool
spq_picture_spread_fence(SpqPictureSpread *spread, SpqPictureBounds *fence)
{
	int			n = spread->n_sample;
	const SpqPictureBounds *bounds = &spread->bounds;
	float8	   *low;
	float8	   *high;

	*fence = *bounds;
	if (n == 0)
		return false;
	low = palloc(n * sizeof(float8));
	high = palloc(n * sizeof(float8));
	for (int i = 0; i < n; i++)
	{
		low[i] = spread->sample[i].plane.low.x;
		high[i] = spread->sample[i].plane.high.x;
	}
	fence_axis(low, high, n, &fence->plane.xmin, &fence->plane.xmax);
	for (int i = 0; i < n; i++)
	{
		low[i] = spread->sample[i].plane.low.y;
		high[i] = spread->sample[i].plane.high.y;
	}
	fence_axis(low, high, n, &fence->plane.ymin, &fence->plane.ymax);
	for (int i = 0; i < n; i++)
	{
		low[i] = spread->sample[i].depth.low;
		high[i] = spread->sample[i].depth.high;
	}
	fence_axis(low, high, n, &fence->depth.low, &fence->depth.high);
	pfree(low);
	pfree(high);
	return !spq_box_bounds_hold(&fence->plane, &bounds->plane) ||
		fence->depth.low > bounds->depth.low || fence->depth.high < bounds->depth.high;
}

/* Widen a range by those ends of another that are within a fence. */
static void
extend(float8 *min, float8 *max, float8 fence_min, float8 fence_max, float8 low, float8 high)
{
	if (low >= fence_min)
		*min = Min(*min, low);
	if (high <= fence_max)
		*max = Max(*max, high);
}

/*
 * Widen the extent by a box, or by those of its sides that are within the fence.
 */
void
spq_picture_extent_add(SpqPictureBounds *extent, const SpqPictureBounds *fence,
					   const SpqPictureBox *box)
{
	const SpqBoxBounds *around = &fence->plane;
	const BOX  *plane = &box->plane;

	if (!spq_picture_can_draw(box) ||
		plane->high.x < around->xmin || plane->low.x > around->xmax ||
		plane->high.y < around->ymin || plane->low.y > around->ymax ||
		box->depth.high < fence->depth.low || box->depth.low > fence->depth.high)
		return;
	extend(&extent->plane.xmin, &extent->plane.xmax, around->xmin, around->xmax,
		   plane->low.x, plane->high.x);
	extend(&extent->plane.ymin, &extent->plane.ymax, around->ymin, around->ymax,
		   plane->low.y, plane->high.y);
	extend(&extent->depth.low, &extent->depth.high, fence->depth.low, fence->depth.high,
		   box->depth.low, box->depth.high);
}

/* Make a range longer at both ends. */
static void
widen(float8 *min, float8 *max, float8 length)
{
	float8		more = (length - (*max - *min)) / 2;

	if (more > 0)
	{
		*min -= more;
		*max += more;
	}
}

/*
 * Return the view of an extent, which may be empty, or a point, or a line.
 */
SpqPictureView
spq_picture_make_view(const SpqBoxBounds *extent, float8 left, float8 top, float8 width)
{
	SpqPictureView view = {0};
	SpqBoxBounds shown = *extent;
	float8		far;
	float8		least;
	float8		ratio;

	if (!(shown.xmin <= shown.xmax && shown.ymin <= shown.ymax))
	{
		/* an empty extent needs no height */
		shown.xmin = shown.ymin = 0;
		shown.xmax = 1;
		shown.ymax = MIN_HEIGHT;
	}

	/* widen a point or a line to what doubles can tell apart */
	far = Max(Max(fabs(shown.xmin), fabs(shown.xmax)),
			  Max(fabs(shown.ymin), fabs(shown.ymax)));
	least = Max(far * 1e-12, MIN_SIDE);
	if (shown.xmax - shown.xmin < least && shown.ymax - shown.ymin < least)
		least = Max(far * 1e-3, 1.0);
	else
		least = Max(least, Max(shown.xmax - shown.xmin,
							   shown.ymax - shown.ymin) * 1e-9);
	if (shown.xmax - shown.xmin < least)
		widen(&shown.xmin, &shown.xmax, Max(least, MIN_HEIGHT * (shown.ymax - shown.ymin)));
	if (shown.ymax - shown.ymin < least)
		widen(&shown.ymin, &shown.ymax, Max(least, MIN_HEIGHT * (shown.xmax - shown.xmin)));

	/* a margin shows that the boxes end at the edge */
	widen(&shown.xmin, &shown.xmax, (shown.xmax - shown.xmin) * (1 + MARGIN));
	widen(&shown.ymin, &shown.ymax, (shown.ymax - shown.ymin) * (1 + MARGIN));

	ratio = (shown.ymax - shown.ymin) / (shown.xmax - shown.xmin);
	if (ratio < MIN_HEIGHT)
	{
		if (ratio * MAX_SPACE >= MIN_HEIGHT)
			widen(&shown.ymin, &shown.ymax, MIN_HEIGHT * (shown.xmax - shown.xmin));
		else
			view.stretched = true;
		ratio = MIN_HEIGHT;
	}
	else if (ratio > MAX_HEIGHT)
	{
		if (ratio <= MAX_HEIGHT * MAX_SPACE)
			widen(&shown.xmin, &shown.xmax, (shown.ymax - shown.ymin) / MAX_HEIGHT);
		else
			view.stretched = true;
		ratio = MAX_HEIGHT;
	}

	view.shown = shown;
	view.left = left;
	view.top = top;
	view.width = width;
	view.height = rint(width * ratio);
	view.x_scale = view.width / (shown.xmax - shown.xmin);
	view.y_scale = view.height / (shown.ymax - shown.ymin);
	return view;
}

/* Return the size of bounds on the paper: their shorter side. */
float8
spq_picture_size(const SpqPictureView *view, const SpqBoxBounds *bounds)
{
	return Min(Min((bounds->xmax - bounds->xmin) * view->x_scale, view->width),
			   Min((bounds->ymax - bounds->ymin) * view->y_scale, view->height));
}
