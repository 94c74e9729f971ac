/*-------------------------------------------------------------------------
 *
 * shared_tiles.c
 *	  Puts the rows that the participants have read into tiles.  See
 *	  shared_state.h for the phases.
 *
 * Each participant counts the entries of its rows in each area.  So it knows
 * where they go in one array, and all can write at the same time:
 *
 *		area				0			  1			   2
 *					+---------------+-----------+----------------+
 *		entries[]	| 0 |  1  |  2  | 0 |1|  2  |  0   | 1 |  2  |	 participants
 *					+---------------+-----------+----------------+
 *
 * Then the next free participant fills the tiles of the next area.  Rows are in
 * items[] as they arrived, those of one participant after those of another.
 *
 * All participants decide whether tiles suit the rows by numbers published
 * before a barrier, so all reach the same decision.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "join/shared/shared_state.h"
#include "prefetch.h"

/* Bytes of an entry's lanes, about: it has 1.3 to 2.8, in blocks that are not full. */
#define LANE_BYTES		20

/*
 * Choose areas by what all participants have published.  Return false if the
 * coordinates do not allow any.
 */
static bool
choose_areas(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	SpqJoinExtent extent;
	uint32		nsampled;
	uint64		rows;
	SpqJoinItem *sample = spq_shared_samples(side, &nsampled, &rows);
	bool		found = false,
				fits = false;

	for (int i = 0; i < shared->nparticipants; i++)
	{
		if (shared->participant[i].rows == 0)
			continue;
		if (found)
			spq_join_add_extent(&extent, &shared->participant[i].extent);
		else
			extent = shared->participant[i].extent;
		found = true;
	}
	if (found)
		fits = spq_join_fit_areas(&join->tiles.areas, &extent, rows, sample, nsampled,
								  join->spec.tile_size);
	pfree(sample);
	return fits;
}

static inline uint32
nareas(const SpqJoin *join)
{
	return join->tiles.areas.side[0] * join->tiles.areas.side[1];
}

/*
 * Return how many bytes the tiles may take.  While they are filled, rows have a
 * second array, in which the entries are.
 */
static uint64
memory_of_tiles(const SpqJoin *join)
{
	const SpqSharedSide *side = join->methods_state;
	const uint64 rows = side->shared->count,
				left = rows * (SPQ_JOIN_ITEM_BYTES - 2 * sizeof(SpqJoinItem)),
				taken = pg_atomic_read_u64(&side->shared->bytes),
				unused = taken < side->limit ? side->limit - taken : 0;

	return Min(left + unused, rows * SPQ_JOIN_TILE_BYTES);
}

/*
 * After AREAS, add up the entries of all participants.  Return whether they fit
 * into the array of rows, and their lanes probably into memory.
 */
static bool
add_up_entries(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;

	for (int i = 0; i < shared->nparticipants; i++)
	{
		if (i < side->participant)
			side->first_row += shared->participant[i].rows;
		for (uint32 area = 0; area < nareas(join); area++)
		{
			side->in_area[area] += shared->participant[i].in_area[area];
			side->nentries += shared->participant[i].in_area[area];
		}
	}
	return side->nentries <= PG_INT32_MAX &&
		side->nentries * sizeof(SpqJoinEntry) <= shared->count * sizeof(SpqJoinItem) &&
		side->nentries * LANE_BYTES <= shared->tile_memory;
}

/* ENTRIES: write the entries of this participant's rows. */
static void
write_entries(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	SpqJoinEntry *entries = spq_shared_address(side, shared->items),
			   *place[SPQ_JOIN_MAX_AREAS];
	uint32		number[SPQ_JOIN_MAX_AREAS];

	spq_shared_find_places(shared->participant[0].in_area, sizeof(SpqSharedParticipant),
						   shared->nparticipants, nareas(join), side->participant, number);
	for (uint32 area = 0; area < nareas(join); area++)
		place[area] = entries + number[area];
	spq_join_place_entries(&join->tiles.areas, join->build.item, join->build.count,
						   side->first_row, place);
	side->own->outside = join->tiles.areas.outside;
}

/* Return the lanes of an area; the numbers of blocks are before them. */
static SpqJoinLanes *
lanes_of(uint32 *first, const uint32 *side)
{
	return (SpqJoinLanes *) TYPEALIGN(SPQ_LINE_SIZE, first + SPQ_JOIN_AREA_FIRSTS(side));
}

/* Put entries into the tiles of an area.  Return false if tiles do not suit them. */
static bool
fill_area(SpqJoin *join, SpqJoinTileWork *work, uint32 number, const SpqJoinEntry *entries)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedArea *shared = &side->shared->tiles[number];
	const uint32 count = side->in_area[number];
	SpqJoinAreaTiles area;
	uint64		nblocks;
	Size		size;

	if (!spq_join_plan_area(work, entries, count, shared->side, &nblocks) ||
		spq_join_too_crowded(work->squares, side->nentries))
		return false;
	size = SPQ_JOIN_AREA_FIRSTS(shared->side) * sizeof(uint32) + SPQ_LINE_SIZE +
		nblocks * sizeof(SpqJoinLanes);
	if (pg_atomic_add_fetch_u64(&side->shared->tile_bytes, size) >
		side->shared->tile_memory)
		return false;
	shared->memory = spq_shared_get_memory(side, size);
	area.side[0] = shared->side[0];
	area.side[1] = shared->side[1];
	area.first = spq_shared_address(side, shared->memory);
	area.lanes = lanes_of(area.first, area.side);
	spq_join_fill_area(work, entries, count, &area);
	return true;
}

