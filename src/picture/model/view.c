/*-------------------------------------------------------------------------
 *
 * view.c
 *	  The part of the plane that a picture shows, and its place on the paper.
 *	  See view.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "lattice/lattice.h"
#include "picture/model/view.h"

/* Limits of the height of the paper, as a multiple of its width. */
#define MIN_HEIGHT	0.4
#define MAX_HEIGHT		1.1

/* A smaller extent is widened, so that scales are finite. */
#define MIN_SIDE		spq_lattice_pow2(-980)

/*
 * Return whether a box can be drawn: its numbers are finite, and small enough
 * that arithmetic does not overflow.
 */
bool
spq_picture_can_draw(const SpqInspectBox *box)
{
	const BOX  *plane = &box->plane;
	float8		limit = spq_lattice_pow2(SPQ_LATTICE_MAX_EXP);

	return fabs(plane->low.x) < limit && fabs(plane->low.y) < limit &&
		fabs(plane->high.x) < limit && fabs(plane->high.y) < limit &&
		fabs(box->depth.low) < limit && fabs(box->depth.high) < limit;
}

/* Return the bounds of a box, which are infinite on an axis with a NaN. */
SpqInspectBounds
spq_picture_box_bounds(const SpqInspectBox *box)
{
	SpqInspectBounds bounds = {spq_box_bounds(&box->plane), box->depth};

	if (isnan(box->depth.low) || isnan(box->depth.high))
	{
		bounds.depth.low = -INFINITY;
		bounds.depth.high = INFINITY;
	}
	return bounds;
}

/* Set the three ranges of a box, which may have a NaN. */
void
spq_picture_box_ranges(const SpqInspectBox *box, SpqInspectRange *ranges)
{
	ranges[0].low = box->plane.low.x;
	ranges[0].high = box->plane.high.x;
	ranges[1].low = box->plane.low.y;
	ranges[1].high = box->plane.high.y;
	ranges[2] = box->depth;
}

/* Set the three ranges of bounds. */
void
spq_picture_bounds_ranges(const SpqInspectBounds *bounds, SpqInspectRange *ranges)
{
	ranges[0].low = bounds->plane.xmin;
	ranges[0].high = bounds->plane.xmax;
	ranges[1].low = bounds->plane.ymin;
	ranges[1].high = bounds->plane.ymax;
	ranges[2] = bounds->depth;
}

SpqInspectBounds
spq_picture_ranges_bounds(const SpqInspectRange *ranges)
{
	SpqInspectBounds bounds = {
		{ranges[0].low, ranges[1].low, ranges[0].high, ranges[1].high},
		ranges[2]
	};

	return bounds;
}

/* Compare two float8 without a NaN, for qsort(). */
int
spq_picture_compare_numbers(const void *a, const void *b)
{
	float8		x = *(const float8 *) a;
	float8		y = *(const float8 *) b;

	return (x > y) - (x < y);
}

/* Widen a range at both ends to at least this length. */
void
spq_picture_widen(float8 *low, float8 *high, float8 length)
{
	float8		more = (length - (*high - *low)) / 2;

	if (more > 0)
	{
		*low -= more;
		*high += more;
	}
}

/*
 * Return the view of an extent, which may be empty, a point or a line.
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
		/* empty: a low picture */
		shown.xmin = shown.ymin = 0;
		shown.xmax = 1;
		shown.ymax = MIN_HEIGHT;
	}

	/* widen a point or a line so that doubles can tell its ends apart */
	far = Max(Max(fabs(shown.xmin), fabs(shown.xmax)),
			  Max(fabs(shown.ymin), fabs(shown.ymax)));
	least = Max(far * 1e-12, MIN_SIDE);
	if (shown.xmax - shown.xmin < least && shown.ymax - shown.ymin < least)
		least = Max(far * 1e-3, 1.0);
	else
		least = Max(least, Max(shown.xmax - shown.xmin,
							   shown.ymax - shown.ymin) * 1e-9);
	if (shown.xmax - shown.xmin < least)
		spq_picture_widen(&shown.xmin, &shown.xmax,
						  Max(least, MIN_HEIGHT * (shown.ymax - shown.ymin)));
	if (shown.ymax - shown.ymin < least)
		spq_picture_widen(&shown.ymin, &shown.ymax,
						  Max(least, MIN_HEIGHT * (shown.xmax - shown.xmin)));

	/* a margin shows that the boxes end at the edge */
	spq_picture_widen(&shown.xmin, &shown.xmax,
					  (shown.xmax - shown.xmin) * (1 + SPQ_PICTURE_MARGIN));
	spq_picture_widen(&shown.ymin, &shown.ymax,
					  (shown.ymax - shown.ymin) * (1 + SPQ_PICTURE_MARGIN));

	ratio = (shown.ymax - shown.ymin) / (shown.xmax - shown.xmin);
	if (ratio < MIN_HEIGHT)
	{
		if (ratio * SPQ_PICTURE_MAX_SPACE >= MIN_HEIGHT)
			spq_picture_widen(&shown.ymin, &shown.ymax, MIN_HEIGHT * (shown.xmax - shown.xmin));
		else
			view.stretched = true;
		ratio = MIN_HEIGHT;
	}
	else if (ratio > MAX_HEIGHT)
	{
		if (ratio <= MAX_HEIGHT * SPQ_PICTURE_MAX_SPACE)
			spq_picture_widen(&shown.xmin, &shown.xmax, (shown.ymax - shown.ymin) / MAX_HEIGHT);
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

/* Return the shorter side of bounds on the paper, at most that of the view. */
float8
spq_picture_size(const SpqPictureView *view, const SpqBoxBounds *bounds)
{
	return Min(Min((bounds->xmax - bounds->xmin) * view->x_scale, view->width),
			   Min((bounds->ymax - bounds->ymin) * view->y_scale, view->height));
}

/*
 * Return the area of the visible part of bounds on the paper; in space, its
 * volume, which is the same in all views.  No side counts as shorter than
 * "least".
 */
float8
spq_picture_area(const SpqPictureView *view, const SpqInspectBounds *bounds, float8 least)
{
	const SpqBoxBounds *plane = &bounds->plane;
	const SpqBoxBounds *shown = &view->shown;
	float8		width = Min(plane->xmax, shown->xmax) - Max(plane->xmin, shown->xmin);
	float8		height = Min(plane->ymax, shown->ymax) - Max(plane->ymin, shown->ymin);
	float8		depth = Min(bounds->depth.high, view->depth.high) -
		Max(bounds->depth.low, view->depth.low);
	float8		area = Max(width * view->x_scale, least) * Max(height * view->y_scale, least);

	return view->depth_scale == 0 ? area : area * Max(depth * view->depth_scale, least);
}
