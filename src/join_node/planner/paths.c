/*-------------------------------------------------------------------------
 *
 * paths.c
 *	  Offers spatial hash joins to the planner.
 *
 * The planner asks for each pair of relations (hooks.c), in both orders, with
 * the join type as seen from the outer side.  The outer side is the probe
 * side, the inner side is the build side.  The other call offers the opposite
 * roles.  But the planner has semi and anti joins in one order only, so one
 * call offers both roles of these:
 *
 *		 join type		  outer side probes		   outer side is built
 *		 inner, full	  yes					   in the other call
 *		 left			  unmatched probes		   in the other call, as "right"
 *		 right			  unmatched build rows	   in the other call, as "left"
 *		 semi, anti		  yes					   yes, with exchanged sides
 *
 * Newer versions of PostgreSQL call the exchanged semi and anti joins right
 * semi and right anti.  We offer them in all versions, so we ignore the calls
 * for these types, and also the calls for unique joins, which a semi join
 * replaces.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/value.h"
#include "optimizer/appendinfo.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "estimate/join/selectivity.h"
#include "join_node/rows/plan_format.h"
#include "join_node/join_node.h"
#include "join_node/planner/planner.h"
#include "reasons/reasons.h"
#include "settings.h"
#include "types/registry.h"

/*
 * Make the path of a hash join.  "exchanged" says that the probe side is the inner
 * relation, "partial" that the probe path is partial, and "shared" that the build path
 * is partial, too.
 */
static CustomPath *
make_path(const SpqNodeContext *context, Path *probe, Path *build, int kind,
		  bool exchanged, bool partial, bool shared, Relids required_outer)
{
	SpqNodePathKind all = {.kind = kind,.exchanged = exchanged,.partial = partial,.shared = shared};
	List	   *restrictlist;
	CustomPath *path = spq_node_make_path(context, probe, build, all, required_outer,
										  &restrictlist);
	bool		along_lines;

	along_lines = spq_node_cost(context->root, path, restrictlist, context->clauses,
								kind & (SPQ_NODE_ONE_PER_PROBE | SPQ_NODE_ONE_PER_BUILD) ?
								&context->extra->semifactors : NULL, shared, exchanged);
	lfirst_int(list_nth_cell(list_nth(path->custom_private, SPQ_NODE_PATH_NUMBERS),
							 SPQ_NODE_NUMBER_LINES)) = along_lines;
	return path;
}

/* Return the conditions of a key as one expression. */
static Node *
key_expression(const SpqNodeClauses *clauses)
{
	MemoryContext before = MemoryContextSwitchTo(spq_reasons->context);
	List	   *conditions = list_make1(clauses->condition->clause);
	ListCell   *lc;
	Node	   *result;

	foreach(lc, clauses->op.partners)
		conditions = lappend(conditions, lfirst_node(RestrictInfo, lc)->clause);
	result = (Node *) make_ands_explicit(conditions);
	MemoryContextSwitchTo(before);
	return result;
}

static void
note_path(const SpqNodeContext *context, const CustomPath *path)
{
	const Path *build = list_nth(path->custom_paths, SPQ_NODE_BUILD);
	SpqReasonJoin *join;

	if (!spq_reasons_wanted(context->joinrel) || PATH_REQ_OUTER((const Path *) path) != NULL)
		return;
	join = spq_reasons_join(context->root, context->joinrel);
	if (join->own_cost >= 0 && join->own_cost <= path->path.total_cost)
		return;
	join->own_cost = path->path.total_cost;
	join->key = key_expression(context->clauses);
	join->build_rows = build->rows;
	join->memory = spq_node_build_memory(&context->clauses->op, build);
}

/* Note the key, unless that of a path is there. */
static void
note_key(PlannerInfo *root, RelOptInfo *joinrel, const SpqNodeClauses *clauses)
{
	SpqReasonJoin *join = spq_reasons_join(root, joinrel);

	if (join->own_cost < 0)
		join->key = key_expression(clauses);
	join->guessed = clauses->guessed;
}

/* Note the cheapest of PostgreSQL's own paths. */
static void
note_other_paths(PlannerInfo *root, RelOptInfo *joinrel)
{
	SpqReasonJoin *join = spq_reasons_join(root, joinrel);
	ListCell   *lc;

	foreach(lc, joinrel->pathlist)
	{
		const Path *path = lfirst(lc);

		if (path->param_info == NULL &&
			(IsA(path, NestPath) || IsA(path, HashPath) || IsA(path, MergePath)) &&
			(join->other_cost < 0 || path->total_cost < join->other_cost))
			join->other_cost = path->total_cost;
	}
}

