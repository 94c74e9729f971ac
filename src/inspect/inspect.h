/*-------------------------------------------------------------------------
 *
 * inspect.h
 *	  An index that is inspected, and the walk over its tree, which is the same
 *	  for both kinds of tree.
 *
 *						  quadtree					  R-tree
 *		inner step		  inner tuple				  inner page
 *		leaf			  chain of leaf tuples		  leaf page
 *		tuple			  leaf tuple				  row
 *		source			  quadtree_walk.c			  rtree_walk.c
 *						  over quadtree_pages/walk	  over rtree_pages/tree_walk
 *
 * The order is that of the walk below: a step, then the steps below it, then
 * left() for an inner step; first the rows with a box, then the others.  Damage
 * is raised as an error.
 *
 * If the walk has a query, it says of each step whether a scan for the query
 * visits it, and how many tuples of a leaf match.  The functions that scans
 * use decide this: those of the operator class for a quadtree,
 * spq_rtree_match_inner() and spq_rtree_match_leaf() for an R-tree.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_INSPECT_H
#define SPQ_INSPECT_INSPECT_H

#include "quadtree_pages/step.h"
#include "rtree_pages/tree_walk.h"

typedef struct SpqInspectIndex
{
	Relation	heap;
	Relation	index;
	bool		is_rtree;		/* of access method spqtree, else SP-GiST */
	int			column;			/* the spatial one, counted from 1 */
	int			axes;			/* 2 or 3 */
	SpqPageReader quadtree;		/* unless is_rtree */
	SpqTreeReader rtree;		/* if is_rtree */
} SpqInspectIndex;

/* A condition: the indexed value, an operator, a box. */
typedef struct SpqInspectQuery
{
	Datum		box;			/* a box, or a box3 for three axes */
	int			strategy;		/* of the operator */
	Oid			function;		/* of the operator */
} SpqInspectQuery;

/*
 * Boxes and bounds of an index of two or three axes.  In the plane, all depths
 * are 0 to 0.
 */
typedef struct SpqInspectRange
{
	float8		low;
	float8		high;
} SpqInspectRange;

typedef struct SpqInspectBounds
{
	SpqBoxBounds plane;
	SpqInspectRange depth;
} SpqInspectBounds;

typedef struct SpqInspectBox
{
	BOX			plane;
	SpqInspectRange depth;
} SpqInspectBox;

/* A step of the walk: an inner tuple or page, or a leaf. */
typedef struct SpqInspectStep
{
	struct SpqInspectStep *parent;	/* NULL: a root, or a page of nulls */
	int			level;			/* 1 for a root */
	bool		inner;			/* else a leaf */
	bool		of_nulls;		/* of rows without a box */
	BlockNumber block;
	int64		tuples;			/* of a leaf; of an inner step, those below,
								 * known when left() is called */

	/* of all boxes here, as the tree knows it; or not known */
	bool		has_bounds;
	SpqInspectBounds bounds;

	/* in a quadtree */
	bool		oversize;		/* for boxes too large for sub-cells */
	bool		below_oversize; /* this step, or one above it, is oversize */

	/* a scan for the query */
	bool		visited;
	int64		matching;		/* tuples of a leaf that it finds */
	int64		rechecked;		/* of these: the index does not decide */

	const SpqInspectBox *boxes; /* of a leaf, one for each tuple, if the
								 * visitor asked for them */
	int			own;			/* the visitor's; 0 at first */

	/* the same step of the walk below; one is NULL */
	const SpqPageStep *in_quadtree;
	const SpqTreeStep *in_rtree;
} SpqInspectStep;

/* What a walk calls, and for which query. */
typedef struct SpqInspectVisitor
{
	/* A step, before those below it. */
	void		(*visit) (void *arg, SpqInspectStep *step);

	/* An inner step, after all that are below it.  May be NULL. */
	void		(*left) (void *arg, SpqInspectStep *inner);

	void	   *arg;
	const SpqInspectQuery *query;	/* or NULL */
	bool		only_visited;	/* leave out what a scan for the query does
								 * not visit */
	bool		no_nulls;		/* leave out rows without a box */
	bool		boxes;			/* set the boxes of leaves */
} SpqInspectVisitor;

extern void spq_inspect_open(SpqInspectIndex *inspected, Oid index_id,
							 const char *call);
extern void spq_inspect_close(SpqInspectIndex *inspected);
extern void spq_inspect_walk(SpqInspectIndex *inspected, const SpqInspectVisitor *visitor);

/* The walk over each kind of tree. */
extern void spq_inspect_walk_quadtree(SpqPageReader *reader, const SpqInspectVisitor *visitor);
extern void spq_inspect_walk_rtree(SpqTreeReader *reader, const SpqInspectVisitor *visitor);

#endif							/* SPQ_INSPECT_INSPECT_H */
