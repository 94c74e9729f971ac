/*-------------------------------------------------------------------------
 *
 * scan_cost.c
 *	  What a scan costs, for the planner.
 *
 * Like PostgreSQL for its own methods, charge I/O for the same fraction of the pages
 * as of the rows: indexes compete, and whoever charged what is really
 * read would lose to those that do not.  The time that pages take is charged for
 * all that are touched, which are more: a window of the size of four pages
 * touches nine.
 *
 *		+-----+-----+-----+		The rows of a window would fill r pages if
 *		|   +-|-----|-+   |		it were cut along their borders, so it is as
 *		+-----+-----+-----+		wide as r^(1/D) of them, and touches one more on
 *		|	| |	    | |	  |		each axis: (r^(1/D) + 1)^D.
 *		+-----+-----+-----+
 *		|   +-|-----|-+	  |		The same holds for each level of inner pages.
 *		+-----+-----+-----+
 *
 * Where the table is stored in spatial order, a plain scan reads few pages of it:
 * that is the correlation, which estimate/heap_order.c knows from a sample.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"
#include "utils/spccache.h"

#include "estimate/heap_order.h"
#include "rtree/page.h"
#include "rtree/rtree.h"

/* Downlinks of an inner page, between one just built and one just split. */
#define FANOUT		(SPQ_RTREE_INNER_MAX * 3 / 4)

/*
 * What it takes to compare all entries of a page, eight at a time, in units of
 * cpu_operator_cost.  GiST charges nothing for it, and a lot for each level: with
 * more than this, it would seem cheaper for small results.
 */
#define PAGE_CPU	10

/* What a scan does. */
typedef struct Reading
{
	double		rows;			/* returned */
	bool		in_window;		/* conditions are on boxes, not only IS NULL */
	bool		any_condition;
} Reading;

static bool
is_null_test(const IndexClause *clause)
{
	return IsA(clause->rinfo->clause, NullTest) &&
		((NullTest *) clause->rinfo->clause)->nulltesttype == IS_NULL;
}

/* Return how many pages of a level a window touches that has the rows of "full". */
static double
pages_touched(double full, double pages)
{
	return Min(pow(pow(full, 1.0 / SPQ_DIM) + 1, SPQ_DIM), pages);
}

/* Return how many levels of inner pages there are above the leaves. */
static int
count_levels(double leaves)
{
	int			levels = 0;

	for (double pages = leaves; pages > 1 && levels < SPQ_RTREE_LEVELS; pages /= FANOUT)
		levels++;
	return levels;
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
	double		leaves = Max((double) index->pages - 2, 1);
	double		full = pages_of_rows(index, scan);
	double		sum = 0;

	if (!scan->any_condition)
		return index->pages;
	if (!scan->in_window)
		return Max(ceil(full), 1);	/* only the chain of NULLs */
	for (double pages = leaves;; pages = ceil(pages / FANOUT), full /= FANOUT)
	{
		sum += pages_touched(full, pages);
		if (pages <= 1)
			return sum;
	}
}

/*
 * Estimate the cost of a scan of the index.
 */
void
spq_rtree_cost_estimate(PlannerInfo *root, IndexPath *path, double loop_count,
						Cost *startup, Cost *total, Selectivity *selectivity,
						double *correlation, double *pages)
{
	IndexOptInfo *index = path->indexinfo;
	GenericCosts generic = {0};
	Reading		scan = {0};
	double		fetched;
	double		page_cpu = PAGE_CPU * cpu_operator_cost;
	double		random_page_cost;
	int			levels;
	Cost		setup;
	ListCell   *lc;

	/*
	 * selectivity, number of rows, and how much of the query is to be
	 * computed
	 */
	genericcostestimate(root, path, loop_count, &generic);
	scan.rows = generic.numIndexTuples;
	foreach(lc, path->indexclauses)
	{
		scan.any_condition = true;
		if (!is_null_test(lfirst_node(IndexClause, lc)))
			scan.in_window = true;
	}
	setup = index_other_operands_eval_cost(root,
										   get_quals_from_indexclauses(path->indexclauses)) +
		index_other_operands_eval_cost(root, path->indexorderbys);

	*pages = ceil(scan_pages(index, &scan));
	fetched = Max(ceil(pages_of_rows(index, &scan)), 1);

	/* scans of a nested loop find pages of each other in the cache */
	if (loop_count > 1)
		fetched = index_pages_fetched(fetched * loop_count, index->pages,
									  index->pages, root) / loop_count;
	get_tablespace_page_costs(index->reltablespace, &random_page_cost, NULL);

	/* before the first row, a scan goes down to a leaf */
	levels = count_levels(Max((double) index->pages - 2, 1));
	*startup = setup + (levels + 1) * page_cpu;
	*total = setup + *pages * page_cpu + fetched * random_page_cost +
		scan.rows * cpu_index_tuple_cost;

	/* for a nearest-neighbor scan, distances as well */
	*total += scan.rows * list_length(path->indexorderbys) * cpu_operator_cost;
	*startup = Min(*startup, *total);
	*selectivity = generic.indexSelectivity;
	*correlation = spq_estimate_heap_order(root, path);

	/*
	 * PostgreSQL takes the number of workers from that of pages, and for
	 * nothing else.  In order of distance only one process would work.
	 */
	if (path->indexorderbys != NIL)
		*pages = 0;
}
