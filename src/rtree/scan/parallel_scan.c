/*-------------------------------------------------------------------------
 *
 * parallel_scan.c
 *	  A scan by several processes: the parts that are still to be read, in memory
 *	  that they share.
 *
 *		process 0		  process 1			process 2
 *		own stack: empty  own stack: empty	own stack: parts for which
 *			  \				 |				 /	there was no room
 *			   v			 v				v
 *			+-----------------------------------+
 *			|  shared stack: part, part, part   |
 *			+-----------------------------------+
 *
 * A process takes a part, reads its first page, and puts back what that page leads
 * to; of a leaf it returns the rows.  So the unit of work is a leaf, and whoever is
 * quicker takes more of them.
 *
 * Invariant: each part that is still to be read is in one place, the shared stack
 * or one process's own.  A process has come to its end when it has no parts, the
 * shared stack has none, and nobody is *reading* a page that leads to more.  While
 * somebody is, others wait: that takes as long as it takes to read a page, since a
 * process gives parts away before it returns rows.
 *
 * The executor may ask a process for no more rows before its end.  Then all have
 * enough, and the parts that are left are nobody's concern.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/condition_variable.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/wait_event.h"

#include "compat.h"
#include "inject.h"
#include "rtree/scan/parallel_scan.h"

/*
 * Parts that there is room for: those of a few inner pages for each level and
 * process.  What more there may be stays with the process that has found it.  A few
 * processes never get that far; with assertions there is less room, for tests.
 */
#ifdef USE_ASSERT_CHECKING
#define SHARED_PARTS	64
#else
#define SHARED_PARTS	2048
#endif

/* Waits for the lock of a scan are shown by this name. */
#define TRANCHE_NAME	"SpqtreeParallelScan"

struct SpqRtreeShared
{
	LWLock		lock;			/* no spinlock: thousands of parts may be
								 * copied under it */
	bool		begun;			/* a process has the first part */
	int			nreading;		/* processes whose page leads to more */
	int			nparts;
	ConditionVariable changed;	/* more parts, or fewer processes reading */
	SpqRtreePart parts[SHARED_PARTS];
};

/*
 * Return the number by which waits for the lock of a scan are shown.  There is one
 * for all: numbers are never given back.  The library need not be there when the
 * server starts.
 */
static int
lock_tranche(void)
{
	static int *tranche = NULL;

	if (tranche == NULL)
	{
		bool		found;

		LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
		tranche = ShmemInitStruct("spqtree", sizeof(int), &found);
		if (!found)
			*tranche = spq_new_lwlock_tranche(TRANCHE_NAME);
		LWLockRelease(AddinShmemInitLock);
	}
	return *tranche;
}

/* Return the size of the shared state. */
Size
spq_rtree_estimate_parallel_scan(SPQ_ESTIMATE_PARALLEL_SCAN_ARGS)
{
	return sizeof(SpqRtreeShared);
}

void
spq_rtree_init_parallel_scan(void *target)
{
	SpqRtreeShared *shared = target;

	LWLockInitialize(&shared->lock, lock_tranche());
	ConditionVariableInit(&shared->changed);
	shared->begun = false;
	shared->nreading = 0;
	shared->nparts = 0;
}

static SpqRtreeShared *
shared_state(IndexScanDesc scan)
{
	return OffsetToPointer(scan->parallel_scan, spq_parallel_scan_offset(scan));
}

/* Begin again.  No process but this one is in the scan. */
void
spq_rtree_parallel_rescan(IndexScanDesc scan)
{
	SpqRtreeShared *shared = shared_state(scan);

	shared->begun = false;
	shared->nreading = 0;
	shared->nparts = 0;
}

/*
 * Enter the scan.  Return whether this process is the first: it has the parts that
 * the scan begins with.
 *
 * A scan in order of distance is all its.  (The planner is told that there is
 * nothing to be gained, but it may plan such a scan all the same.  The rows of
 * each process are in order, as they have to be, those of the others being none.)
 */
bool
spq_rtree_enter_shared(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeShared *shared = shared_state(scan);
	bool		first;

	spq_register_lwlock_tranche(shared->lock.tranche, TRANCHE_NAME);
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	first = !shared->begun;
	shared->begun = true;
	if (first && scan->numberOfOrderBys == 0)
		shared->nreading++;
	LWLockRelease(&shared->lock);

	if (scan->numberOfOrderBys == 0)
	{
		state->shared = shared;
		state->reading = first;
	}
	return first;
}

/* Take a part from the shared stack; return false if the scan is at its end. */
bool
spq_rtree_take_shared(SpqRtreeScan *state, SpqRtreePart *part)
{
	SpqRtreeShared *shared = state->shared;
	bool		taken,
				waits;

	Assert(!state->reading);
	do
	{
		LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
		taken = shared->nparts > 0;
		waits = !taken && shared->nreading > 0;
		if (taken)
		{
			*part = shared->parts[--shared->nparts];
			/* most leaves lead to nothing; if one does, its reader goes on */
			state->reading = part->level != 0;
			shared->nreading += state->reading;
		}
		LWLockRelease(&shared->lock);
		if (waits)
			ConditionVariableSleep(&shared->changed, PG_WAIT_EXTENSION);
	} while (waits);
	ConditionVariableCancelSleep();
	SPQ_INJECT_POINT("shared");
	return taken;
}

/*
 * Let others have the parts that the page led to which this process has read.  Those
 * for which there is no room stay.
 */
void
spq_rtree_give_shared(SpqRtreeScan *state)
{
	SpqRtreeShared *shared = state->shared;
	int			given;

	SPQ_INJECT_POINT("give");
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	given = Min(state->nstack, SHARED_PARTS - shared->nparts);
	memcpy(&shared->parts[shared->nparts], &state->stack[state->nstack - given],
		   given * sizeof(SpqRtreePart));
	shared->nparts += given;
	shared->nreading -= state->reading;
	LWLockRelease(&shared->lock);

	state->nstack -= given;
	state->reading = false;
	ConditionVariableBroadcast(&shared->changed);
}
