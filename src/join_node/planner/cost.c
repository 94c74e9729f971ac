/*-------------------------------------------------------------------------
 *
 * cost.c
 *	  The cost of a spatial hash join.
 *
 *		startup		 the build side's plan, and sorting its rows into tiles
 *		run			 the probe side's plan, its rows, the pairs of boxes that
 *					 meet, and the conditions that are evaluated for each
 *		on disk		 if the build side does not fit into memory: its rows, and
 *					 the probes of later batches, written and read once
 *
 * The factors are multiples of PostgreSQL's cost parameters, measured relative
 * to what these parameters stand for (docs/notes/join_node.md).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "join/engine/join.h"
#include "join_node/rows/plan_format.h"
#include "join_node/join_node.h"
#include "join_node/planner/planner.h"
#include "settings.h"
#include "spatial/extension/equivalent_plan.h"
#include "types/registry.h"

/* Costs, in units of cpu_operator_cost */
#define BEGIN_JOIN	1600		/* memory allocation, cold code */
#define BUILD_ROW	11
#define PROBE_ROW	10
#define MAKE_BOX	10			/* of a value of variable length */
#define EVALUATE_BOX 5			/* of an expression of other values */
#define CANDIDATE	2
#define ROW_PART	2			/* finding its part */
#define LINE_RECHECK 25			/* what a segment or a ray costs more that is
								 * no match: all plans evaluate the matches */
#define LINE_BUCKET	40			/* comparing a line with a bucket of boxes */

/*
 * A long line meets this number of buckets, times their number along an axis; the
 * least number, which most short ones meet, at all levels; candidates per match.
 */
#define LINE_BUCKETS	2
#define LINE_LEAST		6
#define LINE_PER_MATCH	1.3
#define BUCKET_FILL		20		/* boxes in a bucket */

#define MEMORY_OF_BUILD (7.0 / 8)	/* the rest is for probes */
#define FIRST_PROBES 1024		/* read before the first pair */

/*
 * add_path() considers costs equal that differ by less than a factor of FUZZ.
 * undercut_equals() acts if conditions take more than MOST of a path's cost.
 */
#define FUZZ		1.0101
#define MOST		0.9

/*
 * Return the number of processes among which a partial path divides its work.
 * Follows get_parallel_divisor() (copies.list).
 */
double
spq_node_parallel_divisor(const Path *path)
{
	double		divisor = path->parallel_workers;

	if (parallel_leader_participation)
		divisor += Max(1.0 - 0.3 * path->parallel_workers, 0);
	return Max(divisor, 1);
}

/*
 * Return the width of a row's columns as they are stored.  The planner's width is
 * that of the values themselves, but a row has only a pointer to a value in a TOAST
 * table.  Rows take no more than the pages of their table.
 */
static double
stored_width(PlannerInfo *root, const Path *path)
{
	double		width = path->pathtarget->width;
	int			relid = -1;

	while ((relid = bms_next_member(path->parent->relids, relid)) >= 0)
	{
		const RelOptInfo *rel = root->simple_rel_array[relid];
		double		of_rel = 0;
		ListCell   *lc;

		if (rel == NULL || rel->rtekind != RTE_RELATION || rel->pages == 0 || rel->tuples <= 0)
			continue;
		foreach(lc, path->pathtarget->exprs)
		{
			const Var  *var = lfirst(lc);

			if (IsA(var, Var) && var->varno == relid && var->varattno >= rel->min_attr)
				of_rel += rel->attr_widths[var->varattno - rel->min_attr];
		}
		width -= Max(of_rel - BLCKSZ * (double) rel->pages / rel->tuples, 0);
	}
	return Max(width, 0);
}

/* Return the number of bytes of a row's columns of this width. */
static double
payload_bytes(double width)
{
	return MAXALIGN(SizeofMinimalTupleHeader) + MAXALIGN((Size) width);
}

/* Return the bytes that a row takes on disk. */
static double
file_bytes(PlannerInfo *root, const SpqJoinEngine *engine, const Path *path)
{
	return engine->file_bytes + payload_bytes(stored_width(root, path));
}

