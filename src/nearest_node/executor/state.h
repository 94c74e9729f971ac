/*-------------------------------------------------------------------------
 *
 * state.h
 *	  The state of a node that returns nearest rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_EXECUTOR_STATE_H
#define SPQ_NEAREST_NODE_EXECUTOR_STATE_H

#include "access/htup.h"
#include "access/htup_details.h"
#include "commands/explain.h"
#include "executor/tuptable.h"
#include "nodes/execnodes.h"
#include "nodes/primnodes.h"
#include "utils/tuplestore.h"

#include "nearest_join/packed_tree.h"
#include "nearest_join/search.h"
#include "nearest_node/executor/plan_format.h"
#include "types/value_box.h"

/* rows_on_disk.c */
typedef struct SpqNearestDisk SpqNearestDisk;

/* Begin to write rows.  Everything is allocated in the current memory context. */
extern SpqNearestDisk *spq_nearest_disk_begin(int axes, Size memory);
extern void spq_nearest_disk_add(SpqNearestDisk *disk, const float8 *box, MinimalTuple row);

/* Put the rows in order, and return a tree of them. */
extern SpqPackedTree *spq_nearest_disk_done(SpqNearestDisk *disk);

/* Return the row of an entry of the tree, valid until the next call. */
extern MinimalTuple spq_nearest_disk_row(SpqNearestDisk *disk, uint32 entry);

/* Return the size of the file. */
extern uint64 spq_nearest_disk_size(const SpqNearestDisk *disk);

extern void spq_nearest_disk_end(SpqNearestDisk *disk);

/* leaves.c */
typedef struct SpqNearestLeaves SpqNearestLeaves;

/*
 * Begin to read the leaves of an index, whose scan is the child.  Everything is allocated in the
 * current memory context.  Margins are as in SpqNearestState.
 */
extern SpqNearestLeaves *spq_nearest_leaves_begin(PlanState *child, int axes, float8 margin,
												  float8 factor);

/*
 * Read all leaves.  Return a tree of the rows that have a box, and set their number; or return NULL if there
 * are too many.
 */
extern SpqPackedTree *spq_nearest_leaves_read(SpqNearestLeaves *leaves, uint32 *nrows);

/*
 * Leave out hits that are no rows of the child, as those that are not visible, and return
 * how many are left.
 */
extern uint32 spq_nearest_leaves_keep(SpqNearestLeaves *leaves, SpqNearestHit *hits, uint32 count);

/* Return the row of an entry, valid until the next call; or NULL if the child has no such row. */
extern TupleTableSlot *spq_nearest_leaves_slot(SpqNearestLeaves *leaves, uint32 entry);

/* Set *key to the value of an entry, valid until the next call, if the index has it. */
extern bool spq_nearest_leaves_key(SpqNearestLeaves *leaves, uint32 entry, Datum *key);

/*
 * Return the first entry from this one on that may be a row without a box or, if "all", any
 * row; or PG_UINT32_MAX.
 */
extern uint32 spq_nearest_leaves_next(const SpqNearestLeaves *leaves, uint32 entry, bool all);

/* Return whether there are rows without a box. */
extern bool spq_nearest_leaves_has_nulls(const SpqNearestLeaves *leaves);

/* Return how many leaves and rows of the table were read, and the size of the file. */
extern uint32 spq_nearest_leaves_count(const SpqNearestLeaves *leaves, int64 *fetches);
extern uint64 spq_nearest_leaves_file_size(const SpqNearestLeaves *leaves);

extern void spq_nearest_leaves_end(SpqNearestLeaves *leaves);

/* A row in memory. */
typedef struct SpqNearestRow
{
	MinimalTuple tuple;
	Datum		value;			/* whose distance is computed */
} SpqNearestRow;

/* Bits of a hit's id: the distance is NaN, or null. */
#define SPQ_NEAREST_NAN_ID	(INT64CONST(1) << 32)
#define SPQ_NEAREST_NULL_ID	(INT64CONST(1) << 33)

/* A distance of two values. */
typedef float8 (*SpqNearestQuick) (Datum a, Datum b);

typedef struct SpqNearestWindow
{
	ExprState  *expr;
	SpqTypeBoxOf bounds;
} SpqNearestWindow;

/* Where the rows come from. */
typedef enum SpqNearestSource
{
	SPQ_NEAREST_NOT_STARTED,
	SPQ_NEAREST_FROM_PLAN,		/* the ordered plan */
	SPQ_NEAREST_FROM_MEMORY
} SpqNearestSource;

