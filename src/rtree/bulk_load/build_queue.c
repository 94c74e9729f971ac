/*-------------------------------------------------------------------------
 *
 * build_queue.c
 *	  Subtrees of rows on their way through the processes of a build.  See
 *	  build_queue.h.
 *
 *		EMPTY --leader reads--> FULL --any process packs and writes--> WRITTEN
 *		  ^____________leader adds it to the tree, in order________________|
 *
 * A subtree's leaves get the blocks after those of the subtree before; then come the
 * inner pages, if the subtree ends a region.  The number of leaves is known once the
 * subtree is packed.  So its process then waits for the subtree's turn, extends the
 * index, and passes the turn on.  Each subtree is taken after all subtrees before it,
 * and a process with a subtree does nothing else until the subtree has had its turn.
 * So each turn comes, and the index is the same however many processes build it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/condition_variable.h"
#include "storage/shmem.h"
#include "storage/spin.h"
#include "utils/memutils.h"
#include "utils/wait_event.h"

#include "rtree/bulk_load/build_queue.h"
#include "rtree/bulk_load/build_state.h"

typedef enum PlaceState
{
	EMPTY,
	FULL,
	TAKEN,
	WRITTEN
} PlaceState;

struct SpqRtreeBuildQueue
{
	ConditionVariable changed;	/* one of the following has changed */
	slock_t		mutex;
	int64		nread;			/* subtrees read, */
	int64		ntaken;			/* those taken by a process, */
	int64		turn;			/* and those that have their blocks */
	bool		finished;		/* there will be no more subtrees */
	int			region_leaves;	/* of the current region, with their blocks;
								 * for the process whose turn it is */

	/* Subtree i is in place i % nplaces. */
	int			nplaces;
	Size		place_size;
	PlaceState	state[FLEXIBLE_ARRAY_MEMBER];
};

static Size
header_size(int nplaces)
{
	return BUFFERALIGN(offsetof(SpqRtreeBuildQueue, state) + nplaces * sizeof(PlaceState));
}

/*
 * Return the number of places: for each process, a current subtree and a next
 * one.
 */
static int
places_for(int workers)
{
	return workers == 0 ? 1 : 2 * workers + 2;
}

Size
spq_rtree_queue_space(const SpqRtreeBuild *build, int workers)
{
	int			nplaces = places_for(workers);

	return add_size(header_size(nplaces), mul_size(nplaces, spq_rtree_subtree_space(build)));
}

void
spq_rtree_queue_init(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build, int workers)
{
	int			nplaces = places_for(workers);

	memset(queue, 0, header_size(nplaces));
	ConditionVariableInit(&queue->changed);
	SpinLockInit(&queue->mutex);
	queue->nplaces = nplaces;
	queue->place_size = spq_rtree_subtree_space(build);
}

static SpqRtreeSubtree *
subtree_at(SpqRtreeBuildQueue *queue, int64 number)
{
	return (SpqRtreeSubtree *) ((char *) queue + header_size(queue->nplaces) +
								number % queue->nplaces * queue->place_size);
}

static PlaceState
state_of(SpqRtreeBuildQueue *queue, int64 number)
{
	PlaceState	state;

	SpinLockAcquire(&queue->mutex);
	state = queue->state[number % queue->nplaces];
	SpinLockRelease(&queue->mutex);
	return state;
}

static void
set_state(SpqRtreeBuildQueue *queue, int64 number, PlaceState state)
{
	SpinLockAcquire(&queue->mutex);
	queue->state[number % queue->nplaces] = state;
	if (state == FULL)
		queue->nread = number + 1;
	SpinLockRelease(&queue->mutex);
	ConditionVariableBroadcast(&queue->changed);
}

static void
wait_for_change(SpqRtreeBuildQueue *queue)
{
	ConditionVariableSleep(&queue->changed, WAIT_EVENT_PARALLEL_CREATE_INDEX_SCAN);
}

/*
 * Take the first subtree that no process has taken; return NULL if there is none.
 */
static SpqRtreeSubtree *
take_subtree(SpqRtreeBuildQueue *queue, bool *finished)
{
	SpqRtreeSubtree *subtree = NULL;

	SpinLockAcquire(&queue->mutex);
	if (queue->ntaken < queue->nread)
	{
		subtree = subtree_at(queue, queue->ntaken);
		queue->state[queue->ntaken % queue->nplaces] = TAKEN;
		queue->ntaken++;
	}
	*finished = queue->finished;
	SpinLockRelease(&queue->mutex);
	return subtree;
}

