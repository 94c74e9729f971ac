/*-------------------------------------------------------------------------
 *
 * count_paths.c
 *	  Offers joins whose rows are counted in the node.
 *
 *		SELECT a.id, count(*) FROM a JOIN b ON a.box && b.box GROUP BY a.id
 *
 *		Finalize HashAggregate					adds up
 *		  ->  Custom Scan (Spqtree ...)			a.id, PARTIAL count(*)
 *
 * The path is one of the join, which returns counts in place of rows.  All
 * aggregates must be counts of rows: count(*), count(1), or count() of a column that
 * is never null in a row of its side.  All other columns must come from one side.
 * The engine counts by rows of its build side; where it has none, since it reads
 * indexes, only probes are counted, and paths whose sides can be exchanged are
 * offered in both roles.
 *
 * If the groups are the rows of the build side's table, since GROUP BY has its primary
 * key, nothing is left to be added up, and the node returns the whole counts, of those
 * that HAVING wants.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/stratnum.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/planner.h"
#include "optimizer/prep.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "join/engine/join.h"
#include "join_node/join_node.h"
#include "join_node/planner/planner.h"
#include "settings.h"

#define COUNTED_ROW	0.2			/* of a row of the join, in units of
								 * cpu_operator_cost */
#define RUNS		1.5			/* of a row, if indexes are read */

/*
 * What an Agg takes more for each row than its cost says, in units of cpu_tuple_cost: a hash table of
 * 200,000 groups takes 1 to 2 us a row, as long as 20 to 40 of them, and is charged 2.  Small ones take less.
 */
#define HASHED_ROW	3

#define EVENT(name)	(1 << SPQ_JOIN_##name)
#define EVENTS_OF_PAIRS	(EVENT(PAIR) | EVENT(COUNTED_BUILD))

/* What a query wants of the rows of a join. */
typedef struct Wanted
{
	PathTarget *target;			/* columns, and partial counts */
	PathTarget *whole;			/* the same, and whole counts */
	Relids		columns;		/* relations of the columns */
	List	   *counted;		/* of each count, the relation of its column,
								 * or 0 if all rows count */
	bool		grouped;
} Wanted;

/* Return whether some child of a table that the query reads is a foreign table. */
static bool
has_foreign_children(PlannerInfo *root)
{
	ListCell   *lc;

	foreach(lc, root->append_rel_list)
	{
		const AppendRelInfo *child = lfirst_node(AppendRelInfo, lc);

		if (planner_rt_fetch(child->child_relid, root)->relkind == RELKIND_FOREIGN_TABLE)
			return true;
	}
	return false;
}

/*
 * Return whether a column of a relation is never null in the relation's rows.  A
 * child of a table may lack the table's constraint, unless it is a partition.  Nobody
 * checks the constraints of foreign tables.
 */
static bool
is_never_null(PlannerInfo *root, const Var *var)
{
	const RangeTblEntry *rte = planner_rt_fetch(var->varno, root);

	return rte->rtekind == RTE_RELATION && var->varattno > 0 &&
		(rte->relkind == RELKIND_PARTITIONED_TABLE ? !has_foreign_children(root) :
		 rte->relkind == RELKIND_RELATION && !rte->inh) &&
		spq_is_not_null(root->simple_rel_array[var->varno], rte->relid, var->varattno);
}

/* Note what an aggregate counts.  Return false if that is not known. */
static bool
add_count(PlannerInfo *root, const Aggref *aggref, Wanted *wanted)
{
	const Node *argument;

	if (aggref->aggfilter || aggref->aggdistinct || aggref->aggorder || aggref->agglevelsup > 0)
		return false;
	if (aggref->aggfnoid == F_COUNT_)
	{
		wanted->counted = lappend_int(wanted->counted, 0);
		return true;
	}
	if (aggref->aggfnoid != F_COUNT_ANY)
		return false;
	argument = (const Node *) linitial_node(TargetEntry, aggref->args)->expr;
	/* count(1) is count(*), as PostgreSQL 19 says, too */
	if (IsA(argument, Const) && !((const Const *) argument)->constisnull)
		wanted->counted = lappend_int(wanted->counted, 0);
	else if (IsA(argument, Var) && ((const Var *) argument)->varlevelsup == 0 &&
			 is_never_null(root, (const Var *) argument))
		wanted->counted = lappend_int(wanted->counted, ((const Var *) argument)->varno);
	else
		return false;
	return true;
}

