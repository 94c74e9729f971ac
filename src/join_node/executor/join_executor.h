/*-------------------------------------------------------------------------
 *
 * join_executor.h
 *	  What the files of this room call in each other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_JOIN_EXECUTOR_H
#define SPQ_JOIN_NODE_EXECUTOR_JOIN_EXECUTOR_H

#include "access/parallel.h"
#include "commands/explain.h"

#include "join_node/rows/state.h"

/* execute.c */
extern Node *spq_node_create_state(CustomScan *cscan);


/* count_rows.c */
extern void spq_node_count_init(SpqNodeState *node);
extern TupleTableSlot *spq_node_count_rows(SpqNodeState *node);

/* explain.c */
extern void spq_node_explain(CustomScanState *css, List *ancestors,
							 struct ExplainState *es);

/* read_probes.c */
extern bool spq_node_no_probes(SpqNodeState *node);
extern bool spq_node_give_probes(SpqNodeState *node);

/* read_build.c */
extern void spq_node_begin_join(SpqNodeState *node);
extern bool spq_node_next_unmatchable(SpqNodeState *node);
extern bool spq_node_restart_join(SpqNodeState *node);
extern void spq_node_end_join(SpqNodeState *node);
extern void spq_node_add_stats(SpqJoinStats *sum, const SpqJoinStats *stats);

/* parallel.c */
extern Size spq_node_estimate_dsm(CustomScanState *css, ParallelContext *pcxt);
extern void spq_node_initialize_dsm(CustomScanState *css, ParallelContext *pcxt,
									void *coordinate);
extern void spq_node_reinitialize_dsm(CustomScanState *css,
									  ParallelContext *pcxt, void *coordinate);
extern void spq_node_initialize_worker(CustomScanState *css, shm_toc *toc,
									   void *coordinate);
extern void spq_node_shutdown(CustomScanState *css);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_JOIN_EXECUTOR_H */
