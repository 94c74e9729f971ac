/*-------------------------------------------------------------------------
 *
 * probe_block.c
 *	  Collects probes in a block, puts them into tile order, and sweeps them.
 *
 *		caller, or spool --> block --> tile order --> buckets --> sweep
 *
 * The larger a block, the more densely its probes lie, and the fewer of the
 * build side's buckets each bucket of probes meets.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "join/engine/join_state.h"
#include "large_memory.h"

#define MAX_UNORDERED_BUCKETS	4	/* with no more, probes need no order */
#define DIVIDE_STEP		1024	/* probes that are in the processor's cache */
#define NEAR_BYTES		(512 * 1024)	/* build rows of this size are in its
										 * second level during a sweep */

/* Return the number of rows of the first block of probes. */
uint32
spq_join_first_room(const SpqJoin *join)
{
	return Min(SPQ_JOIN_FIRST_BLOCK, join->max_block);
}

/* Return the memory that a probe takes in a block, without its payload. */
static inline uint64
probe_bytes(const SpqJoin *join)
{
	/* in tiles, most probes have one entry or two */
	return spq_join_in_tiles(join) ? sizeof(SpqJoinItem) + 2 * sizeof(SpqJoinEntry) :
		SPQ_JOIN_PROBE_BYTES(join->spec.hashed);
}

/*
 * Let blocks take all memory that the build side leaves: each of them uses again
 * what the caller keeps of its rows.
 */
void
spq_join_enlarge_blocks(SpqJoin *join)
{
	uint64		taken = spq_join_items_bytes(&join->build),
				limit = join->spec.memory > taken ? join->spec.memory - taken : 0,
				rows = Min(limit / probe_bytes(join), PG_INT32_MAX / 4);

	if (rows <= join->max_block)
		return;
	join->block_limit = limit;
	join->max_block = rows;
}

/* Return the limit of bytes for the payloads of a block. */
static inline uint64
payload_limit(const SpqJoin *join)
{
	uint64		taken = join->block.count * probe_bytes(join);

	if (join->block_limit > 0)
		return join->block_limit > taken ? join->block_limit - taken : 0;
	return join->max_block * (uint64) SPQ_JOIN_PROBE_BYTES(join->spec.hashed);
}

/*
 * Return how many probes the caller may pass before it calls spq_join_next().
 */
uint32
spq_join_room(const SpqJoin *join)
{
	if (join->block.payload_bytes > payload_limit(join))
		return 0;
	return join->room - join->block.count;
}

/* Prepare for a block of probes that will meet tiles. */
static void
prepare_tile_sweep(SpqJoin *join, SpqJoinSelfJoin self)
{
	SpqJoinTileSweep *sweep = &join->tile_sweep;

	sweep->predicate = join->spec.predicate;
	sweep->distance = join->spec.distance;
	sweep->self = self;
	sweep->in_tile_order = join->block_limit > 0;
	sweep->position = join->self_position;
	sweep->tiles = &join->tiles;
	sweep->build = join->build.item;
	sweep->build_is_near = (uint64) join->build.count * sizeof(SpqJoinItem) <= NEAR_BYTES;
	spq_join_tile_sweep_prepare(sweep);
}

/* Return how the block is joined with its own set, if it is. */
static inline SpqJoinSelfJoin
block_self(const SpqJoin *join)
{
	return join->spec.self ? SPQ_JOIN_SELF_BY_ORDINAL : SPQ_JOIN_TWO_SETS;
}

/*
 * Add a probe to the block.  Its payload must have been copied.
 *
 * If there are tiles, divide the probes some at a time, as soon as they are
 * there.
 */
void
spq_join_add_probe(SpqJoin *join, const SpqJoinItem *item)
{
	SpqJoinItems *block = &join->block;

	*spq_join_items_add(block) = *item;
	join->stats.probe_copies++;
	if (block->count % DIVIDE_STEP == 0 && spq_join_in_tiles(join))
	{
		if (block->count == DIVIDE_STEP)
			prepare_tile_sweep(join, block_self(join));
		spq_join_tile_sweep_divide(&join->tile_sweep, block->item, block->count);
	}
}

/*
 * Cut probes into buckets, and start the sweep.  If there are tile codes, the
 * probes are in their order, and buckets end at the borders of tiles.
 */
static void
start_sweep(SpqJoin *join, const SpqJoinItem *probes, const SpqJoinTileCode *codes,
			uint32 count, SpqJoinSelfJoin self)
{
	SpqJoinSweep *sweep = &join->sweep;
	MemoryContext context = join->block.context;
	uint32		most = spq_join_max_buckets(count);
	SpqJoinBucket *buckets = spq_join_alloc_buckets(context, most);
	SpqJoinBucketBox *bounds = spq_large_alloc(context, most * sizeof(SpqJoinBucketBox));
	SpqJoinBucketBox *boxes = spq_large_alloc(context, count * sizeof(SpqJoinBucketBox));
	uint32	   *first = spq_large_alloc(context, (most + 1) * sizeof(uint32));
	SpqJoinBucketHashes *bucket_hashes = NULL;

	if (join->spec.hashed)
		bucket_hashes = spq_large_alloc(context, most * sizeof(SpqJoinBucketHashes));
	sweep->predicate = join->spec.predicate;
	sweep->distance = join->spec.distance;
	sweep->self = self;
	sweep->first_of_probe = join->spec.first_of_probe;
	sweep->first_of_build = join->spec.first_of_build;
	sweep->directory = &join->directory;
	sweep->build = join->build.item;
	sweep->probes = join->probes = probes;
	sweep->nbuckets = spq_join_cut_buckets(codes, count, first);
	spq_join_fill_buckets(probes, first, sweep->nbuckets, join->slack,
						  &join->directory.origin, buckets, bounds, boxes, bucket_hashes);
	sweep->buckets = buckets;
	sweep->bucket_bounds = bounds;
	sweep->boxes = boxes;
	sweep->keys = bucket_hashes;
	sweep->lines = join->spec.probe_lines;
	sweep->first = first;
	spq_join_sweep_start(sweep);
	join->sweeping = true;
	join->nmatches = join->next_match = join->next_unmatched = 0;
}

