/*-------------------------------------------------------------------------
 *
 * step.h
 *	  One step of a walk: an inner tuple or a chain of leaf tuples, with the
 *	  inner tuples above it.
 *
 *		root   (1,1)		step, level 1
 *		  |	node 3			a step says by which node of its parent it was
 *		inner  (5,2)		reached, and what that node says of all boxes
 *		  |	node 11			below: their cell, largest size class, bounds
 *		chain  (40,3)		step, level 3
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_STEP_H
#define SPQ_QUADTREE_PAGES_STEP_H

#include "quadtree_pages/inner_format.h"
#include "quadtree_pages/page_format.h"
#include "quadtree_pages/read_page.h"

/* An inner tuple, or a chain of leaf tuples. */
typedef struct SpqPageStep
{
	struct SpqPageStep *parent; /* inner tuple above; NULL for a root */
	int			level;			/* 1 for a root */
	int			node;			/* node of the parent that leads here, or -1 */
	SpqPageTid	tid;
	bool		inner;			/* otherwise a chain */
	bool		of_nulls;		/* the next six members are unused then */

	/* properties of the node above */
	SpqLatticeCell cell;		/* cell of the anchors of all boxes */
	int			size;			/* largest size class of the boxes */
	uint64		label;			/* valid label of the node, in the parent's
								 * frame; not for a root */
	SpqBoxBounds bounds;		/* of all boxes: bounds of the label, or of a
								 * label further up if it has none */
	bool		oversize;		/* the node is for boxes too large for
								 * sub-cells */
	bool		below_oversize; /* it or a node above is oversize */

	int64		tuples;			/* live leaf tuples; of an inner tuple, those
								 * below it, complete when left() is called */

	/* inner tuple */
	bool		all_the_same;
	int			n_nodes;
	int			n_downlinks;	/* nodes with a downlink */
	int			n_markers;		/* nodes that only widen the bounds of another
								 * node */
	const SpqPageNode *nodes;
	SpqQuadPrefix prefix;		/* prefix, region and frame are unset if
								 * of_nulls */
	SpqQuadRegion region;		/* of the boxes below the tuple */
	SpqLabelFrame frame;		/* of the labels of its nodes */

	/* chain */
	Page		page;			/* copy of its page; valid until visit()
								 * returns */

	void	   *own;			/* for the visitor; NULL at first.  The walk
								 * does not free it */
} SpqPageStep;

/*
 * These fill in parts of a step.  Its parent must be filled in, if it has one,
 * and its page must have no problem.
 */
extern void spq_page_fill_root(SpqPageStep *step, BlockNumber root, bool of_nulls);
extern void spq_page_fill_cell(SpqPageStep *step, uint64 label);
extern void spq_page_fill_inner(SpqPageStep *inner, Page page, MemoryContext context);
extern void spq_page_fill_chain(SpqPageStep *chain, Page page);

static inline SpGistLeafTuple
spq_page_chain_tuple(const SpqPageStep *chain, OffsetNumber item)
{
	return (SpGistLeafTuple) spq_page_tuple(chain->page, item);
}

/*
 * Return the next item of a chain, or InvalidOffsetNumber after the last one.
 */
static inline OffsetNumber
spq_page_chain_next(const SpqPageStep *chain, OffsetNumber item)
{
	/* tuples on a root page are not linked */
	if (SpGistBlockIsRoot(chain->tid.block))
		return item < PageGetMaxOffsetNumber(chain->page) ? item + 1 : InvalidOffsetNumber;
	return SGLT_GET_NEXTOFFSET(spq_page_chain_tuple(chain, item));
}

/* Return the box of a chain's tuple.  Not for the tree of nulls. */
static inline const BOX *
spq_page_chain_box(const SpqPageStep *chain, OffsetNumber item)
{
	return (const BOX *) SGLTDATAPTR(spq_page_chain_tuple(chain, item));
}

/*
 * Iterate over the items of a chain, in its order.  Each is a live leaf tuple.
 */
#define spq_page_foreach_in_chain(item, chain) \
	for (OffsetNumber item = (chain)->tuples > 0 ? (chain)->tid.offset : InvalidOffsetNumber; \
		 OffsetNumberIsValid(item); item = spq_page_chain_next((chain), item))

#endif							/* SPQ_QUADTREE_PAGES_STEP_H */
