/*-------------------------------------------------------------------------
 *
 * build_parallel.c
 *	  CREATE INDEX in several processes, as nbtree does it (nbtsort.c).
 *
 * The leader and its workers scan parts of the table, and each sorts its rows
 * into runs of a shared tuplesort.  When all have finished, the leader merges
 * the runs.  Then it reads subtrees of rows, and workers cut them into leaves
 * (build_queue.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/parallel.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/index.h"
#include "catalog/pg_proc.h"
#include "commands/progress.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "pgstat.h"
#include "storage/condition_variable.h"
#include "storage/spin.h"
#include "tcop/tcopprot.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/wait_event.h"

#include "compat.h"
#include "rtree/bulk_load/build_queue.h"
#include "rtree/bulk_load/build_state.h"
#include "rtree/class/class.h"

#define KEY_SHARED			UINT64CONST(0x5350510000000001)
#define KEY_SORT			UINT64CONST(0x5350510000000002)
#define KEY_NULL_SORT		UINT64CONST(0x5350510000000003)
#define KEY_QUEUE			UINT64CONST(0x5350510000000004)
#define KEY_QUERY_TEXT		UINT64CONST(0x5350510000000005)
#define KEY_WAL_USAGE		UINT64CONST(0x5350510000000006)
#define KEY_BUFFER_USAGE	UINT64CONST(0x5350510000000007)

/* In shared memory; the parallel scan of the table follows. */
typedef struct Shared
{
	Oid			heap;
	Oid			index;
	bool		concurrent;		/* CREATE INDEX CONCURRENTLY */
	int			participants;	/* planned, including the leader */
	int64		query_id;
	SpqRtreeUnits units;

	ConditionVariable sorted;	/* one more participant has sorted its rows */
	slock_t		mutex;
	int			nsorted;		/* participants that have sorted */
	int64		count;			/* and sums of their numbers */
	int64		nulls;
	double		table_rows;
	bool		broken_hot_chain;
} Shared;

struct SpqRtreeBuildParallel
{
	ParallelContext *context;
	Snapshot	snapshot;
	Shared	   *shared;
	Sharedsort *sort;
	Sharedsort *null_sort;
	SpqRtreeBuildQueue *queue;
	WalUsage   *wal_usage;		/* one for each worker */
	BufferUsage *buffer_usage;
};

extern PGDLLEXPORT void spq_rtree_build_worker(dsm_segment *seg, shm_toc *toc);

static ParallelTableScanDesc
table_scan(Shared *shared)
{
	return (ParallelTableScanDesc) ((char *) shared + BUFFERALIGN(sizeof(Shared)));
}

/* Return the number of workers to request. */
static int
workers_wanted(const SpqRtreeBuild *build, IndexInfo *info)
{
	/* core tests expressions and the predicate, but not operator classes */
	for (int i = 0; i < build->row_ends.ncolumns; i++)
		if (func_parallel(build->row_ends.procs[i]->fn_oid) != PROPARALLEL_SAFE)
			return 0;
	for (int i = 0; i < build->coder.nscalars; i++)
	{
		const FmgrInfo *hash = build->coder.scalars[i].hash;

		if (hash && func_parallel(hash->fn_oid) != PROPARALLEL_SAFE)
			return 0;
	}
	return spq_build_workers(build->heap, build->index, info);
}

static void
estimate(ParallelContext *context, Size size)
{
	shm_toc_estimate_chunk(&context->estimator, size);
	shm_toc_estimate_keys(&context->estimator, 1);
}

static void *
allocate(ParallelContext *context, uint64 key, Size size)
{
	void	   *chunk = shm_toc_allocate(context->toc, size);

	shm_toc_insert(context->toc, key, chunk);
	return chunk;
}

/*
 * Return a coordinate for one part of a sort (WORKER_PART), or for reading this
 * many parts.
 */
static SortCoordinate
coordinate_of(Sharedsort *sharedsort, int parts)
{
	SortCoordinate coordinate = palloc0(sizeof(SortCoordinateData));

	coordinate->isWorker = parts < 0;
	coordinate->nParticipants = parts;
	coordinate->sharedsort = sharedsort;
	return coordinate;
}

#define WORKER_PART		(-1)

/*
 * In each process: scan a part of the table, sort its rows, and report that.
 */