typedef struct SpqNearestState
{
	CustomScanState css;
	PlanState  *child[SPQ_NEAREST_CHILDREN];
	TupleTableSlot *result;		/* for rows of the ordered plan */
	ExprState  *filter;
	List	   *count;			/* ExprStates */
	bool		bounded;		/* as in plan_format.h */
	bool		reads_leaves;	/* the reading plan is an index scan, which is
								 * not run */

	/* the distance */
	FmgrInfo	function;
	SpqNearestQuick quick;		/* used in its place, or NULL */
	AttrNumber	distance_column;	/* of the scan tuple, or 0 if not used */
	FunctionCallInfo call;
	int			argument;		/* the row's value, among the arguments */
	int			nothers;		/* other arguments */
	ExprState **others;
	bool	   *is_varlena;		/* their types */
	float8		margin;
	float8		factor;
	MemoryContext call_context;
	uint32		ncalls;			/* since that was reset */

	/* bounds of the values; the inner ones are evaluated for a child's row */
	ExprContext *inner_econtext;
	ExprContext *outer_econtext;	/* reset for each search */
	AttrNumber	inner_column;	/* of the reading plan: the value */
	int16		inner_length;	/* of the value's type */
	ExprState  *inner_bounds;	/* NULL: those of the value itself */
	SpqTypeBoxOf inner_box;
	ExprState  *outer_bounds;
	SpqTypeBoxOf outer_box;
	int			axes;
	int			nwindows;
	SpqNearestWindow *windows;

	/* the rows in memory */
	MemoryContext context;		/* NULL if they are not */
	bool		too_many;		/* they do not fit, even with a file */
	SpqNearestRow *rows;		/* those with a value, in the order of the
								 * tree's boxes */
	SpqNearestDisk *disk;		/* in place of these, or NULL */
	SpqNearestLeaves *leaves;	/* in place of both, or NULL */
	uint32		nrows;
	Tuplestorestate *nulls;		/* those without, or NULL */
	TupleTableSlot *null_slot;
	SpqPackedTree *tree;
	SpqNearestSearch *search;
	SpqNearestValues values;
	SpqNearestHit *hits;		/* room for k */
	uint32		k;

	/* the current scan */
	SpqNearestSource source;
	bool		null_value;		/* no distances: rows in any order */
	bool		limited;		/* rows without a value fail the filter */
	float8		box[SPQ_TYPE_NUMBERS];
	uint32		wanted;			/* rows that the plan above will ask for */
	uint32		nhits;
	uint32		nreturned;		/* of the hits */
	uint32		next_row;		/* of those without a distance: a row, or an
								 * entry of the leaves */
	bool		nulls_begun;

	/* EXPLAIN ANALYZE */
	double		plan_searches;
	double		searches;
	double		candidates;		/* of trees that were thrown away */
	Size		memory;
	uint64		file_size;
	double		nleaves;
	double		fetches;		/* rows of the table, by the leaves' TIDs */
	double		searches_worth; /* by the plan, before the rows are read */
} SpqNearestState;

/* Return a row that was read by a plan, valid until the next call. */
static inline MinimalTuple
spq_nearest_node_row(SpqNearestState *node, uint32 row)
{
	return node->disk ? spq_nearest_disk_row(node->disk, row) : node->rows[row].tuple;
}

/* read_rows.c */
extern Datum spq_nearest_node_value(SpqNearestState *node, uint32 row);
extern bool spq_nearest_node_read_rows(SpqNearestState *node);
extern void spq_nearest_node_forget_rows(SpqNearestState *node);
extern void spq_nearest_node_grow(const SpqNearestState *node, float8 *box);

/* neighbors.c */
extern int64 spq_nearest_node_wanted(SpqNearestState *node);
extern void spq_nearest_node_begin_search(SpqNearestState *node);
extern bool spq_nearest_node_next(SpqNearestState *node, const SpqNearestHit **hit);

/* distances.c */
extern SpqNearestQuick spq_nearest_node_quick(Oid function);
extern float8 spq_nearest_node_call(SpqNearestState *node, Datum value, bool *isnull);
extern void spq_nearest_node_load(SpqNearestState *node, MinimalTuple row);
extern bool spq_nearest_node_load_entry(SpqNearestState *node, uint32 entry);
extern bool spq_nearest_node_accepts(SpqNearestState *node);
extern uint32 spq_nearest_node_measure(void *argument, SpqNearestHit *hits, uint32 count);

/* nearest_explain.c */
extern void spq_nearest_node_explain(CustomScanState *css, List *ancestors, struct ExplainState *es);

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

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_STATE_H */
