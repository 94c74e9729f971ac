/*-------------------------------------------------------------------------
 *
 * nearest_cost.c
 *	  The cost of nearest rows.
 *
 *		once		 reading all rows, and packing them into a tree
 *		each value	 a search: some boxes, the distances of the candidates
 *
 * A path has a cost for one value, so it includes the share of each value in the
 * cost of reading.  If the number of values is not known, that share is assumed to
 * be half of what the ordered plan costs: then the node's rule, to read all rows
 * when that plan has cost as much, makes at most a small loss and often a large
 * gain.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "nearest_join/packed_tree.h"
#include "nearest_node/executor/plan_format.h"
#include "nearest_node/planner/planner.h"
#include "subquery/subquery.h"

/*
 * Costs, in units of cpu_operator_cost: estimates from times, in proportion to the
 * costs of index scans, which the node competes with.
 */
#define BEGIN_READING	1600
#define READ_ROW		4
#define READ_OF_LEAF	1		/* the same, of a leaf */
#define COLUMNS_OF_LEAF	3		/* the columns of a row, from the index */
#define FETCH_ROW		4		/* a row of the table, by its TID */
#define SEARCH			30
#define SEARCH_OF_LEAVES 20
#define CANDIDATE		1

/* The same for rows in a file: sorting, and a search that reads groups of rows. */
#define SORT_ROW		6
#define SEARCH_ON_DISK	100

/* How often rows are written and read: spool, sort, groups. */
#define FILES			3

/* The rows in a window for each that satisfies the filter, a guess. */
#define ROWS_IN_WINDOW	4

/*
 * If the number of values is not known, leaves are read as if for this many: that costs a
 * fraction of reading a table, so they are preferred.
 */
#define SEVERAL		100

/*
 * The distances that are computed for each row found.  An index scan may compute as
 * many, to order rows by them, but PostgreSQL counts one.
 */
#define CANDIDATES		1.5
#define CANDIDATES_BESIDE_INDEX	1

static double
bytes_of_rows(const Path *reading, int axes)
{
	double		row = MAXALIGN(SizeofMinimalTupleHeader) + MAXALIGN(reading->pathtarget->width) +
		32 + 2 * axes * sizeof(float8) + spq_packed_tree_row_size(axes);

	return row * reading->rows;
}

/* Return the bytes that the rows of a path take, in memory or in a file. */
static double
bytes_of(const Path *reading, SpqNearestReading how, int axes)
{
	if (how != SPQ_NEAREST_PLAN)
		return ((const IndexPath *) reading)->indexinfo->pages * (BLCKSZ + 2048.0);
	return bytes_of_rows(reading, axes);
}

/* Return the cost of the first rows of a path. */
Cost
spq_nearest_node_cost_of_rows(const Path *path, double rows)
{
	return path->startup_cost +
		(path->total_cost - path->startup_cost) * Min(1, rows / Max(path->rows, 1));
}

/* Return whether a path sorts its rows. */
static bool
is_sort(const Path *path)
{
	while (IsA(path, ProjectionPath))
		path = ((const ProjectionPath *) path)->subpath;
	return IsA(path, SortPath);
}

/*
 * Return how many searches by the ordered path are worth reading all rows.  One that
 * sorts reads them, too, and all of them must be sorted unless the limit applies to
 * that sort itself.
 */
static double
searches_worth(PlannerInfo *root, const Path *ordered, Cost ordered_cost, Cost reading_cost,
			   double values)
{
	if (is_sort(ordered))
		return values >= 2 || list_length(root->sort_pathkeys) > 1 ? 0 : 1;
	if (values * ordered_cost > 2 * reading_cost)
		return 0;
	return reading_cost / Max(ordered_cost, 1e-10);
}

/* Return the cost of reading all rows, once. */
static Cost
cost_of_reading(const Path *reading, SpqNearestReading how)
{
	double		rows = Max(reading->rows, 1);
	const IndexOptInfo *index;

	if (how == SPQ_NEAREST_PLAN)
		return reading->total_cost + (BEGIN_READING + READ_ROW * rows) * cpu_operator_cost;

	/* leaves are read in the order of the tree, in which they were built */
	index = ((const IndexPath *) reading)->indexinfo;
	return index->pages * seq_page_cost +
		(BEGIN_READING + READ_OF_LEAF * index->tuples) * cpu_operator_cost;
}

/*
 * Return what a candidate costs beside its distance, if it has to be fetched.  Of the pages of the
 * table it takes a share, as a row of an ordered index scan with a limit does.
 */
static Cost
cost_of_candidate(PlannerInfo *root, const Path *reading, SpqNearestReading how)
{
	const RelOptInfo *rel = reading->parent;
	bool		index_only = reading->pathtype == T_IndexOnlyScan;
	double		fetched = index_only ? 1 - rel->allvisfrac : 1,
				total;

	if (how == SPQ_NEAREST_PLAN || fetched <= 0)
		return 0;
	total = Max(rel->tuples * fetched, 1);
	return fetched * (FETCH_ROW * cpu_operator_cost + random_page_cost *
					  index_pages_fetched(total, (BlockNumber) rel->pages,
										  ((const IndexPath *) reading)->indexinfo->pages,
										  root) / total);
}

