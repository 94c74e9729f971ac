/*-------------------------------------------------------------------------
 *
 * scans.c
 *	  Conditions on one table, and the indexes that could be searched for them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_class.h"
#include "optimizer/optimizer.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "advise/about/lines.h"

/* Return an index that the plan searches for any condition on a relation, or NULL. */
static const IndexOptInfo *
any_index_used(List *uses, const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, uses)
	{
		const SpqAdviseUse *use = lfirst(lc);

		if (use->rel == rel && use->index)
			return use->index;
	}
	return NULL;
}

/* Return whether a unique index finds one row at most, by equality of all its columns. */
static bool
finds_one_row(List *uses, const IndexOptInfo *index)
{
	int			equalities = 0;
	ListCell   *lc;

	foreach(lc, uses)
	{
		const SpqAdviseUse *use = lfirst(lc);

		if (use->index == index && is_opclause(use->clause) &&
			get_oprrest(((OpExpr *) use->clause)->opno) == F_EQSEL)
			equalities++;
	}
	return index->unique && equalities == index->nkeycolumns;
}

/* Return the index that the plan searches for a clause, or for an arm of it, or NULL. */
static const IndexOptInfo *
index_used(List *uses, Node *clause)
{
	ListCell   *lc;

	foreach(lc, uses)
	{
		const SpqAdviseUse *use = lfirst(lc);

		if (use->clause == clause ||
			(is_orclause(clause) && list_member(((BoolExpr *) clause)->args, use->clause)))
			return use->index;
	}
	return NULL;
}

static bool
is_condition_of(const RelOptInfo *rel, const Node *clause)
{
	ListCell   *lc;

	foreach(lc, rel->baserestrictinfo)
	{
		Node	   *of_rel = (Node *) lfirst_node(RestrictInfo, lc)->clause;

		if (of_rel == clause ||
			(is_orclause(of_rel) && list_member(((BoolExpr *) of_rel)->args, clause)))
			return true;
	}
	return false;
}

/*
 * Return the index that the plan searches for a condition that no clause of the query
 * is, but that this one implies, as a <-> b < d does; or NULL.
 */
static const IndexOptInfo *
index_of_implied(List *uses, RelOptInfo *rel, Node *clause)
{
	ListCell   *lc;

	foreach(lc, uses)
	{
		const SpqAdviseUse *use = lfirst(lc);
		Bitmapset  *columns = NULL;

		if (use->rel != rel || is_condition_of(rel, use->clause))
			continue;
		pull_varattnos(clause, rel->relid, &columns);
		for (int i = 0; i < use->index->nkeycolumns; i++)
			if (bms_is_member(use->index->indexkeys[i] - FirstLowInvalidHeapAttributeNumber,
							  columns))
				return use->index;
	}
	return NULL;
}

/*
 * Find what a plan does for a condition on a table, and what it could do.  "on" is the
 * table that the advice is about, and "clause_on" its condition: they are those
 * of the partitioned table if "rel" is a partition.  Return whether an index is
 * searched.
 */
static bool
conclude(PlannerInfo *root, RelOptInfo *rel, Node *clause, RelOptInfo *on, Node *clause_on,
		 List *uses, char **finding, char **advice)
{
	const IndexOptInfo *index = index_used(uses, clause);
	char	   *companion;
	SpqAdviseOperand operand,
				operand_on;
	bool		usable;

	*advice = NULL;
	if (index)
	{
		*finding = psprintf("%s is searched for it", spq_advise_index(index));
		return true;
	}
	index = index_of_implied(uses, rel, clause);
	if (index)
	{
		*finding = psprintf("%s is searched for a condition that it implies", spq_advise_index(index));
		return true;
	}
	if ((companion = spq_advise_companion(clause)) != NULL)
	{
		*finding = psprintf("its types are indexed by %s, which is not in this database", companion);
		*advice = psprintf("CREATE EXTENSION %s", companion);
	}
	else if (is_orclause(clause))
		*finding = "an OR is searched by indexes if each of its arms has one";
	else if (!spq_advise_searched(root, clause, &operand) ||
			 !spq_advise_searched(root, clause_on, &operand_on))
		*finding = "no index can be searched for it: it would take an operator of one column and a value";
	else if (!spq_advise_has_indexes(planner_rt_fetch(rel->relid, root)->relid))
		*finding = "its table cannot have an index here";
	else if (!spq_advise_can_be_indexed(operand.expr))
		*finding = "no index can be searched for it: it would take a column, or an immutable expression of columns";
	else if ((index = spq_advise_find_index(rel, &operand, &usable)) == NULL)
	{
		*advice = spq_advise_index_for(root, on, &operand_on);
		if (*advice == NULL)
			*advice = spq_advise_btree_for(root, on, &operand_on);
		if (*advice == NULL)
			*finding = "no class of an index has it";
		else if ((index = any_index_used(uses, rel)) == NULL)
			*finding = "no index, so all rows are read";
		else
		{
			*finding = psprintf("no index, so it filters the rows that %s finds", spq_advise_index(index));
			if (finds_one_row(uses, index))
				*advice = NULL;
		}
	}
	else if (!usable)
	{
		*finding = psprintf(operand.only_ours ? "%s is not searched for a distance, since it may miss rows" :
							"%s does not have the operator", spq_advise_index(index));
		*advice = spq_advise_index_for(root, on, &operand_on);
	}
	else if (operand.if_known)
		*finding = psprintf("%s is searched for it only by a plan for known values", spq_advise_index(index));
	else
		*finding = psprintf("%s could be searched for it, but the plan costs less",
							spq_advise_index(index));
	return false;
}

