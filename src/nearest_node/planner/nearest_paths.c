/*-------------------------------------------------------------------------
 *
 * nearest_paths.c
 *	  Offers nearest rows to the planner.
 *
 * A subquery that returns the first rows of a relation in order of distance has
 * paths that return them for one value: an index scan, or a sort.  We add one that
 * keeps all rows in memory from one value to the next:
 *
 *		Limit
 *		  Incremental Sort			if the order has more keys
 *			Spqtree Nearest Rows
 *			  ordered path			the cheapest of the planner's own
 *			  reading path			a scan without the conditions that depend on
 *									the value, which are our filter; or the scan
 *									of an index, whose leaves the node reads
 *
 * So LATERAL and correlated subqueries, LIMIT and further conditions, keys and
 * columns are left to the planner.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planmain.h"
#include "optimizer/planner.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "custom_node.h"
#include "nearest_node/executor/plan_format.h"
#include "nearest_node/nearest_node.h"
#include "nearest_node/planner/planner.h"
#include "subquery/subquery.h"
#include "settings.h"
#include "spatial/operators/rights.h"
#include "types/registry.h"

const CustomScanMethods spq_nearest_node_scan_methods = {
	.CustomName = SPQ_NEAREST_NODE_NAME,
	.CreateCustomScanState = spq_nearest_node_create_state,
};

/*
 * Make the plan of a path (PlanCustomPath).  The scan tuple is a row of the reading
 * plan, and the distance:
 *
 *		[ t.id  t.g  t.g <-> $0 ]
 *
 * PostgreSQL turns all columns in our expressions, and the distance, into
 * references to it, so the distance is not computed again.
 */
static Plan *
make_plan(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path, List *tlist, List *clauses,
		  List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);
	Plan	   *reading = list_nth(custom_plans, SPQ_NEAREST_READING);
	Expr	   *distance;
	List	   *numbers;

	scan->flags = best_path->flags;
	scan->custom_plans = custom_plans;
	scan->methods = &spq_nearest_node_scan_methods;
	scan->scan.scanrelid = 0;
	scan->scan.plan.targetlist = tlist;
	scan->custom_exprs = list_nth(best_path->custom_private, SPQ_NEAREST_PATH_EXPRS);
	distance = linitial(list_nth(scan->custom_exprs, SPQ_NEAREST_EXPRS_ORDER));
	scan->custom_scan_tlist = lappend(copyObject(reading->targetlist),
									  makeTargetEntry(copyObject(distance),
													  list_length(reading->targetlist) + 1,
													  NULL, false));
	scan->custom_private = list_nth(best_path->custom_private, SPQ_NEAREST_PATH_PRIVATE);
	numbers = list_nth(scan->custom_private, SPQ_NEAREST_PRIVATE_NUMBERS);
	record_plan_function_dependency(root,
									(Oid) list_nth_int(numbers, SPQ_NEAREST_NUMBER_FUNCTION));
	return &scan->scan.plan;
}

const CustomPathMethods spq_nearest_node_path_methods = {
	.CustomName = SPQ_NEAREST_NODE_NAME,
	.PlanCustomPath = make_plan,
};

/*
 * Return whether a query is a subquery that returns the first rows of one table, or of
 * one with partitions, in an order, and no other extension chooses how the table is read.
 */
static bool
is_candidate(PlannerInfo *root, RelOptInfo *rel)
{
	const Query *query = root->parse;

	return root->parent_root != NULL && query->commandType == CMD_SELECT &&
		query->sortClause != NIL && query->limitCount != NULL &&
		limit_needed(unconstify(Query *, query)) && query->limitOption == LIMIT_OPTION_COUNT &&
		!query->hasAggs && query->groupClause == NIL && query->groupingSets == NIL &&
		query->havingQual == NULL && !query->hasWindowFuncs && query->distinctClause == NIL &&
		query->setOperations == NULL && !query->hasTargetSRFs && query->rowMarks == NIL &&
		!contain_volatile_functions(query->limitCount) && !contain_subplans(query->limitCount) &&
		!contain_volatile_functions(query->limitOffset) && !contain_subplans(query->limitOffset) &&
		spq_subquery_is_table(root, rel);
}

/* Return whether an expression has a value that may differ from one rescan to the next. */
static bool
changes_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param))
		return ((Param *) node)->paramkind != PARAM_EXTERN;
	return expression_tree_walker(node, changes_walker, context);
}

