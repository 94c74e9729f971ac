/*-------------------------------------------------------------------------
 *
 * parallel.c
 *	  A spatial hash join in a parallel plan.
 *
 * Each process has its own probes.  Either each process reads the whole build
 * side, or all read it together into memory that they share:
 *
 *		  leader			   worker 0			   worker 1
 *		some probes			 some probes		 some probes
 *			|					 |					 |
 *			v					 v					 v
 *		+--------------------------------------------------+
 *		|	   build side, from rows that each reads	   |	(shared.h)
 *		+--------------------------------------------------+
 *
 * In either case each process writes its counts for EXPLAIN ANALYZE to shared
 * memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"
#include "join_node/executor/join_executor.h"


/*
 * The node's part of the query's dynamic shared memory.  The shared build side
 * follows, if there is one.
 */
typedef struct SpqNodeParallel
{
	int			nparticipants;	/* participant[0] is the leader */
	SpqNodeProcess participant[FLEXIBLE_ARRAY_MEMBER];
} SpqNodeParallel;

static Size
header_size(int nparticipants)
{
	return MAXALIGN(offsetof(SpqNodeParallel, participant) +
					nparticipants * sizeof(SpqNodeProcess));
}

/* Use this shared memory, in the leader or in a worker. */
static void
attach(SpqNodeState *node, SpqNodeParallel *parallel)
{
	node->parallel = parallel;
	if (node->shared)
		node->shared_build = (SpqSharedBuild *)
			((char *) parallel + header_size(parallel->nparticipants));
}

Size
spq_node_estimate_dsm(CustomScanState *css, ParallelContext *pcxt)
{
	SpqNodeState *node = (SpqNodeState *) css;
	Size		size = header_size(pcxt->nworkers + 1);

	if (node->shared)
		size += node->sharing->size(pcxt->nworkers + 1);
	return size;
}

void
spq_node_initialize_dsm(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	SpqNodeState *node = (SpqNodeState *) css;
	SpqNodeParallel *parallel = coordinate;

	memset(parallel, 0, header_size(pcxt->nworkers + 1));
	parallel->nparticipants = pcxt->nworkers + 1;
	attach(node, parallel);
	if (node->shared)
		node->sharing->init(node->shared_build, pcxt->nworkers + 1, pcxt->seg);
}

/*
 * Prepare for a rescan.  The leader's own join may still exist; the rescan
 * ends it.
 */
void
spq_node_reinitialize_dsm(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	SpqNodeState *node = (SpqNodeState *) css;

	if (node->shared)
		node->sharing->reinit(node->shared_build, css->ss.ps.state->es_query_dsa);
}

void
spq_node_initialize_worker(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	attach((SpqNodeState *) css, coordinate);
}

/*
 * Report the counts of this process.  The leader's counts include all rescans,
 * so they replace its last report.  Workers are new in each rescan, so their
 * counts are added.
 */
static void
report(SpqNodeState *node)
{
	SpqNodeProcess *own = &node->parallel->participant[ParallelWorkerNumber + 1];

	if (!IsParallelWorker())
		memset(own, 0, sizeof(SpqNodeProcess));
	own->took_part = true;
	own->removed += node->removed;
	own->counted += node->counted;
	spq_node_add_stats(&own->stats, &node->stats);
	if (node->join)
		spq_node_add_stats(&own->stats, node->engine->stats(node->join));
}

/*
 * Detach from the shared memory, which is about to be released.  The leader
 * keeps a copy of the reports.  A join that uses this memory must end.
 */
void
spq_node_shutdown(CustomScanState *css)
{
	SpqNodeState *node = (SpqNodeState *) css;
	SpqNodeParallel *parallel = node->parallel;

	if (parallel == NULL)
		return;
	report(node);
	if (!IsParallelWorker())
	{
		Size		size = parallel->nparticipants * sizeof(SpqNodeProcess);

		if (node->participant)
			pfree(node->participant);
		node->nparticipants = parallel->nparticipants;
		node->participant = MemoryContextAlloc(css->ss.ps.state->es_query_cxt, size);
		memcpy(node->participant, parallel->participant, size);
	}
	if (node->shared)
	{
		spq_node_end_join(node);
		node->done = true;
	}
	node->parallel = NULL;
	node->shared_build = NULL;
}
