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

typedef struct SpqHeapCheck SpqHeapCheck;

typedef struct SpqCheck
{
	SpqReader	reader;			/* of the index */
	Relation	heap;
	BlockNumber heap_blocks;	/* of the table, at least */

	Tuplestorestate *problems;	/* (block, item, problem) */
	TupleDesc	problem_desc;

	MemoryContext context;		/* for the whole of the check */
	MemoryContext short_lived;	/* for texts and the like, reset often */
	SpqHeapCheck *heap_check;	/* NULL: the table is not looked at */
} SpqCheck;

/* A tuple's place as one number, in the order of places. */
static inline int64
spq_place_number(BlockNumber block, OffsetNumber offset)
{
	return (int64) block << 16 | offset;
}

static inline SpqTupleAt
spq_place_at(int64 number)
{
	SpqTupleAt	at;

	at.block = (BlockNumber) (number >> 16);
	at.offset = (OffsetNumber) (number & 0xFFFF);
	return at;
}

/* check.c */
extern void spq_report(SpqCheck *check, BlockNumber block, OffsetNumber item,
					   const char *problem);

/* walk.c */
typedef struct SpqVisitor
{
	/* a tuple that a downlink leads to: an inner tuple, the head of a chain */
	void		(*reached) (void *arg, SpqTupleAt tuple, SpqTupleAt parent, int node);
	/* a live leaf tuple; may be NULL */
	void		(*leaf) (void *arg, SpqTupleAt at, SpGistLeafTuple tuple, bool null_key);
	void	   *arg;
	bool		silent;			/* report nothing */
} SpqVisitor;

extern void spq_walk(SpqCheck *check, const SpqVisitor *visitor);

/* reach.c */
extern void spq_check_structure(SpqCheck *check);

/* heap.c */
extern SpqHeapCheck *spq_heap_check_begin(SpqCheck *check);
extern void spq_heap_check_leaf(SpqHeapCheck *heap_check, SpqTupleAt at,
								SpGistLeafTuple tuple, bool null_key);
extern void spq_heap_check_end(SpqCheck *check);

#endif							/* SPQ_CHECK_H */
