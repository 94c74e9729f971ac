/*-------------------------------------------------------------------------
 *
 * sampled_column.c
 *	  The sample of an expression's boxes, if the user may see the rows.
 *
 * The expression is over a relation of the query.  Its values come from tables:
 *
 *		partition		  ->  the partitioned table, all of whose parts
 *							  share a sample
 *		UNION ALL		  ->  its arms
 *		subquery, view	  ->  what it selects from, if its column is a column
 *							  of that
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "utils/acl.h"

#include "estimate/sample_cache.h"
#include "estimate/sampled_column.h"
#include "settings.h"

/*
 * Return whether the user may see all rows of this relation.  An estimate from
 * hidden rows would tell where they are: EXPLAIN shows it, and even before
 * privileges are checked, debug_print_plan.  The rule is that of PostgreSQL's
 * statistics (all_rows_selectable).
 */
static bool
sees_all_rows(PlannerInfo *root, Index varno, Node *expr)
{
	const RangeTblEntry *rte;
	const RelOptInfo *rel;
	Index		child = varno;
	Bitmapset  *columns = NULL;
	int			column = -1;
	Oid			user;

	/* what holds for children is written at their parent */
	while (root->append_rel_array && root->append_rel_array[varno] &&
		   OidIsValid(root->append_rel_array[varno]->parent_reloid))
		varno = root->append_rel_array[varno]->parent_relid;
	rte = root->simple_rte_array[varno];
	if (rte->securityQuals != NIL)
		return false;
	if (rte->rtekind != RTE_RELATION)
		return true;			/* arms of UNION ALL are asked one by one */

	rel = root->simple_rel_array[varno];
	user = rel && OidIsValid(rel->userid) ? rel->userid : GetUserId();
	if (pg_class_aclcheck(rte->relid, user, ACL_SELECT) == ACLCHECK_OK)
		return true;
	if (varno != child)
		return false;			/* the parent's columns have other numbers */
	pull_varattnos(expr, varno, &columns);
	while ((column = bms_next_member(columns, column)) >= 0)
	{
		AttrNumber	attno = column + FirstLowInvalidHeapAttributeNumber;

		if (attno <= 0 ||
			pg_attribute_aclcheck(rte->relid, attno, user, ACL_SELECT) != ACLCHECK_OK)
			return false;
	}
	return true;
}

/*
 * Append the tables that a relation consists of.  Return false if one of them
 * cannot be sampled, or not for this user.
 */
static bool
collect_parts(PlannerInfo *root, Index varno, Node *expr, List **parts)
{
	RelOptInfo *rel = root->simple_rel_array[varno];
	RangeTblEntry *rte = root->simple_rte_array[varno];
	SpqEstimatePart *part;

	if (!rel || IS_DUMMY_REL(rel))
		return true;
	if (rte->inh)
	{
		ListCell   *lc;

		foreach(lc, root->append_rel_list)
		{
			AppendRelInfo *appinfo = lfirst_node(AppendRelInfo, lc);
			Node	   *child;

			if (appinfo->parent_relid != varno)
				continue;
			child = spq_estimate_expression_of_child(root, expr, appinfo);
			/* of partitions the parent has been asked */
			if (child && !OidIsValid(appinfo->parent_reloid) &&
				!sees_all_rows(root, appinfo->child_relid, child))
				return false;
			if (!child || !collect_parts(root, appinfo->child_relid, child, parts))
				return false;
		}
		return true;
	}
	if (rte->rtekind != RTE_RELATION ||
		(rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW))
		return false;
	part = palloc(sizeof(SpqEstimatePart));
	part->relid = rte->relid;
	part->pages = rel->pages;
	part->tuples = rel->tuples;
	part->expr = spq_estimate_expression_key(expr);
	*parts = lappend(*parts, part);
	return true;
}

/*
 * Return whether a subquery's columns are those of the rows below.  A security
 * barrier hides rows, and ends the search.
 */
static bool
is_plain_subquery(PlannerInfo *root, Index varno)
{
	const RelOptInfo *rel = root->simple_rel_array[varno];
	const RangeTblEntry *rte = root->simple_rte_array[varno];

	return rel && rte->rtekind == RTE_SUBQUERY && !rte->inh && rel->subroot &&
		!rte->security_barrier &&
		!rel->subroot->parse->setOperations &&
		!rel->subroot->parse->groupingSets;
}

/*
 * Return the sample of an expression's boxes, or NULL if there is none.
 * "tuples" are the rows of the tables sampled; "block_rows" is as for the sample.
 */
const SpqEstimateSample *
spq_estimate_column_sample(PlannerInfo *root, const SpqEstimateExpression *column,
						   int block_rows, double *tuples)
{
	SpqEstimateExpression expression = *column;
	List	   *parts = NIL;
	ListCell   *lc;

	if (spq_sample_rows == 0)
		return NULL;
	spq_estimate_expression_of_parent(root, &expression);
	while (is_plain_subquery(root, expression.varno))
	{
		root = root->simple_rel_array[expression.varno]->subroot;
		if (!spq_estimate_expression_of_subquery(root->parse->targetList, &expression))
			return NULL;
	}
	if (!sees_all_rows(root, expression.varno, expression.expr) ||
		!collect_parts(root, expression.varno, expression.expr, &parts) ||
		parts == NIL)
		return NULL;
	*tuples = 0;
	foreach(lc, parts)
		* tuples += ((SpqEstimatePart *) lfirst(lc))->tuples;
	*tuples = Max(*tuples, 1);
	return spq_estimate_sample(parts, &expression.operand, spq_sample_rows, block_rows);
}
