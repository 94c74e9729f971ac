/*-------------------------------------------------------------------------
 *
 * index_paths.c
 *	  Index scans inside nested loops, costed again for the rows that they will
 *	  return.
 *
 * PostgreSQL has made paths for scans such as "index of b with a.box as key",
 * assuming that each scan returns 0.5 % of the table.  Now there is an
 * estimate:
 *
 *		b's paths:	 seq scan			stays
 *					 bitmap scan (a)	costed again -+-- both offered: at 0.5 %
 *					 index scan (a)		costed again -+	  one beat the other
 *
 * PostgreSQL's own functions compute the costs.  They take the selectivity of
 * a clause from the clause, if it looks like a condition on b alone.  So they
 * are given a copy that looks like that.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_am.h"
#include "miscadmin.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "compat.h"
#include "estimate/cache/cache.h"
#include "estimate/join/selectivity.h"
#include "estimate/paths/paths.h"
#include "path_list.h"

/*
 * What a scan and each of its rows cost beyond PostgreSQL's charge, in units
 * of cpu_operator_cost.  PostgreSQL charges the descent of a B-tree, but
 * SP-GiST and GiST compare all keys of all pages that a scan visits.
 * (docs/notes/estimate.md has the measurement.)
 */
typedef struct ScanCpu
{
	double		scan;
	double		outside;		/* a scan for a box outside of everything in
								 * the index */
	double		row;
} ScanCpu;

amcostestimate_function spq_estimate_own_costs = NULL;

static const ScanCpu gist_cpu = {600, 150, 14};
static const ScanCpu rtree_cpu = {150, 40, 5};

typedef struct PathContext
{
	PlannerInfo *root;
	RelOptInfo *rel;
	List	   *primed;			/* clauses with our estimates */
	List	   *implied;		/* conditions implied by these
								 * (SpqEstimateImplied) */
	List	   *intervals;		/* SpqEstimateInterval */
	List	   *plain;			/* new plain index scans (RecostedPath) */
} PathContext;

/* A new path, and how many pages of the table all its scans can read. */
typedef struct RecostedPath
{
	IndexPath  *path;
	BlockNumber heap_pages;
	bool		spatial;		/* by a spatial clause, not just a comparison */
} RecostedPath;

/* What the scans of an inner relation for all outer rows reach together. */
typedef struct Reach
{
	double		index_part;		/* fraction of the pages of the index */
	double		inside;			/* fraction of the outer rows that are not
								 * outside of the index */
	double		matched;		/* fraction of the rows that are fetched */
} Reach;

/*
 * Return a copy of the clause that looks like a condition on this relation
 * alone and has this selectivity.
 */
static RestrictInfo *
as_restriction(const PathContext *context, RestrictInfo *rinfo, Selectivity selectivity)
{
	RestrictInfo *copy = makeNode(RestrictInfo);

	memcpy(copy, rinfo, sizeof(RestrictInfo));
	copy->clause_relids = context->rel->relids;
	spq_set_single_rel(copy);
	copy->norm_selec = selectivity;
	return copy;
}

/*
 * Return the clause with our estimate from which an index condition was made:
 * the clause itself or one that implies it.  Return NULL if there is none.
 */
static RestrictInfo *
primed_clause(const PathContext *context, RestrictInfo *rinfo)
{
	ListCell   *lc;

	foreach(lc, context->implied)
	{
		const SpqEstimateImplied *pair = lfirst(lc);

		if (pair->implied == rinfo)
		{
			rinfo = pair->condition;
			break;
		}
	}
	return list_member_ptr(context->primed, rinfo) ? rinfo : NULL;
}

/*
 * Return the selectivity of a comparison beside others: of two that form an interval, the
 * first one has that of both, and the second one 1.  Return -1 for anything else.
 */
static double
comparison_selectivity(const PathContext *context, const RestrictInfo *rinfo, const List *beside)
{
	ListCell   *lc;

	foreach(lc, context->intervals)
	{
		const SpqEstimateInterval *interval = lfirst(lc);

		if (interval->first == rinfo && list_member_ptr(beside, interval->second))
			return interval->selectivity;
		if (interval->second == rinfo && list_member_ptr(beside, interval->first))
			return 1;
	}
	return -1;
}

/*
 * Return the conditions of an index scan on a column of the index.  The bounds of an
 * interval decide what is read if both are on the same column.
 */
static List *
conditions_on_column(const IndexPath *path, AttrNumber column)
{
	List	   *conditions = NIL;
	ListCell   *lc;

	foreach(lc, path->indexclauses)
	{
		const IndexClause *iclause = lfirst_node(IndexClause, lc);

		if (iclause->indexcol == column)
			conditions = lappend(conditions, iclause->rinfo);
	}
	return conditions;
}

