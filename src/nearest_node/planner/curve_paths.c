/*-------------------------------------------------------------------------
 *
 * curve_paths.c
 *	  Loops over rows in the order of a curve.
 *
 * Where a nested loop searches for nearest rows, it is faster if values that follow
 * each other are near each other, because their searches read the same memory.  So
 * we add a copy of the loop with the outer rows in order:
 *
 *		Nested Loop
 *		  Spqtree Curve Order
 *			outer path
 *		  Subquery Scan
 *			Limit
 *			  Spqtree Nearest Rows
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "compat.h"
#include "nearest_node/executor/plan_format.h"
#include "nearest_node/nearest_node.h"
#include "nearest_node/planner/planner.h"
#include "subquery/subquery.h"

/* Costs of a row, in units of cpu_operator_cost: of the order, and what it saves. */
#define ORDER_ROW	8
#define SAVED		16
#define SAVED_ON_DISK	90

const CustomScanMethods spq_nearest_curve_scan_methods = {
	.CustomName = SPQ_NEAREST_CURVE_NAME,
	.CreateCustomScanState = spq_nearest_curve_create_state,
};

/* PlanCustomPath */
static Plan *
make_plan(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path, List *tlist, List *clauses,
		  List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);
	Plan	   *child = linitial(custom_plans);

	scan->flags = best_path->flags;
	scan->custom_plans = custom_plans;
	scan->methods = &spq_nearest_curve_scan_methods;
	scan->scan.scanrelid = 0;
	scan->scan.plan.targetlist = tlist;
	scan->custom_scan_tlist = copyObject(child->targetlist);
	scan->custom_exprs = linitial(best_path->custom_private);
	scan->custom_private = lsecond(best_path->custom_private);
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {
	.CustomName = SPQ_NEAREST_CURVE_NAME,
	.PlanCustomPath = make_plan,
};

/* Return the path of nearest rows in a path of a subquery, or NULL. */
static CustomPath *
find_nearest(Path *path)
{
	for (;;)
	{
		switch (nodeTag(path))
		{
			case T_SubqueryScanPath:
				path = ((SubqueryScanPath *) path)->subpath;
				break;
			case T_LimitPath:
				path = ((LimitPath *) path)->subpath;
				break;
			case T_ProjectionPath:
				path = ((ProjectionPath *) path)->subpath;
				break;
			case T_IncrementalSortPath:
				path = ((IncrementalSortPath *) path)->spath.subpath;
				break;
			case T_CustomPath:
				return ((CustomPath *) path)->methods == &spq_nearest_node_path_methods ?
					(CustomPath *) path : NULL;
			default:
				return NULL;
		}
	}
}

typedef struct Translation
{
	List	   *params;			/* of the subquery */
	List	   *columns;		/* that the outer path returns */
	bool		failed;
} Translation;

/*
 * Return the column of a path that is this variable, in the form that it has there:
 * since PostgreSQL 16, one above an outer join differs from the same one below it.
 */
static Node *
find_column(const Var *var, List *columns)
{
	ListCell   *lc;

	foreach(lc, columns)
	{
		Var		   *column = lfirst(lc);

		if (IsA(column, Var) && column->varno == var->varno && column->varattno == var->varattno)
			return copyObject((Node *) column);
	}
	return NULL;
}

/* Replace the parameters of a subquery by the columns of the outer relation. */
static Node *
as_columns(Node *node, void *context)
{
	Translation *translation = context;
	ListCell   *lc;

	if (node == NULL)
		return NULL;
	if (!IsA(node, Param) || ((Param *) node)->paramkind != PARAM_EXEC)
		return expression_tree_mutator(node, as_columns, context);
	foreach(lc, translation->params)
	{
		PlannerParamItem *item = lfirst_node(PlannerParamItem, lc);
		Node	   *column;

		if (item->paramId == ((Param *) node)->paramid && IsA(item->item, Var) &&
			(column = find_column((Var *) item->item, translation->columns)) != NULL)
			return column;
	}
	translation->failed = true;
	return node;
}

