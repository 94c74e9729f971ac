/*-------------------------------------------------------------------------
 *
 * row_identity.h
 *	  The columns by which a change finds the rows of an inherited target.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_PLANNER_ROW_IDENTITY_H
#define SPQ_JOIN_NODE_PLANNER_ROW_IDENTITY_H

#include "nodes/pathnodes.h"

extern Path *spq_node_hide_row_identity(CustomPath *path);
extern void spq_node_name_row_identity(PlannerInfo *root, List *columns, List *tlist);

#endif							/* SPQ_JOIN_NODE_PLANNER_ROW_IDENTITY_H */
