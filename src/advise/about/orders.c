/*-------------------------------------------------------------------------
 *
 * orders.c
 *	  ORDER BY a distance, and the indexes that return rows in this order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_amop.h"
#include "catalog/pg_class.h"
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

/* What the plan does for an order, and what the indexes of a table could do. */
typedef struct Order
{
	const SpqAdviseUse *use;	/* or NULL */
	const IndexOptInfo *index;	/* of the expression, or NULL */
	bool		usable;			/* it has the order */
} Order;

static Order
order_of(RelOptInfo *rel, const SpqAdviseOperand *operand, List *uses)
{
	Order		order;

	order.use = find_use(uses, rel, operand);
	order.index = spq_advise_find_index(rel, operand, &order.usable);
	return order;
}

/*
 * Find the same for a table with partitions: that of the first one whose rows are
 * sorted, or that of any.  Set *all and *ordered to the number of partitions that the
 * plan reads, and of those whose indexes return rows in the order.
 */
static Order
order_of_children(PlannerInfo *root, RelOptInfo *parent, Node *expr, List *uses, int *all,
				  int *ordered, double *rows)
{
	Order		result = {0};

	*all = *ordered = 0;
	*rows = 0;
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];
		SpqAdviseOperand operand;
		Order		order;

		if (!spq_advise_is_child(root, parent, rel) ||
			!spq_advise_operand(spq_advise_of_child(root, parent, rel, expr), &operand))
			continue;
		operand.purpose = AMOP_ORDER;
		order = order_of(rel, &operand, uses);
		if (*all == *ordered)
			result = order;
		(*all)++;
		*rows += rel->tuples;
		*ordered += order.use != NULL;
	}
	return result;
}

static void
describe_order(SpqReasons *reasons, PlannerInfo *root, RelOptInfo *rel, Node *expr,
			   const SpqAdviseOperand *operand, bool descending, List *uses)
{
	bool		inherited = planner_rt_fetch(rel->relid, root)->inh;
	Oid			relid = planner_rt_fetch(rel->relid, root)->relid;
	char	   *create = spq_advise_index_for(root, rel, operand),
			   *advice = NULL,
			   *finding;
	double		rows = rel->tuples;
	int			all = 0,
				ordered = 0;
	Order		order = order_of(rel, operand, uses);

	if (inherited && order.use == NULL)
		order = order_of_children(root, rel, expr, uses, &all, &ordered, &rows);
	if (create == NULL && order.use == NULL && !order.usable)
		return;					/* not a distance that indexes have */
	if (order.use && all == 0)
		finding = psprintf("%s returns rows in this order",
						   order.use->index ? spq_advise_index(order.use->index) : SPQ_NEAREST_NODE_NAME);
	else if (ordered > 0)
		finding = ordered == all ? psprintf("indexes of all %d partitions return rows in this order", all) :
			psprintf("indexes of %d of %d partitions return rows in this order", ordered, all);
	else if (descending)
		finding = "the farthest rows first: no index has this order, so rows are sorted";
	else if (root->parse->limitCount == NULL)
		finding = "rows are sorted: without LIMIT, an index in this order is not faster";
	else if (order.usable)
		finding = psprintf("%s could return rows in this order, but the plan costs less",
						   spq_advise_index(order.index));
	else
	{
		finding = order.index ? psprintf("%s does not have the operator, so rows are sorted",
										 spq_advise_index(order.index)) :
			"no index in this order, so rows are sorted";
		advice = create;
	}
	spq_advise_unless_small(rows, &finding, &advice);
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
		if (rel->rtekind != RTE_RELATION ||
			(planner_rt_fetch(place, root)->inh &&
			 planner_rt_fetch(place, root)->relkind != RELKIND_PARTITIONED_TABLE))
			continue;
		operand.purpose = AMOP_ORDER;
		describe_order(reasons, root, rel, expr, &operand,
					   spq_key_descends(key), uses);
	}
}
