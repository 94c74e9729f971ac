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
 * not have, after its own, become null.
 */
static inline void
spq_nearest_load_row(MinimalTuple row, TupleDesc desc, TupleTableSlot *scan)
{
	HeapTupleData tuple;

	tuple.t_len = row->t_len + MINIMAL_TUPLE_OFFSET;
	tuple.t_data = (HeapTupleHeader) ((char *) row - MINIMAL_TUPLE_OFFSET);
	ExecClearTuple(scan);
	heap_deform_tuple(&tuple, desc, scan->tts_values, scan->tts_isnull);
	for (int i = desc->natts; i < scan->tts_tupleDescriptor->natts; i++)
		scan->tts_isnull[i] = true;
	ExecStoreVirtualTuple(scan);
}

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_LOAD_ROW_H */
