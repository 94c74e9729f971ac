/*-------------------------------------------------------------------------
 *
 * describe.c
 *	  Makes lines of what was noted while a statement was planned.
 *
 * The plan has lost what the planner knew: which conditions were looked at, and the
 * paths that lost.  The planner's data are still there when it returns, so the lines
 * are made then, from the paths that make up the plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"
#include "optimizer/planner.h"

#include "advise/advise.h"
#include "nearest_node/executor/plan_format.h"

/* What the walk over the paths of a query collects. */
typedef struct Walk
{
	SpqReasons *reasons;
	List	   *roots;			/* of the query levels visited */
	List	   *joins;			/* SpqReasonJoin, described already */
	List	   *uses;			/* SpqAdviseUse of conditions */
	List	   *orders;			/* and of orders */
} Walk;

static SpqAdviseUse *
use_of(const RelOptInfo *rel, Node *clause, IndexOptInfo *index)
{
	SpqAdviseUse *use = palloc(sizeof(SpqAdviseUse));

	use->rel = rel;
	use->clause = clause;
	use->index = index;
	return use;
}

static void
note_index(Walk *walk, const IndexPath *path)
{
	ListCell   *lc;

	foreach(lc, path->indexclauses)
	{
		Node	   *clause = (Node *) lfirst_node(IndexClause, lc)->rinfo->clause;

		walk->uses = lappend(walk->uses, use_of(path->path.parent, clause, path->indexinfo));
	}
	foreach(lc, path->indexorderbys)
		walk->orders = lappend(walk->orders, use_of(path->path.parent, lfirst(lc), path->indexinfo));
}

/* Our node returns rows of the only relation of a query level. */
static void
note_nearest(Walk *walk, const PlannerInfo *root)
{
	const RelOptInfo *rel = root->simple_rel_array[bms_singleton_member(root->all_baserels)];

	walk->orders = lappend(walk->orders, use_of(rel, NULL, NULL));
}

static void
note_bitmap(Walk *walk, Path *path)
{
	List	   *inner = IsA(path, BitmapAndPath) ? ((BitmapAndPath *) path)->bitmapquals :
		IsA(path, BitmapOrPath) ? ((BitmapOrPath *) path)->bitmapquals : NIL;
	ListCell   *lc;

	if (IsA(path, IndexPath))
		note_index(walk, (IndexPath *) path);
	foreach(lc, inner)
		note_bitmap(walk, lfirst(lc));
}

static void
describe_join(Walk *walk, PlannerInfo *root, Path *path)
{
	Relids		relids = IS_OTHER_REL(path->parent) ? path->parent->top_parent_relids :
		path->parent->relids;
	ListCell   *lc;

	foreach(lc, walk->reasons->joins)
	{
		SpqReasonJoin *join = lfirst(lc);

		if (join->root != root || !bms_equal(join->relids, relids) ||
			list_member_ptr(walk->joins, join))
			continue;
		walk->joins = lappend(walk->joins, join);
		spq_advise_join(walk->reasons, join, path);
	}
}

/* SpqAdviseVisit */
static void
visit(PlannerInfo *root, Path *path, void *arg)
{
	Walk	   *walk = arg;

	walk->roots = list_append_unique_ptr(walk->roots, root);
	switch (nodeTag(path))
	{
		case T_IndexPath:
			note_index(walk, (IndexPath *) path);
			break;
		case T_BitmapHeapPath:
			note_bitmap(walk, ((BitmapHeapPath *) path)->bitmapqual);
			break;
		case T_NestPath:
		case T_HashPath:
		case T_MergePath:
		case T_CustomPath:
			if (IS_JOIN_REL(path->parent))
				describe_join(walk, root, path);
			else if (strcmp(((CustomPath *) path)->methods->CustomName, SPQ_NEAREST_NODE_NAME) == 0)
				note_nearest(walk, root);
			break;
		default:
			break;
	}
}

/*
 * Make the lines of a statement: the outermost query first, then subqueries that are no
 * relations of another query, which the walk did not reach.
 */
void
spq_advise_describe(SpqReasons *reasons, PlannedStmt *statement)
{
	MemoryContext before = MemoryContextSwitchTo(reasons->context);
	Walk		walk = {.reasons = reasons};
	ListCell   *lc;

	reasons->statement = statement;
	for (int i = list_length(reasons->queries) - 1; i >= 0; i--)
	{
		const SpqReasonQuery *query = list_nth(reasons->queries, i);

		if (list_member_ptr(walk.roots, query->root))
			continue;
		spq_advise_paths(query->root, query->root->parent_root ? query->final->cheapest_total_path :
						 get_cheapest_fractional_path(query->final, query->root->tuple_fraction),
						 visit, &walk);
	}
	foreach(lc, reasons->queries)
	{
		PlannerInfo *root = ((SpqReasonQuery *) lfirst(lc))->root;

		spq_advise_scans(reasons, root, walk.uses);
		spq_advise_order(reasons, root, walk.orders);
	}
	MemoryContextSwitchTo(before);
}
