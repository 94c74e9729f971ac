/*-------------------------------------------------------------------------
 *
 * index_join_paths.c
 *	  Offers joins that read indexes to the planner.
 *
 * The build side, or both sides, are tables with an index of the access method on their
 * operand of the key.  The path of such a side is an index scan or, if the index has all
 * columns that are needed, an index-only scan.  Its conditions are those of a path that the
 * planner has made for the index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type_d.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "estimate/paths/paths.h"
#include "estimate/scan/scan.h"
#include "join_node/rows/plan_format.h"
#include "join_node/join_node.h"
#include "join_node/planner/planner.h"
#include "rtree/index_boxes.h"
#include "settings.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/extension/equivalent_plan.h"
#include "spatial/extension/member.h"

/* Costs, in units of cpu_operator_cost */
#define BEGIN_JOIN	1000
#define LEAF		550			/* the rows of a leaf, and a search of the
								 * other index */
#define LEAF_PAIR	200			/* the rows of another leaf, compared with
								 * them */
#define CANDIDATE	1
#define READ_ROW	3			/* the columns of a row, from the index */
#define FETCH_ROW	60			/* a row of the table, in memory */
#define FETCH_NEXT	20			/* the same, of a table in spatial order */

/* The same, if only the build side has an index */
#define BATCH_ROW	20			/* a row, in the batch */
#define WINDOW_INNER 25			/* its window, compared with an inner page */
#define WINDOW_LEAF	15			/* and with a leaf */
#define BATCH_LEAF	150			/* a leaf, for all windows */
#define ROW_BYTES	240			/* of a batch (window_join.c) */
#define LEAF_ROWS	200
#define FANOUT		150

/* A side's index, and the paths that scan it. */
typedef struct IndexSide
{
	RelOptInfo *rel;
	IndexOptInfo *index;
	bool		returns_key;	/* it stores the values themselves */
	bool		index_only;
	bool		wants_values;	/* for the result, or for conditions on pairs */
	double		part;			/* of the index, in reach of the other side's
								 * rows */
	List	   *clauses;		/* IndexClauses */
} IndexSide;

/*
 * If the condition enlarges a value by a distance, return the value, or its bounds, and add
 * the distance to a list.  Bounds in space of other extensions' types are not in the units
 * of the distance.
 */
static Expr *
without_distance(Expr *value, List **distances)
{
	const FuncExpr *call = (const FuncExpr *) value;
	Oid			type,
				bounds = InvalidOid;

	if (!IsA(value, FuncExpr) || list_length(call->args) != 2 ||
		exprType(lsecond(call->args)) != FLOAT8OID || contain_var_clause(lsecond(call->args)))
		return value;
	type = exprType(linitial(call->args));
	if (call->funcid == spq_spatial_bounds_function(type, true) && call->funcresulttype == BOXOID)
		bounds = spq_spatial_bounds_function(type, false);
	else if (!spq_spatial_is_expand(call->funcid))
		return value;
	*distances = lappend(*distances, lsecond(call->args));
	if (!OidIsValid(bounds))
		return linitial(call->args);
	return (Expr *) makeFuncExpr(bounds, BOXOID, list_make1(linitial(call->args)), InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Return the conditions of the best path that scans an index in no order. */
static List *
conditions_of_index(const RelOptInfo *rel, const IndexOptInfo *index)
{
	const IndexPath *best = NULL;
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		const Path *path = lfirst(lc);

		/* a bitmap of one index has the same conditions as its scan */
		if (IsA(path, BitmapHeapPath) && path->param_info == NULL)
			path = ((const BitmapHeapPath *) path)->bitmapqual;
		if (IsA(path, IndexPath) && path->param_info == NULL &&
			((const IndexPath *) path)->indexinfo == index &&
			((const IndexPath *) path)->indexorderbys == NIL &&
			(best == NULL || path->total_cost < best->path.total_cost))
			best = (const IndexPath *) path;
	}
	return best ? best->indexclauses : NIL;
}

/*
 * Find the index of a side: one that has all columns if there is one, then the
 * smallest.
 */
static bool
find_index(PlannerInfo *root, RelOptInfo *rel, const Expr *value, Oid operator, int axes, IndexSide *side)
{
	const RangeTblEntry *rte;
	bool		is_bounds;
	const Var  *column = spq_rtree_boxed_column(value, &is_bounds);
	ListCell   *lc;

	side->rel = rel;
	side->index = NULL;
	if (!IS_SIMPLE_REL(rel) || rel->rtekind != RTE_RELATION || column == NULL ||
		column->varno != (int) rel->relid)
		return false;
	rte = planner_rt_fetch(rel->relid, root);
	if (rte->inh || rte->tablesample != NULL)
		return false;
	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);
		bool		returns_key,
					index_only;

		if (!spq_rtree_index_has_boxes(index, column, is_bounds, operator, axes, &returns_key))
			continue;
		index_only = spq_rtree_index_has_columns(rel, index);
		if (side->index == NULL || (index_only && !side->index_only) ||
			(index_only == side->index_only && index->pages < side->index->pages))
		{
			side->index = index;
			side->returns_key = returns_key;
			side->index_only = index_only;
		}
	}
	if (side->index == NULL)
		return false;
	side->clauses = conditions_of_index(rel, side->index);
	return true;
}