/*
 * Make the target list of partial counts.  Return false if there is anything else
 * to be computed from each row.
 *
 * Follows make_partial_grouping_target() (copies.list).
 */
static bool
find_wanted(PlannerInfo *root, const RelOptInfo *grouped_rel, const GroupPathExtraData *extra,
			Wanted *wanted)
{
	const PathTarget *whole = grouped_rel->reltarget;
	List	   *others = NIL,
			   *columns = NIL;
	ListCell   *lc;

	wanted->target = create_empty_pathtarget();
	wanted->counted = NIL;
	foreach(lc, whole->exprs)
	{
		Index		ref = get_pathtarget_sortgroupref(whole, foreach_current_index(lc));

		if (ref && get_sortgroupref_clause_noerr(ref, spq_group_clause(root)))
			add_column_to_pathtarget(wanted->target, lfirst(lc), ref);
		else
			others = lappend(others, lfirst(lc));
	}
	if (extra->havingQual)
		others = lappend(others, extra->havingQual);
	add_new_columns_to_pathtarget(wanted->target,
								  pull_var_clause((Node *) others, PVC_INCLUDE_AGGREGATES |
												  PVC_RECURSE_WINDOWFUNCS |
												  PVC_INCLUDE_PLACEHOLDERS));
	foreach(lc, wanted->target->exprs)
	{
		Aggref	   *aggref = lfirst(lc);

		/* a number that only an Agg knows, as it computes it */
		if (IsA(aggref, GroupingFunc))
			return false;
		if (!IsA(aggref, Aggref))
		{
			columns = lappend(columns, aggref);
			continue;
		}
		if (!add_count(root, aggref, wanted))
			return false;
	}
	wanted->whole = copy_pathtarget(wanted->target);
	foreach(lc, wanted->target->exprs)
	{
		if (IsA(lfirst(lc), Aggref))
		{
			lfirst(lc) = copyObject(lfirst(lc));
			mark_partial_aggref(lfirst(lc), AGGSPLIT_INITIAL_SERIAL);
		}
	}
	wanted->columns = pull_varnos(root, (Node *) columns);
	wanted->grouped = spq_group_clause(root) != NIL;
	set_pathtarget_cost_width(root, wanted->target);
	set_pathtarget_cost_width(root, wanted->whole);
	return wanted->counted != NIL && !contain_volatile_functions((Node *) columns) &&
		!contain_subplans((Node *) columns);
}

/* Return a path of the node, or NULL. */
static CustomPath *
join_path(Path *path)
{
	CustomPath *join;

	if (IsA(path, ProjectionPath))
		path = ((ProjectionPath *) path)->subpath;
	join = (CustomPath *) path;
	return IsA(join, CustomPath) && join->methods->PlanCustomPath == spq_node_plan &&
		join->path.param_info == NULL ? join : NULL;
}

/* Return which sides of a path read an index. */
static int
indexes_of(const CustomPath *path)
{
	return list_nth_int(list_nth(path->custom_private, SPQ_NODE_PATH_NUMBERS), SPQ_NODE_NUMBER_INDEXES);
}

static void
exchange_integers(List *numbers, int a, int b)
{
	int			number = list_nth_int(numbers, a);

	lfirst_int(list_nth_cell(numbers, a)) = list_nth_int(numbers, b);
	lfirst_int(list_nth_cell(numbers, b)) = number;
}

/*
 * Exchange the sides of a path that returns all pairs, and perhaps unmatched rows.  Return NULL if it does
 * not, or if only these roles are possible.
 */
