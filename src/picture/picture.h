/*-------------------------------------------------------------------------
 *
 * picture.h
 *	  What is drawn of an index: its cells, as far as they are visible.
 *
 *		the tree				  the shapes
 *
 *		root					  grid 1			 lines of an inner tuple
 *		 +- chain				   +- tile 2		 the cell of a chain
 *		 +- inner				   +- grid 3
 *		 |	 +- chain			   |   +- tile 4
 *		 |	 +- chain			   |   +- tile 5
 *		 +- inner				   +- tile 6		 folded: too small for the
 *			 +- ...											 paper, or too deep
 *
 * A shape smaller than the fold limit is folded into the one that it is in.  The
 * limit rises whenever there are too many shapes, so that memory and picture are
 * bounded, whatever the size of the index.
 *
 * Invariant: parent < own number, so one pass over the array visits every shape
 * after the one that it is in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_PICTURE_H
#define SPQ_PICTURE_PICTURE_H

#include <math.h>

#include "picture/view.h"
#include "quadtree/prefix.h"

typedef struct SpqPictureShape
{
	SpqQuadPrefix prefix;		/* of a grid */
	SpqLatticeCell cell;		/* that a tile is of; the region of a grid */
	int			parent;			/* number of the shape it is in; -1: none */
	int64		tuples;			/* of a tile */
	float8		over;			/* density of the boxes over it that are too
								 * large for its cell (density.c) */
	bool		tile;			/* else a grid */
	bool		folded;			/* a tile that was a grid */
	bool		all_the_same;	/* a grid without lines: allTheSame */
	bool		oversize;		/* is, or is below, a node for boxes too large
								 * for sub-cells */
	bool		visited;		/* the query's scan comes here */
} SpqPictureShape;

/* What the legend says. */
typedef struct SpqPictureTally
{
	int64		boxes;			/* rows of the tree of boxes */
	int64		nulls;			/* rows of the other tree */
	int64		inner_tuples;
	int64		chains;
	int64		oversize_boxes; /* held above the leaves because of their size */
	int			deepest;		/* level */
	int64		not_shown;		/* boxes outside of the view, NaN, infinite */
	bool		rounded;		/* boxes are known as a compact class has them */

	int64		inner_visited;	/* by a scan for the query */
	int64		chains_visited;
	int64		boxes_visited;
	int64		boxes_matching;
} SpqPictureTally;

typedef struct SpqPicture
{
	/* asked for */
	int			max_level;
	bool		show_boxes;
	const BOX  *query;			/* or NULL */
	Size		room;			/* bytes that the cells may take, about */

	SpqPictureView view;
	SpqPictureTally tally;
	SpqPictureShape *shapes;
	int			n_shapes;
	float8		fold;			/* limit, in units of the paper */
	BOX		   *boxes;			/* every stride-th of those to be seen */
	int			n_boxes;
	int64		boxes_seen;
	int64		boxes_stride;
} SpqPicture;

/* Return whether a shape is a tile with boxes, on the map. */
static inline bool
spq_picture_is_drawn(const SpqPicture *picture, const SpqPictureShape *tile)
{
	SpqBoxBounds bounds = spq_picture_cell_bounds(&tile->cell);

	return tile->tile && tile->tuples > 0 &&
		spq_picture_view_shows(&picture->view, &bounds);
}

/* Return whether a shape is drawn in full color. */
static inline bool
spq_picture_is_visited(const SpqPicture *picture, const SpqPictureShape *shape)
{
	return shape->visited || picture->query == NULL;
}

/* Return whether the query is on the map: with a NaN it is nowhere. */
static inline bool
spq_picture_query_on_map(const SpqPicture *picture)
{
	const BOX  *query = picture->query;
	SpqBoxBounds bounds = spq_box_bounds(query);

	return !isnan(query->low.x) && !isnan(query->low.y) &&
		!isnan(query->high.x) && !isnan(query->high.y) &&
		spq_picture_view_shows(&picture->view, &bounds);
}

#endif							/* SPQ_PICTURE_PICTURE_H */
