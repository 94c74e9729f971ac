/*-------------------------------------------------------------------------
 *
 * join.c
 *	  The spatial join engine: boxes and references in, pairs out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "join/engine/join_state.h"
#include "prefetch.h"

StaticAssertDecl(SPQ_JOIN_MEMORY_BYTES == SPQ_JOIN_ITEM_BYTES, "memory of a row");
StaticAssertDecl(SPQ_JOIN_FILE_BYTES == sizeof(SpqJoinItem), "size of a row on disk");

#define FETCH_AHEAD		8		/* payloads are prefetched for this many
								 * matches ahead */

/*
 * Begin a join.  The block of probes gets an eighth of the memory, the build
 * side the rest.  Large blocks are better: the more probes, the fewer of the
 * build side's buckets each bucket of probes meets.
 */
SpqJoin *
spq_join_begin(const SpqJoinSpec *spec)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "spatial join",
												  ALLOCSET_DEFAULT_SIZES);
	SpqJoin    *join = MemoryContextAllocZero(context, sizeof(SpqJoin));
	uint64		block_rows = spec->memory / 8 / SPQ_JOIN_PROBE_BYTES(spec->hashed);
	uint64		rest;

	Assert(!(spec->self && (spec->unmatched_build || spec->unmatched_probes ||
							spec->first_of_probe || spec->first_of_build)));
	Assert(!spec->count_build || !(spec->self || spec->unmatched_probes || spec->first_of_probe ||
								   spec->first_of_build));
	Assert(!spec->accept_all || spec->count_build);
	Assert(!spec->probe_lines || (spec->probe_payload && !spec->self));
	join->spec = *spec;
	if (spec->self)
		join->spec.probe_payload = spec->build_payload;
	join->slack = spq_box_slack(spec->predicate, spec->distance);
	join->context = context;
	join->methods = &spq_join_private_build;
	join->max_block = Min(Max(block_rows, SPQ_JOIN_MIN_BLOCK), PG_INT32_MAX / 4);
	rest = (uint64) join->max_block * SPQ_JOIN_PROBE_BYTES(join->spec.hashed);
	rest = spec->memory > rest ? spec->memory - rest : 0;
	join->build_limit = Max(rest, SPQ_JOIN_MIN_BLOCK * SPQ_JOIN_ITEM_BYTES);
	/* item numbers have 32 bits */
	join->build_limit = Min(join->build_limit,
							(uint64) PG_INT32_MAX * SPQ_JOIN_ITEM_BYTES);
	join->room = spq_join_first_room(join);
	spq_join_items_init(&join->build, context);
	spq_join_items_reserve(&join->build, (uint32) Min(Max(spec->expected_build, 0),
													  join->build_limit / SPQ_JOIN_ITEM_BYTES));
	spq_join_items_init(&join->block, context);
	spq_join_entries_init(&join->tile_sweep.entries, context);
	pg_prng_seed(&join->random, 0);
	join->stats.batches = 1;
	return join;
}

void
spq_join_end(SpqJoin *join)
{
	if (join->methods->end)
		join->methods->end(join);
	for (uint32 i = 0; i < join->nfinal; i++)
		spq_join_spool_close(&join->final[i].rows);
	for (uint32 i = 0; i < join->nbatches; i++)
	{
		spq_join_spool_close(&join->batch[i].probes);
		spq_join_spool_close(&join->batch[i].again);
	}
	if (join->bin_rows)
	{
		for (int i = 0; i < SPQ_JOIN_MAX_BINS; i++)
			spq_join_spool_close(&join->bin_rows[i]);
	}
	MemoryContextDelete(join->context);
}

const SpqJoinStats *
spq_join_stats(SpqJoin *join)
{
	/* include the current sweep */
	spq_join_count_candidates(join);
	return &join->stats;
}

/* Return the tag of the next row of the side that is being read. */
static inline uint64
new_tag(SpqJoin *join, uint32 hash)
{
	uint64		upper = hash >> (32 - SPQ_JOIN_HASH_BITS);

	Assert(join->spec.hashed || hash == 0);
	Assert(join->next_ordinal <= SPQ_JOIN_TAG_ORDINAL);
	return upper << SPQ_JOIN_HASH_SHIFT | join->next_ordinal++;
}

/*
 * Add a row to the build side.  Return false if the row was left out because
 * it cannot match anything.
 */
bool
spq_join_build(SpqJoin *join, const SpqBox *box, uint32 hash, uint64 ref,
			   const void *payload, Size length)
{
	SpqJoinItem item;

	Assert(join->phase == SPQ_JOIN_PHASE_BUILD);
	join->stats.build_rows++;
	if (!spq_box_can_match(join->spec.predicate, box))
		return false;

	item.box = *box;
	item.ref = ref;
	item.tag = new_tag(join, hash);
	join->methods->take_row(join, &item, payload, length);
	return true;
}

