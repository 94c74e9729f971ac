/*-------------------------------------------------------------------------
 *
 * check.h
 *	  Checking an index: what the parts of spqtree_check share.
 *
 *		walk	from the roots down, as a scan would: every box against every
 *				inner tuple above it
 *		pages	one page after the other: format, chains, counts, and whether
 *				the walk has come to every tuple, once
 *		heap	every row of the table against what the walk has seen
 *
 * All of it looks at copies of pages (read_page.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CHECK_H
#define SPQ_CHECK_H

#include "utils/tuplestore.h"

#include "pages/read_page.h"

typedef struct SpqCheckHeap SpqCheckHeap;

typedef struct SpqCheck
{
	SpqPageReader	reader;			/* of the index */
	Relation	heap;
	BlockNumber heap_blocks;	/* of the table, at least */

	Tuplestorestate *problems;	/* (block, item, problem) */
	TupleDesc	problem_desc;

	MemoryContext context;		/* for the whole of the check */
	MemoryContext short_lived;	/* for texts and the like, reset often */
	SpqCheckHeap *heap_check;	/* NULL: the table is not looked at */
} SpqCheck;

/* A tuple's place as one number, in the order of places. */
static inline int64
spq_place_number(BlockNumber block, OffsetNumber offset)
{
	return (int64) block << 16 | offset;
}

static inline SpqPageTid
spq_place_at(int64 number)
{
	SpqPageTid	at;

	at.block = (BlockNumber) (number >> 16);
	at.offset = (OffsetNumber) (number & 0xFFFF);
	return at;
}

/* check.c */
extern void spq_check_report(SpqCheck *check, BlockNumber block, OffsetNumber item,
					   const char *problem);

/* walk.c */
typedef struct SpqCheckVisitor
{
	/* a tuple that a downlink leads to: an inner tuple, the head of a chain */
	void		(*reached) (void *arg, SpqPageTid tuple, SpqPageTid parent, int node);
	/* a live leaf tuple; may be NULL */
	void		(*leaf) (void *arg, SpqPageTid at, SpGistLeafTuple tuple, bool null_key);
	void	   *arg;
	bool		silent;			/* report nothing */
} SpqCheckVisitor;

extern void spq_check_walk(SpqCheck *check, const SpqCheckVisitor *visitor);

/* reach.c */
extern void spq_check_structure(SpqCheck *check);

/* heap.c */
extern SpqCheckHeap *spq_check_heap_begin(SpqCheck *check);
extern void spq_check_heap_leaf(SpqCheckHeap *heap_check, SpqPageTid at,
								SpGistLeafTuple tuple, bool null_key);
extern void spq_check_heap_end(SpqCheck *check);

#endif							/* SPQ_CHECK_H */
