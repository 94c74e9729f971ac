/*-------------------------------------------------------------------------
 *
 * shared_build.c
 *	  Reads a build side in several processes, and finds out whether it fits
 *	  into memory.
 *
 * While the rows of all participants fit into the memory of all, each
 * participant keeps the rows that it reads.  A participant that finds that
 * they do not fit sets a flag, and writes its rows into a file that the others
 * can read.  The others do the same when they see the flag, at the latest
 * after the last row:
 *
 *		participant 0	rows -> file 0 --+-- all files -> its own private join
 *		participant 1	rows -> file 1 --+-- all files -> its own private join
 *
 * Then each participant joins its own probes with the whole build side, as if
 * it were alone.  So each participant reads, and perhaps writes, the whole
 * build side.  In return, each probe stays in one process, as outer, semi and
 * anti joins need, and no participant waits for another while pairs are
 * returned.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>

#include "miscadmin.h"

#include "join/engine/join_state.h"
#include "join/shared/shared_state.h"

#define MAX_STEP	65536

Size
spq_shared_size(int nparticipants)
{
	return offsetof(SpqSharedBuild, participant) +
		nparticipants * sizeof(SpqSharedParticipant);
}

/*
 * Initialize the state, as it is before the first row.  The caller must have
 * freed the memory that the previous run allocated.
 */
static void
start_anew(SpqSharedBuild *shared)
{
	BarrierInit(&shared->barrier, 0);
	pg_atomic_init_u64(&shared->bytes, 0);
	pg_atomic_init_u32(&shared->overflow, 0);
	pg_atomic_init_u32(&shared->next_area, 0);
	pg_atomic_init_u32(&shared->next_range, 0);
	pg_atomic_init_u64(&shared->tile_bytes, 0);
	pg_atomic_init_u32(&shared->unsuitable, 0);
	shared->count = 0;
	shared->nranges = 0;
	shared->items = InvalidDsaPointer;
	for (int i = 0; i < SPQ_JOIN_MAX_AREAS; i++)
		shared->tiles[i].memory = InvalidDsaPointer;
	shared->buckets = InvalidDsaPointer;
	shared->bounds = InvalidDsaPointer;
	shared->keys = InvalidDsaPointer;
	shared->first = InvalidDsaPointer;
	for (int i = 0; i < shared->nparticipants; i++)
	{
		SpqSharedParticipant *participant = &shared->participant[i];

		participant->rows = participant->nsampled = 0;
		participant->payloads = InvalidDsaPointer;
		participant->file_rows = 0;
		memset(participant->in_area, 0, sizeof(participant->in_area));
		participant->outside = false;
		participant->squares = 0;
		memset(participant->in_range, 0, sizeof(participant->in_range));
	}
}

/*
 * Initialize a shared build side.  The leader calls this before any worker
 * runs.
 */
void
spq_shared_init(SpqSharedBuild *shared, int nparticipants, dsm_segment *seg)
{
	if (seg != NULL)
	{
		SharedFileSetInit(&shared->files, seg);
		shared->segment = dsm_segment_handle(seg);
	}
	shared->nparticipants = nparticipants;
	start_anew(shared);
}

/*
 * Prepare for another run of the plan.  The leader calls this while no worker
 * runs.  Its own previous join may still exist, but may only be ended.
 */
void
spq_shared_reinit(SpqSharedBuild *shared, dsa_area *area)
{
	dsa_pointer pointers[] = {
		shared->items, shared->buckets, shared->bounds, shared->keys, shared->first
	};

	/* without an area, nothing was shared and there are no files */
	if (area != NULL)
	{
		for (int i = 0; i < (int) lengthof(pointers); i++)
		{
			if (DsaPointerIsValid(pointers[i]))
				dsa_free(area, pointers[i]);
		}
		spq_shared_free_tiles(shared, area);
		for (int i = 0; i < shared->nparticipants; i++)
			spq_shared_free_payloads(&shared->participant[i], area);
		SharedFileSetDeleteAll(&shared->files);
	}
	start_anew(shared);
}