/* Return the condition of a partition that is one of the partitioned table's, or NULL. */
static Node *
condition_of_child(PlannerInfo *root, const RelOptInfo *parent, const RelOptInfo *child,
				   Node *clause)
{
	Node	   *adjusted = spq_advise_of_child(root, parent, child, clause);
	ListCell   *lc;

	foreach(lc, child->baserestrictinfo)
	{
		Node	   *of_child = (Node *) lfirst_node(RestrictInfo, lc)->clause;

		if (equal(of_child, adjusted))
			return of_child;
	}
	return NULL;
}

/*
 * Find the same for a table that has partitions, from those that the plan reads.  Tables
 * that inherit from another one need each an index of their own.
 */
static void
conclude_partitions(PlannerInfo *root, RelOptInfo *parent, Node *clause, List *uses,
					char **finding, char **advice)
{
	bool		partitioned = planner_rt_fetch(parent->relid, root)->relkind == RELKIND_PARTITIONED_TABLE;
	const char *kind = partitioned ? "partitions" : "tables";
	int			all = 0,
				searched = 0;
	double		rows = 0;
	char	   *of_other = NULL;

	*finding = *advice = NULL;
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];
		Node	   *of_child;
		char	   *of_rel,
				   *advice_of_rel;

		if (!spq_advise_is_child(root, parent, rel) ||
			(of_child = condition_of_child(root, parent, rel, clause)) == NULL)
			continue;
		all++;
		rows += rel->tuples;
		if (conclude(root, rel, of_child, partitioned ? parent : rel, partitioned ? clause : of_child,
					 uses, &of_rel, &advice_of_rel))
		{
			searched++;
			continue;
		}
		if (!partitioned)
			spq_advise_unless_small(rel->tuples, &of_rel, &advice_of_rel);
		if (of_other == NULL || *advice == NULL)
		{
			of_other = of_rel;
			*advice = advice_of_rel;
		}
		else if (advice_of_rel && !partitioned)
			*advice = psprintf("%s; %s", *advice, advice_of_rel);
	}
	if (all == 0)
		return;
	if (of_other && partitioned)
		spq_advise_unless_small(rows, &of_other, advice);
	if (searched == 0)
		*finding = of_other;
	else if (searched == all)
		*finding = psprintf("indexes of all %d %s are searched for it", all, kind);
	else
		*finding = psprintf("indexes of %d of %d %s are searched for it; of another one: %s",
							searched, all, kind, of_other);
}

/* Describe the conditions on each table of a query level. */
void
spq_advise_scans(SpqReasons *reasons, PlannerInfo *root, List *uses)
{
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];
		ListCell   *lc;

		if (rel == NULL || rel->reloptkind != RELOPT_BASEREL || rel->rtekind != RTE_RELATION)
			continue;
		spq_advise_add(reasons, planner_rt_fetch(i, root)->relid, NULL, NULL, NULL);
		foreach(lc, rel->baserestrictinfo)
		{
			RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
			Node	   *clause = (Node *) rinfo->clause;
			Node	   *in_loop;
			char	   *finding,
					   *advice,
					   *loop,
					   *instead;

			if (!spq_advise_is_spatial(clause))
				continue;
			in_loop = spq_advise_loop(reasons, root, rel, rinfo, &loop, &instead);
			if (planner_rt_fetch(i, root)->inh)
				conclude_partitions(root, rel, clause, uses, &finding, &advice);
			else if (!conclude(root, rel, clause, rel, clause, uses, &finding, &advice))
				spq_advise_unless_small(rel->tuples, &finding, &advice);
			if (in_loop)
			{
				spq_advise_search(reasons, root, rel, &finding, &advice);
				finding = finding ? psprintf("%s; %s", loop, finding) : loop;
				if (instead)
					advice = instead;
			}
			if (finding)
				spq_advise_add(reasons, planner_rt_fetch(i, root)->relid,
							   spq_advise_object("condition", reasons, root, clause), finding, advice);
		}
	}
}