static CustomPath *
exchange_sides(PlannerInfo *root, const CustomPath *path)
{
	CustomPath *other;
	List	   *numbers = list_copy(list_nth(path->custom_private, SPQ_NODE_PATH_NUMBERS));
	int			kind = list_nth_int(numbers, SPQ_NODE_NUMBER_KIND),
				indexes = indexes_of(path),
				unmatched = kind & ~SPQ_NODE_EMIT_PAIRS;
	SpqRelation predicate = list_nth_int(numbers, SPQ_NODE_NUMBER_PREDICATE);

	/* where indexes are read, only unmatched probes can be returned */
	if (!(kind & SPQ_NODE_EMIT_PAIRS) || indexes == SPQ_NODE_BUILD_INDEX || path->path.parallel_aware ||
		list_nth_int(numbers, SPQ_NODE_NUMBER_LINES) ||
		!(unmatched == 0 || unmatched == SPQ_NODE_EMIT_BUILDS ||
		  (unmatched == SPQ_NODE_EMIT_PROBES && indexes == SPQ_NODE_NO_INDEX)))
		return NULL;
	if (unmatched)
		kind ^= SPQ_NODE_EMIT_BUILDS | SPQ_NODE_EMIT_PROBES;
	lfirst_int(list_nth_cell(numbers, SPQ_NODE_NUMBER_KIND)) = kind;
	lfirst_int(list_nth_cell(numbers, SPQ_NODE_NUMBER_PREDICATE)) = spq_box_commute(predicate);
	exchange_integers(numbers, SPQ_NODE_NUMBER_PROBE, SPQ_NODE_NUMBER_BUILD);
	exchange_integers(numbers, SPQ_NODE_NUMBER_PROBE_FUNCTION, SPQ_NODE_NUMBER_BUILD_FUNCTION);

	other = makeNode(CustomPath);
	memcpy(other, path, sizeof(CustomPath));
	other->custom_paths = list_make2(lsecond(path->custom_paths), linitial(path->custom_paths));
	other->custom_private = list_copy(path->custom_private);
	lfirst(list_nth_cell(other->custom_private, SPQ_NODE_PATH_NUMBERS)) = numbers;
	if (indexes == SPQ_NODE_NO_INDEX)
		other->path.total_cost += spq_node_cost_of_exchange(root, path);
	return other;
}

/* Return the events that a count of a relation's rows counts. */
static int
counted_events(const CustomPath *path, int relid)
{
	const Path *probe = linitial(path->custom_paths),
			   *build = lsecond(path->custom_paths);

	if (relid == 0)
		return EVENTS_OF_PAIRS | EVENT(UNMATCHED_PROBE) | EVENT(UNMATCHED_BUILD);
	/* joins below may have put nulls into the column */
	if (probe->parent->relid == (Index) relid)
		return EVENTS_OF_PAIRS | EVENT(UNMATCHED_PROBE);
	if (build->parent->relid == (Index) relid)
		return EVENTS_OF_PAIRS | EVENT(UNMATCHED_BUILD);
	return 0;
}

/* Return whether a condition above an outer join looks at its rows. */
static bool
has_filter(const CustomPath *path)
{
	ListCell   *lc;

	foreach(lc, list_nth(path->custom_private, SPQ_NODE_PATH_ALL))
	{
		if (RINFO_IS_PUSHED_DOWN(lfirst_node(RestrictInfo, lc), path->path.parent->relids))
			return true;
	}
	return false;
}

/* Choose the rows of which a path returns a partial count each. */
static SpqNodeCounted
choose_rows(const CustomPath *path, const Wanted *wanted)
{
	const List *numbers = list_nth(path->custom_private, SPQ_NODE_PATH_NUMBERS);
	const Path *probe = linitial(path->custom_paths),
			   *build = lsecond(path->custom_paths);
	int			kind = list_nth_int(numbers, SPQ_NODE_NUMBER_KIND);

	if (!wanted->grouped)
		return SPQ_NODE_COUNTED;
	if (bms_is_subset(wanted->columns, probe->parent->relids) && !(kind & SPQ_NODE_EMIT_BUILDS))
		return SPQ_NODE_COUNTED_BY_PROBE;
	if (bms_is_subset(wanted->columns, build->parent->relids) &&
		indexes_of(path) == SPQ_NODE_NO_INDEX &&
		(kind == SPQ_NODE_EMIT_PAIRS ||
		 (kind == (SPQ_NODE_EMIT_PAIRS | SPQ_NODE_EMIT_BUILDS) && !has_filter(path))))
		return SPQ_NODE_COUNTED_BY_BUILD;
	return SPQ_NODE_NOT_COUNTED;
}

