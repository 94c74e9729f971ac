/*-------------------------------------------------------------------------
 *
 * scan_condition.h
 *	  A condition on a column of a relation and a value, or another column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_SCAN_CONDITION_H
#define SPQ_ESTIMATE_SCAN_SCAN_CONDITION_H

#include "nodes/pathnodes.h"

#include "estimate/sample/sample.h"
#include "estimate/window/window.h"
#include "spatial/operators/operators.h"

/* A condition on a column and something else. */
typedef struct SpqEstimateCondition
{
	SpqSpatialOperator op;
	SpqEstimateExpression column;
	bool		column_is_left;
	Const	   *constant;		/* what the column is compared with; or NULL */
	bool		of_row;			/* it is compared with "other" of the same row */
	SpqEstimateExpression other;	/* of the row, or what a subquery selects */
	PlannerInfo *below;			/* the query that has the relations of the
								 * latter */
	double		filled;			/* fraction of the constant's box that the
								 * shape in the condition fills; negative if
								 * unknown */
	const FuncExpr *within;		/* the original condition, if it is
								 * spqtree_dwithin() */
	bool		of_extension;	/* on a type of another extension */
} SpqEstimateCondition;

/* The conditions that "column operator ANY (array)", or ALL, stands for. */
typedef struct SpqEstimateArray
{
	List	   *conditions;		/* with constants that are not null; not of
								 * all elements, if there are many */
	double		elements;		/* all that are not null */
	bool		has_null;
} SpqEstimateArray;

extern bool spq_estimate_column_condition(PlannerInfo *root, const RelOptInfo *rel, Node *clause,
										  SpqEstimateCondition *condition, Node **other);
extern bool spq_estimate_find_condition(PlannerInfo *root, const RelOptInfo *rel, Node *clause,
										SpqEstimateCondition *condition);
extern void spq_estimate_add_condition(PlannerInfo *root, const SpqEstimateCondition *condition,
									   const SpqEstimateSample *sample, SpqEstimateWindow *window);

/* array_conditions.c */
extern bool spq_estimate_array_conditions(PlannerInfo *root, const RelOptInfo *rel,
										  const ScalarArrayOpExpr *clause,
										  SpqEstimateArray *array);

/* row_condition.c */
extern bool spq_estimate_row_condition(PlannerInfo *root, const SpqEstimateCondition *condition,
									   double *selectivity, double *not_null);

#endif							/* SPQ_ESTIMATE_SCAN_SCAN_CONDITION_H */
