/*-------------------------------------------------------------------------
 *
 * scan_cost.c
 *	  The cost of a scan, for the planner.
 *
 * As for PostgreSQL's own methods, I/O is charged for the same fraction of
 * pages as of rows.  Charging the pages that are really read would only make
 * the planner prefer GiST, which does not charge them.  CPU time is charged for
 * all pages touched, which are more: a window of the size of four pages touches
 * nine.
 *
 *		+-----+-----+-----+		The rows of a window would fill r pages if
 *		|   +-|-----|-+   |		pages were cut along its borders.  So it is
 *		+-----+-----+-----+		as wide as r^(1/D) of them, and touches one
 *		|	| |	    | |	  |		more on each axis: (r^(1/D) + 1)^D.
 *		+-----+-----+-----+
 *		|   +-|-----|-+	  |		The same holds for each level of inner pages.
 *		+-----+-----+-----+
 *
 * If the key has several spatial columns, the window is as wide as all pages on
 * the axes of those without a condition.
 *
 * In an index with scalar columns before the box, equality on the first ones
 * leaves a part of the leaves.  The other scalars divide this part: a window
 * touches pages for each of their values.  I/O is charged for these pages, too.
 * So an index on the box alone is preferred to one with many tenants, unless
 * the query asks for one tenant.  The elements of an array count as such
 * values, too.
 *
 * If the table is stored in spatial order, a plain scan reads few of its pages.
 * This is the correlation, which estimate/scan/heap_order.c finds by a sample.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "port/pg_bitutils.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/spccache.h"

#include "compat.h"
#include "estimate/join/selectivity.h"
#include "estimate/scan/scan.h"
#include "range/range_box.h"
#include "rtree/class/class.h"
#include "rtree/rtree.h"

/* Downlinks of an inner page, between one just built and one just split. */
#define FANOUT		(SPQ_RTREE_INNER_MAX * 3 / 4)

/*
 * The cost of comparing all entries of a page, eight at a time, in units of
 * cpu_operator_cost.  GiST charges nothing for this, but a lot for each level.
 * If this were larger, GiST would seem cheaper for small results.
 */
#define PAGE_CPU	10

/* More than the cost of any other plan, even of one that settings disable. */
#define NEVER	1e100

/* The most windows of an array that are near a page; a guess. */
#define WINDOWS_NEAR	8

/* What a scan reads. */
typedef struct Reading
{
	int			spatial;		/* columns */
	int			axes;			/* along which pages are cut */
	int			bounded;		/* axes on which there are conditions, or all */
	double		rows;			/* returned */
	bool		in_window;		/* conditions are on boxes, not only IS NULL */
	bool		only_nulls;		/* rows without a box */
	bool		any_condition;
	double		fraction;		/* of the leaves, by the first scalars */
	double		windows;		/* from arrays; each may have rows */
	double		values;			/* of the scalars in these leaves */
} Reading;

static bool
is_null_test(const IndexClause *clause)
{
	return IsA(clause->rinfo->clause, NullTest) &&
		((NullTest *) clause->rinfo->clause)->nulltesttype == IS_NULL;
}

/* Return the number of distinct values of a column of the index. */
static double
count_values(PlannerInfo *root, const IndexOptInfo *index, int column)
{
	TargetEntry *entry = list_nth_node(TargetEntry, index->indextlist, column);
	VariableStatData variable;
	bool		is_default;
	double		values;

	examine_variable(root, (Node *) entry->expr, 0, &variable);
	values = get_variable_numdistinct(&variable, &is_default);
	ReleaseVariableStats(variable);
	return values;
}

/*
 * Return the number of elements of a condition's array; 1 if there is no array.
 */
static double
count_elements(PlannerInfo *root, const IndexClause *clause)
{
	/* PostgreSQL 18 makes an array of conditions connected by OR */
	const RestrictInfo *qual = linitial_node(RestrictInfo, clause->indexquals);
	const ScalarArrayOpExpr *any = (const ScalarArrayOpExpr *) qual->clause;

	if (!IsA(any, ScalarArrayOpExpr))
		return 1;
	return Max(spq_estimate_array_length(root, lsecond(any->args)), 1);
}

/*
 * Return whether an array was made of conditions connected by OR.  Only these have our
 * estimate.
 */
static bool
is_from_or(const IndexClause *clause)
{
	const RestrictInfo *qual = linitial_node(RestrictInfo, clause->indexquals);

	return IsA(qual->clause, ScalarArrayOpExpr) && clause->rinfo->orclause != NULL;
}

