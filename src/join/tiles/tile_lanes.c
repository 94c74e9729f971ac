/*-------------------------------------------------------------------------
 *
 * tile_lanes.c
 *	  Puts the boxes of the build side into tiles.
 *
 *		items --> entries, area by area --> lanes, tile by tile
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "join/tiles/tile_lanes.h"
#include "large_memory.h"
#include "prefetch.h"

#define TILE_BOXES		24		/* in a tile, on average, and copies */
#define TILE_COPIES		2.8		/* most lanes of a mean box */
#define MAX_SIDE		256		/* tiles of an area along an axis */
#define MANY_TILES		16		/* a box in more of them may be in the list
								 * ... */
#define LARGE_SHARE		64		/* ... if that is this part of all, inverted */
#define CROWDED			512		/* small boxes in the tile of one, on average */
#define MAX_TILE_BOXES	4096	/* small boxes in a tile */

/* Return the mean box of the entries of an area. */
static SpqJoinMeanBox
mean_entry(const SpqJoinEntry *entries, uint32 count)
{
	SpqJoinMeanBox mean;
	uint64		sum[2] = {0},
				area = 0;

	for (uint32 i = 0; i < count; i++)
	{
		uint32		width = entries[i].high[0] - entries[i].low[0],
					height = entries[i].high[1] - entries[i].low[1];

		sum[0] += width;
		sum[1] += height;
		area += width * height;
	}
	mean.side[0] = (double) sum[0] / SPQ_JOIN_POSITIONS / count;
	mean.side[1] = (double) sum[1] / SPQ_JOIN_POSITIONS / count;
	mean.area = (double) area / SPQ_JOIN_POSITIONS / SPQ_JOIN_POSITIONS / count;
	return mean;
}

static inline void
set_lane(SpqJoinLanes *lanes, uint32 lane, int16 low_x, int16 low_y, int16 high_x, int16 high_y,
		 uint32 item)
{
	SpqJoinLanes *block = &lanes[lane / SPQ_JOIN_LANES];

	lane %= SPQ_JOIN_LANES;
	block->low[0][lane] = low_x;
	block->low[1][lane] = low_y;
	block->high[0][lane] = high_x;
	block->high[1][lane] = high_y;
	block->item[lane] = item;
}

/* Return whether a box is in the list of its area. */
static inline bool
in_list(SpqJoinTileRange t, uint32 ntiles)
{
	uint32		n = (t.x1 - t.x0 + 1) * (t.y1 - t.y0 + 1);

	return n > MANY_TILES && n > ntiles / LARGE_SHARE;
}

/*
 * Begin to fill areas.  None has more than "largest" entries.
 */
void
spq_join_tile_work_init(SpqJoinTileWork *work, const SpqJoinAreas *areas, double tile_size,
						uint32 largest)
{
	Size		size = (largest / TILE_BOXES + 2) * sizeof(uint32);

	for (int axis = 0; axis < 2; axis++)
	{
		work->most[axis] = MAX_SIDE;
		if (tile_size > 0)
			work->most[axis] = Min(floor(SPQ_JOIN_POSITIONS / areas->scale[axis] / tile_size),
								   MAX_SIDE);
	}
	work->next = spq_large_alloc(CurrentMemoryContext, size);
	work->small = spq_large_alloc(CurrentMemoryContext, size);
	work->squares = 0;
}

void
spq_join_tile_work_free(SpqJoinTileWork *work)
{
	pfree(work->next);
	pfree(work->small);
}

/*
 * Return whether tiles are crowded: with boxes much smaller than a tile, of which a
 * probe there meets few.  work->next[] has the boxes of each tile.
 */
static bool
crowded(SpqJoinTileWork *work, const SpqJoinAreaTiles *area, const SpqJoinEntry *entries,
		uint32 count)
{
	const uint32 ntiles = area->side[0] * area->side[1];
	uint32	   *small = work->small;
	uint32		most = 0;

	for (uint32 t = 0; t < ntiles; t++)
		most = Max(most, work->next[t]);
	if (most <= CROWDED)
		return false;

	memset(small, 0, ntiles * sizeof(uint32));
	for (uint32 i = 0; i < count; i++)
	{
		SpqJoinTileRange t = spq_join_tile_range(&entries[i], area);

		/* a large one is half as wide and half as high as a tile */
		if ((entries[i].high[0] - entries[i].low[0]) * area->side[0] * 2 < SPQ_JOIN_POSITIONS ||
			(entries[i].high[1] - entries[i].low[1]) * area->side[1] * 2 < SPQ_JOIN_POSITIONS)
			small[t.y0 * area->side[0] + t.x0]++;
	}
	for (uint32 t = 0; t < ntiles; t++)
	{
		if (small[t] > MAX_TILE_BOXES)
			return true;
		work->squares += (double) small[t] * small[t];
	}
	return false;
}