static void
detach(SpqSharedSide *side)
{
	if (side->attached)
		BarrierDetach(&side->shared->barrier);
	side->attached = false;
}

static void
end_shared(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;

	detach(side);
	spq_join_spool_close(&side->file);
}

/*
 * Attach to the set of files.  The files are removed when the last process
 * detaches.  The leader has been attached since it created the set.
 */
static void
attach_files(SpqSharedSide *side)
{
	if (side->participant > 0 && !side->files_attached)
		SharedFileSetAttach(&side->shared->files,
							dsm_find_mapping(side->shared->segment));
	side->files_attached = true;
}

static void
file_name(char *name, int participant)
{
	snprintf(name, MAXPGPATH, "spq%d", participant);
}

/* Write the rows in memory into a file; further rows go there, too. */
static void
write_rows(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	MemoryContext old = MemoryContextSwitchTo(join->context);
	char		name[MAXPGPATH];

	attach_files(side);
	file_name(name, side->participant);
	side->file.file = BufFileCreateFileSet(&side->shared->files.fs, name);
	spq_join_payloads_init(&side->scratch, join->context);
	MemoryContextSwitchTo(old);
	for (uint32 i = 0; i < join->build.count; i++)
	{
		SpqJoinItem *item = &join->build.item[i];

		if (i % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
		if (join->spec.build_payload)
			item->ref = (uint64) (uintptr_t) dsa_get_address(side->area, item->ref);
		spq_join_spool_write(&side->file, item, join->spec.build_payload, join->context);
	}
	spq_join_items_clear(&join->build);
	spq_shared_free_payloads(side->own, side->area);
}

/*
 * Add the bytes read to the sum of all participants, and set the flag if the
 * sum is too large.
 */
static void
report_bytes(SpqSharedSide *side)
{
	uint64		sum = pg_atomic_add_fetch_u64(&side->shared->bytes, side->unreported);

	side->unreported = 0;
	if (sum > side->limit)
		pg_atomic_write_u32(&side->shared->overflow, 1);
}

static inline bool
overflow(SpqSharedSide *side)
{
	return pg_atomic_read_u32(&side->shared->overflow) != 0;
}

/* Add a row to the build side. */
static void
take_row(SpqJoin *join, SpqJoinItem *item, const void *payload, Size length)
{
	SpqSharedSide *side = join->methods_state;

	Assert(side->phase == SPQ_SHARED_READ);
	if (side->file.file != NULL)
	{
		if (join->spec.build_payload)
			item->ref = spq_join_copy_payload(&side->scratch, payload, length);
		spq_join_spool_write(&side->file, item, join->spec.build_payload, join->context);
		if (join->spec.build_payload)
			spq_join_free_last_payload(&side->scratch, item->ref);
		return;
	}

	side->unreported += SPQ_JOIN_ITEM_BYTES;
	if (join->spec.build_payload)
	{
		item->ref = spq_shared_payload(side, payload, length);
		side->unreported += sizeof(SpqJoinPayload) + length;
	}
	*spq_join_items_add(&join->build) = *item;
	if (side->unreported > side->step)
	{
		report_bytes(side);
		if (overflow(side))
		{
			spq_join_note_memory(join);
			write_rows(join);
		}
	}
}

/* Read the rows of all files as the build side of a private join. */
static void
read_files(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;

	attach_files(side);
	for (int i = 0; i < side->shared->nparticipants; i++)
	{
		SpqJoinSpool rows = {0};
		MemoryContext old;
		SpqJoinItem item;
		char		name[MAXPGPATH];

		if (side->shared->participant[i].file_rows == 0)
			continue;
		file_name(name, i);
		old = MemoryContextSwitchTo(join->context);
		rows.file = BufFileOpenFileSet(&side->shared->files.fs, name, O_RDONLY, false);
		MemoryContextSwitchTo(old);
		rows.count = side->shared->participant[i].file_rows;
		while (spq_join_spool_read(&rows, &item, join->spec.build_payload,
								   &join->build.payloads))
		{
			CHECK_FOR_INTERRUPTS();
			spq_join_add_build(join, &item);
		}
		spq_join_spool_close(&rows);
	}
}

/*
 * After an overflow, write the rows still in memory, and read the rows of all
 * participants.
 */
static void
go_private(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;

	if (side->phase == spq_shared_after_read(side))
	{
		if (join->build.count > 0)
			write_rows(join);
		if (side->file.file != NULL)
		{
			BufFileExportFileSet(side->file.file);
			side->own->file_rows = side->file.count;
			spq_join_spool_close(&side->file);
		}
		spq_shared_wait(side);
	}
	detach(side);
	read_files(join);
	spq_join_private_done(join);
}

/*
 * Finish the build side of this participant.  On return there is a build side
 * for its probes: the shared one, or one of its own.
 */
static void
shared_done(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	bool		elected = false;

	spq_join_note_memory(join);
	if (side->phase == SPQ_SHARED_READ)
	{
		if (side->unreported > 0)
			report_bytes(side);
		side->own->rows = join->build.count;
		side->own->nsampled = spq_shared_take_sample(join->build.item, join->build.count,
													 side->own->sample);
		if (SPQ_DIM == 2 && side->tiles)
			spq_join_find_extent(&side->own->extent, join->build.item, join->build.count);
		elected = spq_shared_wait(side);
	}
	if (overflow(side))
	{
		go_private(join);
		return;
	}
	if (!(SPQ_DIM == 2 && side->tiles && spq_shared_tiles(join, &elected)))
		spq_shared_order(join, elected);
	detach(side);
}

static uint64
payload_address(const SpqJoin *join, uint64 ref)
{
	return (uint64) (uintptr_t) spq_shared_address(join->methods_state, ref);
}

static const SpqJoinBuildMethods shared_build = {
	.take_row = take_row,
	.done = shared_done,
	.address = payload_address,
	.end = end_shared,
};

/* Begin a join as a participant.  Each participant has a different number. */
SpqJoin *
spq_join_begin_shared(const SpqJoinSpec *spec, SpqSharedBuild *shared,
					  dsa_area *area, int participant)
{
	SpqJoin    *join = spq_join_begin(spec);
	SpqSharedSide *side;

	if (area == NULL)
		return join;
	Assert(!spec->self && !spec->unmatched_build && !spec->first_of_build);
	Assert(participant >= 0 && participant < shared->nparticipants);
	side = MemoryContextAllocZero(join->context, sizeof(SpqSharedSide));
	side->shared = shared;
	side->area = area;
	side->participant = participant;
	side->own = &shared->participant[participant];
	side->limit = Min(join->build_limit * shared->nparticipants,
					  (uint64) PG_INT32_MAX * SPQ_JOIN_ITEM_BYTES);
	side->step = Min(join->build_limit / 8, MAX_STEP);
	join->methods = &shared_build;
	join->methods_state = side;
	side->tiles = spq_join_wants_tiles(join);
	side->phase = BarrierAttach(&shared->barrier);
	if (side->phase > SPQ_SHARED_READ)
		side->phase += spq_shared_after_read(side) - SPQ_SHARED_AREAS;
	side->attached = true;
	return join;
}

/*
 * Return whether the participant should read build rows.  It should not if the
 * others have read all of them.
 */
bool
spq_join_wants_build(SpqJoin *join)
{
	const SpqSharedSide *side = join->methods_state;

	return side == NULL || side->phase == SPQ_SHARED_READ;
}

const SpqSharedEngine SPQ_SHARED_ENGINE = {
	.size = spq_shared_size,
	.init = spq_shared_init,
	.reinit = spq_shared_reinit,
	.begin = spq_join_begin_shared,
	.wants_build = spq_join_wants_build,
};
