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

void
spq_picture_spread_init(SpqPictureSpread *spread)
{
	memset(spread, 0, sizeof(SpqPictureSpread));
	spread->bounds = spq_box_bounds_nothing();
	spread->sample = palloc(SPQ_PICTURE_MAX_SAMPLE * sizeof(BOX));
	spread->stride = 1;
}

/* Return whether a box can be drawn: arithmetic on larger numbers may overflow. */
bool
spq_picture_can_draw(const BOX *box)
{
	float8		limit = spq_lattice_pow2(SPQ_LATTICE_MAX_EXP);

	return fabs(box->low.x) < limit && fabs(box->low.y) < limit &&
		fabs(box->high.x) < limit && fabs(box->high.y) < limit;
}

/*
 * Add a box.  When the sample is full, every other box of it is dropped.
 */
void
spq_picture_spread_add(SpqPictureSpread *spread, const BOX *box)
{
	SpqBoxBounds bounds;
	int64		number;

	spread->boxes++;
	if (!spq_picture_can_draw(box))
	{
		spread->unplaced++;
		return;
	}
	bounds = spq_box_bounds(box);
	spq_box_bounds_add(&spread->bounds, &bounds);

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
spq_picture_spread_fence(SpqPictureSpread *spread, SpqBoxBounds *fence)
{
	int			n = spread->n_sample;
	float8	   *low;
	float8	   *high;

	*fence = spread->bounds;
	if (n == 0)
		return false;
	low = palloc(n * sizeof(float8));
	high = palloc(n * sizeof(float8));
	for (int i = 0; i < n; i++)
	{
		low[i] = spread->sample[i].low.x;
		high[i] = spread->sample[i].high.x;
	}
	fence_axis(low, high, n, &fence->xmin, &fence->xmax);
	for (int i = 0; i < n; i++)
	{
		low[i] = spread->sample[i].low.y;
		high[i] = spread->sample[i].high.y;
	}
	fence_axis(low, high, n, &fence->ymin, &fence->ymax);
	pfree(low);
	pfree(high);
	return !spq_box_bounds_hold(fence, &spread->bounds);
}

/*
 * Widen the extent by a box, or by those of its sides that are within the fence.
 */
void
spq_picture_extent_add(SpqBoxBounds *extent, const SpqBoxBounds *fence, const BOX *box)
{
	if (!spq_picture_can_draw(box) ||
		box->high.x < fence->xmin || box->low.x > fence->xmax ||
		box->high.y < fence->ymin || box->low.y > fence->ymax)
		return;
	if (box->low.x >= fence->xmin)
		extent->xmin = Min(extent->xmin, box->low.x);
	if (box->high.x <= fence->xmax)
		extent->xmax = Max(extent->xmax, box->high.x);
	if (box->low.y >= fence->ymin)
		extent->ymin = Min(extent->ymin, box->low.y);
	if (box->high.y <= fence->ymax)
		extent->ymax = Max(extent->ymax, box->high.y);
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
