/*-------------------------------------------------------------------------
 *
 * plan.c
 *	  Makes the plan of a spatial hash join from its path.
 *
 * The node's scan tuple has the columns of both children's plans:
 *
 *		probe's plan  [ a.id  a.b ]		   build's plan	 [ b.id	 b.b ]
 *							\					/
 *		scan tuple			[ a.id	a.b	 b.id  b.b ]
 *
 * PostgreSQL turns the variables in all our expressions into references to the
 * scan tuple.  sides.c turns those in the key of a side back into columns of
 * that child.
 *
 * Since PostgreSQL 16, a variable above an outer join differs from the same
 * variable below it, because it may have become null.  Join conditions use one
 * form, target list and filter the other.  The scan tuple can have only one
 * form, that of the target list, so all expressions are converted to it.  This
 * loses no information: all variables become references to columns of the scan
 * tuple.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "optimizer/planmain.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "custom_node.h"
#include "join_node/executor/join_executor.h"
#include "join_node/join_node.h"
#include "join_node/planner/planner.h"
#include "types/registry.h"

const CustomScanMethods spq_node_scan_methods = {
	.CustomName = SPQ_NODE_NAME,
	.CreateCustomScanState = spq_node_create_state,
};

const CustomScanMethods spq_node_index_scan_methods = {
	.CustomName = SPQ_NODE_INDEX_NAME,
	.CreateCustomScanState = spq_node_create_state,
};

/* The scan tuple under construction. */
typedef struct ScanTuple
{
	List	   *tlist;
	List	   *sides;			/* for each column, its side */
	List	   *columns;		/* and its attribute number there */
} ScanTuple;

static void
add_column(ScanTuple *tuple, Expr *expr, int side, int column)
{
	tuple->tlist = lappend(tuple->tlist,
						   makeTargetEntry(copyObject(expr),
										   list_length(tuple->tlist) + 1,
										   NULL, false));
	tuple->sides = lappend_int(tuple->sides, side);
	tuple->columns = lappend_int(tuple->columns, column);
}

static void
add_side(ScanTuple *tuple, Plan *plan, int side)
{
	ListCell   *lc;

	foreach(lc, plan->targetlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		add_column(tuple, entry->expr, side, entry->resno);
	}
}

/* Add the partial counts of the target list. */
static void
add_counts(ScanTuple *tuple, const List *tlist)
{
	ListCell   *lc;

	foreach(lc, tlist)
	{
		Expr	   *expr = lfirst_node(TargetEntry, lc)->expr;

		if (IsA(expr, Aggref))
			add_column(tuple, expr, SPQ_NODE_SIDES, 0);
	}
}

/* Return the columns of an index as a target list, or NIL if there are expressions. */
static List *
index_columns(const IndexOnlyScan *plan)
{
	List	   *columns = NIL;
	ListCell   *lc;

	foreach(lc, plan->indextlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (!IsA(entry->expr, Var))
			return NIL;
		columns = lappend(columns, makeTargetEntry(copyObject(entry->expr), entry->resno, NULL, false));
	}
	return columns;
}

/*
 * Let the scan of a table, or of an index that has all columns, return its rows as they
 * are stored.  PostgreSQL asks the children of a custom scan for exactly the columns that
 * are needed, which costs a projection of each row.  The node takes only these columns
 * from a row anyway.
 *
 * Follows use_physical_tlist() (copies.list), which is for PostgreSQL's own nodes.
 */
static void
return_stored_rows(PlannerInfo *root, Plan *plan, const Path *path)
{
	RelOptInfo *rel = path->parent;
	ListCell   *lc;
	List	   *stored;

	if (!(IsA(plan, SeqScan) || IsA(plan, IndexScan) || IsA(plan, BitmapHeapScan) ||
		  IsA(plan, IndexOnlyScan)) ||
		!IS_SIMPLE_REL(rel) || rel->rtekind != RTE_RELATION)
		return;
	if (!IsA(plan, IndexOnlyScan) && rel->reloptkind != RELOPT_BASEREL)
		return;
	foreach(lc, plan->targetlist)
	{
		Expr	   *expr = lfirst_node(TargetEntry, lc)->expr;

		/* neither placeholders nor system columns nor whole rows */
		if (!IsA(expr, Var) || (Index) ((Var *) expr)->varno != rel->relid ||
			((Var *) expr)->varattno <= 0)
			return;
	}
	/* none if columns were dropped, or added later */
	stored = IsA(plan, IndexOnlyScan) ? index_columns((IndexOnlyScan *) plan) :
		build_physical_tlist(root, rel);
	if (stored != NIL)
		plan->targetlist = stored;
}

/*
 * Return whether two nodes are the same variable, ignoring which outer joins
 * can null it.
 */
