/*-------------------------------------------------------------------------
 *
 * parallel.c
 *	  A spatial hash join in a parallel plan.
 *
 * Each process gives its own probes.  The build side is either read by each
 * process as a whole, or by all together into memory that they share:
 *
 *		  leader			   worker 0			   worker 1
 *		some probes			 some probes		 some probes
 *			|					 |					 |
 *			v					 v					 v
 *		+--------------------------------------------------+
 *		|	   build side, of rows that each has read	   |   (src/join/shared/shared.h)
 *		+--------------------------------------------------+
 *
 * In either case there is a place in shared memory for what EXPLAIN ANALYZE
 * shows of each process.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "join/shared/shared.h"
#include "join_node/state.h"

/* In the query's shared memory; behind it, the build side if it is shared. */
struct SpqNodeParallel
{
	int			nparticipants;	/* the leader is the first */
	SpqNodeProcess participant[FLEXIBLE_ARRAY_MEMBER];
};

static Size
header_size(int nparticipants)
{
	return MAXALIGN(offsetof(SpqNodeParallel, participant) +
					nparticipants * sizeof(SpqNodeProcess));
}

static SpqSharedBuild *
shared_build(SpqNodeState *node)
{
	if (!node->shared || node->parallel == NULL)
		return NULL;
	return (SpqSharedBuild *) ((char *) node->parallel +
							   header_size(node->parallel->nparticipants));
}

Size
spq_node_estimate_dsm(CustomScanState *css, ParallelContext *pcxt)
{
	SpqNodeState *node = (SpqNodeState *) css;
	Size		size = header_size(pcxt->nworkers + 1);

	if (node->shared)
		size += spq_shared_size(pcxt->nworkers + 1);
	return size;
}

void
spq_node_initialize_dsm(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	SpqNodeState *node = (SpqNodeState *) css;

	node->parallel = coordinate;
	memset(node->parallel, 0, header_size(pcxt->nworkers + 1));
	node->parallel->nparticipants = pcxt->nworkers + 1;
	if (node->shared)
		spq_shared_init(shared_build(node), pcxt->nworkers + 1, pcxt->seg);
}

/* For a rescan.  The leader's own join has been ended by that. */
void
spq_node_reinitialize_dsm(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	SpqNodeState *node = (SpqNodeState *) css;

	if (node->shared)
		spq_shared_reinit(shared_build(node), css->ss.ps.state->es_query_dsa);
}

void
spq_node_initialize_worker(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	SpqNodeState *node = (SpqNodeState *) css;

	node->parallel = coordinate;
}

/*
 * The engine's join for this process.  "*wants_build": shall the rows of the
 * build side's plan be given?  Not if others have read all of them.
 */
SpqJoin *
spq_node_begin_join(SpqNodeState *node, const SpqJoinSpec *spec, bool *wants_build)
{
	SpqSharedBuild *shared = shared_build(node);
	SpqJoin    *join;

	*wants_build = true;
	if (shared == NULL)
		return spq_join_begin(spec);
	join = spq_join_begin_shared(spec, shared, node->css.ss.ps.state->es_query_dsa,
								 ParallelWorkerNumber + 1);
	*wants_build = spq_join_wants_build(join);
	return join;
}

/*
 * What this process did, for others to see.  The leader counts all rescans, but
 * for each there are new workers.
 */
static void
report(SpqNodeState *node)
{
	SpqNodeProcess *own = &node->parallel->participant[ParallelWorkerNumber + 1];

	if (!IsParallelWorker())
		memset(own, 0, sizeof(SpqNodeProcess));
	own->took_part = true;
	own->removed += node->removed;
	spq_node_add_stats(&own->stats, &node->stats);
	if (node->join)
		spq_node_add_stats(&own->stats, spq_join_stats(node->join));
}

/*
 * The shared memory is about to go.  The leader keeps a copy of the reports, and
 * no join may be left that uses it.
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
}
