/*-------------------------------------------------------------------------
 *
 * state.h
 *	  The state of a spatial hash join in the executor.
 *
 * A row of a side becomes a box, a hash and a payload; a pair of payloads
 * becomes the scan tuple, which conditions and target list refer to:
 *
 *		child's slot --> box, hash, payload --> engine --> pair
 *														   |
 *		result <-- target list <-- conditions <-- scan tuple
 *
 * The payload has the columns that are referred to, and no others.  If there
 * are none, as with count(*), there is no payload.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_STATE_H
#define SPQ_JOIN_NODE_STATE_H

#include "access/parallel.h"
#include "nodes/execnodes.h"
#include "utils/tuplestore.h"

#include "join/join.h"
#include "join_node/join_node.h"

typedef struct SpqNodeHash
{
	ExprState  *expr;
	FmgrInfo	function;
	Oid			collation;
} SpqNodeHash;

typedef struct SpqNodeSide
{
	PlanState  *plan;
	ExprContext *econtext;		/* reset for each row */

	/* what makes the key */
	AttrNumber	box_column;		/* of the child, if the key is just a column */
	ExprState  *box_expr;		/* else */
	SpqBoundsOf bounds;
	int			nhash;
	SpqNodeHash *hash;
	bool		param_key;		/* it depends on parameters */

	/* the payload, and where its columns go */
	int			ncolumns;
	AttrNumber *child_column;
	AttrNumber	last_column;	/* the largest of them */
	TupleDesc	desc;
	Datum	   *values;
	bool	   *isnull;
	int		   *to;				/* column of the scan tuple */
} SpqNodeSide;

/* What a process of a parallel plan did. */
typedef struct SpqNodeProcess
{
	bool		took_part;
	SpqJoinStats stats;
	uint64		removed;
} SpqNodeProcess;

typedef struct SpqNodeParallel SpqNodeParallel;

typedef struct SpqNodeState
{
	CustomScanState css;		/* must be first */

	/* what the plan says */
	int			kind;			/* SPQ_NODE_EMIT_... */
	SpqRelation predicate;
	bool		shared;
	SpqNodeSide side[SPQ_NODE_SIDES];
	ExprState  *recheck;
	ExprState  *filter;

	/* the join at work */
	SpqJoin    *join;			/* NULL before the build side is read */
	bool		done;
	TupleTableSlot *first_probe;	/* that was fetched before the build side */
	Tuplestorestate *unmatchable;	/* build rows that the engine does not
									 * take */
	TupleTableSlot *unmatchable_slot;
	MinimalTuple no_columns;	/* what such a row is if it has no payload */

	/* in a parallel plan, while its shared memory is there */
	SpqNodeParallel *parallel;

	/* for EXPLAIN */
	SpqJoinStats stats;			/* of joins that have ended */
	uint64		removed;		/* pairs, by "recheck" */
	int			nparticipants;	/* of a parallel plan, when it has ended */
	SpqNodeProcess *participant;
} SpqNodeState;

/* execute.c */
extern void spq_node_end_join(SpqNodeState *node);

/* parallel.c */
extern Size spq_node_estimate_dsm(CustomScanState *css, ParallelContext *pcxt);
extern void spq_node_initialize_dsm(CustomScanState *css, ParallelContext *pcxt,
									void *coordinate);
extern void spq_node_reinitialize_dsm(CustomScanState *css, ParallelContext *pcxt,
									  void *coordinate);
extern void spq_node_initialize_worker(CustomScanState *css, shm_toc *toc,
									   void *coordinate);
extern void spq_node_shutdown(CustomScanState *css);
extern SpqJoin *spq_node_begin_join(SpqNodeState *node, const SpqJoinSpec *spec,
									bool *wants_build);

/* sides.c */
extern void spq_node_side_init(SpqNodeState *node, int which);
extern bool spq_node_side_key(SpqNodeSide *side, TupleTableSlot *slot, BOX *box,
							  uint32 *hash);
extern MinimalTuple spq_node_side_payload(SpqNodeSide *side, TupleTableSlot *slot);
extern void spq_node_side_load(SpqNodeSide *side, TupleTableSlot *scan, uint64 payload);
extern void spq_node_side_load_slot(SpqNodeSide *side, TupleTableSlot *scan,
									TupleTableSlot *slot);
extern void spq_node_side_load_nulls(SpqNodeSide *side, TupleTableSlot *scan);

/* explain.c */
extern void spq_node_explain(CustomScanState *css, List *ancestors,
							 ExplainState *es);
extern void spq_node_add_stats(SpqJoinStats *sum, const SpqJoinStats *stats);

#endif							/* SPQ_JOIN_NODE_STATE_H */
