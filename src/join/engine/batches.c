/*-------------------------------------------------------------------------
 *
 * batches.c
 *	  Joins a build side that does not fit into memory, batch by batch.
 *
 * The rows are in bins (spill.c).  Bins that fit into memory together form a
 * batch.  A bin that does not fit and cannot be divided is a batch of its
 * own, joined piece by piece.
 *
 * A probe that several batches need is written once for each of them.  But if
 * a probe drops out at its first match, it is in one batch at a time: a batch
 * without a match passes it on to its next piece or to the next batch:
 *
 *		probe --> batch 2 --no match--> batch 5 --no match--> unmatched
 *
 * If build rows drop out at their first match, the batch or piece in memory is
 * replaced as soon as it is empty, even while probes still arrive.  The next
 * one first meets the probes in its spool, then the probes that arrive:
 *
 *		probes 1 .. 256		--> piece 1, and into the spool
 *		1 .. 256 of spool	--> piece 2
 *		probes 257 ..		--> piece 2, and into the spool
 *
 * So no more probes are requested than the build rows need.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "join/engine/join_state.h"

/* Return whether some rows of the current batch have not been in memory yet. */
static bool
more_to_load(const SpqJoin *join)
{
	const SpqJoinBatch *batch = &join->batch[join->batch_at_work];

	return join->load_bin < batch->first_bin + batch->nbins;
}

/* Read rows of the current batch until memory is full. */
static void
load_rows(SpqJoin *join)
{
	spq_join_items_clear(&join->build);
	while (more_to_load(join))
	{
		SpqJoinSpool *rows = &join->final[join->load_bin].rows;
		SpqJoinItem item;

		if (!join->load_begun)
			spq_join_spool_rewind(rows);
		join->load_begun = true;
		while (rows->nread < rows->count)
		{
			CHECK_FOR_INTERRUPTS();
			if (spq_join_memory_is_full(join))
				return;
			spq_join_spool_read(rows, &item, join->spec.build_payload,
								&join->build.payloads);
			spq_join_keep_row(join, &item);
		}
		join->load_bin++;
		join->load_begun = false;
	}
}

static void
load_build(SpqJoin *join)
{
	load_rows(join);
	join->pieces_follow = more_to_load(join);
}

/*
 * Group the bins, which contain all rows of the build side, into batches, and
 * load the first batch.  The first batch must fit into memory as a whole,
 * since probes arrive only once.  If no batch fits, the first one is empty.
 *
 * If rows drop out, the first batch may be one in pieces.  Then probes are
 * kept for its later pieces: only unmatched ones if probes drop out, and only
 * a few if all build rows drop out early.
 */
void
spq_join_make_batches(SpqJoin *join)
{
	MemoryContext old = MemoryContextSwitchTo(join->context);
	uint64	   *bytes;
	SpqJoinBinBounds *bounds;
	uint32		first = PG_UINT32_MAX;

	spq_join_settle_bins(join);

	bytes = palloc(join->nfinal * sizeof(uint64));
	bounds = palloc(join->nfinal * sizeof(SpqJoinBinBounds));
	for (uint32 i = 0; i < join->nfinal; i++)
	{
		bytes[i] = join->final[i].bytes;
		bounds[i] = join->final[i].bounds;
	}
	spq_join_make_router(&join->router, bounds, join->nfinal, join->slack,
						 join->spec.hashed);

	join->batch = palloc0((join->nfinal + 1) * sizeof(SpqJoinBatch));
	join->batch_of = palloc(join->nfinal * sizeof(uint32));
	join->nbatches = 1;			/* batch 0 is filled below */
	for (uint32 i = 0; i < join->nfinal;)
	{
		SpqJoinBatch *batch = &join->batch[join->nbatches];

		batch->first_bin = i;
		batch->nbins = spq_join_bins_that_fit(&bytes[i], join->nfinal - i,
											  join->build_limit);
		if (first == PG_UINT32_MAX && bytes[i] <= join->build_limit)
			first = join->nbatches;
		i += batch->nbins;
		join->nbatches++;
	}
	if (first == PG_UINT32_MAX && join->nbatches > 1 &&
		(join->spec.first_of_probe || join->spec.first_of_build))
		first = 1;
	if (first != PG_UINT32_MAX)
	{
		join->batch[0] = join->batch[first];
		join->batch[first] = join->batch[--join->nbatches];
	}
	for (uint32 i = 0; i < join->nbatches; i++)
	{
		for (uint32 j = 0; j < join->batch[i].nbins; j++)
			join->batch_of[join->batch[i].first_bin + j] = i;
	}
	join->routed = palloc0(join->nbatches * sizeof(uint64));
	join->stats.bins = join->nfinal;
	pfree(bytes);
	pfree(bounds);
	MemoryContextSwitchTo(old);

	join->load_bin = join->batch[0].first_bin;
	load_build(join);
	join->stats.batches = join->nbatches + join->pieces_follow;
}

