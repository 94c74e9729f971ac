/*-------------------------------------------------------------------------
 *
 * build_queue.h
 *	  Subtrees of rows on their way through the processes of a build.
 *
 * The leader reads subtrees.  Any process writes them, including the leader if
 * there is no place for another subtree.  The leader takes written subtrees off in
 * order, and adds inner pages above them.
 *
 * Without other processes, the queue is in private memory and has one place:
 * the leader writes each subtree as soon as it has read it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_QUEUE_H
#define SPQ_RTREE_BULK_LOAD_BUILD_QUEUE_H

#include "nodes/execnodes.h"

#include "rtree/bulk_load/build_tree.h"

typedef struct SpqRtreeBuildQueue SpqRtreeBuildQueue;

/* Return the size of a queue for this number of processes besides the leader. */
extern Size spq_rtree_queue_space(const SpqRtreeBuild *build, int workers);

/* Initialize a queue in memory of that size. */
extern void spq_rtree_queue_init(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build,
								 int workers);

/* In the leader: write all rows of the sort, and add their subtrees to the tree. */
extern void spq_rtree_queue_lead(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build,
								 const SpqRtreeBuildRows *rows, SpqRtreeBuildTree *tree);

/* In other processes: write subtrees until there are no more. */
extern void spq_rtree_queue_work(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build);

/* ---- build_parallel.c: CREATE INDEX in several processes ---- */

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

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_QUEUE_H */
