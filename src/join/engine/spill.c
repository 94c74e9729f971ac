/*-------------------------------------------------------------------------
 *
 * spill.c
 *	  The build side of one process: in memory, or if it does not fit, in bins on
 *	  disk.
 *
 * When memory is full, the rows read so far decide how to cut space, and all rows
 * go into bins on disk.  After the last row some bins may be too
 * large, because of rows that came later.  These are divided again, each by a
 * sample of its own rows.  Probes arrive only after that, so no probe is
 * written twice for the same batch.
 *
 * A bin whose rows all have the same center and size cannot be divided.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "join/engine/join_state.h"

#define FIRST_SAMPLE	2048	/* rows sampled for the first division */
#define MAX_DIVISIONS	16		/* nesting depth of divisions */

/* Return the number of bytes that the caller keeps of a row. */
static inline Size
kept_bytes(const SpqJoin *join, const SpqJoinItem *item)
{
	return join->spec.kept ? join->spec.kept((const void *) (uintptr_t) item->ref,
											 join->spec.kept_argument) : 0;
}

/* Return the number of bytes that a row takes in memory, with those that the caller keeps. */
static uint64
row_bytes(const SpqJoin *join, const SpqJoinItem *item)
{
	uint64		bytes = SPQ_JOIN_ITEM_BYTES;

	if (join->spec.build_payload)
		bytes += sizeof(SpqJoinPayload) + spq_join_payload_of(item->ref)->length;
	return bytes + kept_bytes(join, item);
}

/* Add a row to those in memory. */
void
spq_join_keep_row(SpqJoin *join, const SpqJoinItem *item)
{
	SpqJoinItems *build = &join->build;

	if (join->spec.build_payload)
		build->payload_bytes += sizeof(SpqJoinPayload) + spq_join_payload_of(item->ref)->length;
	build->kept_bytes += kept_bytes(join, item);
	*spq_join_items_add(build) = *item;
}

/* Return whether the rows in memory exceed it. */
bool
spq_join_memory_is_full(const SpqJoin *join)
{
	return spq_join_items_bytes(&join->build) + join->build.kept_bytes > join->build_limit;
}

static void
put_into_bin(SpqJoin *join, const SpqJoinCuts *cuts, SpqJoinBin *bins,
			 SpqJoinSpool *rows, const SpqJoinItem *item)
{
	int			bin = spq_join_bin_of(cuts, item);

	spq_join_spool_write(&rows[bin], item, join->spec.build_payload, join->context);
	spq_join_bin_add(&bins[bin], item, row_bytes(join, item), &join->random);
}

static void
spill_row(SpqJoin *join, const SpqJoinItem *item)
{
	put_into_bin(join, &join->cuts, join->bin, join->bin_rows, item);
}

/*
 * Memory is full: write the rows in memory, and all further rows, into bins
 * on disk.
 */
static void
spill_build(SpqJoin *join)
{
	SpqJoinItems *build = &join->build;
	uint32		nsample = Min(build->count, FIRST_SAMPLE);
	SpqJoinItem *sample = palloc(nsample * sizeof(SpqJoinItem));

	for (uint32 i = 0; i < nsample; i++)
		sample[i] = build->item[(uint64) i * build->count / nsample];
	(void) spq_join_choose_cuts(&join->cuts, sample, nsample, SPQ_JOIN_MAX_BINS, join->spec.hashed);
	pfree(sample);

	join->spilled = true;
	join->bin = MemoryContextAlloc(join->context, SPQ_JOIN_MAX_BINS * sizeof(SpqJoinBin));
	join->bin_rows = MemoryContextAllocZero(join->context,
											SPQ_JOIN_MAX_BINS * sizeof(SpqJoinSpool));
	for (int i = 0; i < SPQ_JOIN_MAX_BINS; i++)
		spq_join_bin_clear(&join->bin[i]);
	for (uint32 i = 0; i < build->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		spill_row(join, &build->item[i]);
	}
	spq_join_items_clear(build);
}

/*
 * Return the number of bins into which to divide a bin: half as many again
 * as would suffice if all were of equal size.  More would need more files.
 */
static uint32
bins_wanted(const SpqJoin *join, const SpqJoinBin *bin)
{
	uint64		least = bin->bytes / join->build_limit + 1;

	return Min(least + least / 2, SPQ_JOIN_MAX_BINS);
}