/* Set how much of a side's index is in reach of the rows of the other. */
static void
set_part(const SpqNodeClauses *clauses, IndexSide *side)
{
	side->part = bms_is_subset(clauses->key->left_relids, side->rel->relids) ?
		clauses->left_part : clauses->right_part;
}

/* Return whether the join needs columns of a side, and not only the pairs of its boxes. */
static bool
wants_values(const SpqNodeContext *context, const RelOptInfo *rel, bool exact)
{
	Relids		result = pull_varnos(context->root, (Node *) context->joinrel->reltarget->exprs);

	return !exact || list_length(context->extra->restrictlist) > 1 ||
		rel->baserestrictinfo != NIL || bms_overlap(result, rel->relids);
}

static Path *
side_path(PlannerInfo *root, const IndexSide *side, bool partial)
{
	return (Path *) create_index_path(root, side->index, side->clauses, NIL, NIL, NIL,
									  ForwardScanDirection, side->index_only, NULL, 1.0, partial);
}

/* Return the fraction of the index of a side that satisfies its conditions. */
static double
fraction_of_index(const IndexSide *side, const Path *path)
{
	return side->clauses == NIL ? 1 : ((const IndexPath *) path)->indexselectivity;
}

/* Return how many leaves of a side satisfy its conditions. */
static double
leaves_of(const IndexSide *side, const Path *path)
{
	return Max(ceil(side->index->pages * fraction_of_index(side, path)), 1);
}

/* Return how many of them are near rows of the other side. */
static double
near_leaves_of(const IndexSide *side, const Path *path)
{
	return Max(ceil(side->index->pages * Min(side->part, fraction_of_index(side, path))), 1);
}

/*
 * Return the cost of reading leaves from a file.  They are read in the order of the tree,
 * which is that of the file as far as the index has not grown since it was built.  So the
 * more of them are read, the less each of them costs, as in cost_bitmap_heap_scan().
 */
static Cost
cost_of_leaves(const IndexSide *side, double leaves)
{
	double		part = leaves / Max(side->index->pages, leaves);

	return leaves * (random_page_cost - (random_page_cost - seq_page_cost) * sqrt(part));
}

/* Return how many rows satisfy the index conditions of a side. */
static double
rows_of_index(const IndexSide *side, const Path *path)
{
	return Max(side->rel->tuples * fraction_of_index(side, path), Max(side->rel->rows, 1));
}

/* Return the fraction of pairs whose boxes meet. */
static double
meeting_fraction(const SpqNodeContext *context, RelOptInfo *probe, RelOptInfo *build)
{
	const SpqNodeClauses *clauses = context->clauses;

	return Min(spq_node_pair_selectivity(context->root, clauses->key, probe, build) *
			   clauses->meeting_per_match, 1);
}

/*
 * Return the cost of the rows of a side that are in pairs of boxes.  "times" is how often each of
 * them is read, and the conditions on it are evaluated.
 */