/*
 * Return the bytes that a row of the build side takes in memory, and what conditions
 * keep of it: about as much as its values are wide.
 */
static double
memory_bytes(const SpqJoinEngine *engine, const Path *build)
{
	return engine->memory_bytes + payload_bytes(build->pathtarget->width);
}

/* Return the memory that the build side takes. */
double
spq_node_build_memory(const SpqSpatialOperator *op, const Path *build)
{
	return build->rows * memory_bytes(spq_join_engine(op->axes), build);
}

/* Return how much memory it may take. */
double
spq_node_memory_limit(void)
{
	return get_hash_memory_limit() * MEMORY_OF_BUILD;
}

/*
 * If the build side does not fit into memory, return the cost of writing and
 * reading all its rows, and the probes that do not meet the part of it that
 * stays in memory.  Otherwise return 0.
 */
static Cost
cost_of_disk(PlannerInfo *root, const SpqJoinEngine *engine, const Path *build,
			 double build_rows, const Path *probe, double probe_rows, double memory)
{
	double		needed = build_rows * memory_bytes(engine, build),
				bytes;

	if (needed <= memory)
		return 0;
	bytes = build_rows * file_bytes(root, engine, build) +
		probe_rows * file_bytes(root, engine, probe) * (1 - memory / needed);
	return 2 * seq_page_cost * bytes / BLCKSZ;
}

/*
 * Return the cost of the box of a side's value, for one row.  A value of a fixed length in a
 * column has its box at hand.  One of a variable length, such as a polygon, a range or a
 * geometry, is copied or parsed.
 */
Cost
spq_node_box_cost(Expr *value)
{
	List	   *vars = pull_var_clause((Node *) value, PVC_RECURSE_AGGREGATES |
									   PVC_RECURSE_WINDOWFUNCS | PVC_RECURSE_PLACEHOLDERS);
	ListCell   *lc;

	foreach(lc, vars)
	{
		if (get_typlen(exprType(lfirst(lc))) < 0)
			return MAKE_BOX * cpu_operator_cost;
	}
	return IsA(value, Var) ? 0 : EVALUATE_BOX * cpu_operator_cost;
}

/*
 * Return the number of pairs with matching keys.  The condition of the key, if
 * boxes do not decide it, and all other conditions are evaluated for each of
 * them.
 */
static double
candidates(PlannerInfo *root, const SpqNodeClauses *clauses,
		   const Path *probe, double probe_rows,
		   const Path *build, double build_rows, double per_match)
{
	double		rows = probe_rows * build_rows *
		Min(spq_node_pair_selectivity(root, clauses->key, probe->parent, build->parent) *
			per_match, 1);
	ListCell   *lc;

	foreach(lc, clauses->hash)
		rows *= spq_node_pair_selectivity(root, lfirst_node(RestrictInfo, lc),
										  probe->parent, build->parent);
	return rows;
}

/* Return whether the engine can compare an operand as a line with boxes. */
static bool
may_be_line(const SpqSpatialOperator *op, const SpqTypeOperand *operand)
{
	return operand->type->line != NULL && !op->exact && op->predicate == SPQ_BOX_OVERLAPS;
}

/*
 * Return the cost of comparing lines with the buckets of the build side.  "pairs"
 * is the number of pairs that their boxes would select.
 */
static Cost
cost_of_lines(double lines, double pairs, double build_rows, int axes)
{
	double		most = LINE_BUCKETS * pow(build_rows / BUCKET_FILL, 1.0 / axes);

	return LINE_BUCKET * cpu_operator_cost *
		(lines * LINE_LEAST + Min(lines * most, pairs / BUCKET_FILL));
}

double
spq_node_share_of_candidates(const SemiAntiJoinFactors *factors, bool more_conditions)
{
	double		share = Min(1, 2 / (factors->match_count + 1));

	if (more_conditions)
		share = 1 - factors->outer_match_frac * (1 - share);
	return share;
}

