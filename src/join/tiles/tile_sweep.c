/*-------------------------------------------------------------------------
 *
 * tile_sweep.c
 *	  Joins a block of probes with the tiles of the build side.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "join/tiles/tile_sweep.h"
#include "large_memory.h"
#include "prefetch.h"

#define ALL_LANES		(SPQ_JOIN_TIES - 1)
#define FETCH_AHEAD		8		/* entries whose tiles are prefetched */

/* An entry of the probes, ready to be compared. */
typedef struct Probe
{
	SpqShorts	low[2],
				high[2],
				begins[2];		/* its low end, or 0 if before the tile */
} Probe;

/*
 * Return how far to move the ends of probes outward.  MEETS, which compares
 * exactly, needs nothing.
 */
double
spq_join_tile_slack(SpqRelation predicate, double distance)
{
	return predicate == SPQ_BOX_MEETS ? 0 : spq_box_slack(predicate, distance);
}

/*
 * Prepare for a block of probes, which have not been divided.  The caller has set
 * the first fields; "entries" must have been initialized.
 */
void
spq_join_tile_sweep_prepare(SpqJoinTileSweep *sweep)
{
	sweep->slack = spq_join_tile_slack(sweep->predicate, sweep->distance);
	sweep->all_ties = sweep->tiles->areas.swapped ||
		!(sweep->predicate == SPQ_BOX_OVERLAPS || sweep->predicate == SPQ_BOX_MEETS);
	spq_join_entries_clear(&sweep->entries);
	sweep->divided = 0;
}

/* Divide the probes of the block that have not been divided, up to this number. */
void
spq_join_tile_sweep_divide(SpqJoinTileSweep *sweep, const SpqJoinItem *probes, uint32 count)
{
	sweep->probes = probes;
	spq_join_divide_probes(&sweep->tiles->areas, sweep->tiles->in_use, probes, sweep->divided,
						   count, sweep->slack, &sweep->entries);
	sweep->divided = count;
}

/* Start the sweep of the probes that have been divided. */
void
spq_join_tile_sweep_start(SpqJoinTileSweep *sweep)
{
	sweep->entry = sweep->end = NULL;
	sweep->next_chunk = NULL;
	sweep->next_area = 0;
	sweep->next_wide = sweep->wide_area = 0;
	sweep->inside = false;
	sweep->nfound = 0;
}

/* Go on to the next area of the probes in the list. */
static bool
next_wide_entry(SpqJoinTileSweep *sweep)
{
	const SpqJoinAreas *areas = &sweep->tiles->areas;

	while (sweep->next_wide < sweep->entries.nwide)
	{
		uint32		probe = sweep->entries.wide[sweep->next_wide],
					across,
					nareas;
		SpqJoinSpan span;

		if (!spq_join_span(areas, &sweep->probes[probe].box, sweep->slack, &span))
		{
			/* not in the list */
			sweep->next_wide++;
			continue;
		}
		across = span.to[0] - span.from[0] + 1;
		nareas = across * (span.to[1] - span.from[1] + 1);
		while (sweep->wide_area < nareas)
		{
			uint32		x = span.from[0] + sweep->wide_area % across,
						y = span.from[1] + sweep->wide_area / across;

			sweep->wide_area++;
			sweep->area = y * areas->side[0] + x;
			if (!sweep->tiles->in_use[sweep->area])
				continue;
			sweep->wide_entry = spq_join_entry_in(&span, probe, x, y);
			sweep->entry = &sweep->wide_entry;
			sweep->end = sweep->entry + 1;
			return true;
		}
		sweep->next_wide++;
		sweep->wide_area = 0;
	}
	return false;
}

/* Return memory for an array, in which nothing is kept. */
static void *
make_room(const SpqJoinEntries *entries, void *array, uint32 *room, uint32 count, Size size)
{
	if (count <= *room)
		return array;
	if (array)
		pfree(array);
	*room = count;
	return spq_large_alloc(entries->context, count * size);
}

/* Return the first tile of an entry. */
static inline uint32
first_tile(const SpqJoinEntry *e, const SpqJoinAreaTiles *area)
{
	return spq_join_low_tile(e->low[1], area->side[1]) * area->side[0] +
		spq_join_low_tile(e->low[0], area->side[0]);
}

