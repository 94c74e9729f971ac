/*-------------------------------------------------------------------------
 *
 * picture.h
 *	  What is drawn of an index: the shapes of its tree, as far as they are
 *	  visible.
 *
 *		the tree				  the shapes
 *
 *		root					  grid 1			 an inner tuple or page
 *		 +- leaves				   +- tile 2		 a chain of leaf tuples, or
 *		 +- inner				   +- grid 3							a leaf page
 *		 |	 +- leaves			   |   +- tile 4
 *		 |	 +- leaves			   |   +- tile 5
 *		 +- inner				   +- tile 6		 folded: too small for the
 *			 +- ...											 paper, or too deep
 *
 * A grid whose parts are smaller than the fold limit is folded: it becomes one
 * tile, with all that is in it.  The limit rises whenever there are too many
 * shapes, so that memory and picture are bounded, whatever the size of the index.
 *
 * The shapes of a quadtree are cells, which are cut where the lines of a grid are;
 * those of an R-tree are rectangles that may overlap, and have outlines.
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

typedef struct SpqPictureShape
{
	SpqPictureBounds bounds;	/* what it covers */
	int			rank;			/* what is of higher rank lies below; shapes
								 * of a rank look alike */
	int			parent;			/* number of the shape it is in; -1: none */

	/* a tile */
	int64		tuples;
	float8		over;			/* density of the boxes over it that are too
								 * large for its cell (density.c) */
	/* a grid */
	float8		part_size;		/* about the size of its parts on the paper */
	SpqBoxBounds base;			/* of a quadtree: cut in 2^cuts on each axis */
	int			cuts;
	bool		halved;			/* the rest, around the base, is cut in 2 */
	bool		all_the_same;	/* without lines: allTheSame */

	bool		tile;			/* else a grid */
	bool		folded;			/* a tile that was a grid */
	bool		oversize;		/* is, or is below, a node for boxes too large
								 * for sub-cells */
	bool		visited;		/* the query's scan comes here */
} SpqPictureShape;

/* What the legend says.  A leaf is a chain of leaf tuples, or a leaf page. */
typedef struct SpqPictureTally
{
	int64		boxes;			/* rows of the tree of boxes */
	int64		nulls;			/* rows without a box */
	int64		inner;
	int64		leaves;
	int64		oversize_boxes; /* held above the leaves because of their size */
	int			deepest;		/* level */
	int64		not_shown;		/* boxes outside of the view, NaN, infinite */
	bool		rounded;		/* boxes are known as a compact class has them */

	int64		inner_visited;	/* by a scan for the query */
	int64		leaves_visited;
	int64		boxes_visited;
	int64		boxes_matching;
} SpqPictureTally;

/* A kind of tree, in the words of the legend. */
typedef struct SpqPictureWords
{
	const char *tree;
	const char *inner;
	const char *inners;
	const char *leaf;			/* where the tree is counted */
	const char *leaves;
	const char *visited_leaves; /* where a scan is */
	const char *tile;
} SpqPictureWords;

/* The query whose scan is shown. */
typedef struct SpqPictureQuery
{
	SpqPictureBox box;
	const char *text;

	/* the same for a scan of an R-tree */
	Datum		datum;			/* a box or a box3 */
	int			strategy;
	Oid			function;		/* of the operator */
} SpqPictureQuery;

typedef struct SpqPicture
{
	/* asked for */
	int			max_level;
	bool		show_boxes;
	const SpqPictureQuery *query;	/* or NULL */
	Size		room;			/* bytes that the shapes may take, about */

	const SpqPictureWords *words;
	bool		outlined;		/* the shapes are rectangles with outlines; a
								 * grid's rank is its level above the leaves */
	SpqPictureView view;
	int			axes;			/* of the index */
	SpqPictureTally tally;
	SpqPictureShape *shapes;
	int			n_shapes;
	float8		fold;			/* limit, in units of the paper */
	SpqPictureBox *boxes;		/* every stride-th of those to be seen */
	int			n_boxes;
	int64		boxes_seen;
	int64		boxes_stride;
} SpqPicture;

/* Return whether a shape is a tile with boxes, on the map. */
static inline bool
spq_picture_is_drawn(const SpqPicture *picture, const SpqPictureShape *tile)
{
	return tile->tile && tile->tuples > 0 &&
		spq_picture_view_shows(&picture->view, &tile->bounds);
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
	const SpqPictureBox *box = &picture->query->box;
	SpqPictureBounds bounds = spq_picture_box_bounds(box);

	return !isnan(box->plane.low.x) && !isnan(box->plane.low.y) &&
		!isnan(box->plane.high.x) && !isnan(box->plane.high.y) &&
		!isnan(box->depth.low) && !isnan(box->depth.high) &&
		spq_picture_view_shows(&picture->view, &bounds);
}

#endif							/* SPQ_PICTURE_PICTURE_H */