/*
 * Compute the cost of the conditions for a pair.  The node finds the part of
 * each row once, and computes the owner only for pairs in which both rows have
 * copies.
 */
static void
condition_costs(PlannerInfo *root, List *restrictlist, const SpqNodeParts *parts,
				double rows, QualCost *quals)
{
	QualCost	on_parts;

	spq_spatial_cost_conditions(quals, extract_actual_clauses(restrictlist, false), root);
	if (parts->owner == NULL)
		return;
	cost_qual_eval(&on_parts, parts->clauses, root);
	quals->per_tuple -= on_parts.per_tuple * Min(Max(parts->owner->norm_selec, 0), 1);
	quals->startup += ROW_PART * cpu_operator_cost * rows;
}

/*
 * If the conditions take most of a path's cost, lower the cost below that of a
 * nested loop that costs slightly more.  PostgreSQL would consider the two
 * equal, and prefer the nested loop, which starts earlier.  But both evaluate
 * the same conditions, so the rest of the cost should decide, even if the
 * difference is less than 1 % of the whole.
 */
static void
undercut_equals(Path *path, Cost of_conditions)
{
	ListCell   *lc;

	if (of_conditions < MOST * path->total_cost || path->parallel_aware)
		return;
	foreach(lc, path->parent->pathlist)
	{
		const Path *other = lfirst(lc);

		if (other->pathtype == T_NestLoop &&
			bms_equal(PATH_REQ_OUTER(other), PATH_REQ_OUTER(path)) &&
			other->total_cost > path->total_cost &&
			other->total_cost < path->total_cost * FUZZ)
			path->total_cost = other->total_cost / FUZZ;
	}
}

/*
 * Return whether the node counts as disabled.  It is a hash join, so a user
 * who disables hash joins, for example as a hint for a nested loop, does not
 * want it, unless spqtree.enable_hashjoin is "always".
 */
bool
spq_node_is_disabled(void)
{
	return !enable_hashjoin && spq_enable_hashjoin != SPQ_HASHJOIN_ALWAYS;
}

/*
 * Return what a path of complete paths costs more if its sides exchange their roles.
 */
Cost
spq_node_cost_of_exchange(PlannerInfo *root, const CustomPath *path)
{
	const List *numbers = list_nth(path->custom_private, SPQ_NODE_PATH_NUMBERS);
	const SpqJoinEngine *engine =
		spq_join_engine(spq_type_numbered(list_nth_int(numbers, SPQ_NODE_NUMBER_PROBE))->axes);
	const Path *probe = list_nth(path->custom_paths, SPQ_NODE_PROBE),
			   *build = list_nth(path->custom_paths, SPQ_NODE_BUILD);
	double		memory = spq_node_memory_limit();

	return (BUILD_ROW - PROBE_ROW) * cpu_operator_cost * (probe->rows - build->rows) +
		cost_of_disk(root, engine, probe, probe->rows, build, build->rows, memory) -
		cost_of_disk(root, engine, build, build->rows, probe, probe->rows, memory);
}

/*
 * Set the costs of a path whose row count has been set.  "factors" are those
 * of the join if one match of a row is enough, otherwise NULL.  "exchanged" says
 * that the right operand is the probe's.  Return whether to compare probes as
 * lines.
 */
