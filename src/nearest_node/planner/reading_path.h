/*-------------------------------------------------------------------------
 *
 * reading_path.h
 *	  The cheapest path that reads all rows of a table, in any order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_PLANNER_READING_PATH_H
#define SPQ_NEAREST_NODE_PLANNER_READING_PATH_H

#include "nodes/pathnodes.h"

/*
 * Return the cheapest path that returns a value, and the columns that expressions
 * use, of all rows that satisfy these conditions.  Return NULL for foreign tables, or if
 * all partitions are pruned.
 */
extern Path *spq_nearest_reading_path(PlannerInfo *root, RelOptInfo *rel, List *conditions,
									  Expr *value, List *exprs);

#endif							/* SPQ_NEAREST_NODE_PLANNER_READING_PATH_H */
