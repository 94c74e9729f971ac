/*-------------------------------------------------------------------------
 *
 * repeated_paths.c
 *	  Offers repeated searches for tables of subqueries, and makes their plans.
 *
 *		SELECT (SELECT count(*) FROM t WHERE t.b && o.b) FROM o
 *
 *		Custom Scan (Spqtree Repeated Search)
 *		  ->  Seq Scan on t							for the first values of o.b
 *				Filter: (b && $0)
 *		  ->  Custom Scan (Spqtree Spatial Hash Join)	for all others
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "nodes/makefuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/restrictinfo.h"

#include "compat.h"
#include "join_node/join_node.h"
#include "nearest_node/nearest_node.h"
#include "path_list.h"
#include "reasons/reasons.h"
#include "repeated_node/repeated_node.h"
#include "settings.h"
#include "spatial/distance/distance_bound.h"
#include "subquery/subquery.h"

/*
 * The planner's own path must cost at least this part of reading all rows.  If a
 * query turns out to have one value more than that path is used for, it takes at
 * most 2 / (1 + LEAST) times as long as with that path alone.
 */
#define LEAST		(1.0 / 3)

#define MEMORY		0.8			/* of what a join may take, since rows are
								 * estimates */
#define VALUES		1000		/* if their number is not known */
#define SEARCH		200			/* a search, in units of cpu_operator_cost */

/* Make the plan (PlanCustomPath). */
static Plan *
make_plan(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path, List *tlist, List *clauses,
		  List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);

	scan->methods = &spq_repeated_node_scan_methods;
	scan->flags = best_path->flags;
	scan->custom_plans = custom_plans;
	scan->custom_private = best_path->custom_private;
	scan->custom_scan_tlist = copyObject(((Plan *) linitial(custom_plans))->targetlist);
	scan->scan.scanrelid = 0;
	scan->scan.plan.targetlist = tlist;
	return &scan->scan.plan;
}

const CustomScanMethods spq_repeated_node_scan_methods = {
	.CustomName = SPQ_REPEATED_NODE_NAME,
	.CreateCustomScanState = spq_repeated_create_state,
};

static const CustomPathMethods path_methods = {
	.CustomName = SPQ_REPEATED_NODE_NAME,
	.PlanCustomPath = make_plan,
};

/* Return whether a path of a table is a repeated search, below a projection or not. */
bool
spq_repeated_is_path(const Path *path)
{
	if (IsA(path, ProjectionPath))
		path = ((const ProjectionPath *) path)->subpath;
	return IsA(path, CustomPath) && ((const CustomPath *) path)->methods == &path_methods;
}

/* Return the cheapest of the planner's paths for one value. */
static Path *
cheapest_path(const RelOptInfo *rel)
{
	Path	   *best = NULL;
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (PATH_REQ_OUTER(path) == NULL && (best == NULL || spq_path_comes_before(path, best)))
			best = path;
	}
	return best;
}

/*
 * Return a copy of a path, or NULL if it is of an unexpected kind.  If the subquery
 * has nothing above its table, as with OFFSET 0, the planner passes both the path and
 * ours to add_path(), which frees the one that the other beats.  It frees no index
 * paths, and nothing below a path.
 */
static Path *
copy_of_path(Path *path)
{
	Size		size;
	Path	   *copy;

	switch (nodeTag(path))
	{
		case T_IndexPath:
			return path;
		case T_Path:
			size = sizeof(Path);
			break;
		case T_BitmapHeapPath:
			size = sizeof(BitmapHeapPath);
			break;
		case T_TidPath:
			size = sizeof(TidPath);
			break;
		case T_TidRangePath:
			size = sizeof(TidRangePath);
			break;
		case T_AppendPath:
			size = sizeof(AppendPath);
			break;
		case T_MergeAppendPath:
			size = sizeof(MergeAppendPath);
			break;
		default:
			return NULL;
	}
	copy = palloc(size);
	memcpy(copy, path, size);
	return copy;
}

/* Return the arguments of an operator or a function; NIL if an expression is neither. */
static List *
arguments(const Node *node)
{
	if (IsA(node, OpExpr))
		return ((const OpExpr *) node)->args;
	return IsA(node, FuncExpr) ? ((const FuncExpr *) node)->args : NIL;
}