static bool
same_variable(const Node *a, const Node *b)
{
	if (nodeTag(a) != nodeTag(b))
		return false;
	if (IsA(a, Var))
	{
		const Var  *x = (const Var *) a,
				   *y = (const Var *) b;

		return x->varno == y->varno && x->varattno == y->varattno &&
			x->varlevelsup == y->varlevelsup;
	}
	if (IsA(a, PlaceHolderVar))
		return ((const PlaceHolderVar *) a)->phid == ((const PlaceHolderVar *) b)->phid;
	return false;
}

/* Return the column of the scan tuple that contains a variable, or NULL. */
static TargetEntry *
find_column(const ScanTuple *tuple, const Node *variable)
{
	ListCell   *lc;

	foreach(lc, tuple->tlist)
	{
		TargetEntry *column = lfirst_node(TargetEntry, lc);

		if (same_variable((Node *) column->expr, variable))
			return column;
	}
	return NULL;
}

/*
 * Convert columns of the scan tuple to the form that they have in expressions.
 */
static void
take_form(ScanTuple *tuple, List *exprs)
{
	List	   *variables = pull_var_clause((Node *) exprs, PVC_RECURSE_AGGREGATES |
											PVC_RECURSE_WINDOWFUNCS |
											PVC_INCLUDE_PLACEHOLDERS);
	ListCell   *lc;

	foreach(lc, variables)
	{
		TargetEntry *column = find_column(tuple, lfirst(lc));

		if (column)
			column->expr = copyObject(lfirst(lc));
	}
	list_free(variables);
}

/* Convert variables to the form that they have in the scan tuple. */
static Node *
adopt_form(Node *node, void *tuple)
{
	/* the node above looks for a partial count as it is */
	if (node == NULL || IsA(node, Aggref))
		return node;
	if (IsA(node, Var) || IsA(node, PlaceHolderVar))
	{
		TargetEntry *column = find_column((ScanTuple *) tuple, node);

		if (column)
			return (Node *) copyObject(column->expr);
	}
	return expression_tree_mutator(node, adopt_form, tuple);
}

/* Return the three Oids of an equality, as in SPQ_NODE_PLAN_HASH. */
static List *
describe_hash(PlannerInfo *root, RestrictInfo *rinfo, bool commuted)
{
	Oid			left,
				right;

	if (!get_op_hash_functions(rinfo->hashjoinoperator, &left, &right))
		elog(ERROR, "could not find hash functions of operator %u",
			 rinfo->hashjoinoperator);
	record_plan_function_dependency(root, left);
	record_plan_function_dependency(root, right);
	return list_make3_oid(commuted ? right : left, commuted ? left : right,
						  ((OpExpr *) rinfo->clause)->inputcollid);
}

