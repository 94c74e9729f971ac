/*-------------------------------------------------------------------------
 *
 * sampled_column.c
 *	  The sample of an expression's boxes, if the user may see the rows.
 *
 * The expression is over one relation of the query.  Its values come from
 * tables:
 *
 *		partition		  ->  the partitioned table, whose partitions share
 *							  a sample
 *		UNION ALL		  ->  its arms
 *		subquery, view,	  ->  the relation below it, if its column is one
 *		CTE					  of that relation
 *		VALUES, unnest()  ->  the query's own constants
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "utils/acl.h"
#include "utils/memutils.h"

#include "estimate/cache/cache.h"
#include "estimate/sample/sample.h"
#include "settings.h"
#include "spatial/extension/member.h"

/*
 * Return whether the user may see all rows of this relation.  An estimate from
 * hidden rows would reveal where they are: EXPLAIN shows it, and
 * debug_print_plan does so even before privileges are checked.  Follows
 * all_rows_selectable(), the rule of PostgreSQL's statistics (copies.list).
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

	/* row security and privileges of partitions are those of the parent */
	while (root->append_rel_array && root->append_rel_array[varno] &&
		   OidIsValid(root->append_rel_array[varno]->parent_reloid))
		varno = root->append_rel_array[varno]->parent_relid;
	rte = root->simple_rte_array[varno];
	if (rte->securityQuals != NIL)
		return false;
	if (rte->rtekind != RTE_RELATION)
		return true;			/* arms of UNION ALL are checked one by one */

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

static bool collect_children(PlannerInfo *root, Index varno, Node *expr, List **children);

/* As collect_children(), for a child of a relation. */
static bool
collect_child(PlannerInfo *root, AppendRelInfo *appinfo, Node *parent_expr, List **children)
{
	Node	   *expr = spq_estimate_expression_of_child(root, parent_expr, appinfo);

	/* for a partition, the parent was checked */
	return expr &&
		(OidIsValid(appinfo->parent_reloid) ||
		 sees_all_rows(root, appinfo->child_relid, expr)) &&
		collect_children(root, appinfo->child_relid, expr, children);
}

/*
 * Append the tables that a relation consists of.  Return false if one of them
 * cannot be sampled or may not be seen by the user.
 */
static bool
collect_children(PlannerInfo *root, Index varno, Node *expr, List **children)
{
	RelOptInfo *rel = root->simple_rel_array[varno];
	RangeTblEntry *rte = root->simple_rte_array[varno];
	SpqEstimateChild *child;

	CHECK_FOR_INTERRUPTS();
	if (!rel || IS_DUMMY_REL(rel))
		return true;
	if (rte->inh && rel->part_rels)
	{
		int			part = -1;

		while ((part = bms_next_member(rel->live_parts, part)) >= 0)
		{
			Index		relid = rel->part_rels[part]->relid;

			if (!collect_child(root, root->append_rel_array[relid], expr, children))
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
				!collect_child(root, appinfo, expr, children))
				return false;
		}
		return true;
	}
	child = palloc0(sizeof(SpqEstimateChild));
	child->expr = spq_estimate_expression_key(expr);
	child->rows = spq_estimate_constant_rows(rte, spq_sample_rows, &child->tuples);
	if (child->rows != NIL)
	{
		child->pages = 1;
		*children = lappend(*children, child);
		return true;
	}
	if (rte->rtekind != RTE_RELATION ||
		(rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW))
		return false;
	child->relid = rte->relid;
	child->pages = rel->pages;
	child->tuples = rel->tuples;
	*children = lappend(*children, child);
	return true;
}

/* Return the PlannerInfo of a CTE, or NULL if it has not been planned. */
static PlannerInfo *
root_of_cte(PlannerInfo *root, const RangeTblEntry *rte)
{
	int			number = 0;
	ListCell   *lc;

	if (rte->self_reference)
		return NULL;
	for (Index level = rte->ctelevelsup; level > 0 && root; level--)
		root = root->parent_root;
	if (!root)
		return NULL;
	foreach(lc, root->parse->cteList)
	{
		const CommonTableExpr *cte = lfirst_node(CommonTableExpr, lc);

		if (strcmp(cte->ctename, rte->ctename) == 0)
		{
			int			plan_id = number < list_length(root->cte_plan_ids) ?
				list_nth_int(root->cte_plan_ids, number) : 0;

			return plan_id > 0 && !cte->cterecursive ?
				list_nth(root->glob->subroots, plan_id - 1) : NULL;
		}
		number++;
	}
	return NULL;
}

