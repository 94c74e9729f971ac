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

#include "join/boxes/tile_lanes.h"
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

#define MAX_BYTES		UINT64CONST(144)	/* for a box */

/* Memory for the lanes, while they are filled. */
typedef struct Filling
{
	SpqJoinTiles *tiles;
	uint32		nentries;		/* of all areas */
	SpqJoinEntry *entries;		/* of the area at work */
	uint32	   *next;			/* the next lane of each tile */
	uint32		ntiles,			/* in use in tiles->first */
				max_tiles;
	uint32		nblocks,		/* in use in tiles->lanes */
				max_blocks;
	double		squares;		/* sum of the squares of the small boxes of
								 * crowded tiles */
} Filling;

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
set_lane(SpqJoinTiles *tiles, uint32 lane, int16 low_x, int16 low_y, int16 high_x, int16 high_y,
		 uint32 item)
{
	SpqJoinLanes *block = &tiles->lanes[lane / SPQ_JOIN_LANES];

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
 * Return whether tiles are crowded: with boxes much smaller than a tile, of which a
 * probe there meets few.  counts[] has the boxes of each tile.
 */
static bool
crowded(Filling *filling, const SpqJoinAreaTiles *area, const SpqJoinEntry *entries, uint32 count,
		const uint32 *counts, uint32 *small)
{
	const uint32 ntiles = area->side[0] * area->side[1];
	uint32		most = 0;

	for (uint32 t = 0; t < ntiles; t++)
		most = Max(most, counts[t]);
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
		filling->squares += (double) small[t] * small[t];
	}
	return false;
}

/*
 * Put the boxes of an area into tiles.  Return false if there is no room, or a
 * tile has too many.
 */
