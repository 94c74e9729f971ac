/*-------------------------------------------------------------------------
 *
 * orders.c
 *	  ORDER BY a distance, and the indexes that return rows in this order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_amop.h"
#include "nodes/pathnodes.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "advise/about/lines.h"
#include "nearest_node/executor/plan_format.h"

/* Return what the plan reads in the order of an operand, or NULL. */
static const SpqAdviseUse *
find_use(List *uses, const RelOptInfo *rel, const SpqAdviseOperand *operand)
{
	ListCell   *lc;

	foreach(lc, uses)
	{
		const SpqAdviseUse *use = lfirst(lc);
		SpqAdviseOperand of_use;

		if (use->rel == rel &&
			(use->clause == NULL ||
			 (spq_advise_operand(use->clause, &of_use) && equal(of_use.expr, operand->expr))))
			return use;
	}
	return NULL;
}

static void
describe_order(SpqReasons *reasons, PlannerInfo *root, RelOptInfo *rel, Node *expr,
			   const SpqAdviseOperand *operand, bool descending, List *uses)
{
	Oid			relid = planner_rt_fetch(rel->relid, root)->relid;
	char	   *create = spq_advise_index_for(root, rel, operand),
			   *advice = NULL,
			   *finding;
	bool		usable;
	const SpqAdviseUse *use = find_use(uses, rel, operand);
	const IndexOptInfo *other = spq_advise_find_index(rel, operand, &usable);

	if (create == NULL && use == NULL && !usable)
		return;					/* not a distance that indexes have */
	if (use)
		finding = psprintf("%s returns rows in this order",
						   use->index ? spq_advise_index(use->index) : SPQ_NEAREST_NODE_NAME);
	else if (descending)
		finding = "the farthest rows first: no index has this order, so rows are sorted";
	else if (root->parse->limitCount == NULL)
		finding = "rows are sorted: without LIMIT, an index in this order is not faster";
	else if (usable)
		finding = psprintf("%s could return rows in this order, but the plan costs less",
						   spq_advise_index(other));
	else
	{
		finding = other ? psprintf("%s does not have the operator, so rows are sorted",
								   spq_advise_index(other)) :
			"no index in this order, so rows are sorted";
		advice = create;
	}
	spq_advise_unless_small(rel->tuples, &finding, &advice);
	spq_advise_add(reasons, relid, spq_advise_object("order by", reasons, root, expr),
				   finding, advice);
}

/* Describe the order of a query level, if its first key is a distance from a column. */
void
spq_advise_order(SpqReasons *reasons, PlannerInfo *root, List *uses)
{
	const PathKey *key;
	ListCell   *lc;

	if (root->sort_pathkeys == NIL)
		return;
	key = linitial_node(PathKey, root->sort_pathkeys);
	foreach(lc, key->pk_eclass->ec_members)
	{
		const EquivalenceMember *member = lfirst_node(EquivalenceMember, lc);
		Node	   *expr = (Node *) member->em_expr;
		SpqAdviseOperand operand;
		int			place;
		RelOptInfo *rel;

		if (member->em_is_child || !bms_get_singleton_member(member->em_relids, &place) ||
			!spq_advise_operand(expr, &operand) || !OidIsValid(operand.operator))
			continue;
		rel = root->simple_rel_array[place];
		if (rel->rtekind != RTE_RELATION || planner_rt_fetch(place, root)->inh)
			continue;
		operand.purpose = AMOP_ORDER;
		describe_order(reasons, root, rel, expr, &operand,
					   spq_key_descends(key), uses);
	}
}