/* LANES: fill areas that no other participant has taken, one after another. */
static void
fill_areas(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	const SpqJoinEntry *entries = spq_shared_address(side, shared->items);
	SpqJoinTileWork work;
	uint32		before[SPQ_JOIN_MAX_AREAS],
				largest = 0,
				sum = 0,
				area;

	for (area = 0; area < nareas(join); area++)
	{
		before[area] = sum;
		sum += side->in_area[area];
		largest = Max(largest, side->in_area[area]);
	}
	spq_join_tile_work_init(&work, &join->tiles.areas, join->spec.tile_size, largest);
	while ((area = pg_atomic_fetch_add_u32(&shared->next_area, 1)) < nareas(join) &&
		   pg_atomic_read_u32(&shared->unsuitable) == 0)
	{
		CHECK_FOR_INTERRUPTS();
		if (side->in_area[area] > 0 && !fill_area(join, &work, area, entries + before[area]))
			pg_atomic_write_u32(&shared->unsuitable, 1);
	}
	side->own->squares = work.squares;
	spq_join_tile_work_free(&work);
}

/* After LANES, return whether the tiles are not too crowded. */
static bool
tiles_suit(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	double		squares = 0;

	for (int i = 0; i < shared->nparticipants; i++)
		squares += shared->participant[i].squares;
	return pg_atomic_read_u32(&shared->unsuitable) == 0 &&
		!spq_join_too_crowded(squares, side->nentries);
}

/* ROWS: copy this participant's rows into the common array. */
static void
move_rows(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqJoinItem *items = spq_shared_address(side, side->shared->items);

	for (uint32 done = 0, n; done < join->build.count; done += n)
	{
		CHECK_FOR_INTERRUPTS();
		n = Min(join->build.count - done, 65536);
		memcpy(items + side->first_row + done, join->build.item + done, n * sizeof(SpqJoinItem));
	}
	spq_shared_forget_rows(join);
}

/* Set the addresses of the shared items and tiles in this process. */
static void
use_tiles(SpqJoin *join)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	SpqJoinTiles *tiles = &join->tiles;
	uint64		ntiles = 0;

	tiles->nareas = nareas(join);
	for (uint32 i = 0; i < tiles->nareas; i++)
	{
		SpqJoinAreaTiles *area = &tiles->area[i];

		tiles->in_use[i] = side->in_area[i] > 0;
		if (!tiles->in_use[i])
			continue;
		area->side[0] = shared->tiles[i].side[0];
		area->side[1] = shared->tiles[i].side[1];
		area->first = spq_shared_address(side, shared->tiles[i].memory);
		area->lanes = lanes_of(area->first, area->side);
		ntiles += area->side[0] * area->side[1];
	}
	for (int i = 0; i < shared->nparticipants; i++)
		tiles->areas.outside |= shared->participant[i].outside;
	tiles->bytes = pg_atomic_read_u64(&shared->tile_bytes);
	tiles->tile_size = spq_join_tile_size(&tiles->areas, ntiles);
	join->build.item = spq_shared_address(side, shared->items);
	join->build.count = shared->count;
	join->stats.tile_size = tiles->tile_size;
	join->stats.size_classes = 1;

	/*
	 * the sum of bytes counts items and payloads; only the payloads stay as
	 * counted
	 */
	join->stats.shared_memory = pg_atomic_read_u64(&shared->bytes) -
		shared->count * (uint64) (SPQ_JOIN_ITEM_BYTES - sizeof(SpqJoinItem)) + tiles->bytes;
}

void
spq_shared_free_tiles(SpqSharedBuild *shared, dsa_area *area)
{
	for (int i = 0; i < SPQ_JOIN_MAX_AREAS; i++)
	{
		if (DsaPointerIsValid(shared->tiles[i].memory))
			dsa_free(area, shared->tiles[i].memory);
		shared->tiles[i].memory = InvalidDsaPointer;
	}
}

/*
 * Take part in the phases that make tiles, beginning with the one in which this
 * participant has arrived.  *elected says whether it is elected for the phase
 * after READ, and afterwards, for the phase after these.  Return false if tiles do
 * not suit the rows; then each participant has its own rows as before.
 */
bool
spq_shared_tiles(SpqJoin *join, bool *elected)
{
	SpqSharedSide *side = join->methods_state;
	SpqSharedBuild *shared = side->shared;
	bool		suit = choose_areas(join);

	if (side->phase == SPQ_SHARED_AREAS)
	{
		if (suit)
			spq_join_count_entries(&join->tiles.areas, join->build.item, join->build.count,
								   side->own->in_area);
		if (*elected)
		{
			spq_shared_get_items(side);
			shared->tile_memory = memory_of_tiles(join);
		}
		spq_shared_wait(side);
	}
	suit = suit && add_up_entries(join);
	if (side->phase == SPQ_SHARED_ENTRIES)
	{
		if (suit)
			write_entries(join);
		spq_shared_wait(side);
	}
	if (side->phase == SPQ_SHARED_LANES)
	{
		if (suit)
			fill_areas(join);
		spq_shared_wait(side);
	}
	suit = suit && tiles_suit(join);
	if (side->phase == SPQ_SHARED_ROWS)
	{
		if (suit)
			move_rows(join);
		*elected = spq_shared_wait(side);
	}
	if (suit)
	{
		join->build_is_shared = true;
		use_tiles(join);
	}
	else if (*elected)
		spq_shared_free_tiles(shared, side->area);
	return suit;
}
