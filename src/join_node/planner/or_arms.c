/*-------------------------------------------------------------------------
 *
 * or_arms.c
 *	  A join by one of several conditions, as several joins.
 *
 *		a JOIN b ON a.b && b.b OR a.c && b.c
 *
 *		a JOIN b ON a.b && b.b
 *		a JOIN b ON a.c && b.c AND (a.b && b.b) IS NOT TRUE
 *
 * A pair that satisfies several conditions is in the join of the first of these, so
 * each pair comes once.  Each join reads both sides, which therefore must return the same
 * rows each time: tables, none of them foreign, with no volatile condition.  The same holds
 * for subqueries in conditions, which run in each join.  And no row may be locked or changed,
 * because EvalPlanQual returns the row to recheck to one scan only.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"

#include "join_node/planner/planner.h"
#include "spatial/join_clause.h"

/* More arms would read the sides too often. */
#define MOST_ARMS	4

/*
 * Return whether a table in a subquery may have other rows the next time.  Partitions
 * and children, which may be foreign tables, are not looked at.
 */
static bool
may_have_other_rows(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION &&
		((rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW) ||
		 rte->tablesample != NULL || (rte->inh && has_subclass(rte->relid)));
}

/* Return whether a subquery in an expression may have another result the next time. */
static bool
subquery_may_change(Node *node, void *glob)
{
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
		return may_have_other_rows((RangeTblEntry *) node);
	if (IsA(node, Query))
		return ((Query *) node)->rowMarks != NIL || contain_volatile_functions(node) ||
			query_tree_walker((Query *) node, subquery_may_change, glob, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, SubPlan))
	{
		int			number = ((SubPlan *) node)->plan_id - 1;
		PlannerInfo *subroot = list_nth(((PlannerGlobal *) glob)->subroots, number);

		if (subquery_may_change((Node *) subroot->parse, glob))
			return true;
	}
	return expression_tree_walker(node, subquery_may_change, glob);
}

/* Return whether expressions may have other values the next time. */
static bool
may_change(PlannerInfo *root, List *exprs)
{
	return contain_volatile_functions((Node *) exprs) ||
		subquery_may_change((Node *) exprs, root->glob);
}

/* Return whether a relation, or a partition or child of it, is a foreign table. */
static bool
reads_foreign_table(const PlannerInfo *root, const RelOptInfo *rel)
{
	Relids		parents = rel->top_parent_relids ? rel->top_parent_relids : rel->relids;

	if (rel->fdwroutine != NULL)
		return true;
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		const RelOptInfo *child = root->simple_rel_array[i];

		if (child && child->fdwroutine != NULL && bms_overlap(child->top_parent_relids, parents))
			return true;
	}
	return false;
}

/* Return whether two scans of a relation in one query return the same rows. */
static bool
returns_same_rows(PlannerInfo *root, const RelOptInfo *rel)
{
	const RangeTblEntry *rte;

	if (!IS_SIMPLE_REL(rel) || rel->rtekind != RTE_RELATION || reads_foreign_table(root, rel))
		return false;
	rte = planner_rt_fetch(rel->relid, root);
	return rte->tablesample == NULL &&
		!may_change(root, extract_actual_clauses(rel->baserestrictinfo, false)) &&
		!may_change(root, rel->reltarget->exprs);
}

static bool
may_read_twice(PlannerInfo *root, RelOptInfo *joinrel, const RelOptInfo *outerrel,
			   const RelOptInfo *innerrel, List *restrictlist)
{
	return root->rowMarks == NIL &&
		!bms_is_member(root->parse->resultRelation, joinrel->relids) &&
		bms_is_empty(joinrel->lateral_relids) &&
		returns_same_rows(root, outerrel) && returns_same_rows(root, innerrel) &&
		!may_change(root, extract_actual_clauses(restrictlist, false));
}

/* Return a condition that is true where an arm is false or null. */
static RestrictInfo *
not_true(const RestrictInfo *rinfo, List *arm)
{
	BooleanTest *test = makeNode(BooleanTest);

	test->arg = make_ands_explicit(extract_actual_clauses(arm, false));
	test->booltesttype = IS_NOT_TRUE;
	test->location = -1;
	return spq_spatial_with_clause(rinfo, (Expr *) test);
}

/*
 * If a join has a condition of which each arm may be a join by itself, return the lists of
 * conditions of these joins.  Otherwise return NIL.
 */
List *
spq_node_or_arms(PlannerInfo *root, RelOptInfo *joinrel, const RelOptInfo *outerrel,
				 const RelOptInfo *innerrel, List *restrictlist)
{
	ListCell   *lc;

	foreach(lc, restrictlist)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		List	   *arms = spq_spatial_arms(root, rinfo, MOST_ARMS),
				   *others,
				   *lists = NIL;
		ListCell   *lc2;

		if (arms == NIL)
			continue;
		if (!may_read_twice(root, joinrel, outerrel, innerrel, restrictlist))
			return NIL;
		others = list_delete_ptr(list_copy(restrictlist), rinfo);
		foreach(lc2, arms)
		{
			lists = lappend(lists, list_concat_copy(lfirst(lc2), others));
			others = lappend(list_copy(others), not_true(rinfo, lfirst(lc2)));
		}
		return lists;
	}
	return NIL;
}
