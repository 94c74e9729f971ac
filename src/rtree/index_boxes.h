/*-------------------------------------------------------------------------
 *
 * index_boxes.h
 *	  What a planner's index has for a node that reads its leaves.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INDEX_BOXES_H
#define SPQ_RTREE_INDEX_BOXES_H

#include "nodes/pathnodes.h"

/*
 * Return the column whose boxes an operand has: the operand itself, or the argument of the
 * function that returns the bounds of a type of another extension, which sets *is_bounds.
 */
extern const Var *spq_rtree_boxed_column(const Expr *operand, bool *is_bounds);

/*
 * Return whether an index has the boxes of a column that this operator compares; without an
 * operator, the boxes of the column's type.  Set *returns_key to whether it stores the
 * values themselves.
 */
extern bool spq_rtree_index_has_boxes(const IndexOptInfo *index, const Var *value, bool is_bounds,
									  Oid operator, int axes, bool *returns_key);

/* Return whether an index has all columns that are needed of its table. */
extern bool spq_rtree_index_has_columns(const RelOptInfo *rel, const IndexOptInfo *index);

#endif							/* SPQ_RTREE_INDEX_BOXES_H */
