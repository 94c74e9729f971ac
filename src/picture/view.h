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
 * What is shown is the extent of the boxes themselves, since cells of the
 * lattice can be much wider.  Boxes far off the others would make a dot of
 * all the rest: a sample says where nearly all are, and what is further away
 * from them than their whole breadth is left out, and counted.
 *
 * Both axes have one scale, unless the extent is very long or very high (days
 * by prices): then each has its own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_VIEW_H
#define SPQ_VIEW_H

#include "lattice/bounds.h"

/* Rows of the sample: this many, or up to half as many. */
#define SPQ_SPREAD_SAMPLE	8192

/* Where the boxes of an index are. */
typedef struct SpqSpread
{
	int64		boxes;			/* all that were added */
	int64		unplaced;		/* of these, with a side that is infinite, NaN or
								 * beyond all cells */
	SpqBounds	bounds;			/* of the others */
	BOX		   *sample;			/* every stride-th of the others */
	int			n_sample;
	int64		stride;
} SpqSpread;

typedef struct SpqView
{
	SpqBounds	shown;			/* part of the plane */
	float8		left;			/* where that is on the paper */
	float8		top;
	float8		width;
	float8		height;
	float8		x_scale;		/* paper units for one of the plane */
	float8		y_scale;
	bool		stretched;		/* the scales differ */
} SpqView;

extern void spq_spread_init(SpqSpread *spread);
extern void spq_spread_add(SpqSpread *spread, const BOX *box);
extern bool spq_spread_fence(SpqSpread *spread, SpqBounds *fence);
extern void spq_extent_add(SpqBounds *extent, const SpqBounds *fence,
						   const BOX *box);
extern bool spq_box_has_place(const BOX *box);
extern SpqView spq_view(const SpqBounds *extent, float8 left, float8 top,
						float8 width);

static inline float8
spq_view_x(const SpqView *view, float8 x)
{
	return view->left + (x - view->shown.xmin) * view->x_scale;
}

static inline float8
spq_view_y(const SpqView *view, float8 y)
{
	return view->top + (view->shown.ymax - y) * view->y_scale;
}

/* Is any of it to be seen?  Not if there is a NaN. */
static inline bool
spq_view_shows(const SpqView *view, const SpqBounds *bounds)
{
	return bounds->xmin <= view->shown.xmax && bounds->xmax >= view->shown.xmin &&
		bounds->ymin <= view->shown.ymax && bounds->ymax >= view->shown.ymin;
}

/* The part of it that is to be seen. */
static inline SpqBounds
spq_view_clip(const SpqView *view, const SpqBounds *bounds)
{
	SpqBounds	clipped;

	clipped.xmin = Max(bounds->xmin, view->shown.xmin);
	clipped.ymin = Max(bounds->ymin, view->shown.ymin);
	clipped.xmax = Min(bounds->xmax, view->shown.xmax);
	clipped.ymax = Min(bounds->ymax, view->shown.ymax);
	return clipped;
}

#endif							/* SPQ_VIEW_H */