/* Return the number of partial counts that a path returns. */
static double
number_of_runs(const CustomPath *path, SpqNodeCounted counted)
{
	const List *numbers = list_nth(path->custom_private, SPQ_NODE_PATH_NUMBERS);
	int			kind = list_nth_int(numbers, SPQ_NODE_NUMBER_KIND);
	bool		by_build = counted == SPQ_NODE_COUNTED_BY_BUILD;
	const Path *side = list_nth(path->custom_paths, by_build ? SPQ_NODE_BUILD : SPQ_NODE_PROBE);
	double		pairs = path->path.rows,
				runs;

	if (counted == SPQ_NODE_COUNTED)
		return 1;
	runs = side->rows * -expm1(-pairs / side->rows);
	if (indexes_of(path) != SPQ_NODE_NO_INDEX)
		runs *= RUNS;
	if (kind & (by_build ? SPQ_NODE_EMIT_BUILDS : SPQ_NODE_EMIT_PROBES))
		runs = Max(runs, side->rows);
	return clamp_row_est(Min(runs, pairs));
}

/*
 * Return a path of the join that returns partial counts in place of rows, or NULL if
 * they cannot be those that are wanted.
 */
static Path *
counting_path(const CustomPath *join, const Wanted *wanted)
{
	CustomPath *path;
	List	   *numbers = list_copy(list_nth(join->custom_private, SPQ_NODE_PATH_NUMBERS)),
			   *counts = NIL;
	SpqNodeCounted counted = choose_rows(join, wanted);
	ListCell   *lc;

	if (counted == SPQ_NODE_NOT_COUNTED)
		return NULL;
	foreach(lc, wanted->counted)
	{
		int			events = counted_events(join, lfirst_int(lc));

		if (events == 0)
			return NULL;
		counts = lappend_int(counts, events);
	}
	lfirst_int(list_nth_cell(numbers, SPQ_NODE_NUMBER_COUNTED)) = counted;

	path = makeNode(CustomPath);
	memcpy(path, join, sizeof(CustomPath));
	path->path.pathtarget = wanted->target;
	path->custom_private = list_copy(join->custom_private);
	lfirst(list_nth_cell(path->custom_private, SPQ_NODE_PATH_NUMBERS)) = numbers;
	lfirst(list_nth_cell(path->custom_private, SPQ_NODE_PATH_COUNTS)) = counts;

	path->path.rows = number_of_runs(join, counted);
	path->path.total_cost += (cpu_tuple_cost + wanted->target->cost.per_tuple) * path->path.rows +
		wanted->target->cost.startup -
		(cpu_tuple_cost - COUNTED_ROW * cpu_operator_cost) * join->path.rows;
	path->path.startup_cost += wanted->target->cost.startup;
	path->path.total_cost = Max(path->path.total_cost, path->path.startup_cost);
	if (counted != SPQ_NODE_COUNTED_BY_PROBE)
		path->path.startup_cost = path->path.total_cost;
	return &path->path;
}

/* Return whether a column of a table is in GROUP BY, compared as an index compares it. */
static bool
is_grouped(PlannerInfo *root, const GroupPathExtraData *extra, int relid, const IndexOptInfo *index,
		   int column)
{
	ListCell   *lc;

	foreach(lc, spq_group_clause(root))
	{
		SortGroupClause *group = lfirst_node(SortGroupClause, lc);
		const Var  *var = (const Var *) get_sortgroupclause_expr(group, extra->targetList);

		if (IsA(var, Var) && var->varno == relid && var->varattno == index->indexkeys[column] &&
			var->varlevelsup == 0 && var->varcollid == index->indexcollations[column] &&
			get_op_opfamily_strategy(group->eqop, index->opfamily[column]) == BTEqualStrategyNumber &&
			is_never_null(root, var))
			return true;
	}
	return false;
}