/*
 * Return whether an incremental sort can sort by further keys.  PostgreSQL's makes
 * its sorts once for all rescans, and may fail if their bound changes
 * (docs/notes/postgresql_bugs.md); so LIMIT and OFFSET must not change.
 */
static bool
can_sort_further(PlannerInfo *root)
{
	return enable_incremental_sort && !changes_walker(root->parse->limitCount, NULL) &&
		!changes_walker(root->parse->limitOffset, NULL);
}

/* Return the cheapest of the planner's paths for the first rows. */
static Path *
ordered_path(RelOptInfo *ordered_rel, double rows)
{
	Path	   *best = NULL;
	ListCell   *lc;

	foreach(lc, ordered_rel->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (best == NULL || spq_nearest_node_cost_of_rows(path, rows) <
			spq_nearest_node_cost_of_rows(best, rows))
			best = path;
	}
	return best;
}

/*
 * Return whether the first key of the order that the planner wants is the distance.
 * It leaves out keys that conditions make constant.
 */
static bool
is_first_key(PlannerInfo *root, const SpqNearestKey *key)
{
	ListCell   *lc;

	if (root->sort_pathkeys == NIL)
		return false;
	foreach(lc, linitial_node(PathKey, root->sort_pathkeys)->pk_eclass->ec_members)
	{
		if (equal(lfirst_node(EquivalenceMember, lc)->em_expr, key->expr))
			return true;
	}
	return false;
}

/* Return whether the arguments of the distance cannot raise an error. */
static bool
has_safe_values(const SpqNearestKey *key)
{
	ListCell   *lc;

	foreach(lc, key->distance.args)
	{
		if (!spq_subquery_is_safe(lfirst(lc)))
			return false;
	}
	return true;
}

/* Return about how many rows the query wants. */
static double
rows_wanted(PlannerInfo *root)
{
	return root->limit_tuples > 0 ? root->limit_tuples : 10;
}

/* Return LIMIT and OFFSET, which add up to the rows wanted. */
static List *
counts(const Query *query)
{
	List	   *exprs = list_make1(copyObject(query->limitCount));

	if (query->limitOffset)
		exprs = lappend(exprs, copyObject(query->limitOffset));
	return exprs;
}

static List *
floats(double unit, double margin, double factor, double searches)
{
	return list_make4(makeFloat(psprintf("%.17e", unit)), makeFloat(psprintf("%.17e", margin)),
					  makeFloat(psprintf("%.17e", factor)), makeFloat(psprintf("%.17e", searches)));
}

/* Make the path, without its costs. */
static CustomPath *
make_path(PlannerInfo *root, RelOptInfo *ordered_rel, Path *ordered, Path *reading)
{
	CustomPath *path = makeNode(CustomPath);

	path->path.pathtype = T_CustomScan;
	path->path.parent = ordered_rel;
	path->path.pathtarget = ordered->pathtarget;

	/* PostgreSQL runs no subquery with parameters of another query in workers */
	path->path.parallel_safe = false;
	path->path.rows = ordered->rows;
	path->path.pathkeys = list_make1(linitial(root->sort_pathkeys));
	spq_set_disabled_nodes(&path->path, Max(spq_disabled_nodes(ordered), spq_disabled_nodes(reading)));
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->custom_paths = list_make2(ordered, reading);
	path->methods = &spq_nearest_node_path_methods;
	return path;
}

/* What all paths for a query have in common. */
typedef struct Nearest
{
	PlannerInfo *root;
	RelOptInfo *ordered_rel;
	Path	   *ordered;
	SpqNearestKey key;
	List	   *filter;
	List	   *windows;
	List	   *kinds;			/* of the windows */
	double		wanted;
} Nearest;

/* Describe the plan in a path. */
static void
describe(CustomPath *path, const Nearest *nearest, SpqNearestReading how, double searches, bool on_disk)
{
	const SpqNearestKey *key = &nearest->key;
	const SpqSpatialDistance *distance = &key->distance;
	int			inner = key->argument;
	List	   *others,
			   *exprs,
			   *numbers;

	others = list_delete_nth_cell(list_copy(distance->args), inner);
	exprs = list_make5(list_make2(list_nth(distance->args, inner), distance->bounds[inner]),
					   lcons(distance->bounds[1 - inner], others), nearest->filter,
					   nearest->windows, counts(nearest->root->parse));
	exprs = lappend(exprs, list_make1(key->expr));
	numbers = list_make5_int((int) distance->function, (int) distance->collation, inner,
							 spq_type_number(distance->type[inner], InvalidOid),
							 spq_type_number(distance->type[1 - inner], InvalidOid));
	numbers = lappend_int(numbers, on_disk);
	numbers = lappend_int(numbers, list_length(nearest->root->sort_pathkeys) == 1);
	numbers = lappend_int(numbers, how != SPQ_NEAREST_PLAN);
	path->custom_private = list_make2(copyObject(exprs),
									  list_make3(numbers,
												 floats(distance->unit, distance->margin,
														distance->factor, searches), nearest->kinds));
}