/*
 * Return what all rows of the leaves cost as candidates: the conditions of the scan are only
 * evaluated for these.
 */
static Cost
cost_of_leaf_rows(PlannerInfo *root, const Path *reading, SpqNearestReading how)
{
	const RelOptInfo *rel = reading->parent;
	Cost		each = cost_of_candidate(root, reading, how);
	double		all = Max(rel->tuples, reading->rows);

	if (how == SPQ_NEAREST_PLAN)
		return 0;
	if (rel->baserestrictinfo != NIL)
		each += rel->baserestrictcost.per_tuple +
			(reading->pathtype == T_IndexOnlyScan ? COLUMNS_OF_LEAF * cpu_operator_cost : 0);
	return all * each + (all - reading->rows) * CANDIDATE * cpu_operator_cost;
}

/* Return what a row costs that is returned: it was a candidate, so its page is in memory. */
static Cost
cost_of_columns(const Path *reading, SpqNearestReading how)
{
	double		fetched = 1;
	Cost		cost = 0;

	if (how == SPQ_NEAREST_PLAN)
		return 0;
	if (reading->pathtype == T_IndexOnlyScan)
	{
		fetched = 1 - reading->parent->allvisfrac;
		cost = COLUMNS_OF_LEAF * cpu_operator_cost;
	}
	return cost + fetched * FETCH_ROW * cpu_operator_cost;
}

/*
 * Set the cost of a path, of which "wanted" rows are needed.  "windows" says whether
 * the filter limits the distance.  Return how many searches by the ordered plan are
 * worth reading all rows: 0 if the rows should be read at once.  Set *on_disk to
 * whether they are expected not to fit into memory.
 */
double
spq_nearest_node_cost(PlannerInfo *root, CustomPath *path, const SpqNearestKey *key,
					  SpqNearestReading how, List *filter, bool windows, double wanted,
					  bool *on_disk)
{
	const Path *ordered = list_nth(path->custom_paths, SPQ_NEAREST_ORDERED),
			   *reading = list_nth(path->custom_paths, SPQ_NEAREST_READING);
	double		values = spq_subquery_outer_rows(root, key->expr),
				rows = Max(ordered->rows, 1),
				found = Max(reading->rows, 1);
	Cost		reading_cost = cost_of_reading(reading, how),
				ordered_cost = spq_nearest_node_cost_of_rows(ordered, wanted),
				share;
	QualCost	filter_cost,
				distance_cost;
	double		bytes = bytes_of(reading, how, key->distance.axes),
				search = how == SPQ_NEAREST_PLAN ? SEARCH : SEARCH_OF_LEAVES,
				candidates = is_sort(ordered) ? CANDIDATES : CANDIDATES_BESIDE_INDEX,
				in_windows = 1;

	cost_qual_eval(&filter_cost, filter, root);
	cost_qual_eval_node(&distance_cost, key->expr, root);
	*on_disk = bytes > get_hash_memory_limit();
	if (*on_disk)
		reading_cost += how == SPQ_NEAREST_PLAN ? FILES * 2 * seq_page_cost * bytes / BLCKSZ +
			SORT_ROW * cpu_operator_cost * found : 2 * seq_page_cost * bytes / BLCKSZ;

	/*
	 * The searches of an ordered index scan would read the leaves, too, about
	 * one each; its cost for a few rows of many leaves that out.
	 */
	if (how != SPQ_NEAREST_PLAN && values > 0 && !is_sort(ordered))
		reading_cost -= seq_page_cost *
			Min(((const IndexPath *) reading)->indexinfo->pages, values);
	share = values > 0 ? reading_cost / values : ordered_cost / 2;
	if (values <= 0 && how != SPQ_NEAREST_PLAN)
		share = Min(share / 2, reading_cost / SEVERAL);
	if (*on_disk && how == SPQ_NEAREST_PLAN)
		search = SEARCH_ON_DISK;
	path->path.startup_cost = share + search * cpu_operator_cost +
		filter_cost.startup +
		path->path.pathtarget->cost.startup;

	if (windows)
		in_windows = Min(1, ROWS_IN_WINDOW * Max(rows, wanted) / found);
	found *= in_windows;

	/*
	 * all rows are found, those that satisfy the filter are returned; the
	 * target does not compute the distance again
	 */
	path->path.total_cost = path->path.startup_cost +
		found * (CANDIDATE * cpu_operator_cost + candidates * distance_cost.per_tuple +
				 filter_cost.per_tuple) +
		in_windows * cost_of_leaf_rows(root, reading, how) +
		rows * cost_of_columns(reading, how) +
		rows * Max(path->path.pathtarget->cost.per_tuple - distance_cost.per_tuple, 0);
	return searches_worth(root, ordered, ordered_cost, reading_cost, values);
}
