/*-------------------------------------------------------------------------
 *
 * partition.h
 *	  Divides a build side that is too large for memory into parts of space,
 *	  and says which parts a probe may meet.
 *
 * A part is an interval of the cell order, so a box is in exactly one.  Where
 * intervals end is decided by a sample.  A probe goes to all parts whose
 * bounds it meets; the bounds are those of the boxes that are in the part.
 *
 *		keys	 0 ........ 17 | 18 .... 30 | 31 ..... 99 | 100 ... 2^31
 *		part		  0		   |	 1		|	   2	  |		 3
 *
 * In keyed joins the order is that of keys first, then of cells, and bounds have
 * a range of keys.
 *
 * Decisions only: who calls has the rows, and the files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_PARTITION_H
#define SPQ_JOIN_PARTITION_H

#include "common/pg_prng.h"

#include "join/directory.h"

#define SPQ_MOST_PARTS		32	/* of a division that makes files */
#define SPQ_MOST_RANGES		128 /* of any division */
#define SPQ_PART_SAMPLE		128

/* Where to divide. */
typedef struct SpqDivision
{
	SpqCellLattice lattice;
	int			nparts;
	bool		keyed;
	uint64		first_key[SPQ_MOST_RANGES]; /* ascending; the first is 0 */
} SpqDivision;

/* What encloses the rows of a part. */
typedef struct SpqPartBounds
{
	BOX			box;			/* NaN counts as infinity */
	uint32		low_key,
				high_key;
} SpqPartBounds;

/* What is known of a part without reading it. */
typedef struct SpqPart
{
	uint64		count;
	uint64		bytes;			/* that it will take in memory */
	SpqPartBounds bounds;
	uint32		nsampled;
	SpqJoinItem sample[SPQ_PART_SAMPLE];
} SpqPart;

/* Which parts a probe may meet. */
typedef struct SpqRouter
{
	Point		origin;
	double		slack;
	uint32		nparts;
	SpqBucket  *buckets;		/* bounds of 32 parts each */
	SpqBucketKeys *keys;		/* theirs; NULL if not keyed */
} SpqRouter;

extern bool spq_divide(SpqDivision *division, const SpqJoinItem *sample,
					   uint32 count, uint32 most, double cell_size, bool keyed);
extern int	spq_part_of(const SpqDivision *division, const SpqJoinItem *item);
extern void spq_part_clear(SpqPart *part);
extern void spq_part_add(SpqPart *part, const SpqJoinItem *item, uint64 bytes,
						 pg_prng_state *random);
extern uint32 spq_parts_that_fit(const uint64 *bytes, uint32 nparts,
								 uint64 limit);
extern void spq_make_router(SpqRouter *router, const SpqPartBounds *bounds,
							uint32 nparts, double slack, bool keyed);

/* The parts of 32 i to 32 i + 31 that a probe may meet, as bits. */
static inline uint32
spq_route_probe(const SpqRouter *router, uint32 i, const SpqJoinItem *probe)
{
	uint32		lanes = spq_bucket_meets(&router->buckets[i],
										 spq_bucket_box(&probe->box, router->slack,
														&router->origin));

	if (router->keys != NULL)
	{
		float		key = (float) spq_item_key(probe);
		SpqKeyRange range = {key, key};

		lanes &= spq_keys_meet(&router->keys[i], range);
	}
	return lanes;
}

#endif							/* SPQ_JOIN_PARTITION_H */
