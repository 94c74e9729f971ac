/*-------------------------------------------------------------------------
 *
 * execute.h
 *	  Runs a spatial hash join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_EXECUTOR_EXECUTE_H
#define SPQ_JOIN_NODE_EXECUTOR_EXECUTE_H

#include "nodes/plannodes.h"

extern Node *spq_node_create_state(CustomScan *cscan);

#endif							/* SPQ_JOIN_NODE_EXECUTOR_EXECUTE_H */