static bool
is_turn(SpqRtreeBuildQueue *queue, int64 number)
{
	bool		is_turn;

	SpinLockAcquire(&queue->mutex);
	is_turn = queue->turn == number;
	SpinLockRelease(&queue->mutex);
	return is_turn;
}

/* Wait for the turn of a subtree, and give it its blocks. */
static void
take_blocks(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build, SpqRtreeSubtree *subtree)
{
	/* a single leaf is the root, which has its block */
	if (spq_rtree_subtree_is_all(subtree) && subtree->npages == 1)
	{
		subtree->first = SPQ_RTREE_ROOT;
		return;
	}

	while (!is_turn(queue, subtree->number))
		wait_for_change(queue);
	ConditionVariableCancelSleep();
	queue->region_leaves += subtree->npages;
	subtree->ninner = 0;
	if (spq_rtree_ends_region(build, subtree))
	{
		subtree->ninner = spq_rtree_region_inner_pages(build, subtree, queue->region_leaves);
		queue->region_leaves = 0;
	}
	subtree->first = spq_rtree_build_extend(build, subtree->npages + subtree->ninner);
	SpinLockAcquire(&queue->mutex);
	queue->turn++;
	SpinLockRelease(&queue->mutex);
	ConditionVariableBroadcast(&queue->changed);
}

static void
write_subtree(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build,
			  SpqRtreeSubtreeWriter *writer, SpqRtreeSubtree *subtree)
{
	spq_rtree_pack_subtree(writer, subtree);
	take_blocks(queue, build, subtree);
	spq_rtree_write_subtree(writer, subtree);
	set_state(queue, subtree->number, WRITTEN);
}

void
spq_rtree_queue_work(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build)
{
	SpqRtreeSubtreeWriter *writer = spq_rtree_subtree_writer(build);
	bool		finished = false;

	while (!finished)
	{
		SpqRtreeSubtree *subtree = take_subtree(queue, &finished);

		if (subtree != NULL)
		{
			ConditionVariableCancelSleep();
			write_subtree(queue, build, writer, subtree);
			finished = false;
		}
		else if (!finished)
			wait_for_change(queue);
	}
	ConditionVariableCancelSleep();
}

/*
 * Wait until a subtree has been written; until then, write subtrees that no process
 * has taken.  Then add the subtree to the tree.
 */
static void
finish_subtree(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build,
			   SpqRtreeSubtreeWriter *writer, SpqRtreeBuildTree *tree, int64 number)
{
	while (state_of(queue, number) != WRITTEN)
	{
		bool		finished;
		SpqRtreeSubtree *subtree = take_subtree(queue, &finished);

		if (subtree == NULL)
			wait_for_change(queue);
		else
		{
			ConditionVariableCancelSleep();
			write_subtree(queue, build, writer, subtree);
		}
	}
	ConditionVariableCancelSleep();
	spq_rtree_tree_add(tree, subtree_at(queue, number));
	set_state(queue, number, EMPTY);
}

void
spq_rtree_queue_lead(SpqRtreeBuildQueue *queue, const SpqRtreeBuild *build,
					 const SpqRtreeBuildRows *rows, SpqRtreeBuildTree *tree)
{
	SpqRtreeSubtreeReader *reader = spq_rtree_subtree_reader(build, rows);
	SpqRtreeSubtreeWriter *writer = spq_rtree_subtree_writer(build);
	int64		nread = 0,
				nfinished = 0;

	for (;;)
	{
		while (nfinished < nread &&
			   (nread - nfinished == queue->nplaces ||
				state_of(queue, nfinished) == WRITTEN))
			finish_subtree(queue, build, writer, tree, nfinished++);
		if (!spq_rtree_read_subtree(reader, subtree_at(queue, nread)))
			break;
		set_state(queue, nread++, FULL);
	}
	while (nfinished < nread)
		finish_subtree(queue, build, writer, tree, nfinished++);

	SpinLockAcquire(&queue->mutex);
	queue->finished = true;
	SpinLockRelease(&queue->mutex);
	ConditionVariableBroadcast(&queue->changed);
}
