/*-------------------------------------------------------------------------
 *
 * heap.h
 *	  Whether every row of the table is in the index, with its values, once.
 *
 *		spq_check_heap_begin()	a snapshot
 *		spq_check_heap_leaf()	each row that the walk visits:
 *									row and values -> Bloom filter
 *									row			   -> sort
 *		spq_check_heap_end()	rows that the index has twice: a second walk
 *									finds both places
 *								the table by the snapshot: rows that are not in
 *									the filter are missing
 *
 * A row that the snapshot sees was in the index before the snapshot was taken,
 * and VACUUM must leave it there.  So the walk has visited it, whatever others
 * do at the same time, and a row that is not in the filter was not in the
 * index.  (The filter fails to detect about one missing row in fifty, as in
 * amcheck, which has the same method, or more if maintenance_work_mem is
 * small: Bloom, "Space/time trade-offs in hash coding with allowable errors",
 * 1970.)  For the same reason a row that the snapshot sees has only one leaf
 * tuple, while the TIDs of dead rows may be reused for new ones.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CHECK_HEAP_H
#define SPQ_CHECK_HEAP_H

#include "check/report.h"

typedef struct SpqCheckHeap SpqCheckHeap;

/* Properties of rows in an index of one kind. */
typedef struct SpqCheckRows
{
	/* columns as stored, and the index of the key among them */
	TupleDesc	columns;
	int			key;

	/* Convert the columns of a row of the table to what is stored. */
	void		(*store) (SpqCheck *check, Datum *values, bool *nulls);

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
