/*-------------------------------------------------------------------------
 *
 * planner.h
 *	  What the files of this room call in each other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_PLANNER_PLANNER_H
#define SPQ_NEAREST_NODE_PLANNER_PLANNER_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

#include "spatial/distance/distance_bound.h"

/* How all rows are read. */
typedef enum SpqNearestReading
{
	SPQ_NEAREST_PLAN,			/* by a plan */
	SPQ_NEAREST_BOUNDS,			/* by the leaves of an index that has bounds
								 * of the values */
	SPQ_NEAREST_KEYS			/* of one that has the values themselves */
} SpqNearestReading;

/* order_key.c */
typedef struct SpqNearestKey
{
	Node	   *expr;			/* the distance */
	SpqSpatialDistance distance;
	int			argument;		/* of the distance: the row's value */
} SpqNearestKey;

extern bool spq_nearest_node_key(PlannerInfo *root, SpqNearestKey *key);

/* leaves_path.c */

/*
 * Return the path that reads the leaves of an index in place of the table, or NULL.  Set
 * *how to what the index has.
 */
extern Path *spq_nearest_leaves_path(PlannerInfo *root, RelOptInfo *rel, List *conditions,
									 const SpqNearestKey *key, List *exprs,
									 SpqNearestReading *how);

/* windows.c */
extern List *spq_nearest_node_windows(PlannerInfo *root, const SpqNearestKey *key, List *filter,
									  List **kinds);

/* nearest_cost.c */
extern Cost spq_nearest_node_cost_of_rows(const Path *path, double rows);
extern double spq_nearest_node_cost(PlannerInfo *root, CustomPath *path, const SpqNearestKey *key,
									SpqNearestReading reading, List *filter, bool windows,
									double wanted, bool *on_disk);

/* nearest_paths.c */
extern const CustomPathMethods spq_nearest_node_path_methods;

/* The lists of a path's custom_private, which are those of the plan. */
enum
{
	SPQ_NEAREST_PATH_EXPRS,		/* custom_exprs */
	SPQ_NEAREST_PATH_PRIVATE	/* custom_private */
};

#endif							/* SPQ_NEAREST_NODE_PLANNER_PLANNER_H */