static bool
fill_area(Filling *filling, SpqJoinAreaTiles *area, const SpqJoinEntry *entries, uint32 count,
		  const double *most)
{
	SpqJoinTiles *tiles = filling->tiles;
	SpqJoinMeanBox mean = mean_entry(entries, count);
	uint32	   *first,
			   *next = filling->next,
				ntiles,
				across;

	spq_join_choose_sides((double) count / TILE_BOXES, TILE_COPIES, most, &mean, area->side);
	across = area->side[0];
	ntiles = across * area->side[1];
	area->first_tile = filling->ntiles;
	if (filling->ntiles + ntiles + 2 > filling->max_tiles)
		return false;
	filling->ntiles += ntiles + 2;
	first = tiles->first + area->first_tile;

	memset(next, 0, (ntiles + 1) * sizeof(uint32));
	for (uint32 i = 0; i < count; i++)
	{
		SpqJoinTileRange t = spq_join_tile_range(&entries[i], area);

		if (in_list(t, ntiles))
			next[ntiles]++;
		else
			for (uint32 y = t.y0; y <= t.y1; y++)
				for (uint32 x = t.x0; x <= t.x1; x++)
					next[y * across + x]++;
	}
	if (crowded(filling, area, entries, count, next, first))
		return false;
	for (uint32 t = 0; t <= ntiles; t++)
	{
		uint32		n = next[t];

		first[t] = filling->nblocks;
		next[t] = filling->nblocks * SPQ_JOIN_LANES;
		filling->nblocks += (n + SPQ_JOIN_LANES - 1) / SPQ_JOIN_LANES;
		if (filling->nblocks > filling->max_blocks)
			return false;
	}
	first[ntiles + 1] = filling->nblocks;

	for (uint32 i = 0; i < count; i++)
	{
		const SpqJoinEntry *e = &entries[i];
		SpqJoinTileRange t = spq_join_tile_range(e, area);

		if (in_list(t, ntiles))
			set_lane(tiles, next[ntiles]++, e->low[0], e->low[1], e->high[0], e->high[1], e->item);
		else
			for (uint32 y = t.y0; y <= t.y1; y++)
				for (uint32 x = t.x0; x <= t.x1; x++)
					set_lane(tiles, next[y * across + x]++,
							 x == t.x0 ? e->low[0] : SPQ_JOIN_BEFORE,
							 y == t.y0 ? e->low[1] : SPQ_JOIN_BEFORE,
							 e->high[0], e->high[1], e->item);
	}
	for (uint32 t = 0; t <= ntiles; t++)
		while (next[t] < first[t + 1] * SPQ_JOIN_LANES)
			set_lane(tiles, next[t]++, SPQ_JOIN_NO_LOW_END, SPQ_JOIN_NO_LOW_END, 0, 0, 0);
	return true;
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

/* Fill all areas.  Return false if tiles do not suit these boxes. */
static bool
fill_areas(Filling *filling, const SpqJoinEntries *entries, double tile_size)
{
	SpqJoinTiles *tiles = filling->tiles;
	double		most[2];

	for (int axis = 0; axis < 2; axis++)
	{
		most[axis] = MAX_SIDE;
		if (tile_size > 0)
			most[axis] = Min(floor(SPQ_JOIN_POSITIONS / tiles->areas.scale[axis] / tile_size),
							 MAX_SIDE);
	}
	for (uint32 i = 0; i < tiles->nareas; i++)
	{
		uint32		count = entries->area[i].count;

		CHECK_FOR_INTERRUPTS();
		tiles->in_use[i] = count > 0;
		if (count == 0)
			continue;
		gather_entries(&entries->area[i], filling->entries);
		if (!fill_area(filling, &tiles->area[i], filling->entries, count, most))
			return false;
		if (filling->squares / CROWDED > filling->nentries)
			return false;
	}
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
	MemoryContext work = AllocSetContextCreate(context, "spatial join tiles",
											   ALLOCSET_DEFAULT_SIZES);
	Filling		filling = {.tiles = tiles};
	uint32		largest = 0;
	char	   *chunk;
	uint64		most,
				taken;
	bool		done;

	/* those of the last block of probes, which was joined with other tiles */
	spq_join_entries_clear(entries);
	memset(tiles, 0, sizeof(SpqJoinTiles));
	memory = Max(memory, 16384);
	memory = Min(memory, count * MAX_BYTES + 16384);
	most = memory / 2 / sizeof(SpqJoinEntryChunk);
	done = spq_join_fit_areas(&tiles->areas, items, count, tile_size);
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
		MemoryContextDelete(work);
		tiles->nareas = 0;
		return false;
	}
	for (uint32 i = 0; i < tiles->nareas; i++)
	{
		filling.nentries += entries->area[i].count;
		largest = Max(largest, entries->area[i].count);
	}

	/* pages never written take no memory */
	taken = entries->nchunks * sizeof(SpqJoinEntryChunk);
	filling.entries = spq_large_alloc(work, largest * sizeof(SpqJoinEntry));
	filling.max_tiles = filling.nentries / TILE_BOXES + 4 * tiles->nareas;
	filling.max_blocks = Min((memory - taken) / sizeof(SpqJoinLanes), PG_INT32_MAX / SPQ_JOIN_LANES);
	chunk = spq_large_alloc(context, filling.max_blocks * sizeof(SpqJoinLanes) + SPQ_LINE_SIZE);
	tiles->lanes = (SpqJoinLanes *) TYPEALIGN(SPQ_LINE_SIZE, chunk);
	tiles->first = spq_large_alloc(context, filling.max_tiles * sizeof(uint32));
	filling.next = spq_large_alloc(work, filling.max_tiles * sizeof(uint32));
	done = fill_areas(&filling, entries, tile_size);
	if (done)
	{
		tiles->bytes = taken + filling.nblocks * sizeof(SpqJoinLanes) +
			filling.ntiles * sizeof(uint32);
		spq_join_entries_clear(entries);
		if (filling.ntiles > 3)
			tiles->tile_size = sqrt(SPQ_JOIN_POSITIONS / tiles->areas.scale[0]) *
				sqrt(SPQ_JOIN_POSITIONS / tiles->areas.scale[1]) *
				sqrt((double) tiles->nareas / (filling.ntiles - 2 * tiles->nareas));
	}
	else
	{
		pfree(chunk);
		pfree(tiles->first);
		tiles->nareas = 0;
		spq_join_entries_free(entries);
	}
	MemoryContextDelete(work);
	return done;
}
