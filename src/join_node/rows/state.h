/*-------------------------------------------------------------------------
 *
 * state.h
 *	  The state of a spatial hash join in the executor.
 *
 * A row of either side becomes a box, a hash and a payload.  A pair of
 * payloads becomes the scan tuple, to which conditions and target list refer:
 *
 *		child's slot --> box, hash, payload --> engine --> pair
 *														   |
 *		result <-- target list <-- conditions <-- scan tuple
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_ROWS_STATE_H
#define SPQ_JOIN_NODE_ROWS_STATE_H

#include "access/htup_details.h"
#include "nodes/execnodes.h"
#include "utils/tuplestore.h"

#include "divide/part_tree.h"
#include "join/engine/join.h"
#include "join/shared/shared.h"
#include "join_node/rows/plan_format.h"
#include "spatial/operators/operators.h"

/* An equality in the key: one side's argument, and its hash function. */
typedef struct SpqNodeHash
{
	ExprState  *expr;
	FmgrInfo	function;
	Oid			collation;
} SpqNodeHash;

/* How the columns of a row pass through the engine (below). */
typedef enum SpqNodeFormat
{
	SPQ_NODE_NO_COLUMNS,
	SPQ_NODE_NUMBER,
	SPQ_NODE_VALUES
} SpqNodeFormat;

typedef struct SpqNodeValues
{
	uint64		part;			/* and which values are null */
	Datum		value[FLEXIBLE_ARRAY_MEMBER];	/* passed by reference: the
												 * distance from this struct */
} SpqNodeValues;

typedef struct SpqNodeSide
{
	PlanState  *plan;
	ExprContext *econtext;		/* reset for each row */

	/* the key */
	AttrNumber	box_column;		/* child's column, if the key is a column */
	ExprState  *box_expr;		/* otherwise */
	SpqTypeBoxOf bounds;
	int			nhash;
	SpqNodeHash *hash;
	bool		param_key;		/* the key depends on parameters */
	bool		has_line;		/* the payload ends with the line of the key */
	SpqLine		line;			/* of the last row */

	/* conditions on parts: values that must equal the owner */
	int			nparts;
	ExprState **part;

	/* the payload, and its place in the scan tuple */
	SpqNodeFormat format;
	int			ncolumns;
	AttrNumber *child_column;
	AttrNumber	last_column;	/* the largest of these */
	TupleDesc	desc;
	int			null_bits;		/* columns with a bit for null */
	Size		fixed_size;		/* of a row, without what is passed by
								 * reference */
	uintptr_t  *by_reference;	/* of each column, in the format VALUES: all
								 * bits if it is passed by reference, or none */
	SpqNodeValues *row;			/* the payload of the last row, if so
								 * formatted */
	Size		row_room;		/* the memory allocated for it */
	int		   *to;				/* columns of the scan tuple */
	bool		in_result;		/* target list or filter use them */
	Bitmapset  *in_recheck;		/* build side: numbers of those of varying
								 * length that conditions use */
} SpqNodeSide;

/* Counts of one process of a parallel plan. */
typedef struct SpqNodeProcess
{
	bool		took_part;
	SpqJoinStats stats;
	uint64		removed;
	uint64		counted;
} SpqNodeProcess;

/* A count of rows: a column of the result. */
typedef struct SpqNodeCount
{
	int			events;			/* that count, bits of 1 << SpqJoinEvent */
	int			column;
	int64		rows;			/* of the current run */
} SpqNodeCount;

/* Rows that are counted, not returned (count_rows.c). */
typedef struct SpqNodeCounts
{
	int			ncounts;		/* 0: rows are returned */
	SpqNodeCount *count;
	bool		by_probe;		/* for each row of the probe side, not in all */
	bool		by_build;		/* for each row of the build side: the engine
								 * counts */
	bool		in_probe_order; /* pairs of a probe should come one after the
								 * other */
	bool		comparable;		/* all other columns of the result are passed
								 * by value */
	bool		skip_pairs;		/* nothing but the engine decides pairs */

	/* the current run */
	bool		running;
	uint64		run_of;			/* reference of its probe */

	/* the row after it */
	bool		row_waits;
	SpqJoinEvent event;
	const SpqJoinPair *pair;
} SpqNodeCounts;

/* The engine hands over at most this number of pairs at a time. */
#define SPQ_NODE_PAIRS	64