/* Put the entries of the area into the order of their first tiles. */
static void
sort_entries(SpqJoinTileSweep *sweep)
{
	const SpqJoinAreaTiles *area = &sweep->tiles->area[sweep->area];
	uint32		ntiles = area->side[0] * area->side[1],
				count = sweep->left;
	SpqJoinEntries *entries = &sweep->entries;
	uint32	   *first;

	entries->sorted = make_room(entries, entries->sorted, &entries->sorted_room, count,
								sizeof(SpqJoinEntry));
	entries->first_of_tile = make_room(entries, entries->first_of_tile, &entries->tiles_room,
									   ntiles, sizeof(uint32));
	first = entries->first_of_tile;
	memset(first, 0, ntiles * sizeof(uint32));
	for (const SpqJoinEntryChunk *chunk = sweep->next_chunk; chunk; chunk = chunk->next)
	{
		uint32		n = Min(count, SPQ_JOIN_CHUNK_ENTRIES);

		for (uint32 i = 0; i < n; i++)
			first[first_tile(&chunk->entry[i], area)]++;
		count -= n;
	}
	for (uint32 tile = 0, sum = 0; tile < ntiles; tile++)
	{
		uint32		n = first[tile];

		first[tile] = sum;
		sum += n;
	}
	for (; sweep->next_chunk; sweep->next_chunk = sweep->next_chunk->next)
	{
		uint32		n = Min(sweep->left, SPQ_JOIN_CHUNK_ENTRIES);

		for (uint32 i = 0; i < n; i++)
		{
			const SpqJoinEntry *e = &sweep->next_chunk->entry[i];

			entries->sorted[first[first_tile(e, area)]++] = *e;
		}
		sweep->left -= n;
	}
}

/* Go on to the next entries, all of one area.  Return false if there are none. */
static bool
next_entries(SpqJoinTileSweep *sweep)
{
	uint32		n;

	sweep->inside = false;
	while (sweep->next_chunk == NULL)
	{
		const SpqJoinAreaEntries *area = &sweep->entries.area[sweep->next_area];

		if (sweep->next_area == sweep->tiles->nareas)
			return next_wide_entry(sweep);
		sweep->area = sweep->next_area++;
		sweep->next_chunk = area->first;
		sweep->left = area->count;
		if (sweep->in_tile_order && sweep->left > 0)
		{
			sort_entries(sweep);
			sweep->entry = sweep->entries.sorted;
			sweep->end = sweep->entry + area->count;
			return true;
		}
	}
	n = Min(sweep->left, SPQ_JOIN_CHUNK_ENTRIES);
	sweep->entry = sweep->next_chunk->entry;
	sweep->end = sweep->entry + n;
	sweep->left -= n;
	sweep->next_chunk = sweep->next_chunk->next;
	if (sweep->next_chunk != NULL)
	{
		for (Size offset = 0; offset < sizeof(SpqJoinEntryChunk); offset += SPQ_LINE_SIZE)
			spq_prefetch((const char *) sweep->next_chunk + offset);
	}
	return true;
}

/* Store lanes that a probe meets.  If there are none, the next ones replace them. */
static pg_attribute_always_inline void
add_found(SpqJoinTileSweep *sweep, uint32 lanes, uint32 flag, uint32 probe,
		  const SpqJoinLanes *block)
{
	SpqJoinFound *found = &sweep->found[sweep->nfound];

	found->lanes = lanes | flag;
	found->probe = probe;
	found->items = block->item;
	sweep->nfound += lanes != 0;
}

/*
 * Compare an entry with the lanes of blocks of its area, from "block" to end - 1.  "once"
 * says that pairs may be found in other tiles, too.  Return the block from
 * which to continue when there is room for more; "end" if there is none.
 */
static pg_attribute_always_inline uint32
compare(SpqJoinTileSweep *sweep, const Probe *p, const SpqJoinEntry *e,
		const SpqJoinLanes *blocks, uint32 block, uint32 end, bool all_ties, bool once)
{
	const uint32 sure = e->unsure ? 0 : ALL_LANES;

	for (; block < end && sweep->nfound <= SPQ_JOIN_FOUND - 2; block++)
	{
		const SpqJoinLanes *lanes = &blocks[block];
		SpqShorts	least[2],
					begin[2];
		uint32		meet,
					here = ALL_LANES;

		_Pragma("GCC unroll 2")
			for (int i = 0; i < 2; i++)
		{
			SpqShorts	low_x = spq_shorts_load(lanes->low[0] + i * SPQ_SHORTS),
						low_y = spq_shorts_load(lanes->low[1] + i * SPQ_SHORTS),
						high_x = spq_shorts_load(lanes->high[0] + i * SPQ_SHORTS),
						high_y = spq_shorts_load(lanes->high[1] + i * SPQ_SHORTS);

			least[i] = spq_shorts_min(spq_shorts_min(p->high[0] - low_x, p->high[1] - low_y),
									  spq_shorts_min(high_x - p->low[0], high_y - p->low[1]));
			begin[i] = spq_shorts_min(p->begins[0] | low_x, p->begins[1] | low_y);
		}
		if (once)
			here &= ~spq_shorts_negative(begin[0] - 1, begin[1] - 1);
		meet = here & ~spq_shorts_negative(least[0], least[1]);

		/* no branch: whether there is a pair is unpredictable */
		if (all_ties)
			add_found(sweep, meet, SPQ_JOIN_TIES, e->item, lanes);
		else
		{
			uint32		certain = meet & sure & ~spq_shorts_negative(least[0] - 1, least[1] - 1);

			add_found(sweep, certain, 0, e->item, lanes);
			if (unlikely(certain != meet))
				add_found(sweep, meet ^ certain, SPQ_JOIN_TIES, e->item, lanes);
		}
	}
	return block;
}

