/*-------------------------------------------------------------------------
 *
 * join.c
 *	  The spatial join engine: boxes and references in, pairs out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "prefetch.h"
#include "join/shared/shared_state.h"

#define FEW_BUCKETS		4		/* of a build side that needs no order of probes */
#define FETCH_AHEAD		8		/* matches whose payloads are on their way */

/* Rows of the first block of probes. */
static inline uint32
first_room(const SpqJoin *join)
{
	return Min(SPQ_FIRST_BLOCK, join->most_block);
}

/*
 * An eighth of the memory is for the block of probes, the rest for the build
 * side.  Larger blocks are better: the more probes, the fewer of the build
 * side's buckets each bucket of probes meets.
 */
SpqJoin *
spq_join_begin(const SpqJoinSpec *spec)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "spatial join",
												  ALLOCSET_DEFAULT_SIZES);
	SpqJoin    *join = MemoryContextAllocZero(context, sizeof(SpqJoin));
	uint64		block_rows = spec->memory / 8 / SPQ_PROBE_BYTES(spec->keyed);
	uint64		rest;

	Assert(!(spec->self && (spec->unmatched_build || spec->unmatched_probes ||
							spec->first_of_probe || spec->first_of_build)));
	join->spec = *spec;
	if (spec->self)
		join->spec.probe_payload = spec->build_payload;
	join->slack = spq_box_slack(spec->predicate, spec->distance);
	join->context = context;
	join->most_block = Min(Max(block_rows, SPQ_LEAST_BLOCK), PG_INT32_MAX / 4);
	rest = (uint64) join->most_block * SPQ_PROBE_BYTES(join->spec.keyed);
	rest = spec->memory > rest ? spec->memory - rest : 0;
	join->build_limit = Max(rest, SPQ_LEAST_BLOCK * SPQ_ITEM_BYTES);
	/* items are numbered by 32 bits */
	join->build_limit = Min(join->build_limit,
							(uint64) PG_INT32_MAX * SPQ_ITEM_BYTES);
	join->room = first_room(join);
	spq_items_init(&join->build, context);
	spq_items_init(&join->block, context);
	pg_prng_seed(&join->random, 0);
	join->stats.batches = 1;
	return join;
}

void
spq_join_end(SpqJoin *join)
{
	if (join->shared)
		spq_shared_end(join);
	for (uint32 i = 0; i < join->nfinal; i++)
		spq_spool_close(&join->final[i].rows);
	for (uint32 i = 0; i < join->nbatches; i++)
	{
		spq_spool_close(&join->batch[i].probes);
		spq_spool_close(&join->batch[i].again);
	}
	if (join->part_rows)
	{
		for (int i = 0; i < SPQ_MOST_PARTS; i++)
			spq_spool_close(&join->part_rows[i]);
	}
	MemoryContextDelete(join->context);
}

const SpqJoinStats *
spq_join_stats(SpqJoin *join)
{
	/* what the sweep under way has done so far */
	join->stats.candidates += join->sweep.candidates;
	join->sweep.candidates = 0;
	return &join->stats;
}

/* Bytes that the payloads of a block may take. */
static inline uint64
payload_limit(const SpqJoin *join)
{
	return join->most_block * (uint64) SPQ_PROBE_BYTES(join->spec.keyed);
}

void
spq_note_memory(SpqJoin *join)
{
	Size		memory = spq_items_bytes(&join->block);

	if (!join->shared_build)
		memory += spq_items_bytes(&join->build);

	join->stats.memory = Max(join->stats.memory, memory);
}

/* The tag of the next row of the side that arrives. */
static inline uint64
new_tag(SpqJoin *join, uint32 hash)
{
	uint64		key = hash >> (32 - SPQ_KEY_BITS);

	Assert(join->spec.keyed || hash == 0);
	Assert(join->next_ordinal <= SPQ_TAG_ORDINAL);
	return key << SPQ_KEY_SHIFT | join->next_ordinal++;
}