/*
 * Return whether tiles are too crowded, for the sum of the squares and the number
 * of the entries of all areas.
 */
bool
spq_join_too_crowded(double squares, uint64 nentries)
{
	return squares / CROWDED > nentries;
}

/*
 * Choose the tiles of an area, and count the boxes of each.  *nblocks becomes the
 * number of blocks of lanes that the area takes.  Return false if a tile has too
 * many boxes.
 */
bool
spq_join_plan_area(SpqJoinTileWork *work, const SpqJoinEntry *entries, uint32 count,
				   uint32 *side, uint64 *nblocks)
{
	SpqJoinMeanBox mean = mean_entry(entries, count);
	SpqJoinAreaTiles area;
	uint32	   *next = work->next;
	uint32		ntiles,
				across;

	spq_join_choose_sides((double) count / TILE_BOXES, TILE_COPIES, work->most, &mean, area.side);
	across = side[0] = area.side[0];
	side[1] = area.side[1];
	ntiles = across * area.side[1];
	memset(next, 0, (ntiles + 1) * sizeof(uint32));
	for (uint32 i = 0; i < count; i++)
	{
		SpqJoinTileRange t = spq_join_tile_range(&entries[i], &area);

		if (in_list(t, ntiles))
			next[ntiles]++;
		else
			for (uint32 y = t.y0; y <= t.y1; y++)
				for (uint32 x = t.x0; x <= t.x1; x++)
					next[y * across + x]++;
	}
	if (crowded(work, &area, entries, count))
		return false;
	*nblocks = 0;
	for (uint32 t = 0; t <= ntiles; t++)
		*nblocks += (next[t] + SPQ_JOIN_LANES - 1) / SPQ_JOIN_LANES;
	return true;
}

/*
 * Put the boxes of an area into its tiles, just after it was planned.  The caller
 * has set all fields of the area.
 */
void
spq_join_fill_area(SpqJoinTileWork *work, const SpqJoinEntry *entries, uint32 count,
				   SpqJoinAreaTiles *area)
{
	const uint32 across = area->side[0],
				ntiles = across * area->side[1];
	uint32	   *first = area->first,
			   *next = work->next,
				nblocks = 0;

	for (uint32 t = 0; t <= ntiles; t++)
	{
		uint32		n = next[t];

		first[t] = nblocks;
		next[t] = nblocks * SPQ_JOIN_LANES;
		nblocks += (n + SPQ_JOIN_LANES - 1) / SPQ_JOIN_LANES;
	}
	first[ntiles + 1] = nblocks;

	for (uint32 i = 0; i < count; i++)
	{
		const SpqJoinEntry *e = &entries[i];
		SpqJoinTileRange t = spq_join_tile_range(e, area);

		if (in_list(t, ntiles))
			set_lane(area->lanes, next[ntiles]++, e->low[0], e->low[1], e->high[0], e->high[1],
					 e->item);
		else
			for (uint32 y = t.y0; y <= t.y1; y++)
				for (uint32 x = t.x0; x <= t.x1; x++)
					set_lane(area->lanes, next[y * across + x]++,
							 x == t.x0 ? e->low[0] : SPQ_JOIN_BEFORE,
							 y == t.y0 ? e->low[1] : SPQ_JOIN_BEFORE,
							 e->high[0], e->high[1], e->item);
	}
	for (uint32 t = 0; t <= ntiles; t++)
		while (next[t] < first[t + 1] * SPQ_JOIN_LANES)
			set_lane(area->lanes, next[t]++, SPQ_JOIN_NO_LOW_END, SPQ_JOIN_NO_LOW_END, 0, 0, 0);
}

/* Return the mean side of this number of tiles of all areas; 0 if there is only one. */
double
spq_join_tile_size(const SpqJoinAreas *areas, uint64 ntiles)
{
	if (ntiles < 2)
		return 0;
	return sqrt(SPQ_JOIN_POSITIONS / areas->scale[0]) * sqrt(SPQ_JOIN_POSITIONS / areas->scale[1]) *
		sqrt((double) areas->side[0] * areas->side[1] / ntiles);
}

/* Copy the entries of an area into an array. */
static void
gather_entries(const SpqJoinAreaEntries *area, SpqJoinEntry *to)
{
	uint32		left = area->count;

	for (const SpqJoinEntryChunk *chunk = area->first; chunk != NULL; chunk = chunk->next)
	{
		uint32		n = Min(left, SPQ_JOIN_CHUNK_ENTRIES);

		memcpy(to, chunk->entry, n * sizeof(SpqJoinEntry));
		to += n;
		left -= n;
	}
}