bool
spq_node_cost(PlannerInfo *root, CustomPath *path, List *restrictlist,
			  const SpqNodeClauses *clauses, const SemiAntiJoinFactors *factors,
			  bool shared, bool exchanged)
{
	const SpqJoinEngine *engine = spq_join_engine(clauses->op.axes);
	Path	   *probe = list_nth(path->custom_paths, SPQ_NODE_PROBE),
			   *build = list_nth(path->custom_paths, SPQ_NODE_BUILD);
	const SpqSpatialOperator *op = &clauses->op;
	double		probe_rows = probe->rows,
				build_rows = build->rows,
				all_build_rows = build_rows,
				pairs,
				matches,
				line_pairs = 0,
				compared = 0,	/* pairs whose boxes meet, if the relation is
								 * another one */
				memory = spq_node_memory_limit(),
				shared_memory = 0;
	Cost		startup,
				run,
				per_pair,
				of_pairs,
				of_lines = 0;
	QualCost	quals;
	Expr	   *probe_value,
			   *build_value;
	bool		commuted,
				along_lines = may_be_line(op, exchanged ? &op->right : &op->left);

	spq_node_orient_clause(clauses->key, probe->parent->relids, &probe_value, &build_value,
						   &commuted);

	if (shared)
	{
		/* each process reads a part of the rows, whose estimate is rounded */
		all_build_rows = build->parent->rows;
		shared_memory = memory *
			(path->path.parallel_workers + parallel_leader_participation);
	}
	pairs = candidates(root, clauses, probe, probe_rows, build, all_build_rows, clauses->per_match);
	if (along_lines)
		line_pairs = candidates(root, clauses, probe, probe_rows, build, all_build_rows,
								Min(clauses->per_match, LINE_PER_MATCH));
	if (op->predicate == SPQ_BOX_CONTAINS || op->predicate == SPQ_BOX_CONTAINED)
		compared = candidates(root, clauses, probe, probe_rows, build, all_build_rows,
							  clauses->meeting_per_match);
	if (factors)
	{
		double		share = spq_node_share_of_candidates(factors, list_length(restrictlist) > 1);

		pairs *= share;
		line_pairs *= share;
	}
	matches = pairs / Max(clauses->per_match, 1);
	condition_costs(root, list_difference_ptr(restrictlist, clauses->clear), &clauses->parts,
					probe_rows + build_rows, &quals);

	per_pair = CANDIDATE * cpu_operator_cost + quals.per_tuple;
	of_pairs = per_pair * pairs + CANDIDATE * cpu_operator_cost * Max(compared - pairs, 0);
	if (may_be_line(op, &op->left) || may_be_line(op, &op->right))
		of_pairs += LINE_RECHECK * cpu_operator_cost * (pairs - matches);
	if (along_lines)
	{
		of_lines = per_pair * line_pairs +
			LINE_RECHECK * cpu_operator_cost * (line_pairs - matches) +
			cost_of_lines(probe_rows, pairs, all_build_rows, op->axes);
		along_lines = of_lines < of_pairs;
	}

	startup = build->total_cost + probe->startup_cost + quals.startup +
		BEGIN_JOIN * cpu_operator_cost +
		(BUILD_ROW * cpu_operator_cost + spq_node_box_cost(build_value)) * build_rows +
		spq_cost_of_disabled(spq_node_is_disabled());
	run = probe->total_cost - probe->startup_cost +
		(PROBE_ROW * cpu_operator_cost + spq_node_box_cost(probe_value)) * probe_rows +
		(along_lines ? of_lines : of_pairs) +
		cpu_tuple_cost * path->path.rows;
	if (!shared)
		run += cost_of_disk(root, engine, build, build_rows, probe, probe_rows, memory);
	else if (all_build_rows * memory_bytes(engine, build) > shared_memory)
	{
		/* each process writes its rows, then reads all rows and joins alone */
		startup += 2 * seq_page_cost * all_build_rows * file_bytes(root, engine, build) / BLCKSZ +
			BUILD_ROW * cpu_operator_cost * all_build_rows;
		run += cost_of_disk(root, engine, build, all_build_rows, probe, probe_rows, memory);
	}

	/* target list evaluation */
	startup += path->path.pathtarget->cost.startup;
	run += path->path.pathtarget->cost.per_tuple * path->path.rows;

	path->path.startup_cost = startup;
	path->path.total_cost = startup + run;

	/* the first pair comes after the first block of probes */
	path->path.startup_cost += run * Min(1, FIRST_PROBES / Max(probe_rows, 1));
	undercut_equals(&path->path, quals.per_tuple * (along_lines ? line_pairs : pairs));
	path->path.startup_cost = Min(path->path.startup_cost, path->path.total_cost);
	return along_lines;
}