/* Finish the build side, after its last row. */
void
spq_join_build_done(SpqJoin *join)
{
	Assert(join->phase == SPQ_JOIN_PHASE_BUILD);
	join->methods->done(join);
	if (join->build.kept_bytes > spq_join_items_bytes(&join->build))
		spq_join_enlarge_blocks(join);
	join->phase = SPQ_JOIN_PHASE_PROBE;
	join->next_ordinal = 0;
	if (join->spec.self)
	{
		join->probes_done = true;
		join->stats.probe_rows = join->stats.build_rows;
		join->stats.probe_copies = 0;
	}
}

/*
 * Add a row to the probe side.  Return false if the row was left out because
 * it cannot match anything.
 */
bool
spq_join_probe(SpqJoin *join, const SpqBox *box, uint32 hash, uint64 ref,
			   const void *payload, Size length)
{
	SpqJoinItem item;

	Assert(join->phase == SPQ_JOIN_PHASE_PROBE && !join->sweeping && !join->spec.self);
	Assert(join->block.count < join->room);
	join->stats.probe_rows++;
	if (!spq_box_can_match(join->spec.predicate, box))
		return false;

	item.box = *box;
	item.ref = ref;
	item.tag = new_tag(join, hash) | SPQ_JOIN_TAG_LAST;
	if (join->spec.probe_payload)
	{
		item.ref = spq_join_copy_payload(&join->block.payloads, payload, length);
		join->block.payload_bytes += sizeof(SpqJoinPayload) + length;
	}
	if (!join->spilled || spq_join_route_row(join, &item))
		spq_join_add_probe(join, &item);
	return true;
}

/* Finish the probe side, after its last row. */
void
spq_join_probes_done(SpqJoin *join)
{
	join->probes_done = true;
}

/* Fill the buffer of matches.  Return false if there are no more. */
static bool
more_matches(SpqJoin *join)
{
	join->nmatches = spq_join_in_tiles(join) ?
		spq_join_tile_sweep(&join->tile_sweep, join->match, SPQ_JOIN_MATCH_BUFFER) :
		spq_join_sweep(&join->sweep, join->match, SPQ_JOIN_MATCH_BUFFER);
	join->next_match = 0;
	join->stats.matches += join->nmatches;
	return join->nmatches > 0;
}

/* Return the reference of a build row, as an address in this process. */
static pg_attribute_always_inline uint64
build_ref(const SpqJoin *join, const SpqJoinMatch *match)
{
	uint64		ref = join->build.item[match->build].ref;

	if (unlikely(join->build_is_shared) && join->spec.build_payload)
		return join->methods->address(join, ref);
	return ref;
}

/* Prefetch the beginning of a payload, which may be in two cache lines. */
static pg_attribute_always_inline void
fetch_payload(uint64 ref)
{
	const char *data = (const char *) (uintptr_t) ref;

	spq_prefetch(data);
	spq_prefetch(data + SPQ_LINE_SIZE);
}

/*
 * Prefetch the payloads of a match that the caller will read soon.  (Always
 * inlined: gcc considers a function that only prefetches to have no effect,
 * and would remove its calls.)
 */
static pg_attribute_always_inline void
fetch_payloads(const SpqJoin *join, uint32 ahead)
{
	const SpqJoinMatch *match;

	if (ahead >= join->nmatches)
		return;
	match = &join->match[ahead];
	if (join->spec.build_payload)
		fetch_payload(build_ref(join, match));
	if (join->spec.probe_payload)
		fetch_payload(join->probes[match->probe].ref);
}

/* Return a match as a pair of references. */
static pg_attribute_always_inline SpqJoinPair
pair_of(const SpqJoin *join, const SpqJoinMatch *match)
{
	const SpqJoinItem *probe = &join->probes[match->probe];
	SpqJoinPair pair;

	pair.probe = probe->ref;
	pair.probe_box = (const float8 *) &probe->box;
	pair.build = build_ref(join, match);
	pair.build_box = (const float8 *) &join->build.item[match->build].box;
	return pair;
}

/* Return the next match. */
static inline bool
next_match(SpqJoin *join, SpqJoinPair *pair)
{
	if (join->next_match == join->nmatches && !more_matches(join))
		return false;
	*pair = pair_of(join, &join->match[join->next_match++]);
	fetch_payloads(join, join->next_match + FETCH_AHEAD);
	return true;
}

/*
 * Turn matches into pairs, without payloads to be fetched.  The arrays are read
 * from the join once, not for each pair.
 */