/* Keeps a row of the build side.  Its payload is in the context of these rows. */
void
spq_add_build(SpqJoin *join, const SpqJoinItem *item)
{
	if (join->spec.build_payload)
		join->build.payload_bytes += sizeof(SpqPayload) + spq_payload_of(item->ref)->length;
	if (join->spilled)
	{
		spq_spill_row(join, item);
		/* the copy has been written */
		if (join->spec.build_payload && join->build.payload_bytes > 65536)
			spq_items_clear(&join->build);
		return;
	}
	*spq_items_add(&join->build) = *item;
	if (spq_items_bytes(&join->build) > join->build_limit)
	{
		spq_note_memory(join);
		spq_spill_build(join);
	}
}

/*
 * Takes a row of the build side.  False if it cannot match anything, and was
 * left out.
 */
bool
spq_join_build(SpqJoin *join, const BOX *box, uint32 hash, uint64 ref,
			   const void *payload, Size length)
{
	SpqJoinItem item;

	Assert(join->phase == SPQ_PHASE_BUILD);
	join->stats.build_rows++;
	if (!spq_box_can_match(join->spec.predicate, box))
		return false;

	item.box = *box;
	item.ref = ref;
	item.tag = new_tag(join, hash);
	if (unlikely(join->shared != NULL))
	{
		spq_shared_row(join, &item, payload, length);
		return true;
	}
	if (join->spec.build_payload)
		item.ref = spq_copy_payload(payload, length, join->build.context);
	spq_add_build(join, &item);
	return true;
}

/* Orders the build side that is in memory, and makes its directory. */
void
spq_finish_build_side(SpqJoin *join)
{
	SpqItems   *build = &join->build;
	SpqCellLattice lattice;
	SpqCellKey *keys;
	int			levels;
	MemoryContext old;
	Point		origin;

	memset(&join->directory, 0, sizeof(SpqDirectory));
	join->build_swept = false;
	join->next_unmatched = 0;
	spq_note_memory(join);
	if (build->count == 0)
		return;

	keys = spq_items_order(build, join->spec.keyed, join->spec.cell_size, &lattice,
						   &levels);
	spq_items_free_spare(build);
	if (join->stats.cell_size == 0)
		join->stats.cell_size = spq_lattice_cell_size(&lattice);
	join->stats.levels = Max(join->stats.levels, levels);

	/* the middle of the order is where boxes are, whatever lies far away */
	origin = build->item[build->count / 2].box.low;
	if (!(fabs(origin.x) <= DBL_MAX && fabs(origin.y) <= DBL_MAX))
		origin.x = origin.y = 0;
	old = MemoryContextSwitchTo(build->context);
	spq_build_directory(&join->directory, build->item, keys, build->count, &origin,
						join->spec.keyed);
	MemoryContextSwitchTo(old);
	pfree(keys);
}

/* All rows of the build side have been given. */
void
spq_join_build_done(SpqJoin *join)
{
	Assert(join->phase == SPQ_PHASE_BUILD);
	if (join->shared != NULL)
		spq_shared_done(join);
	join->phase = SPQ_PHASE_PROBE;
	join->next_ordinal = 0;
	if (join->spilled)
		spq_make_batches(join);
	if (!join->shared_build)
		spq_finish_build_side(join);
	if (join->spec.self)
	{
		join->probes_done = true;
		join->stats.probe_rows = join->stats.build_rows;
		join->stats.probe_copies = 0;
	}
}

/* How many probes may be given before spq_join_next() is called. */
uint32
spq_join_room(const SpqJoin *join)
{
	if (join->block.payload_bytes > payload_limit(join))
		return 0;
	return join->room - join->block.count;
}

/*
 * Takes a row of the probe side.  False if it cannot match anything, and was
 * left out.
 */
