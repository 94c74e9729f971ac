/*-------------------------------------------------------------------------
 *
 * cluster_join.h
 *	  The clusters of the rows of a query.
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
	SpqQueryRows *rows;
	SpqNearness nearness;
	SpqDbscan  *dbscan;
	SpqCrowds  *crowds;			/* NULL: boxes do not decide */
	SpqJoin    *join;
	Size		memory;			/* limit in bytes */
	SpqNumbers *ids;			/* of all rows, in order */
	SpqNumbers *undecided;		/* pairs of crowds that wait */
	uint32		neighbors;		/* rows that may have some */
	char	   *payload;		/* of a row */
	Size		payload_room;
	uint32		next;			/* row to be returned */
} SpqClusterJoin;

extern void spq_cluster_begin(SpqClusterJoin *cluster, const char *query, const double *distance,
							  int minpoints);
extern bool spq_cluster_next(SpqClusterJoin *cluster, int64 *id, int *number);
extern void spq_cluster_end(SpqClusterJoin *cluster);

#endif							/* SPQ_CLUSTER_CLUSTER_JOIN_H */