/*
 * Take the sample of an expression over a table, and set its id and the number
 * of tuples.
 */
static const SpqEstimateSample *
take_sample(PlannerInfo *root, SpqEstimateKnownColumn *known)
{
	const SpqEstimateExpression *column = &known->column;
	const SpqEstimateSample *sample = NULL;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "spatial children",
												  ALLOCSET_DEFAULT_SIZES),
				old = MemoryContextSwitchTo(context);
	List	   *children = NIL;
	ListCell   *lc;

	if (sees_all_rows(root, column->varno, column->expr) &&
		collect_children(root, column->varno, column->expr, &children) &&
		children != NIL)
	{
		foreach(lc, children)
			known->tuples += ((SpqEstimateChild *) lfirst(lc))->tuples;
		known->tuples = Max(known->tuples, 1);
		sample = spq_estimate_sample(children, &column->operand, spq_sample_rows,
									 known->block_rows);
		known->sample = sample->id;
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return sample;
}

/*
 * If a relation is a subquery or a CTE whose rows are those of the relations
 * below it, return its PlannerInfo; otherwise NULL.  A security barrier hides
 * rows, so it ends the search.
 */
static PlannerInfo *
root_below(PlannerInfo *root, Index varno)
{
	const RelOptInfo *rel = root->simple_rel_array[varno];
	const RangeTblEntry *rte = root->simple_rte_array[varno];
	PlannerInfo *below = NULL;

	if (!rel || rte->inh || rte->security_barrier)
		return NULL;
	if (rte->rtekind == RTE_SUBQUERY)
		below = rel->subroot;
	else if (rte->rtekind == RTE_CTE)
		below = root_of_cte(root, rte);
	return below && !below->parse->setOperations && !below->parse->groupingSets &&
		below->parse->commandType == CMD_SELECT ? below : NULL;
}

/*
 * Return whether an expression yields the bounds of a function's result
 * without calling the function.
 */
static bool
is_without_call(const Node *expr)
{
	return IsA(expr, FuncExpr) && spq_spatial_is_bounds(((const FuncExpr *) expr)->funcid) &&
		!spq_spatial_is_plain_bounds(((const FuncExpr *) expr)->funcid);
}

/* Return the sample of a constant expression.  It has one row. */
static const SpqEstimateSample *
constant_sample(const SpqEstimateExpression *expression, int block_rows, double *tuples)
{
	SpqEstimateChild *child = palloc0(sizeof(SpqEstimateChild));

	child->expr = expression->expr;
	child->rows = list_make1(list_make1(makeBoolConst(true, false)));
	child->pages = child->tuples = *tuples = 1;
	return spq_estimate_sample(list_make1(child), &expression->operand, spq_sample_rows, block_rows);
}

/*
 * Return the sample of an expression's boxes, or NULL if there is none.  Also
 * return NULL if the expression stands for the bounds of a function's result
 * and yields none for any row: then they are unknown.  Set "tuples" to the
 * rows of the sampled tables.  "block_rows" is as for the sample.
 */
const SpqEstimateSample *
spq_estimate_column_sample(PlannerInfo *root, const SpqEstimateExpression *column,
						   int block_rows, double *tuples)
{
	SpqEstimateKnownColumn known = {.column = *column,.block_rows = block_rows};
	const SpqEstimateKnownColumn *before;
	PlannerInfo *below;
	const SpqEstimateSample *sample;

	if (spq_sample_rows == 0)
		return NULL;
	spq_estimate_expression_of_parent(root, &known.column);
	while ((below = root_below(root, known.column.varno)) != NULL)
	{
		root = below;
		if (!spq_estimate_expression_of_subquery(root->parse->targetList, &known.column))
			return NULL;
		if (known.column.varno == 0)
			return constant_sample(&known.column, block_rows, tuples);
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
	return sample && sample->count == 0 && sample->rows > 0 && is_without_call(known.column.expr) ?
		NULL : sample;
}