/* Prefetch the first tile of an entry. */
static pg_attribute_always_inline void
fetch_tile(const SpqJoinEntry *e, const SpqJoinAreaTiles *area)
{
	const char *block = (const char *) &area->lanes[area->first[first_tile(e, area)]];

	for (Size offset = 0; offset < 2 * sizeof(SpqJoinLanes); offset += SPQ_LINE_SIZE)
		spq_prefetch(block + offset);
}

/*
 * Compare the entries up to the end with their tiles, until no more can be
 * found.
 */
static pg_attribute_always_inline void
compare_entries(SpqJoinTileSweep *sweep, bool all_ties)
{
	const SpqJoinAreaTiles *area = &sweep->tiles->area[sweep->area];
	const uint32 *first = area->first;
	const uint32 across = area->side[0],
				ntiles = across * area->side[1];
	bool		list = first[ntiles] < first[ntiles + 1];
	const SpqJoinEntry *e = sweep->entry,
			   *end = sweep->end;

	for (; e < end; e++)
	{
		SpqJoinTileRange t = spq_join_tile_range(e, area);
		Probe		p;
		bool		begins = e->low[0] != SPQ_JOIN_BEFORE && e->low[1] != SPQ_JOIN_BEFORE;
		uint32		x = t.x0,
					y = t.y0,
					block = first[y * across + x];

		if (end - e > FETCH_AHEAD)
			fetch_tile(e + FETCH_AHEAD, area);
		for (int axis = 0; axis < 2; axis++)
		{
			p.low[axis] = spq_shorts_set(e->low[axis]);
			p.high[axis] = spq_shorts_set(e->high[axis]);
		}
		if (unlikely(sweep->inside))
		{
			x = sweep->x;
			y = sweep->y;
			block = sweep->block;
			sweep->inside = false;
		}
		for (;;)
		{
			bool		in_list = y > t.y1;
			uint32		tile = in_list ? ntiles : y * across + x,
						after = first[tile + 1];

			if (begins && (in_list || (x == t.x0 && y == t.y0)))
				block = compare(sweep, &p, e, area->lanes, block, after, all_ties, false);
			else
			{
				p.begins[0] = in_list || x == t.x0 ? p.low[0] : spq_shorts_set(SPQ_JOIN_BEFORE);
				p.begins[1] = in_list || y == t.y0 ? p.low[1] : spq_shorts_set(SPQ_JOIN_BEFORE);
				block = compare(sweep, &p, e, area->lanes, block, after, all_ties, true);
			}
			if (block < after)
			{
				sweep->inside = true;
				sweep->x = x;
				sweep->y = y;
				sweep->block = block;
				sweep->entry = e;
				return;
			}
			if (in_list)
				break;
			if (x < t.x1)
				x++;
			else
			{
				x = t.x0;
				if (y++ == t.y1)
				{
					if (!list)
						break;
					block = first[ntiles];
					continue;
				}
			}
			block = first[y * across + x];
		}
	}
	sweep->entry = e;
}

/*
 * Prefetch an item, whose box the predicate or the caller reads, and whose
 * reference the caller reads.  It may be in two cache lines.
 */
static pg_attribute_always_inline void
fetch_item(const SpqJoinItem *item)
{
	spq_prefetch(item);
	spq_prefetch(&item->ref);
}

/* Return whether a candidate is the wanted one of the two orders of its pair. */
static pg_attribute_always_inline bool
wanted_order(const SpqJoinTileSweep *sweep, SpqJoinSelfJoin self, const SpqJoinMatch *match)
{
	switch (self)
	{
		case SPQ_JOIN_SELF_BY_POSITION:
			return match->build > sweep->position + match->probe;
		case SPQ_JOIN_SELF_BY_ORDINAL:
			return (sweep->build[match->build].tag & SPQ_JOIN_TAG_ORDINAL) >
				(sweep->probes[match->probe].tag & SPQ_JOIN_TAG_ORDINAL);
		default:
			return true;
	}
}

/*
 * Turn all lanes of a block into matches, and return their number.  Where boxes are
 * that crowded, most of the time of a join goes into its pairs, instruction by
 * instruction.
 */
