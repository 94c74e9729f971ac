/*-------------------------------------------------------------------------
 *
 * cluster_join.h
 *	  The clusters of rows, of a query or of a window's partition.
 *
 * The rows of a query:
 *
 *		spq_cluster_begin(&cluster, query, distance, minpoints);
 *		while (spq_cluster_next(&cluster, &id, &number)) ...
 *		spq_cluster_end(&cluster);
 *
 * Other rows:
 *
 *		spq_nearness_init(&cluster.nearness, ...);
 *		spq_cluster_start(&cluster, minpoints, expected, labels);
 *		for each row
 *			spq_cluster_take(&cluster, value, isnull);
 *		spq_cluster_find(&cluster);
 *		for each row
 *			number = spq_cluster_number(&cluster);
 *		spq_cluster_end(&cluster);
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CLUSTER_CLUSTER_JOIN_H
#define SPQ_CLUSTER_CLUSTER_JOIN_H

#include "cluster/crowd.h"
#include "cluster/dbscan.h"
#include "cluster/nearness.h"
#include "query_join/query_rows.h"

/* All zero before it begins.  spq_cluster_end() may be called at any time. */
typedef struct SpqClusterJoin
{
	SpqQueryRows *rows;			/* NULL: of no query */
	SpqNearness nearness;
	SpqDbscan  *dbscan;
	SpqCrowds  *crowds;			/* NULL: boxes do not decide */
	SpqJoin    *join;
	Size		memory;			/* limit in bytes */
	int			minpoints;
	SpqNumbers *ids;			/* of a query's rows, in order */
	SpqNumbers *undecided;		/* pairs of crowds that wait */
	uint32		neighbors;		/* rows that may have some */
	char	   *payload;		/* of a row */
	Size		payload_room;
	uint32		next;			/* row to be returned */
} SpqClusterJoin;

extern void spq_cluster_begin(SpqClusterJoin *cluster, const char *query, const double *distance,
							  int minpoints);
extern bool spq_cluster_next(SpqClusterJoin *cluster, int64 *id, int *number);
extern void spq_cluster_start(SpqClusterJoin *cluster, int minpoints, double expected, Size labels);
extern void spq_cluster_take(SpqClusterJoin *cluster, Datum value, bool isnull);
extern void spq_cluster_find(SpqClusterJoin *cluster);
extern int	spq_cluster_number(SpqClusterJoin *cluster);
extern void spq_cluster_end(SpqClusterJoin *cluster);

#endif							/* SPQ_CLUSTER_CLUSTER_JOIN_H */
