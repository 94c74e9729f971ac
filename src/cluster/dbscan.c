/*-------------------------------------------------------------------------
 *
 * dbscan.c
 *	  DBSCAN from pairs of neighbors, each of them seen once, in any order.
 *
 * A core row has at least "minpoints" neighbors, itself included.  Core rows that
 * are neighbors are in one cluster.  A row that is not a core row, but has core
 * neighbors, is at the border: it belongs to the cluster of the first of these,
 * in the order of rows, as in PostGIS.  All others are noise.  (Ester, Kriegel,
 * Sander, Xu: A density-based algorithm for discovering clusters, 1996.)
 *
 * That order is the only difference to a search from row to row.  A pair of two
 * core rows unites their clusters at once.  A pair with a row that is not yet
 * known to be a core row has to wait until all pairs have been counted.  Such a
 * row has fewer than "minpoints" neighbors so far, so there are fewer than
 * minpoints * rows pairs that wait, however many pairs there are.  Most stop
 * waiting soon, because pairs come in spatial order.
 *
 * Invariant: a pair of neighbors that has been seen waits, or its two rows are
 * core rows of one cluster.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "cluster/dbscan.h"

#define MIN_RECENT	256
#define MAX_RECENT	65536

/*
 * Begin, in a context below the current one.  Labels may take "memory", and pairs that
 * wait "pairs" before they go to disk.
 */
SpqDbscan *
spq_dbscan_begin(int minpoints, Size memory, Size pairs)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "spatial clusters",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SpqDbscan  *dbscan = palloc0(sizeof(SpqDbscan));

	dbscan->context = context;
	/* no row has more neighbors than there are rows */
	dbscan->minpoints = Min((uint32) minpoints, SPQ_LABEL_MAX);
	spq_labels_init(&dbscan->labels, context, memory);
	dbscan->max_recent = Min(Max(pairs / 4 / sizeof(uint64), MIN_RECENT), MAX_RECENT);
	dbscan->recent = palloc(dbscan->max_recent * sizeof(uint64));
	dbscan->waiting = spq_numbers_begin(pairs - pairs / 4);
	MemoryContextSwitchTo(old);
	return dbscan;
}

void
spq_dbscan_end(SpqDbscan *dbscan)
{
	spq_numbers_end(dbscan->waiting);
	MemoryContextDelete(dbscan->context);
}

/*
 * Add a row, and return its number; the first is 0.  A row without a box has no
 * neighbors, not even itself.
 */
uint32
spq_dbscan_add_row(SpqDbscan *dbscan, bool has_box)
{
	uint32		row = spq_labels_add(&dbscan->labels, SPQ_LABEL_WAITING | (has_box ? 1 : 0));

	if (has_box && dbscan->minpoints <= 1)
		spq_label_make_core(&dbscan->labels, row);
	return row;
}

/* A row is a core row, and in the cluster of another one. */
void
spq_dbscan_add_crowd(SpqDbscan *dbscan, uint32 first, uint32 row)
{
	if (!spq_dbscan_is_core(dbscan, row))
		spq_label_make_core(&dbscan->labels, row);
	spq_label_unite(&dbscan->labels, first, row);
}

/* Count a neighbor of a row that is not yet known to be a core row. */
static inline bool
count_neighbor(SpqDbscan *dbscan, uint32 row)
{
	uint32		neighbors = spq_label_value(&dbscan->labels, row) + 1;

	if (neighbors >= dbscan->minpoints)
	{
		spq_label_make_core(&dbscan->labels, row);
		return true;
	}
	dbscan->labels.label[row] = SPQ_LABEL_WAITING | neighbors;
	return false;
}

/* Let the recent pairs that have to wait wait with the others. */
static void
set_aside(SpqDbscan *dbscan)
{
	CHECK_FOR_INTERRUPTS();
	for (uint32 i = 0; i < dbscan->nrecent; i++)
	{
		uint64		pair = dbscan->recent[i];
		uint32		a = (uint32) (pair >> 32),
					b = (uint32) pair;

		if (spq_dbscan_is_core(dbscan, a) && spq_dbscan_is_core(dbscan, b))
			spq_label_unite(&dbscan->labels, a, b);
		else
			spq_numbers_append(dbscan->waiting, (int64) pair);
	}
	dbscan->nrecent = 0;
}

/* Two different rows are neighbors.  Call this at most once for a pair. */
void
spq_dbscan_neighbors(SpqDbscan *dbscan, uint32 a, uint32 b)
{
	bool		a_is_core = spq_dbscan_is_core(dbscan, a) || count_neighbor(dbscan, a),
				b_is_core = spq_dbscan_is_core(dbscan, b) || count_neighbor(dbscan, b);

	if (a_is_core && b_is_core)
	{
		spq_label_unite(&dbscan->labels, a, b);
		return;
	}
	if (dbscan->nrecent == dbscan->max_recent)
		set_aside(dbscan);
	dbscan->recent[dbscan->nrecent++] = (uint64) a << 32 | b;
}

/* A core row is a neighbor of a row that is not a core row. */
static void
add_to_border(SpqDbscan *dbscan, uint32 row, uint32 core)
{
	uint32	   *label = &dbscan->labels.label[row];

	if ((*label & SPQ_LABEL_KIND) == SPQ_LABEL_WAITING ||
		(*label & SPQ_LABEL_VALUE) > core)
		*label = SPQ_LABEL_BORDER | core;
}

/* All pairs have been seen. */
void
spq_dbscan_finish(SpqDbscan *dbscan)
{
	int64		number;

	set_aside(dbscan);
	spq_numbers_rewind(dbscan->waiting);
	for (uint64 done = 0; spq_numbers_next(dbscan->waiting, &number); done++)
	{
		uint32		a = (uint32) ((uint64) number >> 32),
					b = (uint32) number;
		bool		a_is_core = spq_dbscan_is_core(dbscan, a),
					b_is_core = spq_dbscan_is_core(dbscan, b);

		if (done % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		if (a_is_core && b_is_core)
			spq_label_unite(&dbscan->labels, a, b);
		else if (a_is_core)
			add_to_border(dbscan, b, a);
		else if (b_is_core)
			add_to_border(dbscan, a, b);
	}
}

/*
 * Return the number of a row's cluster, or -1.  Call this for all rows in order,
 * since clusters are numbered as they come.
 */
int
spq_dbscan_cluster(SpqDbscan *dbscan, uint32 row)
{
	SpqLabels  *labels = &dbscan->labels;
	uint32		root;

	if (spq_label_kind(labels, row) == SPQ_LABEL_WAITING)
		return -1;
	if (spq_label_kind(labels, row) == SPQ_LABEL_BORDER)
		row = spq_label_value(labels, row);
	root = spq_label_root(labels, row);
	if (spq_label_kind(labels, root) != SPQ_LABEL_NUMBERED)
		labels->label[root] = SPQ_LABEL_NUMBERED | dbscan->clusters++;
	return (int) spq_label_value(labels, root);
}
