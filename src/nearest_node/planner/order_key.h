/*-------------------------------------------------------------------------
 *
 * order_key.h
 *	  The distance by which a query orders its rows, if a node can return them in
 *	  that order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_PLANNER_ORDER_KEY_H
#define SPQ_NEAREST_NODE_PLANNER_ORDER_KEY_H

#include "nodes/pathnodes.h"

#include "spatial/distance/distance_bound.h"

typedef struct SpqNearestKey
{
	Node	   *expr;			/* the distance */
	SpqSpatialDistance distance;
	int			argument;		/* of the distance: the row's value */
} SpqNearestKey;

/* Return whether an expression depends on values of another query. */
extern bool spq_nearest_node_depends(PlannerInfo *root, Node *node);

/*
 * Return whether an expression consists of columns, parameters, constants and
 * conversions of numbers, none of which raises an error.
 */
extern bool spq_nearest_node_is_safe(const Node *node);
extern bool spq_nearest_node_key(PlannerInfo *root, SpqNearestKey *key);
extern double spq_nearest_node_outer_rows(PlannerInfo *root, Node *node);

#endif							/* SPQ_NEAREST_NODE_PLANNER_ORDER_KEY_H */