static Cost
cost_of_rows(PlannerInfo *root, const IndexSide *side, const Path *path, double rows, double times)
{
	const RelOptInfo *rel = side->rel;
	double		fetched = side->index_only ? rows * (1 - rel->allvisfrac) : rows,
				order = spq_estimate_heap_order(root, (const IndexPath *) path),
				pages,
				least;
	Cost		cost = rel->baserestrictcost.startup +
		rows * times * rel->baserestrictcost.per_tuple;

	/* as in cost_index() */
	order *= order;
	if (side->index_only && side->wants_values)
		cost += rows * times * READ_ROW * cpu_operator_cost;
	if (fetched < 1)
		return cost;
	pages = index_pages_fetched(fetched, (BlockNumber) rel->pages, side->index->pages, root);
	least = Min(ceil(fetched / Max(rel->tuples, 1) * rel->pages), pages);
	return cost + fetched * times * (FETCH_ROW + order * (FETCH_NEXT - FETCH_ROW)) * cpu_operator_cost +
		random_page_cost * pages + order * (seq_page_cost * least - random_page_cost * pages);
}

/* Set the cost of a path. */
static void
set_cost(const SpqNodeContext *context, CustomPath *path, const IndexSide *probe,
		 const IndexSide *build, int kind, List *restrictlist, double divisor)
{
	PlannerInfo *root = context->root;
	const SpqNodeClauses *clauses = context->clauses;
	Path	   *probe_path = linitial(path->custom_paths),
			   *build_path = lsecond(path->custom_paths);
	int			axes = spq_type_free_axes(clauses->op.left.type);
	double		probe_leaves = leaves_of(probe, probe_path),
				build_leaves = leaves_of(build, build_path),
				near_probes = near_leaves_of(probe, probe_path),
				near_builds = near_leaves_of(build, build_path),
				leaf_pairs,
				probe_rows = rows_of_index(probe, probe_path),
				build_rows = rows_of_index(build, build_path),
				pairs = probe_rows * build_rows * meeting_fraction(context, probe->rel, build->rel),
				kept;
	QualCost	quals;
	Cost		shared,
				run;

	/*
	 * two boxes meet if their centers are within a window, which has this
	 * fraction of the map; leaves in squares meet in a window that is larger
	 * by the sides of both.  The map is where both sides have rows.
	 */
	leaf_pairs = pow(pow(near_probes, -1.0 / axes) + pow(near_builds, -1.0 / axes) +
					 pow(pairs / probe_rows / build_rows * (probe_leaves / near_probes) *
						 (build_leaves / near_builds), 1.0 / axes), axes);
	leaf_pairs = Min(leaf_pairs, 1) * near_probes * near_builds;

	/*
	 * the children's conditions come after the boxes, and before those of the
	 * join
	 */
	kept = pairs * probe->rel->rows / probe_rows * build->rel->rows / build_rows;
	spq_spatial_cost_conditions(&quals, extract_actual_clauses(restrictlist, false), root);

	/* all processes read the leaves of the build side */
	run = cost_of_leaves(build, near_builds);
	shared = cost_of_leaves(probe, probe_leaves) + probe_leaves * LEAF * cpu_operator_cost +
		leaf_pairs * LEAF_PAIR * cpu_operator_cost +
		pairs * CANDIDATE * cpu_operator_cost + kept * quals.per_tuple +
		cost_of_rows(root, probe, probe_path,
					 kind & SPQ_NODE_EMIT_PROBES ? probe_rows : Min(probe_rows, pairs), 1) +
		cost_of_rows(root, build, build_path, Min(build_rows, pairs),
					 Max(1, Min(pairs / Max(build_rows, 1), leaf_pairs / near_builds)));
	run += shared / divisor + cpu_tuple_cost * path->path.rows +
		path->path.pathtarget->cost.per_tuple * path->path.rows;
	path->path.startup_cost = BEGIN_JOIN * cpu_operator_cost + quals.startup +
		path->path.pathtarget->cost.startup;
	path->path.total_cost = path->path.startup_cost + run +
		spq_cost_of_disabled(!enable_indexscan);
}

