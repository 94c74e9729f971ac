/*-------------------------------------------------------------------------
 *
 * view.h
 *	  The part of the plane, or of space, that a picture shows, and its place on
 *	  the paper.
 *
 *		  the plane, y upward				  the paper, y downward
 *
 *											+------ title ------------+
 *			 +---- extent --+				| +---------------------+ |
 *			 |	 ....		|				| |	   ....				| |
 *			 |	...		..	|		->		| |	  ...		  ..	| |
 *			 |				|				| |						| |
 *			 +--------------+				| +---------------------+ |
 *											+------ legend -----------+
 *
 * Both axes have the same scale, unless the extent is very long or very high
 * (days by prices): then each has its own.
 *
 * A view of space is a plane with a depth, the range along the line of sight
 * (projection.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_MODEL_VIEW_H
#define SPQ_PICTURE_MODEL_VIEW_H

#include "inspect/inspect.h"

/* Empty space around the extent, as a fraction of it. */
#define SPQ_PICTURE_MARGIN		0.04

/* An extent gets empty space up to this factor before it is stretched. */
#define SPQ_PICTURE_MAX_SPACE	2.5

typedef struct SpqPictureView
{
	SpqBoxBounds shown;			/* part of the plane */
	float8		left;			/* its place on the paper */
	float8		top;
	float8		width;
	float8		height;
	float8		x_scale;		/* units of the paper for one of the plane */
	float8		y_scale;
	bool		stretched;		/* the scales differ */

	SpqInspectRange depth;		/* shown, along the line of sight */
	float8		depth_scale;	/* as x_scale; 0: a picture of the plane */
} SpqPictureView;

extern SpqPictureView spq_picture_make_view(const SpqBoxBounds *extent, float8 left, float8 top,
											float8 width);
extern float8 spq_picture_size(const SpqPictureView *view, const SpqBoxBounds *bounds);
extern float8 spq_picture_area(const SpqPictureView *view, const SpqInspectBounds *bounds,
							   float8 least);

extern bool spq_picture_can_draw(const SpqInspectBox *box);
extern SpqInspectBounds spq_picture_box_bounds(const SpqInspectBox *box);
extern void spq_picture_box_ranges(const SpqInspectBox *box, SpqInspectRange *ranges);
extern void spq_picture_bounds_ranges(const SpqInspectBounds *bounds, SpqInspectRange *ranges);
extern SpqInspectBounds spq_picture_ranges_bounds(const SpqInspectRange *ranges);

extern void spq_picture_widen(float8 *low, float8 *high, float8 length);
extern int	spq_picture_compare_numbers(const void *a, const void *b);

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

/* Return whether a part of the bounds is visible; false with a NaN. */
static inline bool
spq_picture_view_shows(const SpqPictureView *view, const SpqInspectBounds *bounds)
{
	const SpqBoxBounds *plane = &bounds->plane;

	return plane->xmin <= view->shown.xmax && plane->xmax >= view->shown.xmin &&
		plane->ymin <= view->shown.ymax && plane->ymax >= view->shown.ymin &&
		bounds->depth.low <= view->depth.high && bounds->depth.high >= view->depth.low;
}

#endif							/* SPQ_PICTURE_MODEL_VIEW_H */
