/*-------------------------------------------------------------------------
 *
 * picture.h
 *	  The visible shapes of an index's tree, and everything else that a picture
 *	  shows.
 *
 *		the tree			  the shapes
 *
 *		root				  grid 1		 an inner tuple or page
 *		 +- leaves			   +- tile 2	 a chain of leaf tuples, or a leaf
 *		 +- inner			   +- grid 3	 page
 *		 |	 +- leaves		   |   +- tile 4
 *		 |	 +- leaves		   |   +- tile 5
 *		 +- inner			   +- tile 6	 folded (collect/fold.c): too small
 *			 +- ...							 for the paper, or too deep
 *
 * The shapes of a quadtree are cells, and the lines of a grid cut its cell.
 * The shapes of an R-tree are rectangles, which may overlap; grids have
 * outlines.
 *
 * Invariant: parent < own number.  So one pass over the array visits every
 * shape after the shape that contains it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_MODEL_PICTURE_H
#define SPQ_PICTURE_MODEL_PICTURE_H

#include <math.h>

#include "picture/model/box_sample.h"
#include "picture/model/view.h"

typedef struct SpqPictureShape
{
	SpqInspectBounds bounds;	/* that it covers */
	int			rank;			/* shapes of higher rank are painted below;
								 * shapes of a rank look alike */
	int			parent;			/* number of the shape that contains it; -1:
								 * none */

	/* a tile */
	int64		tuples;
	float8		over;			/* density of the boxes that lie over it and
								 * are too large for its cell (density.c) */
	/* a grid */
	float8		part_size;		/* approximate size of its parts on the paper */
	SpqBoxBounds base;			/* in a quadtree: cut in 2^cuts on each axis */
	int			cuts;
	bool		halved;			/* the rest, around the base, is cut in 2 */
	bool		all_the_same;	/* an allTheSame tuple, without lines */

	bool		tile;			/* else a grid */
	bool		folded;			/* a tile that was a grid */
	bool		oversize;		/* is, or is below, a node for boxes too large
								 * for sub-cells */
	bool		visited;		/* by a scan for the query */
} SpqPictureShape;

/*
 * The counts in the legend.  A leaf is a chain of leaf tuples, or a leaf page.
 */
typedef struct SpqPictureTally
{
	int64		boxes;			/* rows of the tree of boxes */
	int64		nulls;			/* rows without a box */
	int64		inner;
	int64		leaves;
	int64		oversize_boxes; /* stored above the leaves because of their
								 * size */
	int			deepest;		/* level */
	int64		not_shown;		/* boxes outside of the view, infinite or with
								 * a NaN */

	int64		inner_visited;	/* by a scan for the query */
	int64		leaves_visited;
	int64		boxes_visited;
	int64		boxes_matching;
} SpqPictureTally;

/* The words of the legend for a kind of tree. */
typedef struct SpqPictureWords
{
	const char *tree;
	const char *inner;
	const char *inners;
	const char *leaf;			/* in the counts of the tree */
	const char *leaves;
	const char *visited_leaves; /* in the counts of a scan */
	const char *tile;
} SpqPictureWords;

/* The query whose scan is shown. */
typedef struct SpqPictureQuery
{
	SpqInspectBox box;
	const char *text;
	SpqInspectQuery condition;	/* that a value overlaps the box */
} SpqPictureQuery;

typedef struct SpqPicture
{
	/* arguments of the function */
	int			max_level;
	bool		show_boxes;
	const SpqPictureQuery *query;	/* or NULL */
	Size		room;			/* approximate limit for the shapes, in bytes
								 * of SVG */

	const SpqPictureWords *words;
	bool		outlined;		/* an R-tree: a grid has an outline, and its
								 * rank is its level above the leaves */
	SpqPictureView view;
	int			axes;			/* of the index */
	SpqPictureTally tally;
	SpqPictureShape *shapes;
	int			n_shapes;
	float8		fold;			/* fold limit, in units of the paper */
	SpqPictureSample boxes;		/* to be drawn */
} SpqPicture;

/* Return whether a shape is a tile on the map that has boxes. */
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

/* Return whether the query is on the map.  A box with a NaN is not. */
static inline bool
spq_picture_query_on_map(const SpqPicture *picture)
{
	const SpqInspectBox *box = &picture->query->box;
	SpqInspectBounds bounds = spq_picture_box_bounds(box);

	return !isnan(box->plane.low.x) && !isnan(box->plane.low.y) &&
		!isnan(box->plane.high.x) && !isnan(box->plane.high.y) &&
		!isnan(box->depth.low) && !isnan(box->depth.high) &&
		spq_picture_view_shows(&picture->view, &bounds);
}

#endif							/* SPQ_PICTURE_MODEL_PICTURE_H */