/* Set the cost of a path whose build side is an index, for the rows of any plan. */
static void
set_window_cost(const SpqNodeContext *context, CustomPath *path, const IndexSide *build,
				List *restrictlist, const SemiAntiJoinFactors *factors)
{
	PlannerInfo *root = context->root;
	const SpqNodeClauses *clauses = context->clauses;
	const Path *probe_path = linitial(path->custom_paths),
			   *build_path = lsecond(path->custom_paths);
	int			axes = spq_type_free_axes(clauses->op.left.type);
	double		rows = probe_path->rows,
				leaves = near_leaves_of(build, build_path),
				most_rows = Max(get_hash_memory_limit() / 2.0 / ROW_BYTES, 64),
				batches = ceil(rows / most_rows),
				levels = ceil(log(Max(build->index->pages, 2)) / log(FANOUT)),
				build_rows = rows_of_index(build, build_path),
				pairs = rows * build_rows * meeting_fraction(context, probe_path->parent, build->rel),
				of_window,
				read;
	Expr	   *probe_value,
			   *build_value;
	bool		commuted;
	QualCost	quals;
	Cost		run,
				of_probes;

	spq_node_orient_clause(clauses->key, probe_path->parent->relids, &probe_value, &build_value,
						   &commuted);

	spq_spatial_cost_conditions(&quals, extract_actual_clauses(restrictlist, false), root);

	/*
	 * as in scan_cost.c: a window as wide as its rows touches one more on
	 * each axis
	 */
	of_window = Min(pow(pow(pairs / Max(rows, 1) / LEAF_ROWS, 1.0 / axes) + 1, axes), leaves);
	if (factors)
	{
		double		share = spq_node_share_of_candidates(factors, build->rel->rows < build_rows ||
														 list_length(restrictlist) > 1 ||
														 !clauses->op.exact);

		pairs *= share;
		of_window = Max(of_window * share, 1);
	}
	read = leaves * -expm1(-rows / batches * of_window / leaves);
	of_probes = probe_path->total_cost - probe_path->startup_cost +
		((BATCH_ROW + WINDOW_INNER) * cpu_operator_cost + spq_node_box_cost(probe_value)) * rows;
	run = of_probes + WINDOW_INNER * cpu_operator_cost * (levels - 1) * rows +
		WINDOW_LEAF * cpu_operator_cost * rows * of_window +
		BATCH_LEAF * cpu_operator_cost * read * batches +
		cost_of_leaves(build, leaves * -expm1(-rows * of_window / leaves)) +
		pairs * (CANDIDATE * cpu_operator_cost + build->rel->rows / build_rows * quals.per_tuple) +
		cost_of_rows(root, build, build_path, Min(build_rows, pairs),
					 Max(1, Min(pairs / build_rows, batches))) +
		(cpu_tuple_cost + path->path.pathtarget->cost.per_tuple) * path->path.rows;
	path->path.startup_cost = probe_path->startup_cost + BEGIN_JOIN * cpu_operator_cost +
		quals.startup + path->path.pathtarget->cost.startup + spq_cost_of_disabled(!enable_indexscan);
	path->path.total_cost = path->path.startup_cost + run;

	/*
	 * the first batch is read, and compared with the root, before the first
	 * pair is found
	 */
	path->path.startup_cost += of_probes / batches;
}

/* Offer the join of the rows of any plan with an index. */
static void
try_window_path(const SpqNodeContext *context, Path *probe, const IndexSide *build, int kind,
				List *distances, bool partial)
{
	SpqNodePathKind all = {kind,.partial = partial,.indexes = SPQ_NODE_BUILD_INDEX,.distances = distances};
	const SemiAntiJoinFactors *factors = kind & SPQ_NODE_ONE_PER_PROBE ?
		&context->extra->semifactors : NULL;
	Path	   *build_path = side_path(context->root, build, false);
	List	   *restrictlist;
	CustomPath *path;

	if (probe->param_info != NULL || (partial && !build_path->parallel_safe))
		return;
	path = spq_node_make_path(context, probe, build_path, all, NULL, &restrictlist);
	if (partial && !path->path.parallel_safe)
		return;
	set_window_cost(context, path, build, restrictlist, factors);
	if (partial)
		add_partial_path(context->joinrel, (Path *) path);
	else
		add_path(context->joinrel, spq_node_hide_row_identity(path));
}

