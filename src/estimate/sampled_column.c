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
#include "utils/memutils.h"

#include "estimate/query_memo.h"
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

static bool collect_parts(PlannerInfo *root, Index varno, Node *expr, List **parts);

/* As collect_parts() for a child of a relation. */
static bool
collect_child(PlannerInfo *root, AppendRelInfo *appinfo, Node *parent_expr, List **parts)
{
	Node	   *expr = spq_estimate_expression_of_child(root, parent_expr, appinfo);

	/* of partitions the parent has been asked */
	return expr &&
		(OidIsValid(appinfo->parent_reloid) ||
		 sees_all_rows(root, appinfo->child_relid, expr)) &&
		collect_parts(root, appinfo->child_relid, expr, parts);
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

	CHECK_FOR_INTERRUPTS();
	if (!rel || IS_DUMMY_REL(rel))
		return true;
	if (rte->inh && rel->part_rels)
	{
		int			part = -1;

		while ((part = bms_next_member(rel->live_parts, part)) >= 0)
		{
			Index		relid = rel->part_rels[part]->relid;

			if (!collect_child(root, root->append_rel_array[relid], expr, parts))
				return false;
		}
		return true;
	}
	if (rte->inh)
	{
		ListCell   *lc;

		foreach(lc, root->append_rel_list)
		{
			AppendRelInfo *appinfo = lfirst_node(AppendRelInfo, lc);

			if (appinfo->parent_relid == varno &&
				!collect_child(root, appinfo, expr, parts))
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

/* Take the sample of an expression over a table, and complete what is known of it. */
static const SpqEstimateSample *
take_sample(PlannerInfo *root, SpqEstimateKnownColumn *known)
{
	const SpqEstimateExpression *column = &known->column;
	const SpqEstimateSample *sample = NULL;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "spatial parts",
												  ALLOCSET_DEFAULT_SIZES),
				old = MemoryContextSwitchTo(context);
	List	   *parts = NIL;
	ListCell   *lc;

	if (sees_all_rows(root, column->varno, column->expr) &&
		collect_parts(root, column->varno, column->expr, &parts) &&
		parts != NIL)
	{
		foreach(lc, parts)
			known->tuples += ((SpqEstimatePart *) lfirst(lc))->tuples;
		known->tuples = Max(known->tuples, 1);
		sample = spq_estimate_sample(parts, &column->operand, spq_sample_rows,
									 known->block_rows);
		known->sample = sample->id;
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return sample;
}

/*
 * Return the sample of an expression's boxes, or NULL if there is none.
 * "tuples" are the rows of the tables sampled; "block_rows" is as for the sample.
 */
const SpqEstimateSample *
spq_estimate_column_sample(PlannerInfo *root, const SpqEstimateExpression *column,
						   int block_rows, double *tuples)
{
	SpqEstimateKnownColumn known = {.column = *column,.block_rows = block_rows};
	const SpqEstimateKnownColumn *before;
	const SpqEstimateSample *sample;

	if (spq_sample_rows == 0)
		return NULL;
	spq_estimate_expression_of_parent(root, &known.column);
	while (is_plain_subquery(root, known.column.varno))
	{
		root = root->simple_rel_array[known.column.varno]->subroot;
		if (!spq_estimate_expression_of_subquery(root->parse->targetList, &known.column))
			return NULL;
	}
	before = spq_estimate_known_column(root, &known.column, block_rows);
	if (before && before->sample == 0)
		return NULL;
	sample = before ? spq_estimate_sample_again(before->sample) : NULL;
	if (sample)
		known.tuples = before->tuples;
	else
	{
		sample = take_sample(root, &known);
		spq_estimate_know_column(root, &known);
	}
	*tuples = known.tuples;
	return sample;
}
