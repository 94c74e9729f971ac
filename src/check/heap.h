/*-------------------------------------------------------------------------
 *
 * heap.h
 *	  Whether every row of the table is in the index, with its values, once.
 *
 *		spq_check_heap_begin()	a snapshot
 *		spq_check_heap_leaf()	of each row that the walk visits:
 *									row and values -> Bloom filter
 *									row			   -> sort
 *		spq_check_heap_end()	rows that are there twice: a second walk, to
 *									say where
 *								the table by the snapshot: a row that the
 *									filter lacks is missing
 *
 * A row that the snapshot sees was in the index before the snapshot was taken,
 * and VACUUM must leave it there; so the walk has visited it, whatever others
 * do at the same time.  A row that the filter lacks was not there.  (Of those
 * rows the filter misses about one in fifty, as in amcheck, whose method this
 * is, or more if maintenance_work_mem is small: Bloom, "Space/time trade-offs
 * in hash coding with allowable errors", 1970.)  For the same reason a row that
 * the snapshot sees has one leaf tuple, while the TIDs of dead rows may be
 * reused for new ones.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CHECK_HEAP_H
#define SPQ_CHECK_HEAP_H

#include "check/report.h"

typedef struct SpqCheckHeap SpqCheckHeap;

/* What an index of one kind has to say of its rows. */
typedef struct SpqCheckRows
{
	/* columns as they are stored, and which of them is the key */
	TupleDesc	columns;
	int			key;

	/* Return a key of the table as it is stored.  NULL: it is the same. */
	Datum		(*store) (SpqCheck *check, Datum key);

	/* Walk again, and call spq_check_heap_again() for each row. */
	void		(*walk) (SpqCheck *check, SpqCheckHeap *heap_check);
} SpqCheckRows;

extern SpqCheckHeap *spq_check_heap_begin(SpqCheck *check, const SpqCheckRows *rows);
extern void spq_check_heap_leaf(SpqCheckHeap *heap_check, ItemPointer row,
								Datum *values, bool *nulls);
extern void spq_check_heap_again(SpqCheckHeap *heap_check, ItemPointer row,
								 SpqPageTid tid);
extern void spq_check_heap_end(SpqCheckHeap *heap_check);

#endif							/* SPQ_CHECK_HEAP_H */
