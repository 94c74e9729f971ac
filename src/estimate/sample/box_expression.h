/*-------------------------------------------------------------------------
 *
 * box_expression.h
 *	  Which expressions may be evaluated on rows during planning.
 *
 * A sample reads rows that the query might never return, with or without row
 * security.  So nothing is evaluated that could reveal a value or fail:
 *
 *		box(point(t.x, t.y), point(3, t.z))		columns, constants, and
 *		 |     |    |   |         |				conversions that never raise
 *		ok    ok  Var  Var      Const			an error
 *
 * An expression is brought into a normal form, so that the same expression in
 * two queries is equal().
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SAMPLE_BOX_EXPRESSION_H
#define SPQ_ESTIMATE_SAMPLE_BOX_EXPRESSION_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"

/* An expression over one relation, and how its value yields a box. */
typedef struct SpqEstimateExpression
{
	Node	   *expr;
	Index		varno;			/* of all its Vars */
	SpqTypeOperand operand;
} SpqEstimateExpression;

extern bool spq_estimate_expression(Node *node, const SpqTypeOperand *operand,
									SpqEstimateExpression *result);
extern void spq_estimate_expression_of_parent(PlannerInfo *root,
											  SpqEstimateExpression *expression);
extern bool spq_estimate_expression_of_subquery(List *targetlist,
												SpqEstimateExpression *expression);
extern Node *spq_estimate_expression_of_child(PlannerInfo *root, Node *expr,
											  AppendRelInfo *appinfo);
extern Node *spq_estimate_expression_key(Node *expr);

#endif							/* SPQ_ESTIMATE_SAMPLE_BOX_EXPRESSION_H */
