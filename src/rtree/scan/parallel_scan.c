/*-------------------------------------------------------------------------
 *
 * parallel_scan.c
 *	  A scan by several processes: unread spans are in memory that they share.
 *
 *		process 0		  process 1			process 2
 *		own stack: empty  own stack: empty	own stack: spans for which
 *			  \				 |				 /	there was no room
 *			   v			 v				v
 *			+-----------------------------------+
 *			|  shared stack: span, span, span   |
 *			+-----------------------------------+
 *
 * A process takes a span, reads its first page, and puts back the spans that
 * this page leads to; if the page is a leaf, it returns the rows.  So the unit
 * of work is a leaf, and faster processes take more of them.
 *
 * Invariant: each unread span is in one place, the shared stack or the stack of
 * one process.  A process ends when it has no spans, the shared stack has none,
 * and no process is *reading* a page that leads to more.  While one is, the
 * others wait.  That takes as long as reading a page, because a process gives
 * spans away before it returns rows.  A process that reads a page of its own stack
 * is not counted: others may end before it gives spans away.  Then it reads these
 * itself.
 *
 * The executor may stop requesting rows from a process before its end.  Then it
 * needs no more rows from any of them, and the remaining spans are abandoned.
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
 * The size of the shared stack: the spans of a few inner pages for each level
 * and process.  Further spans stay with the process that found them.  A few
 * processes never fill it; with assertions it is smaller, for tests.
 */
#ifdef USE_ASSERT_CHECKING
#define SHARED_PARTS	64
#else
#define SHARED_PARTS	2048
#endif

/* The name of the lock in pg_stat_activity's wait events. */
#define TRANCHE_NAME	"SpqtreeParallelScan"

struct SpqRtreeShared
{
	LWLock		lock;			/* no spinlock: thousands of spans may be
								 * copied under it */
	bool		begun;			/* a process has the first span */
	int			nreading;		/* processes whose page leads to more */
	int			nspans;
	ConditionVariable changed;	/* more spans, or fewer processes reading */
	SpqRtreeSpan spans[SHARED_PARTS];
};

/*
 * Return the tranche number of the locks of scans.  All scans use one, since
 * numbers are never returned.  It is stored in shared memory when first needed,
 * because the library need not be loaded at server start.  The server keeps some
 * memory for such small requests; GetNamedDSMSegment() is for larger ones, and
 * PostgreSQL 15 and 16 do not have it.
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
	shared->nspans = 0;
}

static SpqRtreeShared *
shared_state(IndexScanDesc scan)
{
	return OffsetToPointer(scan->parallel_scan, spq_parallel_scan_offset(scan));
}

/* Reset the scan.  No other process is in it. */
void
spq_rtree_parallel_rescan(IndexScanDesc scan)
{
	SpqRtreeShared *shared = shared_state(scan);

	shared->begun = false;
	shared->nreading = 0;
	shared->nspans = 0;
}

/*
 * Enter the scan.  Return whether this process is the first; if so, it has the
 * spans that the scan begins with.
 */
bool
spq_rtree_enter_shared(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeShared *shared = shared_state(scan);
	bool		first;

	if (scan->numberOfOrderBys > 0)
		elog(ERROR, "scans of spqtree in order of distance are not parallel");
	spq_register_lwlock_tranche(shared->lock.tranche, TRANCHE_NAME);
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	first = !shared->begun;
	shared->begun = true;
	shared->nreading += first;
	LWLockRelease(&shared->lock);

	state->shared = shared;
	state->reading = first;
	return first;
}

/*
 * Take more leaves from the shared stack, next to the one just taken, and keep them.  The
 * fewer are left, the fewer are taken, so that all processes end at the same time.
 */
static void
take_leaves(SpqRtreeScan *state)
{
	SpqRtreeShared *shared = state->shared;
	int			most = Min(state->most_leaves - 1, shared->nspans / 8),
				n = 0;

	Assert(state->nstack == 0 && state->most_leaves <= state->stack_size);
	while (n < most && shared->spans[shared->nspans - n - 1].level == 0)
		n++;
	shared->nspans -= n;
	memcpy(state->stack, &shared->spans[shared->nspans], n * sizeof(SpqRtreeSpan));
	state->nstack = state->nkept = n;
}

/*
 * Take a span from the shared stack, waiting if more may come.  Return false at
 * the end of the scan.
 */
bool
spq_rtree_take_shared(SpqRtreeScan *state, SpqRtreeSpan *span)
{
	SpqRtreeShared *shared = state->shared;
	bool		taken,
				waits;

	Assert(!state->reading);
	do
	{
		LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
		taken = shared->nspans > 0;
		waits = !taken && shared->nreading > 0;
		if (taken)
		{
			*span = shared->spans[--shared->nspans];
			/* leaves rarely lead to more, and then their reader goes on */
			state->reading = span->level != 0;
			shared->nreading += state->reading;
			if (span->level == 0)
				take_leaves(state);
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
 * Move the spans that this process has found to the shared stack, as far as
 * there is room; it keeps the others.  Note that it is no longer reading.
 */
void
spq_rtree_give_shared(SpqRtreeScan *state)
{
	SpqRtreeShared *shared = state->shared;
	int			given;

	SPQ_INJECT_POINT("give");
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	given = Min(state->nstack - state->nkept, SHARED_PARTS - shared->nspans);
	memcpy(&shared->spans[shared->nspans], &state->stack[state->nstack - given],
		   given * sizeof(SpqRtreeSpan));
	shared->nspans += given;
	shared->nreading -= state->reading;
	LWLockRelease(&shared->lock);

	state->nstack -= given;
	state->reading = false;
	ConditionVariableBroadcast(&shared->changed);
}