/*
 * Fill all areas: those with boxes get slices of first[] and of lanes[], which has
 * room for max_blocks.  Return false if tiles do not suit these boxes.
 */
static bool
fill_areas(SpqJoinTiles *tiles, const SpqJoinEntries *entries, uint64 nentries,
		   SpqJoinTileWork *work, SpqJoinEntry *gathered, uint32 *first, SpqJoinLanes *lanes,
		   uint64 max_blocks)
{
	uint64		nblocks = 0,
				ntiles = 0;

	for (uint32 i = 0; i < tiles->nareas; i++)
	{
		SpqJoinAreaTiles *area = &tiles->area[i];
		uint32		count = entries->area[i].count;
		uint64		n;

		CHECK_FOR_INTERRUPTS();
		tiles->in_use[i] = count > 0;
		if (count == 0)
			continue;
		gather_entries(&entries->area[i], gathered);
		if (!spq_join_plan_area(work, gathered, count, area->side, &n) ||
			spq_join_too_crowded(work->squares, nentries) || n > max_blocks - nblocks)
			return false;
		area->first = first;
		area->lanes = lanes + nblocks;
		spq_join_fill_area(work, gathered, count, area);
		first += SPQ_JOIN_AREA_FIRSTS(area->side);
		nblocks += n;
		ntiles += area->side[0] * area->side[1];
	}
	tiles->bytes += nblocks * sizeof(SpqJoinLanes) + ntiles * sizeof(uint32);
	tiles->tile_size = spq_join_tile_size(&tiles->areas, ntiles);
	return true;
}

/*
 * Put items into tiles, within some memory.  Return false if tiles do not suit
 * them.  "entries" has none afterwards; if tiles do, its memory is for those of the
 * probes.
 */
bool
spq_join_tiles_build(SpqJoinTiles *tiles, MemoryContext context, const SpqJoinItem *items,
					 uint32 count, double tile_size, uint64 memory, SpqJoinEntries *entries)
{
	SpqJoinTileWork work;
	SpqJoinExtent extent;
	SpqJoinEntry *gathered;
	SpqJoinLanes *lanes;
	uint32	   *first;
	uint32		largest = 0;
	char	   *chunk;
	uint64		most,
				max_blocks,
				nentries = 0;
	bool		done;

	/* those of the last block of probes, which was joined with other tiles */
	spq_join_entries_clear(entries);
	memset(tiles, 0, sizeof(SpqJoinTiles));
	memory = Max(memory, 16384);
	memory = Min(memory, count * SPQ_JOIN_TILE_BYTES + 16384);
	most = memory / 2 / sizeof(SpqJoinEntryChunk);
	spq_join_find_extent(&extent, items, count);
	done = spq_join_fit_areas(&tiles->areas, &extent, count, items, count, tile_size);
	if (done)
	{
		tiles->nareas = tiles->areas.side[0] * tiles->areas.side[1];
		if (entries->fresh == NULL)
			spq_join_entries_reserve(entries, Min(most, count / SPQ_JOIN_CHUNK_ENTRIES * 1.3 +
												  tiles->nareas));
		done = spq_join_divide_build(&tiles->areas, items, count, most, entries);
	}
	if (!done)
	{
		spq_join_entries_free(entries);
		tiles->nareas = 0;
		return false;
	}
	for (uint32 i = 0; i < tiles->nareas; i++)
	{
		nentries += entries->area[i].count;
		largest = Max(largest, entries->area[i].count);
	}

	/* pages never written take no memory */
	tiles->bytes = entries->nchunks * sizeof(SpqJoinEntryChunk);
	gathered = spq_large_alloc(context, largest * sizeof(SpqJoinEntry));
	spq_join_tile_work_init(&work, &tiles->areas, tile_size, largest);
	max_blocks = Min((memory - tiles->bytes) / sizeof(SpqJoinLanes),
					 PG_INT32_MAX / SPQ_JOIN_LANES);
	chunk = spq_large_alloc(context, max_blocks * sizeof(SpqJoinLanes) + SPQ_LINE_SIZE);
	lanes = (SpqJoinLanes *) TYPEALIGN(SPQ_LINE_SIZE, chunk);
	first = spq_large_alloc(context, (nentries / TILE_BOXES + 4 * tiles->nareas) * sizeof(uint32));
	done = fill_areas(tiles, entries, nentries, &work, gathered, first, lanes, max_blocks);
	if (done)
		spq_join_entries_clear(entries);
	else
	{
		pfree(chunk);
		pfree(first);
		tiles->nareas = 0;
		spq_join_entries_free(entries);
	}
	spq_join_tile_work_free(&work);
	pfree(gathered);
	return done;
}