static void
scan_and_sort(const SpqRtreeBuild *build, Shared *shared, Sharedsort *sort,
			  Sharedsort *null_sort, int memory, bool progress)
{
	SpqRtreeBuildRows rows;
	IndexInfo  *info = BuildIndexInfo(build->index);

	info->ii_Concurrent = shared->concurrent;
	spq_rtree_begin_rows(build, &rows, memory, coordinate_of(sort, WORKER_PART),
						 coordinate_of(null_sort, WORKER_PART));
	spq_rtree_scan_rows(build, &rows, info,
						spq_beginscan_parallel(build->heap, table_scan(shared)),
						progress);
	if (progress)
		pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, SPQ_RTREE_PHASE_SORT);
	spq_rtree_sort_rows(&rows);

	SpinLockAcquire(&shared->mutex);
	shared->nsorted++;
	shared->count += rows.count;
	shared->nulls += rows.nulls;
	shared->table_rows += rows.table_rows;
	shared->broken_hot_chain |= rows.broken_hot_chain;
	SpinLockRelease(&shared->mutex);
	ConditionVariableSignal(&shared->sorted);
	spq_rtree_end_rows(&rows);
}

/* In the leader: wait until all participants have sorted their rows. */
static void
wait_for_sorts(Shared *shared, int participants)
{
	for (;;)
	{
		int			nsorted;

		SpinLockAcquire(&shared->mutex);
		nsorted = shared->nsorted;
		SpinLockRelease(&shared->mutex);
		if (nsorted == participants)
			break;
		ConditionVariableSleep(&shared->sorted, WAIT_EVENT_PARALLEL_CREATE_INDEX_SCAN);
	}
	ConditionVariableCancelSleep();
}

/* Set up the shared state, in the shared memory of the context. */
static void
init_shared(SpqRtreeBuildParallel *parallel, const SpqRtreeBuild *build, IndexInfo *info,
			Size scan_size, Size sort_size, Size queue_size)
{
	ParallelContext *context = parallel->context;
	int			participants = context->nworkers + 1;
	Shared	   *shared = allocate(context, KEY_SHARED, scan_size);

	memset(shared, 0, sizeof(Shared));
	shared->heap = RelationGetRelid(build->heap);
	shared->index = RelationGetRelid(build->index);
	shared->concurrent = info->ii_Concurrent;
	shared->participants = participants;
	shared->units = build->units;
	shared->query_id = pgstat_get_my_query_id();
	ConditionVariableInit(&shared->sorted);
	SpinLockInit(&shared->mutex);
	table_parallelscan_initialize(build->heap, table_scan(shared), parallel->snapshot);
	parallel->shared = shared;

	parallel->sort = allocate(context, KEY_SORT, sort_size);
	tuplesort_initialize_shared(parallel->sort, participants, context->seg);
	parallel->null_sort = allocate(context, KEY_NULL_SORT, sort_size);
	tuplesort_initialize_shared(parallel->null_sort, participants, context->seg);
	parallel->queue = allocate(context, KEY_QUEUE, queue_size);
	spq_rtree_queue_init(parallel->queue, build, context->nworkers);
	if (debug_query_string)
	{
		Size		size = strlen(debug_query_string) + 1;

		memcpy(allocate(context, KEY_QUERY_TEXT, size), debug_query_string, size);
	}
	parallel->wal_usage = allocate(context, KEY_WAL_USAGE,
								   mul_size(sizeof(WalUsage), context->nworkers));
	parallel->buffer_usage = allocate(context, KEY_BUFFER_USAGE,
									  mul_size(sizeof(BufferUsage), context->nworkers));
}

/* Start workers.  If none starts, return false, with everything undone. */
static bool
launch(SpqRtreeBuildParallel *parallel, const SpqRtreeBuild *build, IndexInfo *info,
	   int workers)
{
	ParallelContext *context;
	Size		scan_size,
				sort_size,
				queue_size;

	EnterParallelMode();
	context = CreateParallelContext("spqtree", "spq_rtree_build_worker", workers);
	parallel->context = context;

	/*
	 * An ordinary build reads all rows that any transaction may see, and
	 * tests by itself which ones can.
	 */
	parallel->snapshot = info->ii_Concurrent ?
		RegisterSnapshot(GetTransactionSnapshot()) : SnapshotAny;

	scan_size = add_size(BUFFERALIGN(sizeof(Shared)),
						 table_parallelscan_estimate(build->heap, parallel->snapshot));
	sort_size = tuplesort_estimate_shared(workers + 1);
	queue_size = spq_rtree_queue_space(build, workers);
	estimate(context, scan_size);
	estimate(context, sort_size);
	estimate(context, sort_size);
	estimate(context, queue_size);
	estimate(context, mul_size(sizeof(WalUsage), workers));
	estimate(context, mul_size(sizeof(BufferUsage), workers));
	if (debug_query_string)
		estimate(context, strlen(debug_query_string) + 1);
	InitializeParallelDSM(context);

	/* without dynamic shared memory there are no workers */
	if (context->seg != NULL)
	{
		init_shared(parallel, build, info, scan_size, sort_size, queue_size);
		LaunchParallelWorkers(context);
		if (context->nworkers_launched > 0)
			return true;
		WaitForParallelWorkersToFinish(context);
	}
	if (IsMVCCSnapshot(parallel->snapshot))
		UnregisterSnapshot(parallel->snapshot);
	DestroyParallelContext(context);
	ExitParallelMode();
	return false;
}

