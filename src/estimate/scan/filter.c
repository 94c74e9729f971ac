/*-------------------------------------------------------------------------
 *
 * filter.c
 *	  The selectivity of conditions about which there are no statistics.
 *
 * PostgreSQL assumes that 0.5 % of the rows satisfy (id + 3) % 16 = 0, doc->>'kind' = 'house' and
 * other equalities of expressions, and a third of them an inequality.  In a spatial join, where an
 * error decides between plans, the truth of such conditions is sampled.  A scan of one table
 * would gain little, and pay for the sample with each new constant.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"

#include "estimate/cache/cache.h"
#include "estimate/sample/sample.h"
#include "estimate/scan/scan.h"
#include "settings.h"
#include "spatial/join_clause.h"

/* Return whether there are statistics about the value of an expression. */
static bool
has_statistics(PlannerInfo *root, Node *expr)
{
	VariableStatData data;
	bool		found;

	if (bms_is_empty(pull_varnos(root, expr)))
		return true;
	examine_variable(root, expr, 0, &data);
	found = HeapTupleIsValid(data.statsTuple) || data.isunique;
	ReleaseVariableStats(data);
	return found;
}

/*
 * Return whether the selectivity of a condition is only assumed by PostgreSQL: there are no
 * statistics about one of its operands.
 */
static bool
is_assumed(PlannerInfo *root, Node *clause)
{
	List	   *operands;
	ListCell   *lc;

	check_stack_depth();
	if (IsA(clause, BoolExpr))
	{
		foreach(lc, ((BoolExpr *) clause)->args)
			if (is_assumed(root, lfirst(lc)))
			return true;
		return false;
	}
	if (IsA(clause, OpExpr))
		operands = ((OpExpr *) clause)->args;
	else if (IsA(clause, ScalarArrayOpExpr))
		operands = ((ScalarArrayOpExpr *) clause)->args;
	else if (IsA(clause, NullTest))
		operands = list_make1(((NullTest *) clause)->arg);
	else if (IsA(clause, BooleanTest))
		operands = list_make1(((BooleanTest *) clause)->arg);
	else
		operands = list_make1(clause);
	foreach(lc, operands)
		if (!has_statistics(root, lfirst(lc)))
		return true;
	return false;
}

/* Return whether the selectivity of a relation's condition is only assumed, by us as well. */
bool
spq_estimate_is_assumed(PlannerInfo *root, const RestrictInfo *rinfo)
{
	return !rinfo->pseudoconstant && rinfo->outer_selec < 0 &&
		is_assumed(root, (Node *) rinfo->clause);
}

/* Return whether a relation is in a spatial join. */
static bool
is_joined(PlannerInfo *root, const RelOptInfo *rel)
{
	SpqSpatialOperator op;
	ListCell   *lc;

	foreach(lc, rel->joininfo)
		if (spq_spatial_join_clause(root, lfirst_node(RestrictInfo, lc), rel->joininfo, NULL, &op))
		return true;
	return false;
}

/* Return the fraction of a relation's rows that satisfies a condition, or -1. */
static double
fraction_of_rows(PlannerInfo *root, const RelOptInfo *rel, Node *clause)
{
	const SpqTypeOperand truth = {.type = &spq_estimate_truth};
	SpqEstimateExpression expression;
	const SpqEstimateSample *sample;
	double		tuples;
	int			satisfied = 0;

	clause = estimate_expression_value(root, clause);
	if (!spq_estimate_is_short(clause) || !spq_estimate_expression(clause, &truth, &expression) ||
		expression.varno != rel->relid)
		return -1;
	sample = spq_estimate_column_sample(root, &expression, SPQ_ESTIMATE_JOIN_BLOCK_ROWS, &tuples);
	if (sample == NULL || sample->rows == 0)
		return -1;
	for (int i = 0; i < sample->count; i++)
		satisfied += spq_estimate_high(sample, i)[0] > 0;
	if (sample->complete)
		return (double) satisfied / sample->rows;
	/* the table may have rows that satisfy it, even if the sample has none */
	return (satisfied + 0.5) / (sample->rows + 1);
}

/*
 * Put our estimates into the conditions of a relation whose selectivity is only assumed.  Return
 * whether there were any.
 */
bool
spq_estimate_filters(PlannerInfo *root, const RelOptInfo *rel)
{
	bool		any = false;
	ListCell   *lc;

	if (spq_sample_rows == 0)
		return false;
	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		double		fraction;

		if (rinfo->norm_selec > 1 || !spq_estimate_is_assumed(root, rinfo))
			continue;
		if (!any && !is_joined(root, rel))
			return false;
		fraction = fraction_of_rows(root, rel, (Node *) rinfo->clause);
		if (fraction < 0)
			continue;
		rinfo->norm_selec = rinfo->outer_selec = fraction;
		any = true;
	}
	return any;
}
