/*-------------------------------------------------------------------------
 *
 * child_rows.h
 *	  Rows of leaves as an index scan of PostgreSQL would return them.
 *
 * A node whose child is an index scan or an index-only scan reads the index itself.  It
 * takes the child's scan descriptor, and treats rows as the child would, which is
 * never run:
 *
 *		TID --> visible to all? --> index tuple, or row of the table
 *										|
 *							child's conditions, projection --> slot
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_LEAF_JOIN_CHILD_ROWS_H
#define SPQ_RTREE_LEAF_JOIN_CHILD_ROWS_H

#include "access/itup.h"
#include "access/genam.h"
#include "access/relscan.h"
#include "nodes/execnodes.h"

#include "rtree/page/page.h"

typedef struct SpqRtreeChildRows
{
	ScanState  *child;			/* IndexScanState or IndexOnlyScanState */
	IndexScanDesc scan;			/* the child's */
	bool		index_only;
	TupleTableSlot *fetched;	/* a row of the table, of an index-only scan */
	ExprState  *recheck;		/* the index conditions */
	float8		key[SPQ_RTREE_ENDS];	/* of the row in the slot */
	int64		nfetched;		/* rows of the table */
} SpqRtreeChildRows;

extern void spq_rtree_child_rows_begin(SpqRtreeChildRows *rows, ScanState *child);

/*
 * Find a row that is visible.  "visible": all see it, by the visibility map as it was while
 * the leaf was locked.  Set *slot to it if the scan reads its table.
 */
extern bool spq_rtree_child_rows_find(SpqRtreeChildRows *rows, BlockNumber block,
									  const ItemPointerData *tid, bool visible, TupleTableSlot **slot);

/*
 * Put the columns of an index tuple, or of an entry of a leaf, into the child's slot.  They refer to
 * the tuple, or to the copy of the leaf.
 */
extern TupleTableSlot *spq_rtree_child_rows_load(SpqRtreeChildRows *rows, Page page, BlockNumber block,
												 int entry);
extern TupleTableSlot *spq_rtree_child_rows_store(SpqRtreeChildRows *rows, IndexTuple tuple);

/*
 * Return the slot with the columns of a row, or NULL if the child rejects it.  "recheck": its
 * leaf was found by conditions that decide less than the scan's keys.
 */
extern TupleTableSlot *spq_rtree_child_rows_project(SpqRtreeChildRows *rows, TupleTableSlot *slot,
													bool recheck);

/* Count a row for EXPLAIN: the child is not run, but these are its rows. */
extern void spq_rtree_child_rows_count(SpqRtreeChildRows *rows);

#endif							/* SPQ_RTREE_LEAF_JOIN_CHILD_ROWS_H */
