/*-------------------------------------------------------------------------
 *
 * report.h
 *	  Shared by the parts of a check: the index, and the rows of the result.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CHECK_REPORT_H
#define SPQ_CHECK_REPORT_H

#include "catalog/index.h"
#include "utils/tuplestore.h"

#include "quadtree_pages/read_page.h"
#include "quadtree_pages/step.h"

typedef struct SpqCheck
{
	/* fixed */
	Relation	index;
	Relation	heap;
	SpqPageReader reader;		/* for an SP-GiST index */
	struct SpqTreeReader *tree_reader;	/* for access method spqtree */
	MemoryContext context;		/* for the whole check */
	MemoryContext short_lived;	/* for texts and similar data, reset often */

	/* results */
	Tuplestorestate *problems;	/* (block, item, problem) */
	TupleDesc	problem_desc;

	BlockNumber heap_blocks;	/* the table has at least this many */
} SpqCheck;

extern bool spq_check_beyond_table(SpqCheck *check, ItemPointer row);
extern void spq_check_report(SpqCheck *check, BlockNumber block,
							 OffsetNumber item, const char *problem);

/* Return a position as a number, for sorting. */
static inline int64
spq_check_encode_tid(SpqPageTid tid)
{
	ItemPointerData pointer;

	ItemPointerSet(&pointer, tid.block, tid.offset);
	return itemptr_encode(&pointer);
}

static inline SpqPageTid
spq_check_decode_tid(int64 number)
{
	ItemPointerData pointer;
	SpqPageTid	tid;

	itemptr_decode(&pointer, number);
	tid.block = ItemPointerGetBlockNumber(&pointer);
	tid.offset = ItemPointerGetOffsetNumber(&pointer);
	return tid;
}

/*
 * boxes.c: whether each box is where it belongs, given the path to it.
 *
 *		inner (1,1)			each box of the chain is compared with each inner
 *		  |	node 3			tuple above: its place is in the tuple's region, it
 *		inner (5,2)			routes to the node that was taken, and it is within
 *		  |	node 11			the bounds of that node
 *		chain (40,3)
 *
 * Comparing with the lowest tuple alone would not be enough, because bounds
 * and regions of a path are not nested.
 */

extern void spq_check_boxes_enter(SpqCheck *check, SpqPageStep *inner);
extern void spq_check_boxes_of_chain(SpqCheck *check, SpqPageStep *chain);
extern void spq_check_boxes_leave(SpqCheck *check, SpqPageStep *inner);

/*
 * reach.c: whether the walk visits every tuple, once; and the format of each
 * page.
 *
 *		spq_check_reach_begin()
 *		spq_check_reach_note()	the targets of downlinks, sorted
 *		spq_check_reach_end()	the pages in order, with the targets on each:
 *									an inner tuple or head of a chain that is
 *									not among them, or twice, is a suspect
 *								a second walk, only if there are suspects
 *								a second look at each suspect
 *
 * The sort takes at most a quarter of maintenance_work_mem, and goes to a file
 * beyond that.  Pages are read in the order of the sort.
 *
 * While others write to the index, a tuple that was added after the walk
 * passed is a suspect, and the second walk visits it.  If the second walk does
 * not visit it, and the tuple is still there afterwards, it was there during
 * the whole second walk.
 */

typedef struct SpqCheckReach SpqCheckReach;

extern SpqCheckReach *spq_check_reach_begin(SpqCheck *check);
extern void spq_check_reach_note(SpqCheckReach *reach, SpqPageTid target);
extern void spq_check_reach_end(SpqCheckReach *reach);

/* ---- tree.c: whether an index of access method spqtree is sound ---- */

extern void spq_check_tree(SpqCheck *check, bool heapallindexed);

#endif							/* SPQ_CHECK_REPORT_H */
