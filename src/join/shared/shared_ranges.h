/*-------------------------------------------------------------------------
 *
 * shared_ranges.h
 *	  Sorts one array with several participants: by ranges of the tile order.
 *
 * Each participant has rows in no particular order.  A sample of all rows
 * divides the tile order into ranges, intervals of its codes.  The numbers of rows that
 * each participant has in each range determine where a range begins in the
 * array, and where in the range the rows of a participant go:
 *
 *		range			  0				  1			 2
 *					+-----------+---------------+---------+
 *		array		| 0 | 1 | 2 |  0  | 1 |  2  | 0 |1| 2 |		 participants
 *					+-----------+---------------+---------+
 *
 * So all can write their rows at the same time.  After that, each range is
 * sorted and cut into buckets separately.  No bucket belongs to two ranges,
 * and the last bucket of a range may have few items.
 *
 * This code does not depend on shared memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_SHARED_SHARED_RANGES_H
#define SPQ_JOIN_SHARED_SHARED_RANGES_H

#include "join/boxes/directory.h"

#define SPQ_SHARED_SAMPLE	512 /* rows from each participant */
#define SPQ_SHARED_RANGE_ROWS	8192	/* fewer do not pay off */

#define SPQ_SHARED_MAX_RANGES	128

/*
 * Where ranges begin in the tile order.  In hashed joins rows are ordered by hash,
 * then by tile.
 */
typedef struct SpqSharedDivision
{
	SpqJoinGrid grid;
	int			nranges;
	bool		hashed;
	uint64		first_code[SPQ_SHARED_MAX_RANGES];	/* ascending; the first is
													 * 0 */
} SpqSharedDivision;

/* Memory for sorting a range, reused for the next one. */
typedef struct SpqSharedSortSpace
{
	uint32		capacity;
	SpqJoinItem *spare;
	SpqJoinTileCode *keys;
	SpqJoinTileCode *workspace;
	uint32	   *first;			/* first item of each bucket, from the range's
								 * start */
} SpqSharedSortSpace;

extern uint32 spq_shared_take_sample(const SpqJoinItem *items, uint32 count,
									 SpqJoinItem *sample);
extern bool spq_shared_choose_ranges(SpqSharedDivision *division, const SpqJoinItem *sample,
									 uint32 count, uint32 most, double tile_size, bool hashed);
extern int	spq_shared_range_of(const SpqSharedDivision *division, const SpqJoinItem *item);
extern void spq_shared_divide(SpqSharedDivision *division, SpqJoinItem *sample,
							  uint32 nsampled, uint64 rows, double tile_size,
							  bool hashed, bool lines, SpqJoinOrigin *origin);
extern void spq_shared_count_ranges(const SpqSharedDivision *division, const SpqJoinItem *items,
									uint32 count, uint8 *range_of, uint32 *in_range);
extern void spq_shared_find_places(const uint32 *in_range, Size stride, int nparticipants,
								   int nranges, int participant, uint32 *place);
extern void spq_shared_scatter(const SpqJoinItem *items, uint32 count,
							   const uint8 *range_of, uint32 *place, SpqJoinItem *array);
extern uint32 spq_shared_sort_range(SpqJoinItem *items, uint32 count, double tile_size,
									bool hashed, SpqSharedSortSpace *space,
									SpqJoinGrid *grid, int *size_classes);

/*
 * Return the largest number of buckets that these rows in these ranges can
 * fill.
 */
static inline uint32
spq_shared_max_buckets(uint32 count, uint32 nranges)
{
	return count / SPQ_JOIN_MIN_FILL + nranges;
}

#endif							/* SPQ_JOIN_SHARED_SHARED_RANGES_H */
