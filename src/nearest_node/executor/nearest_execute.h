/*-------------------------------------------------------------------------
 *
 * nearest_execute.h
 *	  Executes a node that returns nearest rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_EXECUTOR_NEAREST_EXECUTE_H
#define SPQ_NEAREST_NODE_EXECUTOR_NEAREST_EXECUTE_H

#include "nodes/plannodes.h"

extern Node *spq_nearest_node_create_state(CustomScan *cscan);

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_NEAREST_EXECUTE_H */