/* Make a path, with its costs. */
static CustomPath *
nearest_path(const Nearest *nearest, Path *reading, SpqNearestReading how)
{
	CustomPath *path = make_path(nearest->root, nearest->ordered_rel, nearest->ordered, reading);
	double		searches;
	bool		on_disk;

	searches = spq_nearest_node_cost(nearest->root, path, &nearest->key, how, nearest->filter,
									 nearest->windows != NIL, nearest->wanted, &on_disk);
	describe(path, nearest, how, searches, on_disk);
	return path;
}

/*
 * Add a path.  add_path() would free the ordered path, if ours is better.  The choice is made
 * later, among the paths with a limit.
 */
static void
add_nearest_path(const Nearest *nearest, CustomPath *path)
{
	PlannerInfo *root = nearest->root;
	Path	   *result = (Path *) path;

	if (list_length(root->sort_pathkeys) > 1)
		result = (Path *) create_incremental_sort_path(root, nearest->ordered_rel, result,
													   root->sort_pathkeys, 1,
													   root->limit_tuples);
	nearest->ordered_rel->pathlist = lappend(nearest->ordered_rel->pathlist, result);
}

/* Add paths for nearest rows to a relation that has the ordered rows of another. */
void
spq_nearest_add_paths(PlannerInfo *root, RelOptInfo *rel, RelOptInfo *ordered_rel)
{
	Nearest		nearest = {.root = root,.ordered_rel = ordered_rel,.wanted = rows_wanted(root)};
	SpqNearestKey *key = &nearest.key;
	SpqNearestReading how;
	CustomPath *path;
	Path	   *reading,
			   *leaves;
	List	   *for_all,
			   *for_value,
			   *late,
			   *exprs;

	if (!is_candidate(root, rel) || !spq_nearest_node_key(root, key) ||
		!is_first_key(root, key) || (list_length(root->sort_pathkeys) > 1 && !can_sort_further(root)) ||
		!spq_subquery_divide_conditions(root, rel, &for_all, &for_value, &late) ||
		(nearest.ordered = ordered_path(ordered_rel, nearest.wanted)) == NULL)
		return;

	nearest.filter = spq_ordered_quals(root, list_concat_copy(for_value, late));

	/* a sort would evaluate these only for rows that satisfy the conditions */
	if (nearest.filter != NIL && !has_safe_values(key))
		return;

	/* an incremental sort above would come after volatile functions */
	if (list_length(root->sort_pathkeys) > 1 &&
		contain_volatile_functions((Node *) nearest.ordered->pathtarget->exprs))
		return;
	exprs = list_make3(nearest.ordered->pathtarget->exprs, nearest.filter, key->expr);
	reading = spq_subquery_reading_path(root, rel, for_all, list_nth(key->distance.args, key->argument),
										exprs);
	if (reading == NULL ||
		!spq_spatial_may_execute(root, (Node *) list_make2(key->distance.bounds[0],
														   key->distance.bounds[1])))
		return;
	nearest.windows = spq_nearest_node_windows(root, key, spq_ordered_quals(root, for_value),
											   &nearest.kinds);
	leaves = spq_nearest_leaves_path(root, rel, for_all, key, exprs, &how);

	/*
	 * an incremental sort is taken to need many rows; so choose by the rows
	 * that are wanted
	 */
	path = nearest_path(&nearest, reading, SPQ_NEAREST_PLAN);
	if (leaves)
	{
		CustomPath *by_leaves = nearest_path(&nearest, leaves, how);

		if (spq_nearest_node_cost_of_rows(&by_leaves->path, nearest.wanted) <
			spq_nearest_node_cost_of_rows(&path->path, nearest.wanted))
			path = by_leaves;
	}
	add_nearest_path(&nearest, path);
}
