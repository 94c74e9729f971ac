/*-------------------------------------------------------------------------
 *
 * curve_order.h
 *	  Executes a node that returns rows in the order of a curve.
 *
 * A plan's custom_exprs is the box, or the value that yields it; custom_private is
 * the kind of that value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_EXECUTOR_CURVE_ORDER_H
#define SPQ_NEAREST_NODE_EXECUTOR_CURVE_ORDER_H

#include "nodes/plannodes.h"

/* The name in EXPLAIN, and that by which PostgreSQL finds the methods of a plan read from text. */
#define SPQ_NEAREST_CURVE_NAME "Spqtree Curve Order"

extern Node *spq_nearest_curve_create_state(CustomScan *cscan);

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_CURVE_ORDER_H */
