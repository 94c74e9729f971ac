/*-------------------------------------------------------------------------
 *
 * shared_phase.c
 *	  Code common to several phases of a shared build side: waiting for other
 *	  participants, shared memory, and samples.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/wait_event.h"

#include "join/shared/shared_state.h"

/* Wait for the other participants.  Return true in one of them. */
bool
spq_shared_wait(SpqSharedSide *side)
{
	bool		elected = BarrierArriveAndWait(&side->shared->barrier, PG_WAIT_EXTENSION);

	side->phase = side->phase == SPQ_SHARED_READ ? spq_shared_after_read(side) : side->phase + 1;
	Assert((int) side->phase == BarrierPhase(&side->shared->barrier) +
		   (int) spq_shared_after_read(side) - (int) SPQ_SHARED_AREAS);
	return elected;
}

dsa_pointer
spq_shared_get_memory(SpqSharedSide *side, Size size)
{
	return dsa_allocate_extended(side->area, size, DSA_ALLOC_HUGE);
}

/* Allocate the common array of rows, if that has not been done. */
void
spq_shared_get_items(SpqSharedSide *side)
{
	SpqSharedBuild *shared = side->shared;
	uint64		rows = 0;

	for (int i = 0; i < shared->nparticipants; i++)
		rows += shared->participant[i].rows;
	shared->count = (uint32) rows;
	if (rows > 0 && !DsaPointerIsValid(shared->items))
		shared->items = spq_shared_get_memory(side, rows * sizeof(SpqJoinItem));
}

/*
 * Return the samples of all participants, each in proportion to its number of
 * rows.  The same participants have the same samples.
 */
SpqJoinItem *
spq_shared_samples(SpqSharedSide *side, uint32 *count, uint64 *rows)
{
	SpqSharedBuild *shared = side->shared;
	SpqJoinItem *sample = palloc(shared->nparticipants * SPQ_SHARED_SAMPLE *
								 sizeof(SpqJoinItem));
	uint32		most = 1;

	*count = 0;
	*rows = 0;
	for (int i = 0; i < shared->nparticipants; i++)
	{
		*rows += shared->participant[i].rows;
		most = Max(most, shared->participant[i].rows);
	}
	for (int i = 0; i < shared->nparticipants; i++)
	{
		SpqSharedParticipant *participant = &shared->participant[i];
		uint32		n = Min(participant->nsampled,
							(uint64) participant->rows * SPQ_SHARED_SAMPLE / most);

		for (uint32 j = 0; j < n; j++)
			sample[(*count)++] =
				participant->sample[(uint64) j * participant->nsampled / n];
	}
	return sample;
}

/* Free the array of this participant's own rows, which are in the common array. */
void
spq_shared_forget_rows(SpqJoin *join)
{
	if (join->build.chunk)
		pfree(join->build.chunk);
	join->build.chunk = join->build.item = NULL;
	join->build.count = join->build.capacity = 0;
}