/*
 * Return whether a condition restricts a scalar column to one value, or to those
 * of an array.  A class for both positions has other operators, too.
 */
static bool
is_equality(const IndexOptInfo *index, const IndexClause *clause)
{
	const RestrictInfo *qual = linitial_node(RestrictInfo, clause->indexquals);
	Oid			operator;

	if (IsA(clause->rinfo->clause, NullTest))
		return is_null_test(clause);
	if (IsA(qual->clause, OpExpr))
		operator = ((OpExpr *) qual->clause)->opno;
	else if (IsA(qual->clause, ScalarArrayOpExpr))
		operator = ((ScalarArrayOpExpr *) qual->clause)->opno;
	else
		return true;
	return get_op_opfamily_strategy(operator, index->opfamily[clause->indexcol]) ==
		SPQ_RTREE_EQUAL_STRATEGY;
}

/*
 * Return a condition that restricts a column to one value, or to those of an
 * array; NULL if there is none.
 */
static const IndexClause *
find_equality(const IndexPath *path, int column)
{
	ListCell   *lc;

	foreach(lc, path->indexclauses)
	{
		const IndexClause *clause = lfirst_node(IndexClause, lc);

		if (clause->indexcol == column && is_equality(path->indexinfo, clause))
			return clause;
	}
	return NULL;
}

/* Return the number of spatial columns, as spq_rtree_spatial_columns() does. */
static int
count_spatial(const IndexOptInfo *index)
{
	int			n = 0;

	while (n < Min(index->nkeycolumns, SPQ_RTREE_AXES))
	{
		int			column = index->nkeycolumns - 1 - n;
		Oid			family = index->opfamily[column],
					type = index->opcintype[column];

		if (!OidIsValid(get_opfamily_proc(family, type, type, SPQ_RTREE_ENDS_PROC)) ||
			!OidIsValid(get_opfamily_proc(family, type, type, SPQ_RTREE_HASH_PROC)) ||
			spq_rtree_family_boxed_type(family, type) != NULL)
			break;
		n++;
	}
	return Max(n, 1);
}

/*
 * Return whether a condition on a spatial column excludes rows.  One on ranges
 * whose values have no numbers does not: the index finds every row, and the
 * executor rechecks it.
 */
static bool
excludes_rows(const IndexOptInfo *index, const IndexClause *clause)
{
	const TargetEntry *entry = list_nth_node(TargetEntry, index->indextlist, clause->indexcol);
	Oid			type = getBaseType(exprType((Node *) entry->expr));
	SpqRangeType range = {0};

	if (IsA(clause->rinfo->clause, NullTest))
		return true;
	if (type_is_multirange(type))
		type = get_multirange_range(type);
	if (!type_is_range(type))
		return true;
	spq_range_type(&range, type);
	return range.kind != SPQ_NUMBER_NONE;
}

/* Find which part of the index the conditions on scalars leave. */
static void
read_scalars(PlannerInfo *root, const IndexPath *path, Reading *scan)
{
	const IndexOptInfo *index = path->indexinfo;
	int			scalars = index->nkeycolumns - scan->spatial,
				column = 0;
	List	   *first = NIL;
	const IndexClause *clause;

	scan->fraction = scan->values = 1;
	while (column < scalars && (clause = find_equality(path, column)) != NULL)
	{
		first = lappend(first, clause->rinfo);
		scan->values *= Min(count_elements(root, clause), count_values(root, index, column));
		column++;
	}
	if (first != NIL)
		scan->fraction = clauselist_selectivity(root, first, index->rel->relid, JOIN_INNER, NULL);
	for (; column < scalars; column++)
		scan->values *= count_values(root, index, column);
	scan->values = Max(Min(scan->values, scan->fraction * index->tuples), 1);
	list_free(first);
}

/*
 * Return the number of axes along which pages are cut; 2 if the index is
 * hypothetical and has a storage type.
 */
static int
count_axes(const IndexOptInfo *index, int spatial)
{
	Oid			stored = get_atttype(index->indexoid, index->nkeycolumns);
	int			last = index->nkeycolumns - 1;
	const SpqType *boxed = spq_rtree_family_boxed_type(index->opfamily[last],
													   index->opcintype[last]);

	if (spatial > 1)
		return spatial;
	if (boxed != NULL)
		return spq_type_free_axes(boxed);
	return OidIsValid(stored) && spq_rtree_axes_of_length(get_typlen(stored)) == 3 ? 3 : 2;
}