SpqRtreeBuildParallel *
spq_rtree_build_parallel_begin(const SpqRtreeBuild *build, IndexInfo *info,
							   SpqRtreeBuildRows *rows)
{
	int			workers = workers_wanted(build, info);
	SpqRtreeBuildParallel *parallel;
	Shared	   *shared;
	int			participants;

	if (workers == 0)
		return NULL;
	parallel = palloc0(sizeof(SpqRtreeBuildParallel));
	if (!launch(parallel, build, info, workers))
	{
		pfree(parallel);
		return NULL;
	}
	shared = parallel->shared;
	participants = parallel->context->nworkers_launched + 1;
	scan_and_sort(build, shared, parallel->sort, parallel->null_sort,
				  maintenance_work_mem / participants, true);

	/* raises an error if a worker failed to start: it would never sort */
	WaitForParallelWorkersToAttach(parallel->context);
	wait_for_sorts(shared, participants);

	/* workers have released the memory of their sorts */
	spq_rtree_begin_rows(build, rows, maintenance_work_mem,
						 coordinate_of(parallel->sort, participants),
						 coordinate_of(parallel->null_sort, participants));
	rows->count = shared->count;
	rows->nulls = shared->nulls;
	rows->table_rows = shared->table_rows;
	rows->broken_hot_chain = shared->broken_hot_chain;
	return parallel;
}

SpqRtreeBuildQueue *
spq_rtree_build_parallel_queue(SpqRtreeBuildParallel *parallel)
{
	return parallel->queue;
}

void
spq_rtree_build_parallel_end(SpqRtreeBuildParallel *parallel)
{
	ParallelContext *context = parallel->context;

	WaitForParallelWorkersToFinish(context);
	for (int i = 0; i < context->nworkers_launched; i++)
		InstrAccumParallelQuery(&parallel->buffer_usage[i], &parallel->wal_usage[i]);
	if (IsMVCCSnapshot(parallel->snapshot))
		UnregisterSnapshot(parallel->snapshot);
	DestroyParallelContext(context);
	ExitParallelMode();
	pfree(parallel);
}

/* The main function of a worker. */
void
spq_rtree_build_worker(dsm_segment *seg, shm_toc *toc)
{
	Shared	   *shared = shm_toc_lookup(toc, KEY_SHARED, false);
	Sharedsort *sort = shm_toc_lookup(toc, KEY_SORT, false);
	Sharedsort *null_sort = shm_toc_lookup(toc, KEY_NULL_SORT, false);
	SpqRtreeBuildQueue *queue = shm_toc_lookup(toc, KEY_QUEUE, false);
	WalUsage   *wal_usage = shm_toc_lookup(toc, KEY_WAL_USAGE, false);
	BufferUsage *buffer_usage = shm_toc_lookup(toc, KEY_BUFFER_USAGE, false);

	/* the same locks as the leader's, by kind of command (index.c) */
	LOCKMODE	heap_lock = shared->concurrent ? ShareUpdateExclusiveLock : ShareLock;
	LOCKMODE	index_lock = shared->concurrent ? RowExclusiveLock : AccessExclusiveLock;
	SpqRtreeBuild build;

	debug_query_string = shm_toc_lookup(toc, KEY_QUERY_TEXT, true);
	pgstat_report_activity(STATE_RUNNING, debug_query_string);
	pgstat_report_query_id(shared->query_id, false);

	spq_rtree_build_init(&build, table_open(shared->heap, heap_lock),
						 index_open(shared->index, index_lock));
	build.units = shared->units;
	tuplesort_attach_shared(sort, seg);
	tuplesort_attach_shared(null_sort, seg);
	InstrStartParallelQuery();
	scan_and_sort(&build, shared, sort, null_sort,
				  maintenance_work_mem / shared->participants, false);
	spq_rtree_queue_work(queue, &build);
	InstrEndParallelQuery(&buffer_usage[ParallelWorkerNumber],
						  &wal_usage[ParallelWorkerNumber]);
	index_close(build.index, index_lock);
	table_close(build.heap, heap_lock);
}