bool
spq_join_probe(SpqJoin *join, const BOX *box, uint32 hash, uint64 ref,
			   const void *payload, Size length)
{
	SpqJoinItem item;

	Assert(join->phase == SPQ_PHASE_PROBE && !join->sweeping && !join->spec.self);
	Assert(join->block.count < join->room);
	join->stats.probe_rows++;
	if (!spq_box_can_match(join->spec.predicate, box))
		return false;

	item.box = *box;
	item.ref = ref;
	item.tag = new_tag(join, hash) | SPQ_TAG_LAST;
	if (join->spec.probe_payload)
	{
		item.ref = spq_copy_payload(payload, length, join->block.context);
		join->block.payload_bytes += sizeof(SpqPayload) + length;
	}
	if (!join->spilled || spq_route_row(join, &item))
	{
		*spq_items_add(&join->block) = item;
		join->stats.probe_copies++;
	}
	return true;
}

/* No more probes will come. */
void
spq_join_probes_done(SpqJoin *join)
{
	join->probes_done = true;
}

/*
 * Cuts probes, which are in cell order, into buckets, and points the sweep to
 * them.  Buckets end at the borders of cells if there are keys.
 */
static void
start_sweep(SpqJoin *join, const SpqJoinItem *probes, const SpqCellKey *keys,
			uint32 count, SpqSelfJoin self)
{
	SpqSweep   *sweep = &join->sweep;
	MemoryContext context = join->block.context;
	uint32		most = spq_most_buckets(count);
	SpqBucket  *buckets = MemoryContextAllocHuge(context, most * sizeof(SpqBucket));
	uint32	   *first = MemoryContextAllocHuge(context, (most + 1) * sizeof(uint32));
	SpqBucketKeys *bucket_keys = NULL;

	if (join->spec.keyed)
		bucket_keys = MemoryContextAllocHuge(context, most * sizeof(SpqBucketKeys));
	sweep->predicate = join->spec.predicate;
	sweep->distance = join->spec.distance;
	sweep->self = self;
	sweep->first_of_probe = join->spec.first_of_probe;
	sweep->first_of_build = join->spec.first_of_build;
	sweep->directory = &join->directory;
	sweep->build = join->build.item;
	sweep->probes = probes;
	sweep->nbuckets = spq_cut_buckets(keys, count, first);
	spq_fill_buckets(probes, first, sweep->nbuckets, join->slack,
					 &join->directory.origin, buckets, bucket_keys);
	sweep->buckets = buckets;
	sweep->keys = bucket_keys;
	sweep->first = first;
	spq_sweep_start(sweep);
	join->sweeping = true;
	join->nmatches = join->next_match = join->next_unmatched = 0;
}

/* Return whether no row of the build side in memory can have a pair any more. */
static inline bool
all_dropped(const SpqJoin *join)
{
	return join->spec.first_of_build && spq_directory_is_empty(&join->directory);
}

/*
 * Puts the block that has been filled into order, and starts to sweep.  If each
 * probe is compared with a bucket or few in any case, order is not worth its time.
 * (Keys have to be in order: see sweep.c.)
 */
static void
start_block(SpqJoin *join)
{
	SpqItems   *block = &join->block;
	SpqCellLattice lattice;
	SpqCellKey *keys;
	int			levels;

	spq_note_memory(join);
	if ((join->directory.nbuckets[0] <= FEW_BUCKETS && !join->spec.self &&
		 !join->spec.keyed) || all_dropped(join))
	{
		start_sweep(join, block->item, NULL, block->count, SPQ_TWO_SETS);
		return;
	}
	keys = spq_items_order(block, join->spec.keyed, join->spec.cell_size, &lattice,
						   &levels);
	start_sweep(join, block->item, keys, block->count,
				join->spec.self ? SPQ_SELF_BY_ORDINAL : SPQ_TWO_SETS);
	pfree(keys);
}

/*
 * Starts the next block of a join with itself that has not spilled: items of
 * the build side, which are in order.
 */
static void
start_self_block(SpqJoin *join)
{
	uint32		position = join->self_position,
				count = Min(join->build.count - position, join->room);

	join->sweep.position = position;
	start_sweep(join, join->build.item + position, NULL, count,
				SPQ_SELF_BY_POSITION);
	join->self_position = position + count;
	join->stats.probe_copies += count;
}