/* Make the plan of a path (PlanCustomPath). */
Plan *
spq_node_plan(PlannerInfo *root, RelOptInfo *rel, CustomPath *best_path,
			  List *tlist, List *clauses, List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);
	RestrictInfo *key = list_nth(best_path->custom_private, SPQ_NODE_PATH_KEY);
	List	   *hash = list_nth(best_path->custom_private, SPQ_NODE_PATH_HASH),
			   *all = list_nth(best_path->custom_private, SPQ_NODE_PATH_ALL),
			   *clear = list_nth(best_path->custom_private, SPQ_NODE_PATH_CLEAR),
			   *having = list_nth(best_path->custom_private, SPQ_NODE_PATH_HAVING),
			   *numbers = list_copy(list_nth(best_path->custom_private,
											 SPQ_NODE_PATH_NUMBERS));
	Path	   *probe = list_nth(best_path->custom_paths, SPQ_NODE_PROBE),
			   *build = list_nth(best_path->custom_paths, SPQ_NODE_BUILD);
	int			kind = list_nth_int(numbers, SPQ_NODE_NUMBER_KIND);
	bool		indexes = list_nth_int(numbers, SPQ_NODE_NUMBER_INDEXES);
	bool		outer = (kind & (SPQ_NODE_EMIT_PROBES | SPQ_NODE_EMIT_BUILDS)) != 0;
	List	   *join_rinfos = NIL,
			   *other_rinfos = NIL,
			   *recheck_rinfos = NIL,
			   *recheck_clear_rinfos = NIL,
			   *filter_rinfos = NIL,
			   *hash_functions = NIL,
			   *cond,
			   *probe_exprs,
			   *build_exprs;
	ScanTuple	tuple = {NIL, NIL, NIL};
	SpqNodeParts parts;
	Expr	   *probe_arg,
			   *build_arg;
	bool		commuted;
	ListCell   *lc;

	/* separate the join conditions from those above an outer join */
	foreach(lc, all)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (outer && RINFO_IS_PUSHED_DOWN(rinfo, rel->relids))
			other_rinfos = lappend(other_rinfos, rinfo);
		else
			join_rinfos = lappend(join_rinfos, rinfo);
	}

	spq_node_find_parts(key, list_nth_int(numbers, SPQ_NODE_NUMBER_PREDICATE),
						spq_type_numbered(list_nth_int(numbers, SPQ_NODE_NUMBER_PROBE)),
						spq_type_numbered(list_nth_int(numbers, SPQ_NODE_NUMBER_BUILD)),
						join_rinfos, &parts);

	/* recheck conditions that neither the engine nor row_parts.c decides */
	foreach(lc, join_rinfos)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		bool		is_key = equal(rinfo->clause, key->clause);

		if ((!is_key || !list_nth_int(numbers, SPQ_NODE_NUMBER_EXACT)) &&
			!list_member_ptr(parts.clauses, rinfo))
		{
			recheck_rinfos = lappend(recheck_rinfos, rinfo);
			if (!list_member(clear, rinfo))
				recheck_clear_rinfos = lappend(recheck_clear_rinfos, rinfo);
		}
		if (!is_key && !list_member(hash, rinfo))
			filter_rinfos = lappend(filter_rinfos, rinfo);
	}

	/*
	 * a condition above the join would have been needed before rows are
	 * counted
	 */
	Assert(having == NIL || other_rinfos == NIL);
	other_rinfos = list_concat(other_rinfos, having);

	spq_node_orient_clause(key, probe->parent->relids, &probe_arg, &build_arg, &commuted);
	probe_exprs = list_make1(probe_arg);
	build_exprs = list_make1(build_arg);
	cond = list_make1(key->clause);
	numbers = lappend_int(numbers, ((OpExpr *) key->clause)->inputcollid);
	for (int i = SPQ_NODE_NUMBER_PROBE_FUNCTION; i <= SPQ_NODE_NUMBER_BUILD_FUNCTION; i++)
	{
		if (OidIsValid((Oid) list_nth_int(numbers, i)))
			record_plan_function_dependency(root, (Oid) list_nth_int(numbers, i));
	}
	foreach(lc, hash)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		spq_node_orient_clause(rinfo, probe->parent->relids, &probe_arg, &build_arg,
							   &commuted);
		probe_exprs = lappend(probe_exprs, probe_arg);
		build_exprs = lappend(build_exprs, build_arg);
		cond = lappend(cond, rinfo->clause);
		hash_functions = list_concat(hash_functions,
									 describe_hash(root, rinfo, commuted));
	}

	scan->flags = best_path->flags;
	scan->custom_plans = custom_plans;
	scan->methods = indexes ? &spq_node_index_scan_methods : &spq_node_scan_methods;
	scan->scan.scanrelid = 0;
	scan->custom_exprs = list_make5(probe_exprs, build_exprs,
									spq_ordered_quals(root, recheck_rinfos),
									spq_ordered_quals(root, recheck_clear_rinfos),
									spq_ordered_quals(root, other_rinfos));
	scan->custom_exprs = lappend(scan->custom_exprs, cond);
	scan->custom_exprs = lappend(scan->custom_exprs,
								 spq_ordered_quals(root, filter_rinfos));
	scan->custom_exprs = lappend(scan->custom_exprs,
								 parts.owner ? list_make1(parts.partitioning) : NIL);
	scan->custom_exprs = lappend(scan->custom_exprs,
								 spq_node_parts_of_side(&parts, probe->parent->relids));
	scan->custom_exprs = lappend(scan->custom_exprs,
								 spq_node_parts_of_side(&parts, build->parent->relids));
	scan->custom_exprs = lappend(scan->custom_exprs,
								 list_nth(best_path->custom_private, SPQ_NODE_PATH_DISTANCES));

	return_stored_rows(root, list_nth(custom_plans, SPQ_NODE_PROBE), probe);
	return_stored_rows(root, list_nth(custom_plans, SPQ_NODE_BUILD), build);
	add_side(&tuple, list_nth(custom_plans, SPQ_NODE_PROBE), SPQ_NODE_PROBE);
	add_side(&tuple, list_nth(custom_plans, SPQ_NODE_BUILD), SPQ_NODE_BUILD);

	/* "tlist" may be empty, if a projection above replaces it later */
	take_form(&tuple, spq_ordered_quals(root, other_rinfos));
	take_form(&tuple, tlist);
	take_form(&tuple, rel->reltarget->exprs);
	scan->scan.plan.targetlist = (List *) adopt_form((Node *) tlist, &tuple);
	scan->custom_exprs = (List *) adopt_form((Node *) scan->custom_exprs, &tuple);
	spq_node_name_row_identity(root, tuple.tlist, scan->scan.plan.targetlist);
	add_counts(&tuple, scan->scan.plan.targetlist);
	scan->custom_scan_tlist = tuple.tlist;
	scan->custom_private = list_make4(numbers, hash_functions, tuple.sides,
									  tuple.columns);
	scan->custom_private = lappend(scan->custom_private,
								   list_nth(best_path->custom_private, SPQ_NODE_PATH_COUNTS));
	return &scan->scan.plan;
}
