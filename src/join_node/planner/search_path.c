/*-------------------------------------------------------------------------
 *
 * search_path.c
 *	  A join of one row with a table: the rows that satisfy conditions on values
 *	  passed to a subquery.
 *
 *		SELECT ... FROM t WHERE t.b && $0
 *
 *		Custom Scan (Spqtree Spatial Hash Join)
 *		  Join Cond: ($0 && t.b)
 *		  ->  Result						no columns: the key is $0
 *		  ->  Seq Scan on t
 *
 * A rescan for other values keeps the build side, as in any join.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"

#include "compat.h"
#include "join_node/join_node.h"
#include "join_node/planner/planner.h"
#include "settings.h"
#include "spatial/join_clause.h"
#include "spatial/operators/rights.h"

/* Return a path of one row without columns, of no relation. */
static Path *
one_row(PlannerInfo *root)
{
	RelOptInfo *rel = makeNode(RelOptInfo);

	rel->reloptkind = RELOPT_BASEREL;	/* no aggregate that EXPLAIN would
										 * name */
	rel->reltarget = create_empty_pathtarget();
	rel->rows = 1;
	return (Path *) create_group_result_path(root, rel, rel->reltarget, NIL);
}

/*
 * Return the key of a condition, between a value of the table and one that is passed, or
 * NULL.  Describe its operator.
 */
static RestrictInfo *
find_key(PlannerInfo *root, RestrictInfo *rinfo, List *conditions, SpqSpatialOperator *op)
{
	OpExpr	   *clause = spq_spatial_implied_clause(root, rinfo, conditions, NULL, op);
	RestrictInfo *key;
	Relids		left,
				right;

	if (clause == NULL || contain_volatile_functions((Node *) clause) ||
		(clause != (OpExpr *) rinfo->clause && !spq_spatial_may_execute(root, (Node *) clause)))
		return NULL;
	left = pull_varnos(root, linitial(clause->args));
	right = pull_varnos(root, lsecond(clause->args));
	if (bms_is_empty(left) == bms_is_empty(right))
		return NULL;
	key = makeNode(RestrictInfo);
	memcpy(key, rinfo, sizeof(RestrictInfo));
	key->clause = (Expr *) clause;
	key->orclause = NULL;
	key->left_relids = left;
	key->right_relids = right;
	return key;
}

bool
spq_node_find_search(PlannerInfo *root, List *conditions, SpqNodeSearch *search)
{
	Selectivity best = 2;
	ListCell   *lc;

	search->conditions = conditions;
	search->key = NULL;
	if (spq_enable_hashjoin == SPQ_HASHJOIN_OFF || spq_node_is_disabled())
		return false;
	foreach(lc, conditions)
	{
		SpqSpatialOperator op = {0};
		RestrictInfo *key = find_key(root, lfirst_node(RestrictInfo, lc), conditions, &op);
		Selectivity selectivity;

		if (key == NULL)
			continue;
		selectivity = clause_selectivity(root, lfirst(lc), 0, JOIN_INNER, NULL);
		if (selectivity < best)
		{
			best = selectivity;
			search->condition = lfirst_node(RestrictInfo, lc);
			search->key = key;
			search->op = op;
		}
	}
	return search->key != NULL;
}

Expr *
spq_node_search_value(const SpqNodeSearch *search, bool passed)
{
	bool		left_is_passed = bms_is_empty(search->key->left_relids);
	const OpExpr *clause = (const OpExpr *) search->key->clause;

	return list_nth(clause->args, left_is_passed == passed ? 0 : 1);
}

Path *
spq_node_search_path(PlannerInfo *root, RelOptInfo *rel, const SpqNodeSearch *search, Path *reading)
{
	JoinPathExtraData extra = {.restrictlist = search->conditions};
	SpqNodeClauses clauses = {
		.key = search->key,.condition = search->condition,.op = search->op,
		.per_match = 1,.meeting_per_match = 1,.left_part = 1,.right_part = 1
	};
	SpqNodeContext context = {root, rel, &extra, &clauses};
	SpqNodePathKind kind = {.kind = SPQ_NODE_EMIT_PAIRS,.exchanged = !bms_is_empty(search->key->left_relids)};
	List	   *conditions;
	CustomPath *path;

	spq_set_default_joins(root, &extra);
	path = spq_node_make_path(&context, one_row(root), reading, kind, NULL, &conditions);
	(void) spq_node_cost(root, path, conditions, &clauses, NULL, false, kind.exchanged);
	return &path->path;
}

Size
spq_node_search_memory(const SpqNodeSearch *search, const Path *reading)
{
	return spq_node_build_memory(&search->op, reading);
}