/* Offer the join of two indexes. */
static void
try_index_paths(const SpqNodeContext *context, const IndexSide *sides, int kind, List *distances)
{
	SpqNodePathKind all = {kind,.indexes = SPQ_NODE_BOTH_INDEXES,.distances = distances};
	Path	   *probe_path = side_path(context->root, &sides[0], false),
			   *build_path = side_path(context->root, &sides[1], false);
	List	   *restrictlist;
	CustomPath *path = spq_node_make_path(context, probe_path, build_path, all, NULL, &restrictlist);

	set_cost(context, path, &sides[0], &sides[1], kind, restrictlist, 1);
	add_path(context->joinrel, spq_node_hide_row_identity(path));

	if (!context->joinrel->consider_parallel || !build_path->parallel_safe)
		return;
	probe_path = side_path(context->root, &sides[0], true);
	if (!probe_path->parallel_safe || probe_path->parallel_workers <= 0)
		return;
	all.partial = true;
	path = spq_node_make_path(context, probe_path, build_path, all, NULL, &restrictlist);
	if (!path->path.parallel_safe)
		return;
	set_cost(context, path, &sides[0], &sides[1], kind, restrictlist,
			 spq_node_parallel_divisor(&path->path));
	add_partial_path(context->joinrel, (Path *) path);
}

/*
 * Return whether the boxes in these indexes, of which one may be NULL, can be joined.  If
 * they are only bounds, or may be apart, they can only overlap, and the operator decides.
 */
static bool
can_join(const IndexSide *one, const IndexSide *other, List *distances, SpqSpatialOperator *op)
{
	if ((one && !one->returns_key) || !other->returns_key || distances != NIL)
	{
		op->predicate = SPQ_BOX_OVERLAPS;
		op->exact = false;
	}
	return op->predicate == SPQ_BOX_OVERLAPS || op->predicate == SPQ_BOX_MEETS ||
		op->predicate == SPQ_BOX_CONTAINS || op->predicate == SPQ_BOX_CONTAINED;
}

/* Offer joins that read the index of the build side, or those of both sides. */
void
spq_node_index_paths(const SpqNodeContext *context, RelOptInfo *probe, RelOptInfo *build, int kind)
{
	const SpqNodeClauses *clauses = context->clauses;
	SpqNodeClauses of_indexes = *clauses;
	SpqNodeContext changed = *context;
	IndexSide	sides[2];
	Expr	   *probe_value,
			   *build_value;
	List	   *probe_distances = NIL,
			   *distances = NIL;
	bool		commuted;
	Oid			operator = ((OpExpr *) clauses->key->clause)->opno,
				other = get_commutator(operator);

	if ((kind & (SPQ_NODE_EMIT_BUILDS | SPQ_NODE_ONE_PER_BUILD)) != 0 ||
		clauses->parts.owner != NULL || !bms_is_empty(context->joinrel->lateral_relids) ||
		!OidIsValid(other))
		return;
	spq_node_orient_clause(clauses->key, probe->relids, &probe_value, &build_value, &commuted);
	build_value = without_distance(build_value, &distances);
	if (!find_index(context->root, build, build_value,
					distances ? InvalidOid : commuted ? operator : other,
					clauses->op.axes, &sides[1]))
		return;
	set_part(clauses, &sides[1]);
	changed.clauses = &of_indexes;
	of_indexes.op.clear_axes = 0;
	if (can_join(NULL, &sides[1], distances, &of_indexes.op))
	{
		sides[1].wants_values = wants_values(context, build, of_indexes.op.exact);
		try_window_path(&changed, probe->cheapest_total_path, &sides[1], kind, distances, false);
		if (context->joinrel->consider_parallel && probe->partial_pathlist != NIL)
			try_window_path(&changed, linitial(probe->partial_pathlist), &sides[1], kind, distances,
							true);
	}

	probe_value = without_distance(probe_value, &probe_distances);
	if (!find_index(context->root, probe, probe_value,
					probe_distances ? InvalidOid : commuted ? other : operator,
					clauses->op.axes, &sides[0]))
		return;
	distances = list_concat(probe_distances, distances);
	of_indexes = *clauses;
	of_indexes.op.clear_axes = 0;
	if (!can_join(&sides[0], &sides[1], distances, &of_indexes.op))
		return;
	set_part(clauses, &sides[0]);
	sides[0].wants_values = wants_values(context, probe, of_indexes.op.exact);
	sides[1].wants_values = wants_values(context, build, of_indexes.op.exact);
	try_index_paths(&changed, sides, kind, distances);
}