/*
 * Correct the number of rows of a parameterized scan.  Follows
 * get_parameterized_baserel_size() (copies.list).
 */
static void
correct_rows(const PathContext *context, ParamPathInfo *param_info)
{
	RelOptInfo *rel = context->rel;
	List	   *clauses = NIL;
	bool		any = false;
	ListCell   *lc;

	foreach(lc, param_info->ppi_clauses)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		double		selectivity = list_member_ptr(context->primed, rinfo) ?
			spq_estimate_scan_selectivity(context->root, rel, rinfo) :
			comparison_selectivity(context, rinfo, param_info->ppi_clauses);

		if (selectivity >= 0)
		{
			rinfo = as_restriction(context, rinfo, selectivity);
			any = true;
		}
		clauses = lappend(clauses, rinfo);
	}
	if (!any)
		return;
	clauses = list_concat(clauses, rel->baserestrictinfo);
	param_info->ppi_rows =
		Min(clamp_row_est(rel->tuples *
						  clauselist_selectivity(context->root, clauses, rel->relid,
												 JOIN_INNER, NULL)),
			rel->rows);
}

/*
 * Return how often the scan will be run.  Follows get_loop_count() (copies.list).
 */
static double
loop_count(const PathContext *context, Relids required_outer)
{
	const PlannerInfo *root = context->root;
	double		least = 0;
	int			relid = -1;

	while ((relid = bms_next_member(required_outer, relid)) >= 0)
	{
		const RelOptInfo *outer = relid < root->simple_rel_array_size ?
			root->simple_rel_array[relid] : NULL;

		if (outer && outer->rows > 0 && (least == 0 || outer->rows < least))
			least = outer->rows;
	}
	return Max(least, 1);
}

/*
 * Limit what scans reach by the estimate of a clause.  Outer rows that all lie
 * in one place touch the same few pages again and again; PostgreSQL knows only
 * the number of scans.
 */
static void
limit_reach(const PathContext *context, RestrictInfo *rinfo, Reach *reach)
{
	bool		left;
	const SpqEstimateSelectivity *selectivity =
		spq_estimate_clause_of(context->root, context->rel, rinfo, &left);

	reach->matched = Min(reach->matched, left ? selectivity->left_fraction :
						 selectivity->right_fraction);
	reach->index_part = Min(reach->index_part, left ? selectivity->left_touched.part :
							selectivity->right_touched.part);
	reach->inside = Min(reach->inside, left ? selectivity->left_touched.inside :
						selectivity->right_touched.inside);
}

/*
 * Return how many pages of a table contain the fraction "matched" of its rows,
 * which are spread over it.
 */
static BlockNumber
pages_of_rows(const RelOptInfo *rel, double matched)
{
	double		pages = rel->pages;

	if (pages <= 1)
		return rel->pages;
	return (BlockNumber) ceil(pages * -expm1(-matched * rel->tuples / pages));
}

/*
 * Call cost_index() for an index and a table of which only the pages in reach
 * are read.
 */
static void
cost_index_in_reach(const PathContext *context, IndexPath *path, const Reach *reach,
					BlockNumber heap_pages)
{
	IndexOptInfo *index = path->indexinfo;
	RelOptInfo *rel = context->rel;
	BlockNumber index_pages = index->pages,
				rel_pages = rel->pages;
	double		index_tuples = index->tuples;
	double		part = reach->inside;

	/*
	 * A GiST scan compares all keys of several pages, and the charge for
	 * these pages stands for that, too.  So do not limit them.
	 */
	if (index->relam == SPGIST_AM_OID || spq_estimate_is_own_index(index))
		part = Min(part, reach->index_part);
	index->pages = (BlockNumber) ceil(Max(index_pages * part, 1));
	index->tuples = Max(index_tuples * part, 1);
	rel->pages = Max(heap_pages, 1);
	cost_index(path, context->root,
			   loop_count(context, path->path.param_info->ppi_req_outer), false);
	index->pages = index_pages;
	index->tuples = index_tuples;
	rel->pages = rel_pages;
}

/*
 * Return the fraction of pairs for which an index scan reads the row: those that
 * satisfy the condition, or if the index is searched for a weaker condition,
 * those that satisfy that, about as many as have boxes that meet.
 */
static Selectivity
fetched_fraction(const PathContext *context, const IndexClause *iclause, RestrictInfo *primed)
{
	Selectivity selectivity = spq_estimate_scan_selectivity(context->root, context->rel, primed);
	bool		left;
	const SpqEstimateSelectivity *estimate;

	if (!iclause->lossy && iclause->rinfo == primed)
		return selectivity;
	estimate = spq_estimate_clause_of(context->root, context->rel, primed, &left);
	return Min(selectivity * estimate->candidates / estimate->inner, 1);
}