/* Return whether an expression raises no error, or is a distance of such. */
static bool
is_safe(Node *node)
{
	SpqSpatialDistance distance;
	ListCell   *lc;

	if (spq_subquery_is_safe(node))
		return true;
	if (!spq_spatial_distance(node, &distance))
		return false;
	foreach(lc, arguments(node))
	{
		if (!spq_subquery_is_safe(lfirst(lc)))
			return false;
	}
	return true;
}

/*
 * Return whether the key raises no error that the planner's path would not raise.  The
 * passed side is evaluated even if no row needs it, and the other side for all rows, also
 * those that fail other conditions.
 */
static bool
has_safe_key(PlannerInfo *root, const SpqNodeSearch *search)
{
	List	   *args = arguments((const Node *) search->condition->clause);
	bool		alone = list_length(search->conditions) == 1;
	ListCell   *lc;

	foreach(lc, args)
	{
		if (!(alone && !spq_subquery_depends(root, lfirst(lc))) && !is_safe(lfirst(lc)))
			return false;
	}
	return args != NIL;
}

/*
 * Make the path, with the cost of a search, to which reading the rows adds its share.
 * "cost" is what the planner's path really costs.
 */
static CustomPath *
make_path(RelOptInfo *rel, Path *once, Cost cost, Path *kept, double values)
{
	CustomPath *path = makeNode(CustomPath);
	int			first = (int) ceil(kept->startup_cost / cost);
	Cost		search = kept->total_cost - kept->startup_cost + SEARCH * cpu_operator_cost,
				share = (kept->startup_cost + first * cost) / values;

	path->path.pathtype = T_CustomScan;
	path->path.parent = rel;
	path->path.pathtarget = rel->reltarget;
	path->path.rows = rel->rows;
	/* PostgreSQL runs no subquery with parameters of another query in workers */
	path->path.parallel_safe = false;
	path->path.startup_cost = share;
	path->path.total_cost = share + search;
	spq_set_disabled_nodes(&path->path, Max(spq_disabled_nodes(once), spq_disabled_nodes(kept)));
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->custom_paths = list_make2(once, kept);
	path->custom_private = list_make1_int(first);
	path->methods = &path_methods;
	return path;
}

/* Add a path for a table whose rows are searched for many values, without an index. */
void
spq_repeated_add_paths(PlannerInfo *root, RelOptInfo *rel)
{
	SpqNodeSearch search;
	List	   *for_all,
			   *for_value,
			   *late;
	Expr	   *value;
	Path	   *once,
			   *reading,
			   *kept;
	CustomPath *path;
	Cost		cost;
	double		values,
				memory,
				limit = spq_node_memory_limit() * MEMORY;

	/* nearest rows keep the table themselves */
	if (root->parse->rowMarks != NIL || (spq_enable_nearest && spq_nearest_orders_rows(root)) ||
		!spq_subquery_is_table(root, rel) ||
		!spq_subquery_divide_conditions(root, rel, &for_all, &for_value, &late) || for_value == NIL ||
		!spq_node_find_search(root, for_value, &search) || (once = cheapest_path(rel)) == NULL ||
		(once = copy_of_path(once)) == NULL)
		return;
	search.conditions = list_concat_copy(for_value, late);
	value = spq_node_search_value(&search, false);
	if (spq_subquery_depends(root, (Node *) value) || !has_safe_key(root, &search))
		return;
	reading = spq_subquery_reading_path(root, rel, for_all, value,
										list_make2(rel->reltarget->exprs,
												   extract_actual_clauses(search.conditions, false)));
	if (reading == NULL)
		return;
	memory = spq_node_search_memory(&search, reading);
	if (spq_reasons)
		spq_reasons_note_search(root, rel->relid, memory, limit);
	if (memory > limit)
		return;
	kept = spq_node_search_path(root, rel, &search, reading);

	/*
	 * evaluating a condition on values of variable length includes what
	 * making a box of them takes
	 */
	cost = once->total_cost + spq_node_box_cost(value) * reading->rows;
	if (cost < kept->startup_cost * LEAST)
		return;
	values = spq_subquery_outer_rows(root, (Node *) spq_node_search_value(&search, true));
	path = make_path(rel, once, cost, kept, values > 0 ? values : VALUES);
	if (path->path.total_cost < once->total_cost)
		rel->pathlist = spq_insert_paths(rel->pathlist, list_make1(path));
}