/*
 * Send a probe to the first batch from "from" on that needs it, and mark it if
 * no later batch does.  Return true if that is the batch in memory, or if no
 * batch needs the probe and the caller wants unmatched probes.
 */
static bool
pass_probe(SpqJoin *join, SpqJoinItem *item, uint32 from)
{
	uint32		next = PG_UINT32_MAX,
				after = PG_UINT32_MAX;

	for (uint32 i = 0; i * SPQ_JOIN_BUCKET_LANES < join->nfinal; i++)
	{
		uint32		lanes = spq_join_route_probe(&join->router, i, item);

		for (; lanes != 0; lanes &= lanes - 1)
		{
			uint32		bin = i * SPQ_JOIN_BUCKET_LANES + pg_rightmost_one_pos32(lanes);
			uint32		batch = join->batch_of[bin];

			if (batch < from || batch == next)
				continue;
			after = Min(after, Max(batch, next));
			next = Min(next, batch);
		}
	}
	item->tag &= ~SPQ_JOIN_TAG_LAST;
	if (after == PG_UINT32_MAX)
		item->tag |= SPQ_JOIN_TAG_LAST;
	if (next == PG_UINT32_MAX)
		return join->spec.unmatched_probes;
	if (next == join->batch_at_work)
		return true;
	spq_join_spool_write(&join->batch[next].probes, item, join->spec.probe_payload,
						 join->context);
	return false;
}

/*
 * Pass the probes of the block that have no accepted pair on to the next piece
 * of the current batch, or else to the next batch that needs them.
 */
void
spq_join_pass_on_probes(SpqJoin *join)
{
	SpqJoinBatch *batch = &join->batch[join->batch_at_work];

	for (uint32 i = 0; i < join->block.count; i++)
	{
		SpqJoinItem *item = &join->block.item[i];

		CHECK_FOR_INTERRUPTS();
		if (item->tag & SPQ_JOIN_TAG_MATCHED)
			continue;
		if (join->pieces_follow)
			spq_join_spool_write(&batch->again, item, join->spec.probe_payload,
								 join->context);
		else if (!(item->tag & SPQ_JOIN_TAG_LAST))
			pass_probe(join, item, join->batch_at_work + 1);
	}
}

/*
 * Write a probe into the spools of the batches that need it.  Return true if
 * the batch in memory needs it, too.  If that batch has more pieces, the probe
 * is also in its spool, for them.
 *
 * Mark the copy for the last of these batches.  If no batch needs the probe
 * and the caller wants unmatched probes, the batch in memory takes it.
 */
bool
spq_join_route_row(SpqJoin *join, SpqJoinItem *item)
{
	uint64		stamp = (item->tag & SPQ_JOIN_TAG_ORDINAL) + 1;
	uint32		last = 0;
	uint32		now = join->batch_at_work;
	bool		needed = false,
				any = false;

	if (join->spec.first_of_probe)
		return pass_probe(join, item, now);

	item->tag &= ~SPQ_JOIN_TAG_LAST;
	for (uint32 i = 0; i * SPQ_JOIN_BUCKET_LANES < join->nfinal; i++)
	{
		uint32		lanes = spq_join_route_probe(&join->router, i, item);

		for (; lanes != 0; lanes &= lanes - 1)
		{
			uint32		bin = i * SPQ_JOIN_BUCKET_LANES + pg_rightmost_one_pos32(lanes);
			uint32		batch = join->batch_of[bin];

			any = true;
			join->routed[batch] = stamp;
			needed |= batch == now;
			last = Max(last, batch);
		}
	}
	for (uint32 batch = now + 1; batch <= last; batch++)
	{
		SpqJoinItem copy = *item;

		if (join->routed[batch] != stamp)
			continue;
		if (batch == last)
			copy.tag |= SPQ_JOIN_TAG_LAST;
		spq_join_spool_write(&join->batch[batch].probes, &copy,
							 join->spec.probe_payload, join->context);
	}
	if (last <= now)
		item->tag |= SPQ_JOIN_TAG_LAST;
	needed |= !any && join->spec.unmatched_probes;
	if (needed && join->pieces_follow)
	{
		SpqJoinSpool *seen = &join->batch[now].probes;

		spq_join_spool_write(seen, item, join->spec.probe_payload, join->context);
		seen->nread++;			/* the caller passes it to this piece */
	}
	return needed;
}

