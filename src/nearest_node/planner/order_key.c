/*-------------------------------------------------------------------------
 *
 * order_key.c
 *	  The distance by which a query orders its rows.  See planner.h.
 *
 * In a subquery that is run for each row of another relation, the columns of that
 * relation are parameters:
 *
 *		SELECT ... FROM o, LATERAL (SELECT ... FROM t ORDER BY t.g <-> o.g LIMIT 3)
 *
 *		ORDER BY t.g <-> $0		one argument of t, the others of parameters
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_operator_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"

#include "nearest_node/nearest_node.h"
#include "nearest_node/planner/planner.h"
#include "subquery/subquery.h"

/* Find the row's value among the arguments of a distance. */
static bool
find_argument(PlannerInfo *root, SpqNearestKey *key)
{
	bool		depends = false;
	int			found = -1;

	for (int i = 0; i < list_length(key->distance.args); i++)
	{
		Node	   *arg = list_nth(key->distance.args, i);

		if (bms_is_empty(pull_varnos(root, arg)))
			depends |= spq_subquery_depends(root, arg);
		else if (i < 2 && found < 0 && !spq_subquery_depends(root, arg))
			found = i;
		else
			return false;
	}
	key->argument = found;
	return found >= 0 && depends;
}

/* Return whether the query's order begins with a distance from values of another query. */
bool
spq_nearest_node_key(PlannerInfo *root, SpqNearestKey *key)
{
	SortGroupClause *first = linitial_node(SortGroupClause, root->parse->sortClause);

	if (first->sortop != Float8LessOperator || first->nulls_first)
		return false;
	key->expr = get_sortgroupclause_expr(first, root->processed_tlist);
	return spq_spatial_distance(key->expr, &key->distance) &&
		find_argument(root, key) &&
		!contain_volatile_functions(key->expr) && !contain_subplans(key->expr);
}

bool
spq_nearest_orders_rows(PlannerInfo *root)
{
	SpqNearestKey key;

	return root->parse->sortClause != NIL && root->parse->limitCount != NULL &&
		spq_nearest_node_key(root, &key);
}
