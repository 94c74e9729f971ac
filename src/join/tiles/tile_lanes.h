/*-------------------------------------------------------------------------
 *
 * tile_lanes.h
 *	  The boxes of the build side as lanes of tiles, 16 compared at once.
 *
 * Each area (areas.h) has its own grid of tiles.  A box has a lane in each tile
 * that it meets:
 *
 *		area	+----+----+----+
 *				|	 |	 +-+-+ |	a box with two lanes; in the right one it
 *				|	 |	 | | | |	begins before the tile on the axis of x
 *				+----+---+-+-+-+
 *				|	 |	 +-+-+ |	and two more
 *				+----+----+----+
 *
 *		lane	  0	   1   2  ...	14	  15
 *		low x [	   |	|	|	 | 16386|16386]	  lanes without a box:
 *		low y [	   |	|	|	 | 16386|16386]	  no probe meets them
 *		high x[	   |	|	|	 |	  0	|	0 ]
 *		high y[	   |	|	|	 |	  0	|	0 ]
 *		item  [	   |	|	|	 |		|	  ]
 *
 * A low end before the tile is 0.  A pair counts in the tile that contains the
 * low corner of the intersection of its boxes: there, on each axis, at least one
 * of the two begins (the reference point of Dittrich and Seeger, 2000).
 *
 * A box in many tiles has one lane, in a list of the area, with which all probes
 * of the area are compared.
 *
 * Items stay where they are.  Tiles do not suit all sets of boxes: if they
 * would take too much memory, or some would be crowded, no tiles are made, and
 * the caller orders the items (directory.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_TILES_TILE_LANES_H
#define SPQ_JOIN_TILES_TILE_LANES_H

#include "box/lanes.h"
#include "join/tiles/areas.h"

#define SPQ_JOIN_LANES			16
#define SPQ_JOIN_NO_LOW_END		(SPQ_JOIN_POSITIONS + 2)

typedef struct SpqJoinLanes
{
	int16		low[2][SPQ_JOIN_LANES],
				high[2][SPQ_JOIN_LANES];
	uint32		item[SPQ_JOIN_LANES];
} SpqJoinLanes;

/*
 * The tiles of an area: the lanes of tile t are those of the blocks from
 * first[t] to first[t + 1] - 1, and the list follows the last tile.
 */
typedef struct SpqJoinAreaTiles
{
	uint32		side[2];		/* tiles along each axis */
	uint32	   *first;			/* SPQ_JOIN_AREA_FIRSTS numbers */
	SpqJoinLanes *lanes;		/* blocks */
} SpqJoinAreaTiles;

#define SPQ_JOIN_AREA_FIRSTS(side) ((side)[0] * (side)[1] + 2)

typedef struct SpqJoinTiles
{
	SpqJoinAreas areas;
	uint32		nareas;			/* 0: there are no tiles */
	bool		in_use[SPQ_JOIN_MAX_AREAS]; /* the area has boxes */
	SpqJoinAreaTiles area[SPQ_JOIN_MAX_AREAS];
	Size		bytes;			/* taken while they were filled */
	double		tile_size;		/* mean side of a tile; 0: at most one tile */
} SpqJoinTiles;

/* The work of filling areas, one after another. */
typedef struct SpqJoinTileWork
{
	double		most[2];		/* tiles of an area along each axis */
	uint32	   *next;			/* the boxes, then the next lane of each tile */
	uint32	   *small;			/* the small boxes of each tile */
	double		squares;		/* sum of their squares, where tiles are
								 * crowded */
} SpqJoinTileWork;

/* Bytes that a row of the build side may take for entries and lanes. */
#define SPQ_JOIN_TILE_BYTES		UINT64CONST(144)

extern void spq_join_tile_work_init(SpqJoinTileWork *work, const SpqJoinAreas *areas,
									double tile_size, uint32 largest);
extern void spq_join_tile_work_free(SpqJoinTileWork *work);
extern bool spq_join_plan_area(SpqJoinTileWork *work, const SpqJoinEntry *entries, uint32 count,
							   uint32 *side, uint64 *nblocks);
extern void spq_join_fill_area(SpqJoinTileWork *work, const SpqJoinEntry *entries, uint32 count,
							   SpqJoinAreaTiles *area);
extern bool spq_join_too_crowded(double squares, uint64 nentries);
extern double spq_join_tile_size(const SpqJoinAreas *areas, uint64 ntiles);
extern bool spq_join_tiles_build(SpqJoinTiles *tiles, MemoryContext context,
								 const SpqJoinItem *items, uint32 count, double tile_size,
								 uint64 memory, SpqJoinEntries *entries);

/* Return the tile of a low end, or of a high end, along one axis of an area. */
static pg_attribute_always_inline uint32
spq_join_low_tile(uint16 low, uint32 side)
{
	return low == SPQ_JOIN_BEFORE ? 0 : ((low - 1) * side) >> SPQ_JOIN_POSITION_BITS;
}

static pg_attribute_always_inline uint32
spq_join_high_tile(uint16 high, uint32 side)
{
	return high == SPQ_JOIN_BEHIND ? side - 1 : ((high - 1) * side) >> SPQ_JOIN_POSITION_BITS;
}

/* The tiles that an entry meets. */
typedef struct SpqJoinTileRange
{
	uint32		x0,
				y0,
				x1,
				y1;
} SpqJoinTileRange;

static pg_attribute_always_inline SpqJoinTileRange
spq_join_tile_range(const SpqJoinEntry *entry, const SpqJoinAreaTiles *area)
{
	SpqJoinTileRange range = {
		spq_join_low_tile(entry->low[0], area->side[0]),
		spq_join_low_tile(entry->low[1], area->side[1]),
		spq_join_high_tile(entry->high[0], area->side[0]),
		spq_join_high_tile(entry->high[1], area->side[1])
	};

	return range;
}

#endif							/* SPQ_JOIN_TILES_TILE_LANES_H */