/*
 * Return whether a scan in this order could reveal rows that row security
 * hides.  If a class's ends are only bounds, the executor computes the
 * distances of all rows before it evaluates the conditions of row security, and
 * that may raise an error.
 */
static bool
may_reveal_rows(const PlannerInfo *root, const IndexPath *path)
{
	const IndexOptInfo *index = path->indexinfo;
	Oid			stored = get_atttype(index->indexoid, index->nkeycolumns),
				type = index->opcintype[index->nkeycolumns - 1];
	ListCell   *lc;

	if (path->indexorderbys == NIL || stored == type || getBaseType(stored) == type)
		return false;
	foreach(lc, index->rel->baserestrictinfo)
	{
		const RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (rinfo->security_level < root->qual_security_level)
			return true;
	}
	return false;
}

/*
 * Return how many of a level's pages the windows touch if their rows would fill
 * "full" of them.
 */
static double
pages_touched(const Reading *scan, double full, double pages)
{
	double		windows = scan->values * scan->windows;
	double		side = pow(pages / scan->values, 1.0 / scan->axes);
	double		width = pow(full / scan->windows / pages, 1.0 / scan->bounded) * side + 1;
	double		of_window = pow(width, scan->bounded) * pow(side, scan->axes - scan->bounded);

	return Min(windows * of_window, pages);
}

/* Return the number of levels of inner pages. */
static int
count_levels(double leaves)
{
	int			levels = 0;

	for (double pages = leaves; pages > 1 && levels < SPQ_RTREE_LEVELS; pages /= FANOUT)
		levels++;
	return levels;
}

/* Return how many leaves the conditions on scalars leave. */
static double
leaves_of_fraction(const IndexOptInfo *index, const Reading *scan)
{
	return Max(scan->fraction * ((double) index->pages - 2), 1);
}

/* Return how many leaves the rows of the scan would fill. */
static double
pages_of_rows(const IndexOptInfo *index, const Reading *scan)
{
	return Min(scan->rows / Max(index->tuples, 1), 1) * Max((double) index->pages - 2, 1);
}

/* Return how many pages a scan touches. */
static double
scan_pages(const IndexOptInfo *index, const Reading *scan)
{
	double		leaves = leaves_of_fraction(index, scan);
	double		full = pages_of_rows(index, scan);
	double		sum = 0;

	if (!scan->any_condition)
		return index->pages;
	if (scan->only_nulls)
		return Max(ceil(full), 1);	/* the chain of NULLs */
	if (!scan->in_window)
		full = leaves;

	/* a page on each level from the root to that part */
	sum = count_levels(Max((double) index->pages - 2, 1)) - count_levels(leaves);
	for (double pages = leaves;; pages = ceil(pages / FANOUT), full /= FANOUT)
	{
		sum += pages_touched(scan, full, pages);
		if (pages <= 1)
			return sum;
	}
}

/*
 * Return whether a path is an index-only scan in order of distance by an index that stores
 * only bounds of the values.  PostgreSQL makes such a path if the column is an INCLUDE column
 * as well.  Its executor would raise an error: distances from bounds have to be computed again
 * from the values, and only an index scan does that.
 */
static bool
sorts_by_bounds(const IndexPath *path)
{
	const IndexOptInfo *index = path->indexinfo;

	return path->path.pathtype == T_IndexOnlyScan && path->indexorderbys != NIL &&
		!index->canreturn[index->nkeycolumns - 1];
}

/* Return what cost_index() leaves out for an index-only scan. */
static Cost
cost_of_table(PlannerInfo *root, const IndexPath *path, double rows, double loop_count,
			  double random_page_cost)
{
	const RelOptInfo *rel = path->indexinfo->rel;
	double		pages = index_pages_fetched(rows * loop_count, rel->pages, path->indexinfo->pages, root);

	return pages / loop_count * rel->allvisfrac * random_page_cost;
}

