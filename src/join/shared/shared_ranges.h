/*-------------------------------------------------------------------------
 *
 * shared_ranges.h
 *	  How several participants sort one array: by ranges of the tile order.
 *
 * Each has rows, in no order.  A sample of them divides the order into ranges
 * (partition.h).  The numbers of rows that each participant has in each range say
 * where in the array a range begins, and where in it the rows of a participant:
 *
 *		range			  0				  1			 2
 *					+-----------+---------------+---------+
 *		array		| 0 | 1 | 2 |  0  | 1 |  2  | 0 |1| 2 |		 participants
 *					+-----------+---------------+---------+
 *
 * so all can write their rows at the same time.  After that each range is sorted
 * and cut into buckets by itself.  No bucket belongs to two ranges; the last one
 * of a range may have few items.
 *
 * Nothing here depends on memory being shared.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_SHARED_SHARED_RANGES_H
#define SPQ_JOIN_SHARED_SHARED_RANGES_H

#include "join/boxes/partition.h"

#define SPQ_SHARED_SAMPLE	512 /* rows of each participant */
#define SPQ_SHARED_RANGE_ROWS	8192	/* fewer are not worth a range */

/* Memory for sorting a range, reused for the next one. */
typedef struct SpqSharedSortSpace
{
	uint32		capacity;
	SpqJoinItem *spare;
	SpqJoinTileCode *keys;
	SpqJoinTileCode *workspace;
	uint32	   *first;			/* of the buckets, from the range's start */
} SpqSharedSortSpace;

extern uint32 spq_shared_take_sample(const SpqJoinItem *items, uint32 count,
									 SpqJoinItem *sample);
extern void spq_shared_divide(SpqJoinDivision *division, SpqJoinItem *sample,
							  uint32 nsampled, uint64 rows, double tile_size,
							  bool hashed, SpqJoinOrigin *origin);
extern void spq_shared_count_ranges(const SpqJoinDivision *division, const SpqJoinItem *items,
									uint32 count, uint8 *range_of, uint32 *in_range);
extern void spq_shared_find_places(const uint32 *in_range, Size stride, int nparticipants,
								   int nranges, int participant, uint32 *place);
extern void spq_shared_scatter(const SpqJoinItem *items, uint32 count,
							   const uint8 *range_of, uint32 *place, SpqJoinItem *array);
extern uint32 spq_shared_sort_range(SpqJoinItem *items, uint32 count, double tile_size,
									bool hashed, SpqSharedSortSpace *space,
									SpqJoinLattice *lattice, int *size_classes);

/* Return the largest number of buckets that "count" rows in "nranges" ranges can take. */
static inline uint32
spq_shared_max_buckets(uint32 count, uint32 nranges)
{
	return count / SPQ_JOIN_MIN_FILL + nranges;
}

#endif							/* SPQ_JOIN_SHARED_SHARED_RANGES_H */
