/*-------------------------------------------------------------------------
 *
 * picture.h
 *	  What is to be drawn of an index: its cells, as many as can be seen.
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
 * A shape that would be smaller than the fold limit is folded into the one
 * that it is in.  The limit rises whenever the shapes become too many, so that
 * memory and picture are bounded, whatever the size of the index.
 *
 * Invariant: parent < own number, so one pass over the array sees every
 * shape after the one it is in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_H
#define SPQ_PICTURE_H

#include "inspect/tree.h"
#include "picture/view.h"

typedef struct SpqPictureShape
{
	SpqPrefix	prefix;			/* of a grid */
	SpqCell		cell;			/* that a tile is of; the region of a grid */
	int			parent;			/* number of the shape it is in; -1: none */
	int64		tuples;			/* of a tile */
	float8		over;			/* density of the boxes over it that are too
								 * large for its cell (density.c) */
	bool		tile;			/* else a grid */
	bool		folded;			/* a tile that was a grid */
	bool		of_one_place;	/* a grid without lines: allTheSame */
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

	SpqPictureView		view;
	SpqPictureTally	tally;
	SpqPictureShape   *shapes;
	int			n_shapes;
	float8		fold;			/* limit, in units of the paper */
	BOX		   *boxes;			/* every stride-th of those to be seen */
	int			n_boxes;
	int64		boxes_seen;
	int64		boxes_stride;
} SpqPicture;

extern SpqPictureView spq_picture_find_view(SpqInspectIndex *inspected, float8 left, float8 top,
								float8 width);
extern void spq_picture_collect(SpqPicture *picture, SpqInspectIndex *inspected);
extern float8 spq_picture_cell_size(const SpqPictureView *view, const SpqCell *cell);
extern SpqBounds spq_picture_cell_bounds(const SpqCell *cell);

/* density.c */
extern void spq_picture_spread_oversize(SpqPicture *picture);
extern float8 spq_picture_density(const SpqPicture *picture, const SpqPictureShape *tile);

#endif							/* SPQ_PICTURE_H */
