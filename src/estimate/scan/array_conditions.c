/*-------------------------------------------------------------------------
 *
 * array_conditions.c
 *	  A condition on a column and an array, as conditions on its elements.
 *
 *		b && ANY ('{...}')		b && element 1 OR b && element 2 ...
 *		b && ALL ('{...}')		b && element 1 AND b && element 2 ...
 *
 * Of many elements, some are taken, spread evenly.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"

#include "estimate/scan/scan_condition.h"

/* Elements that are compared with the rows of a sample. */
#define MOST_ELEMENTS	128

/*
 * Return whether a clause compares a column of this relation with the elements
 * of a constant array that is not empty.  Set the conditions.
 */
bool
spq_estimate_array_conditions(PlannerInfo *root, const RelOptInfo *rel,
							  const ScalarArrayOpExpr *clause, SpqEstimateArray *array)
{
	Node	   *value = estimate_expression_value(root, lsecond(clause->args));
	List	   *elements;
	ListCell   *lc;

	memset(array, 0, sizeof(*array));
	if (!IsA(value, Const))
		return false;
	elements = spq_estimate_constant_elements((Const *) value, MOST_ELEMENTS, &array->elements);
	foreach(lc, elements)
	{
		SpqEstimateCondition *condition = palloc(sizeof(SpqEstimateCondition));
		OpExpr	   *op = (OpExpr *) make_opclause(clause->opno, BOOLOID, false,
												  linitial(clause->args),
												  linitial(lfirst_node(List, lc)),
												  InvalidOid, clause->inputcollid);

		op->opfuncid = clause->opfuncid;
		if (!spq_estimate_find_condition(root, rel, (Node *) op, condition) ||
			condition->constant == NULL)
			return false;
		if (condition->constant->constisnull)
			array->has_null = true;
		else
			array->conditions = lappend(array->conditions, condition);
	}
	if (elements != NIL)
		array->elements *= (double) list_length(array->conditions) / list_length(elements);
	return elements != NIL;
}