/*
 * Return what to add to the cost of a scan whose rows PostgreSQL has rounded to a whole
 * number, and to one if there are fewer.  A nested loop runs the scan many times, and
 * these conditions, which each row must satisfy, may cost a thousand operators.
 */
static Cost
cost_of_rounding(const PathContext *context, List *conditions, Selectivity selectivity)
{
	double		fetched = selectivity * context->rel->tuples;
	QualCost	cost;

	cost_qual_eval(&cost, conditions, context->root);
	return (cpu_tuple_cost + cost.per_tuple) * (fetched - clamp_row_est(fetched));
}

/* Return the conditions that an index scan evaluates for the rows that the index returns. */
static List *
filter_of(const IndexPath *path)
{
	List	   *all = list_concat_copy(path->indexinfo->indrestrictinfo,
									   path->path.param_info->ppi_clauses),
			   *filter = NIL;
	ListCell   *lc;

	foreach(lc, all)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (!rinfo->pseudoconstant && !is_redundant_with_indexclauses(rinfo, path->indexclauses))
			filter = lappend(filter, rinfo);
	}
	return filter;
}

/*
 * Return an index scan with its costs computed again, or NULL if none of its
 * clauses has our estimate.
 */
static RecostedPath *
recost_index_path(PathContext *context, const IndexPath *old)
{
	RecostedPath *recosted;
	IndexPath  *path;
	Reach		reach = {1, 1, 1};
	List	   *clauses = NIL;
	bool		any = false,
				spatial = false;
	const ScanCpu *cpu = spq_estimate_is_own_index(old->indexinfo) ? &rtree_cpu : &gist_cpu;
	Cost		cpu_cost;
	ListCell   *lc;

	if (!old->path.param_info)
		return NULL;
	foreach(lc, old->indexclauses)
	{
		IndexClause *iclause = lfirst_node(IndexClause, lc);
		RestrictInfo *primed = list_length(iclause->indexquals) == 1 ?
			primed_clause(context, iclause->rinfo) : NULL;
		double		fraction = -1;

		if (primed)
		{
			fraction = fetched_fraction(context, iclause, primed);
			limit_reach(context, primed, &reach);
			spatial = true;
		}
		else if (list_length(iclause->indexquals) == 1)
			fraction = comparison_selectivity(context, iclause->rinfo,
											  conditions_on_column(old, iclause->indexcol));
		if (fraction >= 0)
		{
			IndexClause *copy = makeNode(IndexClause);

			memcpy(copy, iclause, sizeof(IndexClause));
			copy->indexquals = list_make1(as_restriction(context,
														 linitial_node(RestrictInfo, iclause->indexquals),
														 fraction));
			iclause = copy;
			any = true;
		}
		clauses = lappend(clauses, iclause);
	}
	if (!any)
		return NULL;
	path = makeNode(IndexPath);
	memcpy(path, old, sizeof(IndexPath));
	path->indexclauses = clauses;
	recosted = palloc(sizeof(RecostedPath));
	recosted->path = path;
	recosted->spatial = spatial;
	recosted->heap_pages = pages_of_rows(context->rel, reach.matched);
	cost_index_in_reach(context, path, &reach, recosted->heap_pages);
	path->indexclauses = old->indexclauses;
	path->path.total_cost += cost_of_rounding(context, filter_of(path), path->indexselectivity);
	if (!spatial)
		return recosted;

	cpu_cost = cpu_operator_cost *
		(cpu->outside + (cpu->scan - cpu->outside) * reach.inside +
		 cpu->row * path->indexselectivity * context->rel->tuples);
	path->indextotalcost += cpu_cost;
	path->path.total_cost += cpu_cost;
	return recosted;
}

/*
 * Return a tree of bitmaps with its costs computed again, or the same tree if
 * none of its clauses has our estimate.  Collect the index scans in it.
 */
static Path *
recost_bitmap(PathContext *context, Path *old)
{
	List	   *quals = NIL;
	bool		any = false;
	ListCell   *lc;

	check_stack_depth();
	if (IsA(old, IndexPath))
	{
		RecostedPath *recosted = recost_index_path(context, (IndexPath *) old);

		if (!recosted)
			return old;
		context->plain = lappend(context->plain, recosted);
		return (Path *) recosted->path;
	}
	if (!IsA(old, BitmapAndPath) && !IsA(old, BitmapOrPath))
		return old;
	foreach(lc, IsA(old, BitmapAndPath) ? ((BitmapAndPath *) old)->bitmapquals :
			((BitmapOrPath *) old)->bitmapquals)
	{
		Path	   *qual = recost_bitmap(context, lfirst(lc));

		any |= qual != lfirst(lc);
		quals = lappend(quals, qual);
	}
	if (!any)
		return old;
	if (IsA(old, BitmapAndPath))
		return (Path *) create_bitmap_and_path(context->root, context->rel, quals);
	return (Path *) create_bitmap_or_path(context->root, context->rel, quals);
}