/* Offer a path made of two complete paths. */
static void
try_path(const SpqNodeContext *context, Path *probe, Path *build, int kind,
		 bool exchanged)
{
	Relids		required_outer;
	CustomPath *path;

	/* neither side can take its parameters from the other */
	if ((PATH_REQ_OUTER(probe) && bms_overlap(PATH_REQ_OUTER(probe), build->parent->relids)) ||
		(PATH_REQ_OUTER(build) && bms_overlap(PATH_REQ_OUTER(build), probe->parent->relids)))
		return;
	required_outer = calc_non_nestloop_required_outer(exchanged ? build : probe,
													  exchanged ? probe : build);
	if (required_outer &&
		!bms_overlap(required_outer, context->extra->param_source_rels))
		return;
	path = make_path(context, probe, build, kind, exchanged, false, false, required_outer);
	note_path(context, path);
	add_path(context->joinrel, spq_node_hide_row_identity(path));
}

/* Offer all complete paths with these roles. */
static void
try_paths(const SpqNodeContext *context, RelOptInfo *probe, RelOptInfo *build,
		  int kind, bool exchanged)
{
	ListCell   *lc1,
			   *lc2;

	if (probe->cheapest_startup_path &&
		probe->cheapest_startup_path != probe->cheapest_total_path)
		try_path(context, probe->cheapest_startup_path, build->cheapest_total_path,
				 kind, exchanged);
	foreach(lc1, probe->cheapest_parameterized_paths)
	{
		foreach(lc2, build->cheapest_parameterized_paths)
			try_path(context, lfirst(lc1), lfirst(lc2), kind, exchanged);
	}
}

static Path *
cheapest_parallel_safe(RelOptInfo *rel)
{
	if (rel->cheapest_total_path->parallel_safe &&
		PATH_REQ_OUTER(rel->cheapest_total_path) == NULL)
		return rel->cheapest_total_path;
	return get_cheapest_parallel_safe_total_inner(rel->pathlist);
}

/*
 * Offer partial paths.  Each process has its own probes, and the build side is
 * either shared or read by each process.  Joins that return unmatched build
 * rows, or each build row once, have no partial paths: they would have to wait
 * for the probes of all processes.
 */
static void
try_partial_paths(const SpqNodeContext *context, RelOptInfo *probe,
				  RelOptInfo *build, int kind, bool exchanged)
{
	Path	   *partial_probe,
			   *whole_build;

	if (!context->joinrel->consider_parallel || probe->partial_pathlist == NIL ||
		!bms_is_empty(context->joinrel->lateral_relids) ||
		(kind & (SPQ_NODE_EMIT_BUILDS | SPQ_NODE_ONE_PER_BUILD)) != 0 ||
		!spq_node_is_parallel_safe(&context->clauses->op))
		return;
	partial_probe = linitial(probe->partial_pathlist);

	if (enable_parallel_hash && build->partial_pathlist != NIL)
		add_partial_path(context->joinrel,
						 (Path *) make_path(context, partial_probe,
											linitial(build->partial_pathlist),
											kind, exchanged, true, true, NULL));
	whole_build = cheapest_parallel_safe(build);
	if (whole_build)
		add_partial_path(context->joinrel,
						 (Path *) make_path(context, partial_probe, whole_build,
											kind, exchanged, true, false, NULL));
}

/* Offer all paths by a key. */
static void
try_all_paths(const SpqNodeContext *context, RelOptInfo *outerrel, RelOptInfo *innerrel,
			  int kind, int exchanged_kind)
{
	if (spq_enable_indexjoin)
		spq_node_index_paths(context, outerrel, innerrel, kind);
	if (spq_enable_hashjoin == SPQ_HASHJOIN_OFF)
		return;
	try_paths(context, outerrel, innerrel, kind, false);
	if (exchanged_kind)
		try_paths(context, innerrel, outerrel, exchanged_kind, true);
	try_partial_paths(context, outerrel, innerrel, kind, false);
}

/*
 * Return the cheapest path of a join by some conditions, or NULL if they have no key.  It is
 * an arm of the join by one of several conditions (or_arms.c).
 */