/* Return a number in a path of nearest rows. */
static int
number_of(const CustomPath *nearest, int number)
{
	return list_nth_int(list_nth(list_nth(nearest->custom_private, SPQ_NEAREST_PATH_PRIVATE),
								 SPQ_NEAREST_PRIVATE_NUMBERS), number);
}

/* Return a path with the rows of another in order, or NULL. */
static CustomPath *
curve_path(Path *outer, RelOptInfo *inner_rel, const CustomPath *nearest)
{
	List	   *exprs = list_nth(nearest->custom_private, SPQ_NEAREST_PATH_EXPRS);
	List	   *outer_exprs = list_nth(exprs, SPQ_NEAREST_EXPRS_OUTER);
	Translation translation = {inner_rel->subplan_params, outer->pathtarget->exprs, false};
	Node	   *bounds = as_columns(linitial(outer_exprs), &translation);
	CustomPath *path = makeNode(CustomPath);

	/* it is evaluated for all outer rows, also if no search needs it */
	if (translation.failed || !spq_subquery_is_safe(lsecond(outer_exprs)))
		return NULL;
	path->path.pathtype = T_CustomScan;
	path->path.parent = outer->parent;
	path->path.pathtarget = outer->pathtarget;
	path->path.param_info = outer->param_info;
	path->path.parallel_safe = false;	/* as the search */
	path->path.rows = outer->rows;
	path->path.startup_cost = outer->total_cost + ORDER_ROW * cpu_operator_cost * outer->rows;
	path->path.total_cost = path->path.startup_cost + cpu_operator_cost * outer->rows;
	spq_set_disabled_nodes(&path->path, spq_disabled_nodes(outer));
	path->custom_paths = list_make1(outer);
	path->custom_private = list_make2(list_make1(bounds),
									  list_make1_int(number_of(nearest, SPQ_NEAREST_NUMBER_OUTER_KIND)));
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->methods = &path_methods;
	return path;
}

/* Return a loop like another, over outer rows in order, or NULL. */
static NestPath *
ordered_loop(Path *path, RelOptInfo *inner_rel)
{
	NestPath   *loop;
	CustomPath *nearest,
			   *outer;
	double		rows;
	int			saved;

	if (!IsA(path, NestPath) || ((NestPath *) path)->jpath.innerjoinpath->parent != inner_rel)
		return NULL;
	outer = (CustomPath *) ((NestPath *) path)->jpath.outerjoinpath;
	if (IsA(outer, CustomPath) && outer->methods == &path_methods)
		return NULL;
	loop = makeNode(NestPath);
	memcpy(loop, path, sizeof(NestPath));
	nearest = find_nearest(loop->jpath.innerjoinpath);
	if (nearest == NULL)
		return NULL;
	rows = loop->jpath.outerjoinpath->rows;
	outer = curve_path(loop->jpath.outerjoinpath, inner_rel, nearest);
	if (outer == NULL)
		return NULL;
	saved = number_of(nearest, SPQ_NEAREST_NUMBER_ON_DISK) ? SAVED_ON_DISK : SAVED;
	loop->jpath.path.pathkeys = NIL;
	loop->jpath.path.startup_cost += outer->path.startup_cost -
		loop->jpath.outerjoinpath->startup_cost;
	loop->jpath.path.total_cost += outer->path.total_cost -
		loop->jpath.outerjoinpath->total_cost - saved * cpu_operator_cost * rows;
	loop->jpath.outerjoinpath = &outer->path;
	return loop;
}

/* Offer loops over rows in order, beside the other paths of a join. */
void
spq_nearest_add_curve_paths(RelOptInfo *joinrel, RelOptInfo *innerrel)
{
	List	   *loops = NIL;
	ListCell   *lc;

	if (innerrel->rtekind != RTE_SUBQUERY ||
		innerrel->subplan_params == NIL)
		return;

	/* add_path() changes the list */
	foreach(lc, joinrel->pathlist)
	{
		NestPath   *loop = ordered_loop(lfirst(lc), innerrel);

		if (loop)
			loops = lappend(loops, loop);
	}
	foreach(lc, loops)
		add_path(joinrel, lfirst(lc));
}