static void
pairs_of(const SpqJoin *join, const SpqJoinMatch *match, SpqJoinPair *pairs, uint32 n)
{
	const SpqJoinItem *probes = join->probes,
			   *build = join->build.item;

	_Pragma("GCC unroll 4")
		for (uint32 i = 0; i < n; i++)
	{
		const SpqJoinItem *probe = &probes[match[i].probe],
				   *item = &build[match[i].build];

		pairs[i].probe = probe->ref;
		pairs[i].build = item->ref;
		pairs[i].probe_box = (const float8 *) &probe->box;
		pairs[i].build_box = (const float8 *) &item->box;
	}
}

/*
 * After spq_join_next() has returned a pair, return further ones that need no
 * search, at most as many as there is room for.  All are valid until the next
 * call of spq_join_next().  None of them, nor the first, can be accepted.
 */
uint32
spq_join_more(SpqJoin *join, SpqJoinPair *pairs, uint32 room)
{
	const SpqJoinMatch *match = &join->match[join->next_match];
	uint32		n = Min(room, join->nmatches - join->next_match);

	Assert(join->sweeping);
	if (!join->spec.build_payload && !join->spec.probe_payload)
		pairs_of(join, match, pairs, n);
	else
		for (uint32 i = 0; i < n; i++)
		{
			pairs[i] = pair_of(join, &match[i]);
			if (join->spec.build_payload)
				fetch_payload(pairs[i].build);
			if (join->spec.probe_payload)
				fetch_payload(pairs[i].probe);
		}
	join->next_match += n;
	return n;
}

/*
 * The same for a caller that needs only their number: those of the same probe as
 * the last pair, or all.  The last pair can be accepted in a join that returns
 * unmatched probes, and stands for those of the same probe.
 */
uint32
spq_join_skip(SpqJoin *join, bool of_probe)
{
	uint32		before = join->next_match,
				probe = join->match[before - 1].probe;

	Assert(join->sweeping);
	if (!of_probe)
		join->next_match = join->nmatches;
	else
		while (join->next_match < join->nmatches && join->match[join->next_match].probe == probe)
			join->next_match++;
	return join->next_match - before;
}

/* Return the next probe of the block that has no accepted pair in any batch. */
static bool
next_unmatched_probe(SpqJoin *join, SpqJoinPair *pair)
{
	if (!join->spec.unmatched_probes || join->pieces_follow)
		return false;
	while (join->next_unmatched < join->block.count)
	{
		const SpqJoinItem *item = &join->block.item[join->next_unmatched++];

		if ((item->tag & SPQ_JOIN_TAG_LAST) && !(item->tag & SPQ_JOIN_TAG_MATCHED))
		{
			pair->probe = item->ref;
			pair->build = 0;
			return true;
		}
	}
	return false;
}

/* Count an accepted pair of a build row. */
static inline void
count_pair(SpqJoin *join, const SpqJoinMatch *match)
{
	if (unlikely(join->accepted_of == NULL))
		spq_join_start_counts(join);
	join->accepted_of[match->build]++;
}

/* Count all pairs of the block. */
static void
count_pairs(SpqJoin *join)
{
	while (more_matches(join))
	{
		CHECK_FOR_INTERRUPTS();
		for (uint32 i = 0; i < join->nmatches; i++)
			count_pair(join, &join->match[i]);
	}
}

/*
 * Go on to the next row of the build side in memory that has a count, or has no accepted
 * pair and is wanted.  Return the event, or SPQ_JOIN_END after the last row.
 */
static SpqJoinEvent
next_build_row(SpqJoin *join, SpqJoinPair *pair)
{
	if (join->accepted_of == NULL && !join->spec.unmatched_build)
		return SPQ_JOIN_END;
	while (join->next_unmatched < join->build.count)
	{
		SpqJoinMatch match = {.build = join->next_unmatched++};

		pair->probe = join->accepted_of ? join->accepted_of[match.build] : 0;
		if (pair->probe == 0 && (!join->spec.unmatched_build ||
								 (join->build.item[match.build].tag & SPQ_JOIN_TAG_MATCHED)))
			continue;
		pair->build = build_ref(join, &match);
		return pair->probe > 0 ? SPQ_JOIN_COUNTED_BUILD : SPQ_JOIN_UNMATCHED_BUILD;
	}
	return SPQ_JOIN_END;
}

/*
 * Return whether the block needs more probes.  Some of the probes may have
 * gone into spools, and a small block meets as many buckets as a large one.
 */
