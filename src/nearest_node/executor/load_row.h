/*-------------------------------------------------------------------------
 *
 * load_row.h
 *	  Puts a row into a scan tuple.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_EXECUTOR_LOAD_ROW_H
#define SPQ_NEAREST_NODE_EXECUTOR_LOAD_ROW_H

#include "access/htup_details.h"
#include "executor/tuptable.h"

/*
 * Put a row into a virtual tuple, which then refers to it.  Columns that the row does
 * not have become null.
 */
static inline void
spq_nearest_load_row(MinimalTuple row, TupleTableSlot *scan)
{
	HeapTupleData tuple;

	tuple.t_len = row->t_len + MINIMAL_TUPLE_OFFSET;
	tuple.t_data = (HeapTupleHeader) ((char *) row - MINIMAL_TUPLE_OFFSET);
	ExecClearTuple(scan);
	heap_deform_tuple(&tuple, scan->tts_tupleDescriptor, scan->tts_values, scan->tts_isnull);
	ExecStoreVirtualTuple(scan);
}

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_LOAD_ROW_H */