/*
 * Return the minimum size of a batch, in bytes.  Files have buffers, for the
 * build rows of each bin and the probes of each batch.  With many small
 * batches, these take more memory than larger batches would.  The batch size m
 * that is returned minimizes m + 2 BLCKSZ n / m, for n bytes in all.
 * (PostgreSQL 18 sizes the batches of its hash joins in the same way.)
 */
static uint64
min_batch(const SpqJoin *join)
{
	double		bytes = 0;

	for (int i = 0; i < join->cuts.nbins; i++)
		bytes += join->bin[i].bytes;
	return (uint64) sqrt(2.0 * BLCKSZ * bytes);
}

/*
 * If a bin is too large, divide it until its bins fit or cannot be divided.
 * Record the final bins.
 */
static void
settle_bin(SpqJoin *join, SpqJoinBin *bin, SpqJoinSpool *rows, int depth)
{
	SpqJoinFinalBin *final;
	SpqJoinCuts cuts;

	if (bin->count == 0)
		return;

	if (bin->bytes > join->build_limit && depth < MAX_DIVISIONS &&
		spq_join_choose_cuts(&cuts, bin->sample, bin->nsampled, bins_wanted(join, bin),
							 join->spec.hashed))
	{
		SpqJoinBin *bins = palloc(cuts.nbins * sizeof(SpqJoinBin));
		SpqJoinSpool *spools = MemoryContextAllocZero(join->context,
													  cuts.nbins * sizeof(SpqJoinSpool));
		SpqJoinPayloads *scratch = &join->build.payloads;
		SpqJoinItem item;

		for (int i = 0; i < cuts.nbins; i++)
			spq_join_bin_clear(&bins[i]);
		spq_join_spool_rewind(rows);
		while (spq_join_spool_read(rows, &item, join->spec.build_payload, scratch))
		{
			CHECK_FOR_INTERRUPTS();
			put_into_bin(join, &cuts, bins, spools, &item);
			if (join->spec.build_payload)
				spq_join_free_last_payload(scratch, item.ref);
		}
		spq_join_spool_close(rows);
		for (int i = 0; i < cuts.nbins; i++)
			settle_bin(join, &bins[i], &spools[i], depth + 1);
		pfree(bins);
		pfree(spools);
		return;
	}

	if (join->nfinal == join->final_capacity)
	{
		join->final_capacity = Max(SPQ_JOIN_MAX_BINS, join->final_capacity * 2);
		if (join->final == NULL)
			join->final = MemoryContextAlloc(join->context,
											 join->final_capacity * sizeof(SpqJoinFinalBin));
		else
			join->final = repalloc_huge(join->final,
										join->final_capacity * sizeof(SpqJoinFinalBin));
	}
	final = &join->final[join->nfinal++];
	final->rows = *rows;
	final->bytes = bin->bytes;
	final->bounds = bin->bounds;
	memset(rows, 0, sizeof(SpqJoinSpool));	/* the final bin owns it now */
}

/*
 * After the last row of the build side, divide the bins that are too large.
 * The final bins belong to join->context.
 */
void
spq_join_settle_bins(SpqJoin *join)
{
	join->build_limit = Max(join->build_limit, min_batch(join));
	for (int i = 0; i < join->cuts.nbins; i++)
		settle_bin(join, &join->bin[i], &join->bin_rows[i], 0);
	pfree(join->bin);
	pfree(join->bin_rows);
	join->bin = NULL;
	join->bin_rows = NULL;
}

/* Add a row to the build side.  Its payload must be the last in join->build.payloads. */
void
spq_join_add_build(SpqJoin *join, const SpqJoinItem *item)
{
	if (join->spilled)
	{
		spill_row(join, item);
		if (join->spec.build_payload)
			spq_join_free_last_payload(&join->build.payloads, item->ref);
		return;
	}
	spq_join_keep_row(join, item);
	if (spq_join_memory_is_full(join))
	{
		spq_join_note_memory(join);
		spill_build(join);
	}
}

/* Take a row, and copy its payload. */
static void
take_row(SpqJoin *join, SpqJoinItem *item, const void *payload, Size length)
{
	if (join->spec.build_payload)
		item->ref = spq_join_copy_payload(&join->build.payloads, payload, length);
	spq_join_add_build(join, item);
}

/* After the last row, order the rows, or those of the first batch. */
void
spq_join_private_done(SpqJoin *join)
{
	if (join->spilled)
		spq_join_make_batches(join);
	spq_join_finish_build_side(join);
}

const SpqJoinBuildMethods spq_join_private_build = {
	.take_row = take_row,
	.done = spq_join_private_done,
};
