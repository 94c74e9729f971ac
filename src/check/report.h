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

#endif							/* SPQ_CHECK_REPORT_H */
