/*-------------------------------------------------------------------------
 *
 * tree.h
 *	  The tree of an index, for those who want to see it.
 *
 *		spq_inspect_open()	the index, if the caller may look into it
 *		spq_page_walk()			every inner tuple and every leaf chain, from
 *								the roots down
 *
 *		level 1			  root, an inner tuple			follow(root, node 0..)
 *						 /		|		 \				visit(root)
 *		level 2		chain	 inner		chain			visit(chain), ...
 *							 /	  \
 *		level 3			 chain	 chain					left(inner), left(root)
 *
 * There are two trees: that of boxes, and that of null values, which has
 * neither cells nor bounds (of_nulls).  A small tree is one leaf page, its
 * root; that is a chain of level 1.  An empty tree has nothing in it.
 *
 * Pages are looked at as in src/check: copies, of different moments if others
 * write; redirections are followed; nothing on a page is believed before it
 * has been found in order.  A downlink to what cannot be there is an error
 * (XX002) that names spqtree_check; a walk through whatever bytes ends.
 *
 * Memory: one inner tuple for each level.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TREE_H
#define SPQ_TREE_H

#include "pages/read_page.h"
#include "compat.h"

/* An inner tuple, or a chain of leaf tuples. */
typedef struct SpqPageStep
{
	struct SpqPageStep *parent; /* the inner tuple above; NULL: a root */
	int			level;			/* a root has 1 */
	int			node;			/* node of the parent that leads here, or -1 */
	SpqPageTid	at;
	bool		inner;			/* else a chain */
	bool		of_nulls;		/* the next six say nothing then */

	/* what the node above says */
	SpqCell		cell;			/* that the anchors of boxes are in */
	int			size;			/* size class that no box exceeds */
	uint64		label;			/* that holds for the node, in the parent's frame;
								 * not for a root */
	SpqBounds	bounds;			/* of all boxes: those of the label, or of one
								 * further up where it has none */
	bool		oversize;		/* a node for boxes too large for sub-cells */
	bool		below_oversize; /* it, or one above it, is such a node */

	int64		tuples;			/* live leaf tuples; of an inner tuple, those
								 * below, known when left() is called */

	/* inner tuple */
	bool		all_the_same;
	int			n_nodes;		/* all that the tuple has */
	int			n_downlinks;	/* of them, lead somewhere */
	int			n_markers;		/* of them, only widen the bounds of another */
	const SpqPageNode *nodes;
	SpqPrefix	prefix;			/* unless of_nulls: prefix, region, frame */
	SpqRegion	region;			/* that the tuple holds boxes of */
	SpqFrame	frame;			/* of its nodes' labels */

	/* chain */
	Page		page;			/* copy of its page, until visit() returns */
	SpqLeafKind leaf_kind;		/* what its tuples hold of a box */

	void	   *own;			/* the visitor's; NULL at first.  The walk does
								 * not free it */
} SpqPageStep;

typedef struct SpqPageVisitor
{
	/*
	 * Whether to go where a node of an inner tuple leads, which has not been
	 * read yet.  Asked for all nodes with a downlink, after visit() of the
	 * tuple and before what is below is visited.  The label is the one that
	 * holds; in the tree of null values, 0.  NULL: everywhere.
	 */
	bool		(*follow) (void *arg, SpqPageStep *inner, int node, uint64 label);

	/* A tuple or chain, before what is below; false: do not go below. */
	bool		(*visit) (void *arg, SpqPageStep *node);

	/*
	 * The same inner tuple, after all that is below; not if visit() has said
	 * false.  May be NULL.
	 */
	void		(*left) (void *arg, SpqPageStep *inner);

	void	   *arg;
} SpqPageVisitor;

/* An index that is open for inspection. */
typedef struct SpqInspectIndex
{
	Relation	heap;
	Relation	index;
	SpqPageReader	reader;
} SpqInspectIndex;

/* open.c */
extern void spq_inspect_open(SpqInspectIndex *inspected, Oid index_id,
							   const char *call);
extern void spq_inspect_close(SpqInspectIndex *inspected);

/* tree.c */
extern void spq_page_walk(SpqInspectIndex *inspected, const SpqPageVisitor *visitor);
extern OffsetNumber spq_page_chain_next(const SpqPageStep *chain, OffsetNumber item);
extern const void *spq_page_chain_leaf(const SpqPageStep *chain, OffsetNumber item);
extern BOX spq_page_chain_box(const SpqPageStep *chain, OffsetNumber item);
extern BOX spq_inspect_bounds_to_box(const SpqBounds *bounds);
extern BOX spq_inspect_cell_to_box(const SpqCell *cell);
extern float8 spq_inspect_size_bound(int size);
spq_noreturn extern void spq_page_raise(SpqInspectIndex *inspected,
										   BlockNumber block, OffsetNumber item,
										   const char *problem);

/* Items of a chain, in its order: each is a live leaf tuple. */
#define spq_page_foreach_in_chain(item, chain) \
	for (OffsetNumber item = (chain)->tuples > 0 ? (chain)->at.offset : InvalidOffsetNumber; \
		 OffsetNumberIsValid(item); item = spq_page_chain_next((chain), item))

#endif							/* SPQ_TREE_H */
