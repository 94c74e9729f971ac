/*-------------------------------------------------------------------------
 *
 * view.h
 *	  Which part of the plane a picture shows, and where on the paper.
 *
 *			   the plane, y upward						 the paper, y downward
 *
 *	   .											+------ title ------------+
 *							 a few boxes far off	| +---------------------+ |
 *			 +------- fence --------+	.			| |	   ....				| |
 *			 |	 +--- shown ----+	|			->	| |	  ...		  ..	| |
 *			 |	 |	 ....		|	|				| |		...		..		| |
 *			 |	 |	...		..	|	|				| +---------------------+ |
 *			 |	 +--------------+	|				+------ legend -----------+
 *			 +----------------------+
 *
 * The extent of the boxes themselves is shown, since what the tree knows of them
 * can be much wider.  Boxes far from the others would shrink all others to a dot: a
 * sample says where nearly all are, and boxes farther away from them than their
 * whole breadth are left out, and counted.
 *
 * Both axes have the same scale, unless the extent is very long or very high
 * (days by prices): then each has its own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_VIEW_H
#define SPQ_PICTURE_VIEW_H

#include "box/bounds.h"

/* The sample has at most this many boxes, and at least half of them. */
#define SPQ_PICTURE_MAX_SAMPLE	8192

/* Where the boxes of an index are. */
typedef struct SpqPictureSpread
{
	int64		boxes;			/* all that were added */
	int64		unplaced;		/* of these, with a side that is infinite, NaN
								 * or beyond all cells */
	SpqBoxBounds bounds;		/* of the others */
	BOX		   *sample;			/* every stride-th of the others */
	int			n_sample;
	int64		stride;
} SpqPictureSpread;

typedef struct SpqPictureView
{
	SpqBoxBounds shown;			/* part of the plane */
	float8		left;			/* where that is on the paper */
	float8		top;
	float8		width;
	float8		height;
	float8		x_scale;		/* paper units for one of the plane */
	float8		y_scale;
	bool		stretched;		/* the scales differ */
} SpqPictureView;

extern void spq_picture_spread_init(SpqPictureSpread *spread);
extern void spq_picture_spread_add(SpqPictureSpread *spread, const BOX *box);
extern bool spq_picture_spread_fence(SpqPictureSpread *spread, SpqBoxBounds *fence);
extern void spq_picture_extent_add(SpqBoxBounds *extent, const SpqBoxBounds *fence,
								   const BOX *box);
extern bool spq_picture_can_draw(const BOX *box);
extern SpqPictureView spq_picture_make_view(const SpqBoxBounds *extent, float8 left, float8 top,
											float8 width);

extern float8 spq_picture_size(const SpqPictureView *view, const SpqBoxBounds *bounds);

static inline float8
spq_picture_view_x(const SpqPictureView *view, float8 x)
{
	return view->left + (x - view->shown.xmin) * view->x_scale;
}

static inline float8
spq_picture_view_y(const SpqPictureView *view, float8 y)
{
	return view->top + (view->shown.ymax - y) * view->y_scale;
}

/* Return whether any part of the bounds is visible; not with a NaN. */
static inline bool
spq_picture_view_shows(const SpqPictureView *view, const SpqBoxBounds *bounds)
{
	return bounds->xmin <= view->shown.xmax && bounds->xmax >= view->shown.xmin &&
		bounds->ymin <= view->shown.ymax && bounds->ymax >= view->shown.ymin;
}

/* Return the visible part of the bounds. */
static inline SpqBoxBounds
spq_picture_view_clip(const SpqPictureView *view, const SpqBoxBounds *bounds)
{
	SpqBoxBounds clipped;

	clipped.xmin = Max(bounds->xmin, view->shown.xmin);
	clipped.ymin = Max(bounds->ymin, view->shown.ymin);
	clipped.xmax = Min(bounds->xmax, view->shown.xmax);
	clipped.ymax = Min(bounds->ymax, view->shown.ymax);
	return clipped;
}

#endif							/* SPQ_PICTURE_VIEW_H */