/* Return whether each row of a relation is a group of its own. */
static bool
groups_are_rows(PlannerInfo *root, const GroupPathExtraData *extra, const RelOptInfo *rel)
{
	ListCell   *lc;

	if (rel->reloptkind != RELOPT_BASEREL)
		return false;
	foreach(lc, rel->indexlist)
	{
		const IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);
		bool		grouped = index->unique && index->immediate && !index->hypothetical &&
			index->indpred == NIL && index->relam == BTREE_AM_OID;

		for (int column = 0; column < index->nkeycolumns && grouped; column++)
			grouped = is_grouped(root, extra, (int) rel->relid, index, column);
		if (grouped)
			return true;
	}
	return false;
}

/*
 * Return the target list of whole counts: that of the query, if it has only columns and the same counts in the
 * same order, each once.  Otherwise something is computed from them, in a node above, or only HAVING has some.
 */
static PathTarget *
whole_target(const RelOptInfo *grouped_rel, const Wanted *wanted)
{
	List	   *of_query = NIL,
			   *of_whole = NIL;
	ListCell   *lc;

	foreach(lc, grouped_rel->reltarget->exprs)
	{
		if (IsA(lfirst(lc), Aggref))
			of_query = lappend(of_query, lfirst(lc));
		else if (!IsA(lfirst(lc), Var))
			return wanted->whole;
	}
	foreach(lc, wanted->whole->exprs)
	{
		if (IsA(lfirst(lc), Aggref))
			of_whole = lappend(of_whole, lfirst(lc));
	}
	return equal(of_query, of_whole) ? grouped_rel->reltarget : wanted->whole;
}

/* Let a path return only those of its counts for which HAVING is true. */
static void
add_having(PlannerInfo *root, CustomPath *path, List *having)
{
	List	   *rinfos = NIL;
	QualCost	cost;
	ListCell   *lc;

	foreach(lc, having)
		rinfos = lappend(rinfos, make_simple_restrictinfo(root, lfirst(lc)));
	lfirst(list_nth_cell(path->custom_private, SPQ_NODE_PATH_HAVING)) = rinfos;
	cost_qual_eval(&cost, having, root);
	path->path.total_cost += cost.startup + cost.per_tuple * path->path.rows;
	path->path.rows = clamp_row_est(path->path.rows *
									clauselist_selectivity(root, having, 0, JOIN_INNER, NULL));
}

/*
 * Offer the counts of a join as they are, if there is one for each group.  An Agg above it would
 * only put each of them into a hash table.
 */
static void
add_whole(PlannerInfo *root, RelOptInfo *grouped_rel, const GroupPathExtraData *extra,
		  const Wanted *wanted, const CustomPath *join)
{
	CustomPath *whole;

	if (indexes_of(join) != SPQ_NODE_NO_INDEX ||
		choose_rows(join, wanted) != SPQ_NODE_COUNTED_BY_BUILD ||
		!groups_are_rows(root, extra, ((const Path *) lsecond(join->custom_paths))->parent))
		return;
	whole = (CustomPath *) counting_path(join, wanted);
	if (whole == NULL)
		return;
	whole->path.pathtarget = whole_target(grouped_rel, wanted);
	whole->path.total_cost = Max(whole->path.total_cost - HASHED_ROW * cpu_tuple_cost * whole->path.rows, 0);
	add_having(root, whole, (List *) extra->havingQual);
	whole->path.startup_cost = whole->path.total_cost;
	/* it returns columns and counts, but computes nothing of them */
	whole->flags &= ~CUSTOMPATH_SUPPORT_PROJECTION;
	add_path(grouped_rel, (Path *)
			 create_projection_path(root, grouped_rel, &whole->path, grouped_rel->reltarget));
}

/* The same of all paths, in both roles of their sides. */
static void
add_all_whole(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *grouped_rel,
			  const GroupPathExtraData *extra, const Wanted *wanted)
{
	ListCell   *lc;

	if (!wanted->grouped || contain_subplans(extra->havingQual))
		return;
	foreach(lc, input_rel->pathlist)
	{
		const CustomPath *join = join_path(lfirst(lc));

		if (join == NULL)
			continue;
		add_whole(root, grouped_rel, extra, wanted, join);
		if ((join = exchange_sides(root, join)) != NULL)
			add_whole(root, grouped_rel, extra, wanted, join);
	}
}

