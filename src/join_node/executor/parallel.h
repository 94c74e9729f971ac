/*-------------------------------------------------------------------------
 *
 * parallel.h
 *	  A spatial hash join in a parallel plan: methods of the custom scan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_PARALLEL_H
#define SPQ_JOIN_NODE_EXECUTOR_PARALLEL_H

#include "access/parallel.h"
#include "nodes/execnodes.h"

extern Size spq_node_estimate_dsm(CustomScanState *css, ParallelContext *pcxt);
extern void spq_node_initialize_dsm(CustomScanState *css, ParallelContext *pcxt,
									void *coordinate);
extern void spq_node_reinitialize_dsm(CustomScanState *css,
									  ParallelContext *pcxt, void *coordinate);
extern void spq_node_initialize_worker(CustomScanState *css, shm_toc *toc,
									   void *coordinate);
extern void spq_node_shutdown(CustomScanState *css);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_PARALLEL_H */