typedef struct SpqNodeState
{
	CustomScanState css;		/* must be first */

	/* fixed by the plan */
	const SpqJoinEngine *engine;	/* for the boxes' dimension */
	const SpqSharedEngine *sharing;
	int			kind;			/* flags SPQ_NODE_EMIT_..., ONE_PER_..., SEMI */
	SpqRelation predicate;
	bool		exact;			/* boxes decide the key, not the operator */
	bool		shared;			/* workers share the build side */
	SpqNodeIndexes indexes;		/* that the engine reads */
	List	   *distances;		/* of ExprStates: boxes in them may be apart
								 * by the sum */
	int			axes;			/* of the boxes */
	SpqNodeSide side[SPQ_NODE_SIDES];
	ExprState  *recheck;
	int			clear_axes;		/* if not 0: for boxes that clearly overlap on
								 * these axes, "recheck_clear" is enough */
	ExprState  *recheck_clear;
	const SpqPartTree *partitioning;	/* NULL if there are no conditions on
										 * parts */
	ExprState  *filter;
	int			nresult;		/* if not -1, the result has only columns of
								 * the scan tuple: these */
	int		   *result_column;
	bool		plain;			/* each pair of the engine is a result, of
								 * these columns */
	bool		takes_more;		/* pairs from the engine, several at a time */
	bool		accepts;		/* the engine is told which pairs are accepted */
	bool		returns_pairs;	/* accepted pairs are rows */
	SpqNodeCounts counts;

	/* the current join */
	SpqJoin    *join;			/* NULL until the build side is read */
	bool		done;
	SpqJoinPair pair[SPQ_NODE_PAIRS];	/* handed over by the engine */
	uint32		npairs,
				next_pair;
	const SpqJoinPair *loaded;	/* if not NULL, the scan tuple has the rows of
								 * this one of them */
	TupleTableSlot *first_probe;	/* if set, fetched before the build side */

	/* build rows that match nothing, in a join that preserves them */
	Tuplestorestate *unmatchable;
	TupleTableSlot *unmatchable_slot;

	/* in a parallel plan, while its shared memory exists */
	struct SpqNodeParallel *parallel;
	SpqSharedBuild *shared_build;	/* NULL if it is not shared */

	/* for EXPLAIN */
	SpqJoinStats stats;			/* sum of the joins that have ended */
	uint64		removed;		/* pairs rejected by conditions on parts or by
								 * "recheck" */
	uint64		counted;		/* rows that were not returned */
	int			nparticipants;	/* of a parallel plan that has ended */
	SpqNodeProcess *participant;
} SpqNodeState;

/* sides.c */
extern void spq_node_side_init(SpqNodeState *node, int which);
extern bool spq_node_side_key(SpqNodeSide *side, TupleTableSlot *slot, float8 *box,
							  uint32 *hash);

/* row_parts.c */

/* A function of the engine that receives a row: "build" or "probe". */
typedef bool (*SpqNodeTakeRow) (SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
								const void *payload, Size length);

extern bool spq_node_give_row(SpqNodeState *node, SpqNodeSide *side, TupleTableSlot *slot,
							  const float8 *box, uint32 hash, SpqNodeTakeRow take);
extern bool spq_node_pair_owned(const SpqNodeState *node, const SpqJoinPair *pair);

/*
 * row_payload.c
 *
 * Only columns that the result or conditions need.  If there are none, as with
 * count(*), there is no payload.  The formats:
 *
 *		NUMBER		one column of four bytes: it is the reference, so that reading
 *					it takes no access to other memory
 *		VALUES		datums, ready to be read.  Those that are passed by reference
 *					follow, as they are stored, and their datums are distances
 *					from the beginning: rows go to other memory, and to disk
 *
 * If there are conditions on parts, the part of the row goes with it.
 */

/* The reference of a null, in the format NUMBER. */
#define SPQ_NODE_NULL	(UINT64CONST(1) << 32)

/*
 * The part of a row takes 34 bits (row_parts.c); above, each of the first values has a
 * bit for null.  Any others have a byte, behind all datums.
 */
#define SPQ_NODE_NULL_VALUE(i)	(UINT64CONST(1) << (34 + (i)))
#define SPQ_NODE_NULL_BITS	30

typedef struct SpqNodePayload
{
	uint64		ref;
	const void *data;			/* NULL: the reference is all */
	Size		length;
} SpqNodePayload;

extern void spq_node_payload_init(SpqNodeState *node, int which);
extern SpqNodePayload spq_node_payload_of(SpqNodeSide *side, TupleTableSlot *slot, uint64 part);
extern uint64 spq_node_payload_part(const SpqNodeSide *side, uint64 ref);
extern Size spq_node_kept_bytes(const void *payload, const void *side);
extern void spq_node_load_slot(SpqNodeSide *side, TupleTableSlot *scan, TupleTableSlot *slot);
extern void spq_node_load_nulls(SpqNodeSide *side, TupleTableSlot *scan);

/* Return whether rows of a side have a payload, besides their reference. */
static inline bool
spq_node_has_payload(const SpqNodeSide *side)
{
	return side->format == SPQ_NODE_VALUES;
}

/* Return the bytes for null, of which the first ones do not exist. */
static inline bool *
spq_node_null_bytes(const SpqNodeSide *side, const SpqNodeValues *row)
{
	return unconstify(bool *, (const bool *) (row->value + side->ncolumns)) - SPQ_NODE_NULL_BITS;
}

/* Load a row that the engine has returned into the scan tuple. */
static inline void
spq_node_load(SpqNodeSide *side, TupleTableSlot *scan, uint64 ref)
{
	const SpqNodeValues *row;
	int			i = 0;

	switch (side->format)
	{
		case SPQ_NODE_NO_COLUMNS:
			break;
		case SPQ_NODE_NUMBER:
			scan->tts_values[side->to[0]] = Int32GetDatum((int32) (uint32) ref);
			scan->tts_isnull[side->to[0]] = ref == SPQ_NODE_NULL;
			break;
		case SPQ_NODE_VALUES:
			row = (const SpqNodeValues *) (uintptr_t) ref;
			/* no branch: an address is added if it is a distance */
			for (; i < side->null_bits; i++)
			{
				scan->tts_values[side->to[i]] =
					row->value[i] + ((uintptr_t) row & side->by_reference[i]);
				scan->tts_isnull[side->to[i]] = (row->part & SPQ_NODE_NULL_VALUE(i)) != 0;
			}
			for (; i < side->ncolumns; i++)
			{
				scan->tts_values[side->to[i]] =
					row->value[i] + ((uintptr_t) row & side->by_reference[i]);
				scan->tts_isnull[side->to[i]] = spq_node_null_bytes(side, row)[i];
			}
			break;
	}
}

#endif							/* SPQ_JOIN_NODE_ROWS_STATE_H */