/* The block is done with: room for the next, which may be larger. */
static void
end_block(SpqJoin *join)
{
	join->sweeping = false;
	if (join->spilled && join->spec.first_of_probe)
		spq_pass_on_probes(join);
	join->stats.candidates += join->sweep.candidates;
	join->sweep.candidates = 0;
	spq_items_clear(&join->block);
	join->room = Min(join->room * SPQ_BLOCK_GROWTH,
					 Min(join->most_block, SPQ_MOST_BLOCK(join->build.count)));
}

/* Fills the block with rows that the engine itself has.  False if none is left. */
static bool
fill_block(SpqJoin *join)
{
	SpqJoinItem item;

	/* no probe has a pair, and none is to come out without one */
	if (all_dropped(join) && !join->spec.first_of_probe && !join->spec.unmatched_probes)
		return false;
	while (join->block.count < join->room &&
		   join->block.payload_bytes <= payload_limit(join) &&
		   spq_read_probe(join, &item))
	{
		*spq_items_add(&join->block) = item;
		join->stats.probe_copies++;
		if (join->spec.probe_payload)
			join->block.payload_bytes += sizeof(SpqPayload) +
				spq_payload_of(item.ref)->length;
		CHECK_FOR_INTERRUPTS();
	}
	return join->block.count > 0;
}

/*
 * Starts the next block of probes.  False if there are none, for the build side
 * that is in memory.
 */
static bool
next_block(SpqJoin *join)
{
	if (join->spec.self && !join->spilled)
	{
		if (join->self_position >= join->build.count)
			return false;
		start_self_block(join);
		return true;
	}
	if ((join->spec.self || join->phase == SPQ_PHASE_BATCHES) && !fill_block(join))
		return false;
	if (join->block.count == 0)
		return false;
	start_block(join);
	return true;
}

/* Fills the buffer of matches.  False if there are no more. */
static bool
more_matches(SpqJoin *join)
{
	join->nmatches = spq_sweep(&join->sweep, join->match, SPQ_MATCH_BUFFER);
	join->next_match = 0;
	join->stats.matches += join->nmatches;
	return join->nmatches > 0;
}

/* What the caller gave with a build row, where this process sees it. */
static inline uint64
build_ref(const SpqJoin *join, const SpqMatch *match)
{
	uint64		ref = join->sweep.build[match->build].ref;

	if (unlikely(join->shared_build) && join->spec.build_payload)
		return (uint64) (uintptr_t) spq_shared_address(join->shared, ref);
	return ref;
}

/*
 * The caller will want to see the payloads of matches soon.  (A function that
 * only does this is one without effect in gcc's eyes, and calls of it would be
 * removed, but for being part of the caller.)
 */
static pg_attribute_always_inline void
fetch_payloads(const SpqJoin *join, uint32 ahead)
{
	const SpqMatch *match;

	if (ahead >= join->nmatches)
		return;
	match = &join->match[ahead];
	if (join->spec.build_payload)
		spq_prefetch((char *) (uintptr_t) build_ref(join, match));
	if (join->spec.probe_payload)
		spq_prefetch((char *) (uintptr_t) join->sweep.probes[match->probe].ref);
}

/* The next match that the caller should see. */
static inline bool
next_match(SpqJoin *join, SpqJoinPair *pair)
{
	do
	{
		while (join->next_match < join->nmatches)
		{
			const SpqMatch *match = &join->match[join->next_match++];

			fetch_payloads(join, join->next_match + FETCH_AHEAD);
			pair->probe = join->sweep.probes[match->probe].ref;
			pair->build = build_ref(join, match);
			return true;
		}
	} while (more_matches(join));
	return false;
}

/* The next of the block's probes that goes without an accepted pair for good. */
static bool
next_unmatched_probe(SpqJoin *join, SpqJoinPair *pair)
{
	if (!join->spec.unmatched_probes || join->pieces_follow)
		return false;
	while (join->next_unmatched < join->block.count)
	{
		const SpqJoinItem *item = &join->block.item[join->next_unmatched++];

		if ((item->tag & SPQ_TAG_LAST) && !(item->tag & SPQ_TAG_MATCHED))
		{
			pair->probe = item->ref;
			pair->build = 0;
			return true;
		}
	}
	return false;
}

