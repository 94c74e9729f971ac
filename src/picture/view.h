/*-------------------------------------------------------------------------
 *
 * view.h
 *	  Which part of the plane, or of space, a picture shows, and where on the paper.
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
 * What is shown of space is a plane with a depth, which is the range along the line
 * of sight (projection.h).  In the plane all depths are 0 to 0.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_VIEW_H
#define SPQ_PICTURE_VIEW_H

#include "box/bounds.h"

/* The sample has at most this many boxes, and at least half of them. */
#define SPQ_PICTURE_MAX_SAMPLE	8192

typedef struct SpqPictureRange
{
	float8		low;
	float8		high;
} SpqPictureRange;

typedef struct SpqPictureBounds
{
	SpqBoxBounds plane;
	SpqPictureRange depth;
} SpqPictureBounds;

typedef struct SpqPictureBox
{
	BOX			plane;
	SpqPictureRange depth;
} SpqPictureBox;

/* Where the boxes of an index are. */
typedef struct SpqPictureSpread
{
	int64		boxes;			/* all that were added */
	int64		unplaced;		/* of these, with a side that is infinite, NaN
								 * or beyond all cells */
	SpqPictureBounds bounds;	/* of the others */
	SpqPictureBox *sample;		/* every stride-th of the others */
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

	SpqPictureRange depth;		/* shown, too, but seen from in front */
	float8		depth_scale;	/* paper units for one of it; 0: the plane */
} SpqPictureView;

extern void spq_picture_spread_init(SpqPictureSpread *spread);
extern SpqPictureBounds spq_picture_no_bounds(void);
extern void spq_picture_spread_add(SpqPictureSpread *spread, const SpqPictureBox *box);
extern bool spq_picture_spread_fence(SpqPictureSpread *spread, SpqPictureBounds *fence);
extern void spq_picture_extent_add(SpqPictureBounds *extent, const SpqPictureBounds *fence,
								   const SpqPictureBox *box);
extern bool spq_picture_can_draw(const SpqPictureBox *box);
extern SpqPictureBounds spq_picture_box_bounds(const SpqPictureBox *box);
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
spq_picture_view_shows(const SpqPictureView *view, const SpqPictureBounds *bounds)
{
	const SpqBoxBounds *plane = &bounds->plane;

	return plane->xmin <= view->shown.xmax && plane->xmax >= view->shown.xmin &&
		plane->ymin <= view->shown.ymax && plane->ymax >= view->shown.ymin &&
		bounds->depth.low <= view->depth.high && bounds->depth.high >= view->depth.low;
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

/* Return the length on the paper that the visible part of a depth would have. */
static inline float8
spq_picture_view_depth(const SpqPictureView *view, SpqPictureRange depth)
{
	return (Min(depth.high, view->depth.high) - Max(depth.low, view->depth.low)) *
		view->depth_scale;
}

#endif							/* SPQ_PICTURE_VIEW_H */
