/*-------------------------------------------------------------------------
 *
 * areas.h
 *	  Divides space into areas, and boxes into entries: one for each area that
 *	  a box meets.
 *
 * An entry has 16 bytes, and says where the box begins and ends by positions
 * between the borders of its area:
 *
 *			0		 1	2  3	..	   16384		 16385
 *		 before |----------- of this area -----------|	 behind
 *
 * Positions are monotone: a <= b for two numbers implies the same for their
 * positions, and a greater position implies a greater number.  So if the
 * positions of two boxes are apart, the boxes are apart.  If all positions
 * that a comparison would read differ in the right direction, the boxes
 * certainly meet.
 *
 * Coordinates outside the grid have the first or the last position.  The grid
 * leaves a margin around the boxes that it was fitted to, so usually only other
 * boxes have these.
 *
 * Only for two dimensions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_TILES_AREAS_H
#define SPQ_JOIN_TILES_AREAS_H

#include "utils/palloc.h"

#include "join/boxes/item.h"

#define SPQ_JOIN_POSITION_BITS	14
#define SPQ_JOIN_POSITIONS		(1 << SPQ_JOIN_POSITION_BITS)	/* of an area */
#define SPQ_JOIN_BEFORE			0
#define SPQ_JOIN_BEHIND			(SPQ_JOIN_POSITIONS + 1)

#define SPQ_JOIN_MAX_AREAS		256

/* A probe in more areas than this has no entries: it is in a list. */
#define SPQ_JOIN_WIDE_AREAS		4

typedef struct SpqJoinEntry
{
	uint16		low[2],
				high[2];
	uint32		item;			/* index */
	uint32		unsure;			/* positions that say "they meet" may be wrong */
} SpqJoinEntry;

/* The ends of boxes, as halves, so that differences do not overflow. */
typedef struct SpqJoinExtent
{
	double		least[2],
				greatest[2];	/* of finite ends */
	bool		swapped;		/* some box has its corners swapped, or a NaN */
} SpqJoinExtent;

/* A division of space. */
typedef struct SpqJoinAreas
{
	uint32		side[2];		/* areas along each axis; 0: there are none */
	double		low[2],
				scale[2],		/* positions per unit */
				last[2];		/* the last position */
	bool		outside;		/* some build box has the first or the last
								 * position */
	bool		swapped;		/* some build box has its corners swapped, or
								 * a NaN */
} SpqJoinAreas;

/*
 * Items as entries.  Those of an area are in a list of chunks, all of them full
 * but the last, so that dividing items takes one pass.
 */
#define SPQ_JOIN_CHUNK_ENTRIES	127

typedef struct SpqJoinEntryChunk
{
	struct SpqJoinEntryChunk *next;
	uint64		unused;			/* so that entries are aligned to their size */
	SpqJoinEntry entry[SPQ_JOIN_CHUNK_ENTRIES];
} SpqJoinEntryChunk;

typedef struct SpqJoinAreaEntries
{
	SpqJoinEntry *next,			/* room in the last chunk */
			   *end;
	SpqJoinEntryChunk *first,
			   *last;
	uint32		count;
} SpqJoinAreaEntries;

typedef struct SpqJoinEntries
{
	MemoryContext context;
	SpqJoinAreaEntries area[SPQ_JOIN_MAX_AREAS];
	uint64		nchunks;		/* in use */
	SpqJoinEntryChunk *unused;	/* list of chunks that were in use before */
	SpqJoinEntryChunk *fresh;	/* chunks that never were */
	uint32		nfresh,
				piece;			/* chunks that were allocated last */
	uint32	   *wide;			/* items in many areas */
	uint32		nwide,
				wide_room;
	SpqJoinEntry *sorted;		/* room for those of an area in tile order */
	uint32		sorted_room;
	uint32	   *first_of_tile;	/* of these */
	uint32		tiles_room;
} SpqJoinEntries;

/* The areas of a box, from the first to the last, and its ends in these. */
typedef struct SpqJoinSpan
{
	uint32		from[2],
				to[2];
	uint16		low[2],
				high[2];
	bool		unsure;
} SpqJoinSpan;

/* What mean boxes are like, as shares of the place that is divided. */
typedef struct SpqJoinMeanBox
{
	double		side[2];
	double		area;
} SpqJoinMeanBox;

extern void spq_join_choose_sides(double cells, double most_copies, const double *most,
								  const SpqJoinMeanBox *mean, uint32 *side);
extern void spq_join_find_extent(SpqJoinExtent *extent, const SpqJoinItem *items, uint32 count);
extern void spq_join_add_extent(SpqJoinExtent *extent, const SpqJoinExtent *other);
extern bool spq_join_fit_areas(SpqJoinAreas *areas, const SpqJoinExtent *extent, uint64 count,
							   const SpqJoinItem *sample, uint32 nsampled, double tile_size);
extern void spq_join_entries_init(SpqJoinEntries *entries, MemoryContext context);
extern void spq_join_entries_reserve(SpqJoinEntries *entries, uint32 nchunks);
extern void spq_join_entries_free(SpqJoinEntries *entries);
extern void spq_join_entries_clear(SpqJoinEntries *entries);
extern bool spq_join_divide_build(SpqJoinAreas *areas, const SpqJoinItem *items, uint32 count,
								  uint64 most, SpqJoinEntries *entries);
extern void spq_join_count_entries(const SpqJoinAreas *areas, const SpqJoinItem *items,
								   uint32 count, uint32 *in_area);
extern void spq_join_place_entries(SpqJoinAreas *areas, const SpqJoinItem *items, uint32 count,
								   uint32 number, SpqJoinEntry **place);
extern void spq_join_divide_probes(const SpqJoinAreas *areas, const bool *in_use,
								   const SpqJoinItem *items, uint32 from, uint32 to,
								   double slack, SpqJoinEntries *entries);
extern bool spq_join_span(const SpqJoinAreas *areas, const SpqBox *box, double slack,
						  SpqJoinSpan *span);

/* Return the entry of a box in one of its areas. */
static pg_attribute_always_inline SpqJoinEntry
spq_join_entry_in(const SpqJoinSpan *span, uint32 item, uint32 x, uint32 y)
{
	SpqJoinEntry entry;

	entry.low[0] = x == span->from[0] ? span->low[0] : SPQ_JOIN_BEFORE;
	entry.low[1] = y == span->from[1] ? span->low[1] : SPQ_JOIN_BEFORE;
	entry.high[0] = x == span->to[0] ? span->high[0] : SPQ_JOIN_BEHIND;
	entry.high[1] = y == span->to[1] ? span->high[1] : SPQ_JOIN_BEHIND;
	entry.item = item;
	entry.unsure = span->unsure;
	return entry;
}

#endif							/* SPQ_JOIN_TILES_AREAS_H */