static Path *
path_of_arm(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
			List *conditions, const JoinPathExtraData *extra)
{
	RelOptInfo *arm = makeNode(RelOptInfo);
	JoinPathExtraData of_arm = *extra;
	SpqNodeClauses clauses;
	SpqNodeContext context = {root, arm, &of_arm, &clauses};
	Path	   *best = NULL;
	ListCell   *lc;

	memcpy(arm, joinrel, sizeof(RelOptInfo));
	arm->pathlist = arm->partial_pathlist = arm->ppilist = NIL;
	arm->consider_param_startup = arm->consider_startup = false;
	of_arm.restrictlist = conditions;
	of_arm.inner_unique = false;
	foreach(lc, conditions)
		(void) spq_estimate_prime_clause(root, lfirst_node(RestrictInfo, lc), conditions, NIL);
	if (!spq_node_find_clauses(root, arm, outerrel, innerrel, JOIN_INNER, conditions, &clauses))
		return NULL;
	arm->rows = clamp_row_est(outerrel->rows * innerrel->rows *
							  clauselist_selectivity(root, conditions, 0, JOIN_INNER, extra->sjinfo));
	try_all_paths(&context, outerrel, innerrel, SPQ_NODE_EMIT_PAIRS, 0);
	foreach(lc, arm->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (path->param_info == NULL && (best == NULL || path->total_cost < best->total_cost))
			best = path;
	}
	if (best)
		best->parent = joinrel;
	return best;
}

/* Offer the join by one of several conditions as several joins, one after the other. */
static void
try_arms(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
		 const JoinPathExtraData *extra)
{
	SpqReasons *reasons = spq_reasons;
	List	   *paths = NIL;
	Path	   *append;
	ListCell   *lc;

	/* what is noted is about the join as it was written */
	spq_reasons = NULL;
	foreach(lc, spq_node_or_arms(root, joinrel, outerrel, innerrel, extra->restrictlist))
	{
		Path	   *path = path_of_arm(root, joinrel, outerrel, innerrel, lfirst(lc), extra);

		if (path == NULL)
		{
			paths = NIL;
			break;
		}
		paths = lappend(paths, path);
	}
	spq_reasons = reasons;
	if (paths == NIL)
		return;
	append = spq_create_append_path(root, joinrel, paths);
	if (spq_reasons_wanted(joinrel))
		spq_reasons_join(root, joinrel)->arms_cost = append->total_cost;
	add_path(joinrel, append);
}

/*
 * Set the estimates for a join of two partitions.  Its conditions are copies,
 * in which PostgreSQL has cached its own estimate.  Replace that by ours, and
 * update the size of the join.
 */
static void
estimate_partitions(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel,
					RelOptInfo *innerrel, JoinPathExtraData *extra)
{
	ListCell   *lc;

	if (!spq_estimate_prime_partitions(root, extra->restrictlist, extra->sjinfo))
		return;
	set_joinrel_size_estimates(root, joinrel, outerrel, innerrel, extra->sjinfo,
							   extra->restrictlist);
	foreach(lc, joinrel->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (path->param_info == NULL)
			path->rows = joinrel->rows;
	}
	foreach(lc, joinrel->partial_pathlist)
	{
		Path	   *path = lfirst(lc);

		path->rows = clamp_row_est(joinrel->rows / spq_node_parallel_divisor(path));
	}
}

/* Return whether a relation shows no sign that an extension stores it. */
static bool
is_plain(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Form_pg_class form;
	bool		table,
				heap,
				partition,
				parent;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", relid);
	form = (Form_pg_class) GETSTRUCT(tuple);
	table = form->relkind == RELKIND_RELATION;
	heap = form->relam == HEAP_TABLE_AM_OID;
	partition = form->relispartition;
	parent = form->relhassubclass && form->relkind != RELKIND_PARTITIONED_TABLE;
	ReleaseSysCache(tuple);

	return (!table || heap) && !parent && (partition || !has_superclass(relid));
}

/*
 * Return false for a join of the query's target if an extension may store the
 * target.
 *
 * Extensions that store tables in a form of their own search the plan below an
 * UPDATE, DELETE or MERGE, to find out which rows it needs.  They know
 * PostgreSQL's three joins, but no others.  For a DELETE with this node in its
 * plan, TimescaleDB takes the scan of a compressed chunk below the node for a
 * DELETE without a condition, and removes all rows of the chunk.  So if an
 * extension may store the target of a change, only PostgreSQL's own nodes join
 * it.  These are the signs of that:
 *
 *		an access method other than heap
 *		inheritance, as parent or child, except partitions
 */
