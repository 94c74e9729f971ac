/*-------------------------------------------------------------------------
 *
 * build_parallel.h
 *	  CREATE INDEX in several processes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_PARALLEL_H
#define SPQ_RTREE_BULK_LOAD_BUILD_PARALLEL_H

#include "nodes/execnodes.h"

#include "rtree/bulk_load/build_queue.h"

typedef struct SpqRtreeBuildParallel SpqRtreeBuildParallel;

/*
 * Scan the table and sort its rows in this process and others, and return what they
 * share; rows are ready to be read.  Return NULL, and do nothing, if the build
 * should not or cannot be parallel.
 */
extern SpqRtreeBuildParallel *spq_rtree_build_parallel_begin(const SpqRtreeBuild *build,
															 IndexInfo *info,
															 SpqRtreeBuildRows *rows);

/* Return the queue from which the other processes take subtrees. */
extern SpqRtreeBuildQueue *spq_rtree_build_parallel_queue(SpqRtreeBuildParallel *parallel);

/* Wait for the other processes to finish, after the queue has. */
extern void spq_rtree_build_parallel_end(SpqRtreeBuildParallel *parallel);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_PARALLEL_H */
