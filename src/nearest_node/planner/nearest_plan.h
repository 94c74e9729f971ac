/*-------------------------------------------------------------------------
 *
 * nearest_plan.h
 *	  Makes the plan of nearest rows from its path.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_PLANNER_NEAREST_PLAN_H
#define SPQ_NEAREST_NODE_PLANNER_NEAREST_PLAN_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

extern const CustomPathMethods spq_nearest_node_path_methods;

/* The lists of a path's custom_private, which are those of the plan. */
enum
{
	SPQ_NEAREST_PATH_EXPRS,		/* custom_exprs */
	SPQ_NEAREST_PATH_PRIVATE	/* custom_private */
};

#endif							/* SPQ_NEAREST_NODE_PLANNER_NEAREST_PLAN_H */
