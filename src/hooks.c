/*-------------------------------------------------------------------------
 *
 * hooks.c
 *	  All hooks of the library, in the order in which they run.
 *
 * No other file sets a hook of PostgreSQL, or registers a node.  "Before" and
 * "after" say when ours runs, relative to the hook of a library that was loaded
 * earlier.
 *
 *	hook					what ours does					 when	 switched off by
 *	-----------------------------------------------------------------------------
 *	planner_hook			replaces functions by their		 after	 enable_equivalents
 *							equivalents in the whole plan
 *	get_relation_info_hook	shows GiST families for our		 after
 *							indexes on other extensions'
 *							types
 *	set_rel_pathlist_hook	1. row estimates of conditions,	 before
 *							   and paths for implied ones
 *							2. keeps some orders out of		 after	 nothing
 *							   workers
 *							3. costs index scans again		 after
 *							4. repeated searches			 after	 enable_repeated
 *	set_join_pathlist_hook	1. spatial hash joins,			 after	 enable_hashjoin,
 *							   joins of two indexes,				 enable_indexjoin,
 *							   and semi joins by an index			 enable_unique_semijoin
 *							2. loops in the order of a		 after	 enable_nearest
 *							   curve, made from all paths
 *	create_upper_paths_hook	1. nearest rows, at ORDER BY	 after	 enable_nearest
 *							2. joins whose rows are			 after	 enable_counts
 *							   counted, at GROUP BY
 *							3. notes query levels			 after	 nothing
 *	ProcessUtility_hook		hints of errors of CREATE INDEX	 around	 nothing
 *	explain_validate_options_hook
 *							EXPLAIN (SPQTREE) asks for		 after
 *							reasons, which planner_hook makes
 *	explain_per_node_hook	what scans of our indexes read	 after
 *	explain_per_plan_hook	the reasons						 after
 *
 * The settings begin with "spqtree.".  spqtree.enable switches off all but the
 * EXPLAIN hooks, which do nothing unless the option is there, ProcessUtility_hook,
 * which changes no more than a hint, 3. of create_upper_paths_hook, which notes only
 * where reasons are wanted, and 2. of set_rel_pathlist_hook, which mends a fault of
 * PostgreSQL.  The EXPLAIN hooks exist since PostgreSQL 18; build_simple_rel_hook
 * replaces get_relation_info_hook in 19.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/explain.h"
#include "nodes/extensible.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "optimizer/planner.h"
#include "tcop/utility.h"

#include "advise/advise.h"
#include "advise/explain_reasons.h"
#include "compat.h"
#include "error_hints.h"
#include "estimate/join/selectivity.h"
#include "estimate/paths/paths.h"
#include "estimate/scan/scan.h"
#include "hooks.h"
#include "inspect/explain_option.h"
#include "join_node/join_node.h"
#include "nearest_node/nearest_node.h"
#include "reasons/reasons.h"
#include "repeated_node/repeated_node.h"
#include "rtree/gist_conditions.h"
#include "settings.h"
#include "spatial/extension/equivalent_plan.h"

static const CustomScanMethods *const own_nodes[] = {
	&spq_node_scan_methods,
	&spq_node_index_scan_methods,
	&spq_nearest_node_scan_methods,
	&spq_nearest_curve_scan_methods,
	&spq_repeated_node_scan_methods
};

/* The hooks of libraries that were loaded earlier. */
static planner_hook_type previous_planner;
static spq_relation_hook_type previous_relation;
static set_rel_pathlist_hook_type previous_rel_paths;
static set_join_pathlist_hook_type previous_join_paths;
static create_upper_paths_hook_type previous_upper_paths;
static ProcessUtility_hook_type previous_utility;

static bool
is_ours(const CustomScan *scan)
{
	for (int i = 0; i < (int) lengthof(own_nodes); i++)
	{
		if (scan->methods == own_nodes[i])
			return true;
	}
	return false;
}

static PlannedStmt *
make_plan(SPQ_PLANNER_ARGS)
{
	return previous_planner ? previous_planner(SPQ_PLANNER_PASS) :
		standard_planner(SPQ_PLANNER_PASS);
}

static PlannedStmt *
make_plan_with_reasons(SPQ_PLANNER_ARGS)
{
	PlannedStmt *volatile statement = NULL;
	SpqReasons *before = spq_reasons_begin();

	PG_TRY();
	{
		statement = make_plan(SPQ_PLANNER_PASS);
		if (spq_reasons)
			spq_advise_describe(spq_reasons, statement);
	}
	PG_FINALLY();
	{
		spq_reasons_end(before);
	}
	PG_END_TRY();
	return statement;
}

static PlannedStmt *
plan(SPQ_PLANNER_ARGS)
{
	PlannedStmt *statement = spq_reasons_matter() ? make_plan_with_reasons(SPQ_PLANNER_PASS) :
		make_plan(SPQ_PLANNER_PASS);

	if (spq_enable)
		spq_spatial_replace_functions(statement, is_ours);
	return statement;
}