static pg_attribute_always_inline uint32
take_block(const SpqJoinTileSweep *sweep, uint32 probe, const uint32 *items,
		   SpqJoinMatch *matches)
{
	if (!sweep->build_is_near)
	{
		for (int i = 0; i < SPQ_JOIN_LANES; i++)
			fetch_item(&sweep->build[items[i]]);
	}
	_Pragma("GCC unroll 16")
		for (int i = 0; i < SPQ_JOIN_LANES; i++)
	{
		matches[i].probe = probe;
		matches[i].build = items[i];
	}
	return SPQ_JOIN_LANES;
}

/*
 * Turn what was found into matches, and return their number.  While their items
 * are prefetched, ties are collected at the end of the buffer.
 */
static pg_attribute_always_inline uint32
take_found(SpqJoinTileSweep *sweep, SpqJoinMatch *matches, uint32 room, SpqRelation predicate,
		   SpqJoinSelfJoin self)
{
	uint32		n = 0,
				ties = room;

	for (uint32 i = 0; i < sweep->nfound; i++)
	{
		const SpqJoinFound *found = &sweep->found[i];
		const uint32 *items = found->items;
		uint32		lanes = found->lanes & ALL_LANES;

		fetch_item(&sweep->probes[found->probe]);
		if (found->lanes & SPQ_JOIN_TIES)
		{
			for (; lanes != 0; lanes &= lanes - 1)
			{
				SpqJoinMatch *match = &matches[--ties];

				match->probe = found->probe;
				match->build = items[pg_rightmost_one_pos32(lanes)];
				fetch_item(&sweep->build[match->build]);
			}
		}
		else if (self == SPQ_JOIN_TWO_SETS && lanes == ALL_LANES)
			n += take_block(sweep, found->probe, items, matches + n);
		else
		{
			for (; lanes != 0; lanes &= lanes - 1)
			{
				matches[n].probe = found->probe;
				matches[n].build = items[pg_rightmost_one_pos32(lanes)];
				fetch_item(&sweep->build[matches[n].build]);
				n += wanted_order(sweep, self, &matches[n]);
			}
		}
	}
	sweep->nfound = 0;
	sweep->candidates += n + (room - ties);
	for (; ties < room; ties++)
	{
		SpqJoinMatch match = matches[ties];
		uint32		related = spq_box_related(predicate, sweep->distance,
											  &sweep->probes[match.probe].box,
											  &sweep->build[match.build].box);

		/* kept if it is a match, else overwritten by the next */
		matches[n] = match;
		n += related & wanted_order(sweep, self, &match);
	}
	return n;
}

/* As take_found(), with the switch of the predicate out of its loops. */
static uint32
take_found_for(SpqJoinTileSweep *sweep, SpqJoinMatch *matches, uint32 room)
{
	if (sweep->self == SPQ_JOIN_SELF_BY_POSITION)
		return sweep->predicate == SPQ_BOX_OVERLAPS ?
			take_found(sweep, matches, room, SPQ_BOX_OVERLAPS, SPQ_JOIN_SELF_BY_POSITION) :
			take_found(sweep, matches, room, sweep->predicate, SPQ_JOIN_SELF_BY_POSITION);
	if (sweep->self == SPQ_JOIN_SELF_BY_ORDINAL)
		return take_found(sweep, matches, room, sweep->predicate, SPQ_JOIN_SELF_BY_ORDINAL);
	switch (sweep->predicate)
	{
		case SPQ_BOX_OVERLAPS:
			return take_found(sweep, matches, room, SPQ_BOX_OVERLAPS, SPQ_JOIN_TWO_SETS);
		case SPQ_BOX_CONTAINS:
			return take_found(sweep, matches, room, SPQ_BOX_CONTAINS, SPQ_JOIN_TWO_SETS);
		case SPQ_BOX_CONTAINED:
			return take_found(sweep, matches, room, SPQ_BOX_CONTAINED, SPQ_JOIN_TWO_SETS);
		case SPQ_BOX_MEETS:
			return take_found(sweep, matches, room, SPQ_BOX_MEETS, SPQ_JOIN_TWO_SETS);
		default:
			return take_found(sweep, matches, room, sweep->predicate, SPQ_JOIN_TWO_SETS);
	}
}

/*
 * Put matches into a buffer with room for SPQ_JOIN_TILE_MATCHES.  Return their
 * number, or 0 if there are no more.
 */
uint32
spq_join_tile_sweep(SpqJoinTileSweep *sweep, SpqJoinMatch *matches, uint32 room)
{
	Assert(room >= SPQ_JOIN_TILE_MATCHES);
	for (;;)
	{
		bool		more = sweep->entry < sweep->end || next_entries(sweep);

		CHECK_FOR_INTERRUPTS();
		if (!more || sweep->nfound > SPQ_JOIN_FOUND - 2)
		{
			uint32		n = take_found_for(sweep, matches, room);

			if (n > 0 || !more)
				return n;
		}
		if (sweep->all_ties)
			compare_entries(sweep, true);
		else
			compare_entries(sweep, false);
	}
}