static Path *
bitmap_scan(const PathContext *context, Path *bitmap, BlockNumber heap_pages)
{
	Relids		required_outer = PATH_REQ_OUTER(bitmap);
	BlockNumber rel_pages = context->rel->pages;
	Path	   *path;
	Cost		cost;
	Selectivity selectivity;

	context->rel->pages = Max(heap_pages, 1);
	path = (Path *) create_bitmap_heap_path(context->root, context->rel, bitmap,
											required_outer,
											loop_count(context, required_outer), 0);
	context->rel->pages = rel_pages;
	cost_bitmap_tree_node(bitmap, &cost, &selectivity);
	path->total_cost += cost_of_rounding(context, list_concat_copy(path->param_info->ppi_clauses,
																   context->rel->baserestrictinfo),
										 selectivity);
	return path;
}

/*
 * Return the index scans of a relation with spatial parameters, also those that
 * add_path() has dropped.
 */
List *
spq_estimate_index_scans(PlannerInfo *root, RelOptInfo *rel)
{
	List	   *const *noted = spq_estimate_note(root, rel, SPQ_ESTIMATE_NOTE_INDEX);

	return noted ? *noted : NIL;
}

/*
 * Correct the sizes and costs of a relation's paths with spatial parameters.
 * "primed" are the clauses with our estimates, and "implied" pairs of these
 * and other clauses that they imply.  Comparisons that form an interval count, too.
 */
void
spq_estimate_index_paths(PlannerInfo *root, RelOptInfo *rel, List *primed, List *implied)
{
	PathContext context = {.root = root,.rel = rel,.primed = primed,.implied = implied};
	List	   *old = rel->pathlist,
			   *kept = NIL,
			   *again = NIL,	/* new bitmap scans */
			   *scans = NIL;
	ListCell   *lc;

	if (rel->rtekind != RTE_RELATION || rel->ppilist == NIL)
		return;
	context.intervals = spq_estimate_intervals(root, rel);
	if (primed == NIL && context.intervals == NIL)
		return;
	foreach(lc, rel->ppilist)
		correct_rows(&context, lfirst_node(ParamPathInfo, lc));

	foreach(lc, old)
	{
		Path	   *path = lfirst(lc);

		if (path->param_info && IsA(path, IndexPath))
		{
			RecostedPath *recosted = recost_index_path(&context, (IndexPath *) path);

			if (recosted)
			{
				context.plain = lappend(context.plain, recosted);
				continue;
			}
		}
		else if (path->param_info && IsA(path, BitmapHeapPath))
		{
			Path	   *bitmap = ((BitmapHeapPath *) path)->bitmapqual;
			Path	   *recosted = recost_bitmap(&context, bitmap);

			if (recosted != bitmap)
			{
				/* a single index scan is among the plain ones */
				if (!IsA(recosted, IndexPath))
					again = lappend(again, bitmap_scan(&context, recosted, rel->pages));
				continue;
			}
		}
		kept = lappend(kept, path);
	}
	if (list_length(kept) == list_length(old))
		return;

	/* only new paths may beat and free each other */
	rel->pathlist = NIL;
	foreach(lc, again)
		add_path(rel, lfirst(lc));
	foreach(lc, context.plain)
	{
		const RecostedPath *recosted = lfirst(lc);
		IndexPath  *path = recosted->path;

		if (path->indexinfo->amhasgettuple)
		{
			/* which does not free index scans */
			add_path(rel, (Path *) path);
			if (recosted->spatial)
				scans = lappend(scans, path);
		}
		if (path->indexinfo->amhasgetbitmap && path->path.pathkeys == NIL)
			add_path(rel, bitmap_scan(&context, (Path *) path, recosted->heap_pages));
	}
	rel->pathlist = spq_insert_paths(rel->pathlist, kept);
	spq_estimate_take_note(root, rel, SPQ_ESTIMATE_NOTE_INDEX, &scans, sizeof(scans));
}

/*
 * Keep index scans out of workers if these cannot compute the operand of their
 * order.  It may be a parameter of an outer query, which does not reach a worker.
 * PostgreSQL does not check this, whatever the access method.
 */
void
spq_estimate_keep_orders_out_of_workers(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		IndexPath  *path = lfirst(lc);

		if (IsA(path, IndexPath) && path->path.parallel_safe &&
			!is_parallel_safe(root, (Node *) path->indexorderbys))
			path->path.parallel_safe = false;
	}
}
