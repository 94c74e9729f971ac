/*-------------------------------------------------------------------------
 *
 * join_node.h
 *	  Spatial hash join: a join node for PostgreSQL's planner and executor.
 *
 * README.md lists the files.  plan_format.h describes what the planner passes
 * to the executor, state.h the executor's state.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_JOIN_NODE_H
#define SPQ_JOIN_NODE_JOIN_NODE_H

#include "nodes/extensible.h"
#include "optimizer/paths.h"

#include "spatial/operators/operators.h"

extern const CustomScanMethods spq_node_scan_methods;
extern const CustomScanMethods spq_node_index_scan_methods;

extern void spq_node_add_paths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel,
							   RelOptInfo *innerrel, JoinType jointype,
							   JoinPathExtraData *extra);

/* search_path.c */

/* Conditions on a table's value and values that are passed to a subquery. */
typedef struct SpqNodeSearch
{
	List	   *conditions;		/* RestrictInfos */
	RestrictInfo *condition;	/* one of them, */
	RestrictInfo *key;			/* or one that it implies */
	SpqSpatialOperator op;		/* of the key */
} SpqNodeSearch;

/* Find the key among conditions.  Return false if no condition can be the key. */
extern bool spq_node_find_search(PlannerInfo *root, List *conditions, SpqNodeSearch *search);

/* Return the side of the key that is passed, or that of the table. */
extern Expr *spq_node_search_value(const SpqNodeSearch *search, bool passed);

/*
 * Return the path that keeps the rows of another path in memory, and finds those that
 * satisfy the conditions.  Its startup cost is that of keeping them.
 */
extern Path *spq_node_search_path(PlannerInfo *root, RelOptInfo *rel, const SpqNodeSearch *search,
								  Path *reading);
extern Size spq_node_search_memory(const SpqNodeSearch *search, const Path *reading);

/* Return the cost of the box of a side's value, for one row. */
extern Cost spq_node_box_cost(Expr *value);

/* Return whether the node will keep its build side in the next rescan. */
extern bool spq_node_keeps_build(const PlanState *state);

extern void spq_node_count_paths(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *grouped_rel,
								 const GroupPathExtraData *extra);

/* The bytes that the build side of a join may take in memory. */
extern double spq_node_memory_limit(void);

#endif							/* SPQ_JOIN_NODE_JOIN_NODE_H */