static bool
may_join_target(PlannerInfo *root, RelOptInfo *joinrel)
{
	Relids		relids = IS_OTHER_REL(joinrel) ? joinrel->top_parent_relids : joinrel->relids,
				targets;
	int			target = -1;

	if (!bms_is_member(root->parse->resultRelation, relids))
		return true;

	/*
	 * a join of a leaf changes only the leaf; others also change relations
	 * below
	 */
	targets = bms_intersect(joinrel->relids, root->leaf_result_relids);
	if (bms_is_empty(targets))
		targets = root->all_result_relids;
	while ((target = bms_next_member(targets, target)) >= 0)
	{
		if (!is_plain(planner_rt_fetch(target, root)->relid))
			return false;
	}
	return true;
}

/* Offer spatial hash joins besides the planner's own paths. */
void
spq_node_add_paths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel,
				   RelOptInfo *innerrel, JoinType jointype, JoinPathExtraData *extra)
{
	SpqNodeClauses clauses;
	SpqNodeContext context = {root, joinrel, extra, &clauses};
	int			kind,
				exchanged_kind = 0;
	bool		found;

	if (spq_enable_unique_semijoin && jointype == JOIN_SEMI)
		spq_node_unique_paths(root, joinrel, outerrel, innerrel, extra);
	if (spq_enable_hashjoin == SPQ_HASHJOIN_OFF && !spq_enable_indexjoin && spq_reasons == NULL)
		return;
	switch (jointype)
	{
		case JOIN_INNER:
			kind = SPQ_NODE_EMIT_PAIRS;
			break;
		case JOIN_LEFT:
			kind = SPQ_NODE_EMIT_PAIRS | SPQ_NODE_EMIT_PROBES;
			break;
		case JOIN_RIGHT:
			kind = SPQ_NODE_EMIT_PAIRS | SPQ_NODE_EMIT_BUILDS;
			break;
		case JOIN_FULL:
			kind = SPQ_NODE_EMIT_PAIRS | SPQ_NODE_EMIT_PROBES | SPQ_NODE_EMIT_BUILDS;
			break;
		case JOIN_SEMI:
			kind = SPQ_NODE_EMIT_PAIRS | SPQ_NODE_ONE_PER_PROBE | SPQ_NODE_SEMI;
			exchanged_kind = SPQ_NODE_EMIT_PAIRS | SPQ_NODE_ONE_PER_BUILD | SPQ_NODE_SEMI;
			break;
		case JOIN_ANTI:
			kind = SPQ_NODE_EMIT_PROBES | SPQ_NODE_ONE_PER_PROBE;
			exchanged_kind = SPQ_NODE_EMIT_BUILDS | SPQ_NODE_ONE_PER_BUILD;
			break;
		default:
			return;
	}
	found = spq_node_find_clauses(root, joinrel, outerrel, innerrel, jointype,
								  extra->restrictlist, &clauses);
	if (found && spq_enable_hashjoin != SPQ_HASHJOIN_OFF)
		spq_node_recost_hash_paths(root, joinrel, outerrel, innerrel, jointype,
								   clauses.condition);
	if (spq_reasons_wanted(joinrel))
	{
		note_other_paths(root, joinrel);
		if (found)
			note_key(root, joinrel, &clauses);
	}
	if (spq_enable_hashjoin == SPQ_HASHJOIN_OFF && !spq_enable_indexjoin)
		return;
	if (!found)
	{
		if (jointype == JOIN_INNER)
			try_arms(root, joinrel, outerrel, innerrel, extra);
		return;
	}

	if (IS_OTHER_REL(joinrel) && jointype != JOIN_RIGHT)
		estimate_partitions(root, joinrel, outerrel, innerrel, extra);

	if (!may_join_target(root, joinrel))
	{
		if (spq_reasons_wanted(joinrel))
			spq_reasons_join(root, joinrel)->of_target = true;
		return;
	}
	if (spq_reasons_wanted(joinrel))
		spq_reasons_join(root, joinrel)->other_is_wanted =
			spq_other_join_is_wanted(root, extra, false);

	/* there is no second match to search for */
	if (extra->inner_unique)
		kind |= SPQ_NODE_ONE_PER_PROBE;

	try_all_paths(&context, outerrel, innerrel, kind, exchanged_kind);
}