static bool
wants_probes(SpqJoin *join)
{
	if (!join->spec.unmatched_probes &&
		((join->build.count == 0 && !join->spilled) || spq_join_all_dropped(join)))
	{
		/*
		 * no row in memory needs probes: the build side is empty, or all its
		 * rows have dropped out; but rows of the next batch may need them
		 */
		join->probes_done = !join->spilled;
		return false;
	}
	/* a batch loaded while probes arrive meets the earlier ones first */
	if (spq_join_has_spooled(join))
		return false;
	/* free the payloads of probes that are in spools now */
	if (join->block.count == 0)
		spq_join_items_clear(&join->block);
	return spq_join_room(join) > join->room / 2;
}

/*
 * Return the next event: a pair, an unmatched row, a request for probes, or
 * the end.
 */
SpqJoinEvent
spq_join_next(SpqJoin *join, SpqJoinPair *pair)
{
	Assert(join->phase != SPQ_JOIN_PHASE_BUILD);
	while (join->phase != SPQ_JOIN_PHASE_END)
	{
		SpqJoinEvent event;

		if (join->sweeping)
		{
			if (join->spec.accept_all)
				count_pairs(join);
			else if (next_match(join, pair))
				return SPQ_JOIN_PAIR;
			if (next_unmatched_probe(join, pair))
				return SPQ_JOIN_UNMATCHED_PROBE;
			spq_join_end_block(join);
		}
		if (!join->build_swept)
		{
			if (join->phase == SPQ_JOIN_PHASE_PROBE && !join->probes_done &&
				wants_probes(join))
				return SPQ_JOIN_WANTS_PROBES;
			if (spq_join_next_block(join))
				continue;
			join->build_swept = true;
			join->next_unmatched = 0;
		}
		event = next_build_row(join, pair);
		if (event != SPQ_JOIN_END)
			return event;
		if (!join->spilled || !spq_join_next_batch(join))
			join->phase = SPQ_JOIN_PHASE_END;
	}
	return SPQ_JOIN_END;
}

/* Accept the pair that spq_join_next() returned last. */
void
spq_join_accept(SpqJoin *join)
{
	const SpqJoinMatch *match = &join->match[join->next_match - 1];

	if (join->spec.count_build)
	{
		count_pair(join, match);
		return;
	}
	/* other processes use a shared build side, so do not change it */
	if (!join->build_is_shared)
		join->build.item[match->build].tag |= SPQ_JOIN_TAG_MATCHED;
	if (join->spec.first_of_probe || join->spec.first_of_build)
		spq_join_sweep_accept(&join->sweep, match);
	if (!join->spec.self)
	{
		join->block.item[match->probe].tag |= SPQ_JOIN_TAG_MATCHED;
		if (join->spilled && !join->spec.first_of_probe)
			spq_join_remember_accepted(join, &join->block.item[match->probe]);
	}
}

/*
 * Discard all probes, to accept others for the same build side.  Return false
 * if the join has spilled, since it frees batches when they are finished.
 */
bool
spq_join_restart(SpqJoin *join)
{
	Assert(join->phase != SPQ_JOIN_PHASE_BUILD && !join->spec.self);
	if (join->spilled)
		return false;

	if (join->sweeping)
		spq_join_end_block(join);
	spq_join_items_clear(&join->block);
	join->nmatches = join->next_match = 0;
	join->next_unmatched = 0;
	join->next_ordinal = 0;
	join->room = spq_join_first_room(join);
	join->probes_done = false;
	join->build_swept = false;
	join->phase = SPQ_JOIN_PHASE_PROBE;

	spq_join_clear_counts(join);
	/* leave marks that nothing reads */
	if (join->spec.unmatched_build || join->spec.first_of_build)
		spq_join_clear_marks(join);
	return true;
}

static bool
related(SpqRelation relation, double distance, const float8 *a, const float8 *b)
{
	return spq_box_related(relation, distance, (const SpqBox *) a, (const SpqBox *) b);
}

static bool
engine_build(SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
			 const void *payload, Size length)
{
	return spq_join_build(join, (const SpqBox *) box, hash, ref, payload, length);
}

static bool
engine_probe(SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
			 const void *payload, Size length)
{
	return spq_join_probe(join, (const SpqBox *) box, hash, ref, payload, length);
}

const SpqJoinEngine SPQ_JOIN_ENGINE = {
	.axes = SPQ_DIM,
	.memory_bytes = SPQ_JOIN_MEMORY_BYTES,
	.file_bytes = SPQ_JOIN_FILE_BYTES,
	.related = related,
	.begin = spq_join_begin,
	.build = engine_build,
	.build_done = spq_join_build_done,
	.room = spq_join_room,
	.probe = engine_probe,
	.probes_done = spq_join_probes_done,
	.next = spq_join_next,
	.more = spq_join_more,
	.skip = spq_join_skip,
	.accept = spq_join_accept,
	.restart = spq_join_restart,
	.stats = spq_join_stats,
	.end = spq_join_end,
};