static void
describe_relation(SPQ_RELATION_ARGS)
{
	if (previous_relation)
		previous_relation(SPQ_RELATION_PASS);
	if (spq_enable)
		spq_rtree_show_gist_families(rel);
}

/*
 * The previous hook comes after the estimates, so that other extensions see the
 * final sizes, and all paths of a table some of whose rows they keep elsewhere.
 */
static void
add_rel_paths(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	List	   *primed = NIL,
			   *implied = NIL;

	if (spq_enable)
	{
		spq_estimate_scans(root, rel);
		primed = spq_estimate_prime_clauses(root, rel);
		implied = spq_estimate_implied_paths(root, rel);
	}
	if (previous_rel_paths)
		previous_rel_paths(root, rel, rti, rte);
	spq_estimate_keep_orders_out_of_workers(root, rel);
	if (spq_enable)
		spq_estimate_index_paths(root, rel, primed, implied);
	if (spq_enable && spq_enable_repeated)
		spq_repeated_add_paths(root, rel);
}

static void
add_join_paths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel,
			   RelOptInfo *innerrel, JoinType jointype, JoinPathExtraData *extra)
{
	if (previous_join_paths)
		previous_join_paths(root, joinrel, outerrel, innerrel, jointype, extra);
	if (!spq_enable)
		return;
	spq_node_add_paths(root, joinrel, outerrel, innerrel, jointype, extra);
	if (spq_enable_nearest)
		spq_nearest_add_curve_paths(joinrel, innerrel);
}

static void
add_upper_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input_rel,
				RelOptInfo *output_rel, void *extra)
{
	if (previous_upper_paths)
		previous_upper_paths(root, stage, input_rel, output_rel, extra);
	if (stage == UPPERREL_GROUP_AGG && spq_enable)
		spq_node_count_paths(root, input_rel, output_rel, extra);
	if (stage == UPPERREL_ORDERED && spq_enable && spq_enable_nearest)
		spq_nearest_add_paths(root, input_rel, output_rel);
	if (stage == UPPERREL_FINAL && spq_reasons)
		spq_reasons_note_query(root, output_rel);
}

static void
run_utility(PlannedStmt *statement, const char *query, bool read_only, ProcessUtilityContext context,
			ParamListInfo parameters, QueryEnvironment *environment, DestReceiver *receiver, QueryCompletion *completion)
{
	ProcessUtility_hook_type next = previous_utility ? previous_utility : standard_ProcessUtility;
	ErrorContextCallback hints;

	spq_error_hints_begin(&hints, statement->utilityStmt);
	next(statement, query, read_only, context, parameters, environment, receiver, completion);
	error_context_stack = hints.previous;
}

#ifdef SPQ_EXPLAIN_OPTIONS

static explain_validate_options_hook_type previous_validate_options;
static explain_per_node_hook_type previous_explain_node;
static explain_per_plan_hook_type previous_explain_plan;

static void
validate_options(ExplainState *es, List *options, ParseState *pstate)
{
	if (previous_validate_options)
		previous_validate_options(es, options, pstate);
	spq_advise_explain_begin(es);
}

static void
explain_node(PlanState *node, List *ancestors, const char *relationship, const char *plan_name,
			 ExplainState *es)
{
	if (previous_explain_node)
		previous_explain_node(node, ancestors, relationship, plan_name, es);
	spq_inspect_explain_node(node, es);
}

static void
explain_plan(PlannedStmt *statement, IntoClause *into, ExplainState *es, const char *query,
			 ParamListInfo params, QueryEnvironment *environment)
{
	if (previous_explain_plan)
		previous_explain_plan(statement, into, es, query, params, environment);
	spq_advise_explain_end(statement, es);
}

#endif

/* Install the hooks, and register the nodes of plans. */
void
spq_hooks_install(void)
{
	for (int i = 0; i < (int) lengthof(own_nodes); i++)
		RegisterCustomScanMethods(own_nodes[i]);

	previous_planner = planner_hook;
	planner_hook = plan;
	previous_relation = spq_relation_hook;
	spq_relation_hook = describe_relation;
	previous_rel_paths = set_rel_pathlist_hook;
	set_rel_pathlist_hook = add_rel_paths;
	previous_join_paths = set_join_pathlist_hook;
	set_join_pathlist_hook = add_join_paths;
	previous_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = add_upper_paths;
	previous_utility = ProcessUtility_hook;
	ProcessUtility_hook = run_utility;

#ifdef SPQ_EXPLAIN_OPTIONS
	spq_inspect_option_init();
	spq_advise_explain_init();
	previous_validate_options = explain_validate_options_hook;
	explain_validate_options_hook = validate_options;
	previous_explain_node = explain_per_node_hook;
	explain_per_node_hook = explain_node;
	previous_explain_plan = explain_per_plan_hook;
	explain_per_plan_hook = explain_plan;
#endif
}
