/*-------------------------------------------------------------------------
 *
 * nearest_plan.c
 *	  Makes the plan of nearest rows from its path.
 *
 * The scan tuple is a row of the reading plan, and the distance:
 *
 *		[ t.id  t.g  t.g <-> $0 ]
 *
 * PostgreSQL turns all columns in our expressions, and the distance, into
 * references to it, so the distance is not computed again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "optimizer/planmain.h"

#include "nearest_node/executor/plan_format.h"
#include "nearest_node/nearest_node.h"
#include "nearest_node/planner/planner.h"

const CustomScanMethods spq_nearest_node_scan_methods = {
	.CustomName = SPQ_NEAREST_NODE_NAME,
	.CreateCustomScanState = spq_nearest_node_create_state,
};

/* PlanCustomPath */
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
