/*-------------------------------------------------------------------------
 *
 * dbscan.h
 *	  DBSCAN from pairs of neighbors, each of them seen once, in any order.
 *
 * A caller uses it like this:
 *
 *		dbscan = spq_dbscan_begin(minpoints, memory, pairs);
 *		for each row
 *			spq_dbscan_add_row(dbscan, ...);
 *		for each pair of rows that may be neighbors
 *			if (!spq_dbscan_is_settled(dbscan, a, b) && they are neighbors)
 *				spq_dbscan_neighbors(dbscan, a, b);
 *		spq_dbscan_finish(dbscan);
 *		for each row, in order
 *			spq_dbscan_cluster(dbscan, row);
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CLUSTER_DBSCAN_H
#define SPQ_CLUSTER_DBSCAN_H

#include "cluster/labels.h"
#include "cluster/number_list.h"
#include "prefetch.h"

typedef struct SpqDbscan
{
	MemoryContext context;
	uint32		minpoints;		/* neighbors of a core row, itself included */
	SpqLabels	labels;
	uint64	   *recent;			/* pairs that wait, the last ones */
	uint32		nrecent;
	uint32		max_recent;
	SpqNumbers *waiting;		/* pairs that wait, the others */
	uint32		clusters;		/* with a number */
} SpqDbscan;

extern SpqDbscan *spq_dbscan_begin(int minpoints, Size memory, Size pairs);
extern uint32 spq_dbscan_add_row(SpqDbscan *dbscan, bool has_box);
extern void spq_dbscan_add_crowd(SpqDbscan *dbscan, uint32 first, uint32 row);
extern void spq_dbscan_neighbors(SpqDbscan *dbscan, uint32 a, uint32 b);
extern void spq_dbscan_finish(SpqDbscan *dbscan);
extern int	spq_dbscan_cluster(SpqDbscan *dbscan, uint32 row);
extern void spq_dbscan_end(SpqDbscan *dbscan);

/* Return whether a row is known to be a core row. */
static inline bool
spq_dbscan_is_core(const SpqDbscan *dbscan, uint32 row)
{
	return spq_label_kind(&dbscan->labels, row) == SPQ_LABEL_CORE;
}

/*
 * Return whether nothing depends on whether two rows are neighbors, since they are
 * core rows of one cluster.
 */
static inline bool
spq_dbscan_is_settled(SpqDbscan *dbscan, uint32 a, uint32 b)
{
	return spq_dbscan_is_core(dbscan, a) && spq_dbscan_is_core(dbscan, b) &&
		spq_label_root(&dbscan->labels, a) == spq_label_root(&dbscan->labels, b);
}

/* Request the memory of a row that will be needed soon. */
static inline void
spq_dbscan_prefetch(const SpqDbscan *dbscan, uint32 row)
{
	spq_prefetch(&dbscan->labels.label[row]);
}

#endif							/* SPQ_CLUSTER_DBSCAN_H */