/* Offer to add up the partial counts of a path. */
static void
add_up(PlannerInfo *root, RelOptInfo *grouped_rel, const GroupPathExtraData *extra, Path *path,
	   double ngroups)
{
	AggClauseCosts costs;
	List	   *group = spq_group_clause(root),
			   *having = (List *) extra->havingQual;

	memset(&costs, 0, sizeof(costs));
	get_agg_clause_costs(root, AGGSPLIT_FINAL_DESERIAL, &costs);
	if (group == NIL)
		add_path(grouped_rel, (Path *)
				 create_agg_path(root, grouped_rel, path, grouped_rel->reltarget, AGG_PLAIN,
								 AGGSPLIT_FINAL_DESERIAL, NIL, having, &costs, 1));
	if (group != NIL && (extra->flags & GROUPING_CAN_USE_HASH))
		add_path(grouped_rel, (Path *)
				 create_agg_path(root, grouped_rel, path, grouped_rel->reltarget, AGG_HASHED,
								 AGGSPLIT_FINAL_DESERIAL, group, having, &costs, ngroups));
	if (group != NIL && (extra->flags & GROUPING_CAN_USE_SORT))
	{
		/* constant columns need no order */
		if (root->group_pathkeys != NIL)
			path = (Path *) create_sort_path(root, grouped_rel, path, root->group_pathkeys, -1);
		add_path(grouped_rel, (Path *)
				 create_agg_path(root, grouped_rel, path, grouped_rel->reltarget, AGG_SORTED,
								 AGGSPLIT_FINAL_DESERIAL, group, having, &costs, ngroups));
	}
}

/*
 * Return the paths of the node among others, in each role of their sides that returns
 * the counts that are wanted.
 */
static List *
counting_paths(PlannerInfo *root, List *paths, const Wanted *wanted)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		const CustomPath *join = join_path(lfirst(lc));
		Path	   *path;

		if (join == NULL)
			continue;
		path = counting_path(join, wanted);
		if (path == NULL && indexes_of(join) != SPQ_NODE_NO_INDEX &&
			(join = exchange_sides(root, join)) != NULL)
			path = counting_path(join, wanted);
		if (path)
			result = lappend(result, path);
	}
	return result;
}

/* Offer aggregates of a join whose rows are only counted. */
void
spq_node_count_paths(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *grouped_rel,
					 const GroupPathExtraData *extra)
{
	const Query *parse = root->parse;
	Wanted		wanted;
	double		ngroups = 1;
	ListCell   *lc;

	if (extra == NULL || !spq_enable_counts || !parse->hasAggs || parse->groupingSets ||
		parse->hasTargetSRFs || !IS_JOIN_REL(input_rel) || !(extra->flags & GROUPING_CAN_PARTIAL_AGG) ||
		(parse->groupClause != NIL && spq_group_clause(root) == NIL) ||
		!find_wanted(root, grouped_rel, extra, &wanted))
		return;
	if (wanted.grouped)
		ngroups = estimate_num_groups(root, get_sortgrouplist_exprs(spq_group_clause(root),
																	extra->targetList),
									  input_rel->rows, NULL, NULL);
	add_all_whole(root, input_rel, grouped_rel, extra, &wanted);
	foreach(lc, counting_paths(root, input_rel->pathlist, &wanted))
		add_up(root, grouped_rel, extra, lfirst(lc), ngroups);
	if (!grouped_rel->consider_parallel)
		return;
	foreach(lc, counting_paths(root, input_rel->partial_pathlist, &wanted))
	{
		Path	   *path = lfirst(lc);
		double		rows = path->rows * path->parallel_workers;

		add_up(root, grouped_rel, extra, (Path *)
			   create_gather_path(root, grouped_rel, path, path->pathtarget, NULL, &rows),
			   ngroups);
	}
}