static bool
next_unmatched_build(SpqJoin *join, SpqJoinPair *pair)
{
	if (!join->spec.unmatched_build)
		return false;
	while (join->next_unmatched < join->build.count)
	{
		const SpqJoinItem *item = &join->build.item[join->next_unmatched++];

		if (!(item->tag & SPQ_TAG_MATCHED))
		{
			pair->build = item->ref;
			pair->probe = 0;
			return true;
		}
	}
	return false;
}

/*
 * Are there too few probes for a block?  Of the rows that were given some may
 * have gone into spools, and a block of few rows meets as many buckets as one
 * of many.
 */
static bool
wants_probes(SpqJoin *join)
{
	if (!join->spilled && !join->spec.unmatched_probes &&
		(join->build.count == 0 || all_dropped(join)))
	{
		/* nobody needs the probes: there is no build side, or nothing left of it */
		join->probes_done = true;
		return false;
	}
	/* payloads of rows that are in spools now */
	if (join->block.count == 0)
		spq_items_clear(&join->block);
	return spq_join_room(join) > join->room / 2;
}

/* What happens next: a pair, a row without one, a wish for probes, the end. */
SpqJoinEvent
spq_join_next(SpqJoin *join, SpqJoinPair *pair)
{
	Assert(join->phase != SPQ_PHASE_BUILD);
	while (join->phase != SPQ_PHASE_END)
	{
		if (join->sweeping)
		{
			if (next_match(join, pair))
				return SPQ_JOIN_PAIR;
			if (next_unmatched_probe(join, pair))
				return SPQ_JOIN_UNMATCHED_PROBE;
			end_block(join);
		}
		if (!join->build_swept)
		{
			if (join->phase == SPQ_PHASE_PROBE && !join->probes_done &&
				wants_probes(join))
				return SPQ_JOIN_WANTS_PROBES;
			if (next_block(join))
				continue;
			join->build_swept = true;
			join->next_unmatched = 0;
		}
		if (next_unmatched_build(join, pair))
			return SPQ_JOIN_UNMATCHED_BUILD;
		if (!join->spilled || !spq_next_batch(join))
			join->phase = SPQ_PHASE_END;
	}
	return SPQ_JOIN_END;
}

/* The pair that spq_join_next() gave last is part of the result. */
void
spq_join_accept(SpqJoin *join)
{
	const SpqMatch *match = &join->match[join->next_match - 1];

	/* others look at what is shared */
	if (!join->shared_build)
		join->build.item[match->build].tag |= SPQ_TAG_MATCHED;
	if (join->spec.first_of_probe || join->spec.first_of_build)
		spq_sweep_accept(&join->sweep, match);
	if (!join->spec.self)
	{
		join->block.item[match->probe].tag |= SPQ_TAG_MATCHED;
		if (join->spilled && !join->spec.first_of_probe)
			spq_remember_accepted(join, &join->block.item[match->probe]);
	}
}

/*
 * Forgets all probes, and wants others for the same build side.  False if that
 * is not in memory as it was: batches are given back as they are done with.
 */
bool
spq_join_restart(SpqJoin *join)
{
	Assert(join->phase != SPQ_PHASE_BUILD && !join->spec.self);
	if (join->spilled)
		return false;

	if (join->sweeping)
		end_block(join);
	spq_items_clear(&join->block);
	join->nmatches = join->next_match = 0;
	join->next_unmatched = 0;
	join->next_ordinal = 0;
	join->room = first_room(join);
	join->probes_done = false;
	join->build_swept = false;
	join->phase = SPQ_PHASE_PROBE;

	/* marks that nobody asks for need not be taken away */
	if (join->spec.unmatched_build || join->spec.first_of_build)
	{
		for (uint32 i = 0; i < join->build.count; i++)
		{
			if (i % 65536 == 0)
				CHECK_FOR_INTERRUPTS();
			join->build.item[i].tag &= ~SPQ_TAG_MATCHED;
		}
		spq_directory_restore(&join->directory, join->build.item);
	}
	return true;
}
