/*-------------------------------------------------------------------------
 *
 * plan_format.h
 *	  The contents of paths and plans of nearest rows.
 *
 * A plan consists of lists of nodes and integers, which PostgreSQL copies and
 * serializes.  The enums below name the slots of these lists.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_EXECUTOR_PLAN_FORMAT_H
#define SPQ_NEAREST_NODE_EXECUTOR_PLAN_FORMAT_H

#include "nodes/plannodes.h"

/* The name in EXPLAIN, and that by which PostgreSQL finds the methods of a plan read from text. */
#define SPQ_NEAREST_NODE_NAME "Spqtree Nearest Rows"

/* custom_paths and custom_plans */
enum
{
	SPQ_NEAREST_ORDERED,		/* returns the rows in order, for one value */
	SPQ_NEAREST_READING,		/* returns all rows, for all values */
	SPQ_NEAREST_CHILDREN
};

/* custom_exprs: lists of expressions */
enum
{
	SPQ_NEAREST_EXPRS_INNER,	/* the value of a row, and its bounds */
	SPQ_NEAREST_EXPRS_OUTER,	/* the bounds of the other value, then the
								 * arguments of the distance but the row's */
	SPQ_NEAREST_EXPRS_FILTER,
	SPQ_NEAREST_EXPRS_WINDOWS,	/* rows outside of one fail the filter */
	SPQ_NEAREST_EXPRS_COUNT,	/* rows wanted: numbers to add up */
	SPQ_NEAREST_EXPRS_ORDER		/* the distance; for EXPLAIN */
};

/* custom_private */
enum
{
	SPQ_NEAREST_PRIVATE_NUMBERS,	/* SPQ_NEAREST_NUMBER_... */
	SPQ_NEAREST_PRIVATE_FLOATS, /* SPQ_NEAREST_FLOAT_... */
	SPQ_NEAREST_PRIVATE_WINDOWS /* kinds of the windows, and functions */
};

enum
{
	SPQ_NEAREST_NUMBER_FUNCTION,
	SPQ_NEAREST_NUMBER_COLLATION,
	SPQ_NEAREST_NUMBER_ARGUMENT,	/* place of the row's value among the
									 * arguments */
	SPQ_NEAREST_NUMBER_INNER_KIND,
	SPQ_NEAREST_NUMBER_OUTER_KIND,
	SPQ_NEAREST_NUMBER_ON_DISK, /* expected */
	SPQ_NEAREST_NUMBER_BOUNDED, /* the ordered plan returns no more rows than
								 * are wanted */
	SPQ_NEAREST_NUMBER_LEAVES	/* the reading plan is an index scan, whose
								 * leaves the node reads itself */
};

enum
{
	SPQ_NEAREST_FLOAT_UNIT,		/* of SpqSpatialDistance */
	SPQ_NEAREST_FLOAT_MARGIN,
	SPQ_NEAREST_FLOAT_FACTOR,
	SPQ_NEAREST_FLOAT_SEARCHES	/* by the ordered plan, that cost as much as
								 * reading all rows */
};

/* nearest_execute.c */
extern Node *spq_nearest_node_create_state(CustomScan *cscan);

/*
 * curve_order.c
 *
 * A plan's custom_exprs is the box, or the value that yields it; custom_private is
 * the kind of that value.
 */

/* The name in EXPLAIN, and that by which PostgreSQL finds the methods of a plan read from text. */
#define SPQ_NEAREST_CURVE_NAME "Spqtree Curve Order"

extern Node *spq_nearest_curve_create_state(CustomScan *cscan);

#endif							/* SPQ_NEAREST_NODE_EXECUTOR_PLAN_FORMAT_H */