static inline bool
was_accepted(const SpqJoin *join, const SpqJoinItem *probe)
{
	uint64		ordinal = probe->tag & SPQ_JOIN_TAG_ORDINAL;

	return ordinal / 8 < join->accepted_size &&
		(join->accepted[ordinal / 8] & (1 << ordinal % 8)) != 0;
}

/* Record, for later copies of this probe, that it has an accepted pair. */
void
spq_join_remember_accepted(SpqJoin *join, const SpqJoinItem *probe)
{
	uint64		ordinal = probe->tag & SPQ_JOIN_TAG_ORDINAL;

	if ((probe->tag & SPQ_JOIN_TAG_LAST) && !join->pieces_follow)
		return;					/* no later copies */
	if (ordinal / 8 >= join->accepted_size)
	{
		uint64		size = Max(ordinal / 8 + 1, join->accepted_size * 2);

		size = Max(size, 8192);
		if (join->accepted == NULL)
			join->accepted = MemoryContextAllocHuge(join->context, size);
		else
			join->accepted = repalloc_huge(join->accepted, size);
		memset(join->accepted + join->accepted_size, 0, size - join->accepted_size);
		join->accepted_size = size;
	}
	join->accepted[ordinal / 8] |= 1 << ordinal % 8;
}

/*
 * In a join with itself, read the next row as a probe of the batch in memory.
 */
static bool
read_self_probe(SpqJoin *join, SpqJoinItem *item)
{
	for (; join->self_bin < join->nfinal; join->self_bin++)
	{
		SpqJoinSpool *rows = &join->final[join->self_bin].rows;

		if (!join->self_begun)
			spq_join_spool_rewind(rows);
		join->self_begun = true;
		while (spq_join_spool_read(rows, item, join->spec.build_payload,
								   &join->block.payloads))
		{
			CHECK_FOR_INTERRUPTS();
			if (spq_join_route_row(join, item))
				return true;
			/* its payload is in the spools now */
			if (join->spec.build_payload)
				spq_join_free_last_payload(&join->block.payloads, item->ref);
		}
		join->self_begun = false;
	}
	return false;
}

/*
 * Read the next probe for the build side in memory from the engine's own
 * files.  Return false if there are no more.
 */
bool
spq_join_read_probe(SpqJoin *join, SpqJoinItem *item)
{
	if (join->spec.self && join->phase == SPQ_JOIN_PHASE_PROBE)
		return read_self_probe(join, item);

	if (!spq_join_spool_read(&join->batch[join->batch_at_work].probes, item,
							 join->spec.probe_payload, &join->block.payloads))
		return false;
	if (was_accepted(join, item))
		item->tag |= SPQ_JOIN_TAG_MATCHED;
	return true;
}

/*
 * Skip the rest of the current batch if it can return no pairs and no
 * unmatched rows.
 */
static void
skip_without_probes(SpqJoin *join)
{
	const SpqJoinBatch *batch = &join->batch[join->batch_at_work];

	if (batch->probes.count > 0 || !join->probes_done || join->spec.unmatched_build)
		return;
	join->load_bin = batch->first_bin + batch->nbins;
	join->load_begun = false;
}

/*
 * Load the next piece of the current batch or the next batch.  Called when the
 * build side in memory has met all its probes, or needs no more.  Return false
 * after the last batch.
 */
bool
spq_join_next_batch(SpqJoin *join)
{
	if (join->probes_done)
		join->phase = SPQ_JOIN_PHASE_BATCHES;
	if (join->pieces_follow && join->spec.first_of_probe)
	{
		SpqJoinBatch *batch = &join->batch[join->batch_at_work];

		spq_join_spool_close(&batch->probes);
		batch->probes = batch->again;
		memset(&batch->again, 0, sizeof(SpqJoinSpool));
		skip_without_probes(join);
	}
	while (!more_to_load(join))
	{
		SpqJoinBatch *batch = &join->batch[join->batch_at_work];

		spq_join_spool_close(&batch->probes);
		for (uint32 i = 0; i < batch->nbins; i++)
			spq_join_spool_close(&join->final[batch->first_bin + i].rows);
		if (++join->batch_at_work == join->nbatches)
			return false;
		batch++;
		join->load_bin = batch->first_bin;
		skip_without_probes(join);
	}
	load_build(join);
	spq_join_spool_rewind(&join->batch[join->batch_at_work].probes);
	spq_join_finish_build_side(join);
	return true;
}