/* Estimate the cost of a scan of the index. */
void
spq_rtree_cost_estimate(PlannerInfo *root, IndexPath *path, double loop_count,
						Cost *startup, Cost *total, Selectivity *selectivity,
						double *correlation, double *pages)
{
	IndexOptInfo *index = path->indexinfo;
	GenericCosts generic = {0};
	Reading		scan = {0};
	uint32		columns = 0;
	List	   *excluding = NIL;
	bool		from_or = false;
	double		fetched;
	double		page_cpu = PAGE_CPU * cpu_operator_cost;
	double		random_page_cost;
	int			levels;
	Cost		setup;
	ListCell   *lc;

	/* for the selectivity and the number of rows */
	genericcostestimate(root, path, loop_count, &generic);
	scan.rows = generic.numIndexTuples;
	if (isnan(generic.indexSelectivity))
	{
		/* from PostGIS 3.3 on, if bounds in its statistics are infinite */
		generic.indexSelectivity = SPQ_DEFAULT_SELECTIVITY;
		scan.rows = Max(generic.indexSelectivity * index->tuples, 1);
	}
	if (generic.num_sa_scans > 1)
		/* it counts elements of arrays as scans of their own */
		scan.rows = Max(Min(generic.indexSelectivity * index->rel->tuples, index->tuples), 1);
	scan.spatial = count_spatial(index);
	scan.axes = count_axes(index, scan.spatial);
	scan.windows = 1;
	foreach(lc, path->indexclauses)
	{
		const IndexClause *clause = lfirst_node(IndexClause, lc);
		int			column = clause->indexcol - (index->nkeycolumns - scan.spatial);

		scan.any_condition = true;
		from_or |= is_from_or(clause);
		if (column >= 0 && !excludes_rows(index, clause))
			continue;
		excluding = lappend(excluding, clause->rinfo);
		if (column < 0)
			continue;
		if (!IsA(clause->rinfo->clause, NullTest) || is_null_test(clause))
			columns |= 1 << column;
		if (scan.spatial == 1 && is_null_test(clause))
			scan.only_nulls = true;
		else
		{
			scan.in_window = true;
			scan.windows *= count_elements(root, clause);
		}
	}
	scan.bounded = scan.spatial > 1 && columns != 0 ? pg_popcount32(columns) : scan.axes;
	if (list_length(excluding) < list_length(path->indexclauses) || from_or)
	{
		generic.indexSelectivity =
			clauselist_selectivity(root, add_predicate_to_index_quals(path->indexinfo, excluding),
								   index->rel->relid, JOIN_INNER, NULL);
		scan.rows = Max(Min(generic.indexSelectivity * index->rel->tuples, index->tuples), 1);
	}
	if (scan.in_window)
		scan.only_nulls = false;
	read_scalars(root, path, &scan);
	setup = index_other_operands_eval_cost(root,
										   get_quals_from_indexclauses(path->indexclauses)) +
		index_other_operands_eval_cost(root, path->indexorderbys);

	*pages = ceil(scan_pages(index, &scan));
	fetched = Max(ceil(pages_of_rows(index, &scan)), 1);
	if (scan.values * scan.windows > 1 && scan.in_window)
		fetched = ceil(pages_touched(&scan, fetched, leaves_of_fraction(index, &scan)));

	/* scans of a nested loop find each other's pages in the cache */
	if (loop_count > 1)
		fetched = index_pages_fetched(fetched * loop_count, index->pages,
									  index->pages, root) / loop_count;
	get_tablespace_page_costs(index->reltablespace, &random_page_cost, NULL);

	/* before the first row, a scan descends to a leaf */
	levels = count_levels(Max((double) index->pages - 2, 1));
	*startup = setup + (levels + 1) * page_cpu;
	*total = setup + *pages * page_cpu + fetched * random_page_cost +
		scan.rows * cpu_index_tuple_cost;

	/* each page is compared with the windows near it */
	*total += *pages * (Min(scan.windows, WINDOWS_NEAR) - 1) * page_cpu +
		*pages * (scan.windows - 1) * cpu_operator_cost / SPQ_RTREE_GROUP;

	/* the nearest row can have any of these values */
	if (path->indexorderbys != NIL && scan.values > 1)
		*startup += pages_touched(&scan, 0, leaves_of_fraction(index, &scan)) * page_cpu;

	/* a nearest-neighbor scan also computes distances */
	*total += scan.rows * list_length(path->indexorderbys) * cpu_operator_cost;
	*startup = Min(*startup, *total);
	if (sorts_by_bounds(path))
	{
		path->path.pathtype = T_IndexScan;
		*total += cost_of_table(root, path, scan.rows, loop_count, random_page_cost);
	}
	if (may_reveal_rows(root, path))
	{
		*startup = *total = NEVER;
		spq_forbid_path(&path->path);
	}
	*selectivity = generic.indexSelectivity;
	*correlation = spq_estimate_heap_order(root, path);

	/*
	 * Offer no parallel scan in order of distance: only one process would
	 * work.  PostgreSQL makes a parallel path of an index after the plain one
	 * for the same conditions and order, and asks then whether it may.  All
	 * its later paths for which it asks have the same order.
	 */
	if (path->indexorderbys != NIL)
		index->amcanparallel = false;
}
