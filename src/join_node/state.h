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

typedef struct SpqHashKey
{
	ExprState  *expr;
	FmgrInfo	function;
	Oid			collation;
} SpqHashKey;

typedef struct SpqSide
{
	PlanState  *plan;
	ExprContext *econtext;		/* reset for each row */

	/* what makes the key */
	AttrNumber	box_column;		/* of the child, if the key is just a column */
	ExprState  *box_expr;		/* else */
	SpqBoundsOf bounds;
	int			nhash;
	SpqHashKey *hash;
	bool		param_key;		/* it depends on parameters */

	/* the payload, and where its columns go */
	int			ncolumns;
	AttrNumber *child_column;
	AttrNumber	last_column;	/* the largest of them */
	TupleDesc	desc;
	Datum	   *values;
	bool	   *isnull;
	int		   *to;				/* column of the scan tuple */
} SpqSide;

/* What a process of a parallel plan did. */
typedef struct SpqParticipant
{
	bool		took_part;
	SpqJoinStats stats;
	uint64		removed;
} SpqParticipant;

typedef struct SpqParallelJoin SpqParallelJoin;

typedef struct SpqJoinNode
{
	CustomScanState css;		/* must be first */

	/* what the plan says */
	int			kind;			/* SPQ_EMIT_... */
	SpqRelation predicate;
	bool		shared;
	SpqSide		side[SPQ_SIDES];
	ExprState  *recheck;
	ExprState  *filter;

	/* the join at work */
	SpqJoin    *join;			/* NULL before the build side is read */
	bool		done;
	TupleTableSlot *first_probe;	/* that was fetched before the build side */
	Tuplestorestate *unmatchable;	/* build rows that the engine does not take */
	TupleTableSlot *unmatchable_slot;
	MinimalTuple no_columns;	/* what such a row is if it has no payload */

	/* in a parallel plan, while its shared memory is there */
	SpqParallelJoin *parallel;

	/* for EXPLAIN */
	SpqJoinStats stats;			/* of joins that have ended */
	uint64		removed;		/* pairs, by "recheck" */
	int			nparticipants;	/* of a parallel plan, when it has ended */
	SpqParticipant *participant;
} SpqJoinNode;

/* execute.c */
extern void spq_end_engine(SpqJoinNode *node);

/* parallel.c */
extern Size spq_estimate_dsm(CustomScanState *css, ParallelContext *pcxt);
extern void spq_initialize_dsm(CustomScanState *css, ParallelContext *pcxt,
							   void *coordinate);
extern void spq_reinitialize_dsm(CustomScanState *css, ParallelContext *pcxt,
								 void *coordinate);
extern void spq_initialize_worker(CustomScanState *css, shm_toc *toc,
								  void *coordinate);
extern void spq_shutdown_join(CustomScanState *css);
extern SpqJoin *spq_begin_engine(SpqJoinNode *node, const SpqJoinSpec *spec,
								 bool *wants_build);

/* sides.c */
extern void spq_side_init(SpqJoinNode *node, int which);
extern bool spq_side_key(SpqSide *side, TupleTableSlot *slot, BOX *box,
						 uint32 *hash);
extern MinimalTuple spq_side_payload(SpqSide *side, TupleTableSlot *slot);
extern void spq_side_load(SpqSide *side, TupleTableSlot *scan, uint64 payload);
extern void spq_side_load_slot(SpqSide *side, TupleTableSlot *scan,
							   TupleTableSlot *slot);
extern void spq_side_load_nulls(SpqSide *side, TupleTableSlot *scan);

/* explain.c */
extern void spq_explain_join(CustomScanState *css, List *ancestors,
							 ExplainState *es);
extern void spq_add_stats(SpqJoinStats *sum, const SpqJoinStats *stats);

#endif							/* SPQ_JOIN_NODE_STATE_H */