/* Divide the rest of the probes as the tiles are divided, and start the sweep. */
static void
start_tile_sweep(SpqJoin *join, const SpqJoinItem *probes, uint32 count)
{
	spq_join_tile_sweep_divide(&join->tile_sweep, probes, count);
	spq_join_tile_sweep_start(&join->tile_sweep);
	join->probes = probes;
	join->sweeping = true;
	join->nmatches = join->next_match = join->next_unmatched = 0;
}

/*
 * Sort the filled block, and start the sweep.  If the build side has only a
 * few buckets, do not sort: that would take longer than it saves.  (But hashes
 * must be in order: see spq_join_hashes_range().)
 */
static void
start_block(SpqJoin *join)
{
	SpqJoinItems *block = &join->block;
	SpqJoinGrid grid;
	SpqJoinTileCode *codes;
	int			size_classes;

	spq_join_note_memory(join);
	if (spq_join_in_tiles(join))
	{
		if (block->count < DIVIDE_STEP)
			prepare_tile_sweep(join, block_self(join));
		start_tile_sweep(join, block->item, block->count);
		return;
	}
	if ((join->directory.nbuckets[0] <= MAX_UNORDERED_BUCKETS && !join->spec.self &&
		 !join->spec.hashed) || spq_join_all_dropped(join))
	{
		start_sweep(join, block->item, NULL, block->count, SPQ_JOIN_TWO_SETS);
		return;
	}
	codes = spq_join_items_order(block, join->spec.hashed, true, join->spec.tile_size, &grid,
								 &size_classes);
	start_sweep(join, block->item, codes, block->count, block_self(join));
	pfree(codes);
}

/*
 * Start the next block of a join with itself that has not spilled.  Its probes
 * are items of the build side.
 */
static void
start_self_block(SpqJoin *join)
{
	uint32		position = join->self_position,
				count = Min(join->build.count - position, join->room);

	if (spq_join_in_tiles(join))
	{
		prepare_tile_sweep(join, SPQ_JOIN_SELF_BY_POSITION);
		start_tile_sweep(join, join->build.item + position, count);
	}
	else
	{
		join->sweep.position = position;
		start_sweep(join, join->build.item + position, NULL, count,
					SPQ_JOIN_SELF_BY_POSITION);
	}
	join->self_position = position + count;
	join->stats.probe_copies += count;
}

/* Add the candidates of the current sweep to the statistics. */
void
spq_join_count_candidates(SpqJoin *join)
{
	join->stats.candidates += join->sweep.candidates + join->tile_sweep.candidates;
	join->sweep.candidates = join->tile_sweep.candidates = 0;
}

/*
 * Return the number of rows of the next block.  Large blocks are few: the third one
 * takes all memory.
 */
static uint32
next_room(const SpqJoin *join)
{
	if (join->block_limit > 0)
		return join->room > SPQ_JOIN_FIRST_BLOCK ? join->max_block :
			Min(join->room * SPQ_JOIN_BLOCK_GROWTH, join->max_block);
	return Min(join->room * SPQ_JOIN_BLOCK_GROWTH,
			   Min(join->max_block, SPQ_JOIN_MAX_BLOCK(join->build.count)));
}

/* End the block, and set the size of the next one, which may be larger. */
void
spq_join_end_block(SpqJoin *join)
{
	join->sweeping = false;
	if (join->spilled && join->spec.first_of_probe)
		spq_join_pass_on_probes(join);
	spq_join_count_candidates(join);
	spq_join_items_clear(&join->block);
	join->room = next_room(join);
	if (join->spec.expected_probes > 0)
		join->room = Min(join->room, SPQ_JOIN_SHARED_BLOCK(join->spec.expected_probes,
														   (double) join->stats.probe_rows));
	if (!join->spec.self)
		spq_join_items_reserve(&join->block, join->room);
}

/*
 * Fill the block with rows from the engine's own files.  Return false if there
 * are no more.
 */
static bool
fill_block(SpqJoin *join)
{
	SpqJoinItem item;

	/* no probe can have a pair, and the caller wants no unmatched probes */
	if (spq_join_all_dropped(join) && !join->spec.first_of_probe && !join->spec.unmatched_probes)
		return false;
	while (join->block.count < join->room &&
		   join->block.payload_bytes <= payload_limit(join) &&
		   spq_join_read_probe(join, &item))
	{
		if (join->spec.probe_payload)
			join->block.payload_bytes += sizeof(SpqJoinPayload) +
				spq_join_payload_of(item.ref)->length;
		spq_join_add_probe(join, &item);
		CHECK_FOR_INTERRUPTS();
	}
	return join->block.count > 0;
}

/*
 * Start the next block of probes for the build side in memory.  Return false
 * if there are no more probes for it.
 */
bool
spq_join_next_block(SpqJoin *join)
{
	if (join->spec.self && !join->spilled)
	{
		if (join->self_position >= join->build.count)
			return false;
		start_self_block(join);
		return true;
	}
	if ((join->spec.self || spq_join_has_spooled(join)) && !fill_block(join))
		return false;
	if (join->block.count == 0)
		return false;
	start_block(join);
	return true;
}
