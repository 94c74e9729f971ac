/*-------------------------------------------------------------------------
 *
 * waiting.c
 *	  Boxes that a search has collected, sorted by squares of distances.  See
 *	  waiting.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "nearest_join/waiting.h"

#define ST_SORT sort_all
#define ST_ELEMENT_TYPE SpqNearestWaitingBox
#define ST_COMPARE(a, b) ((a)->square < (b)->square ? -1 : (a)->square > (b)->square)
#define ST_CHECK_FOR_INTERRUPTS
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/* Up to this many are sorted by insertion. */
#define FEW_WAITING	8

/* Buckets of squares, and the most boxes of one of them that insertion sorts. */
#define MOST_BUCKETS	128
#define FULL_BUCKET		32

/* Below this limit, the margin for rounding is not small beside a bucket. */
#define LEAST_LIMIT		1e-290

/* Sort boxes that are almost in the order of their squares. */
static inline void
sort_few(SpqNearestWaitingBox *waiting, uint32 count)
{
	for (uint32 i = 1; i < count; i++)
	{
		SpqNearestWaitingBox moving = waiting[i];
		uint32		place = i;

		for (; place > 0 && waiting[place - 1].square > moving.square; place--)
			waiting[place] = waiting[place - 1];
		waiting[place] = moving;
	}
}

/*
 * Sort the boxes that wait by their squares, which are at most "limit", into "sorted".
 * Leave out boxes that at least k are nearer than, also with the margin for rounding.
 * Return how many are left, or 0 if too many squares are about the same.
 *
 * Squares are spread about evenly in the plane.  So there are few in each bucket, and
 * those within the bucket of the k-th one and the next are all that are needed.
 */
static uint32
sort_by_buckets(const SpqNearestWaitingBox *waiting, uint32 count, float8 limit, uint32 k, SpqNearestWaitingBox *sorted)
{
	uint32		starts[MOST_BUCKETS + 2] = {0},
				nbuckets = count < MOST_BUCKETS ? MOST_BUCKETS / 4 : MOST_BUCKETS,
				end = 0,
				before = 0;
	float8		scale = nbuckets / limit * (1 - 4 * DBL_EPSILON);

	for (uint32 i = 0; i < count; i++)
	{
		Assert(waiting[i].square <= limit);
		starts[(int32) (waiting[i].square * scale)]++;
	}
	for (; end < nbuckets && before < k; end++)
	{
		uint32		here = starts[end];

		if (here > FULL_BUCKET)
			return 0;
		starts[end] = before;
		before += here;
	}
	if (end < nbuckets)
	{
		uint32		here = starts[end];

		if (here > FULL_BUCKET)
			return 0;
		starts[end++] = before;
		before += here;
	}
	for (uint32 i = 0; i < count; i++)
	{
		int32		bucket = (int32) (waiting[i].square * scale);

		if (bucket < (int32) end)
			sorted[starts[bucket]++] = waiting[i];
	}
	sort_few(sorted, before);
	return before;
}

void
spq_nearest_sort_waiting(SpqNearestWaiting *waiting, float8 limit, uint32 k)
{
	if (waiting->count <= FEW_WAITING)
	{
		sort_few(waiting->boxes, waiting->count);
		return;
	}
	if (limit > LEAST_LIMIT && limit < get_float8_infinity())
	{
		uint32		count = sort_by_buckets(waiting->boxes, waiting->count, limit, k, waiting->spare);

		if (count > 0)
		{
			SpqNearestWaitingBox *sorted = waiting->spare;

			waiting->spare = waiting->boxes;
			waiting->boxes = sorted;
			waiting->count = count;
			return;
		}
	}
	sort_all(waiting->boxes, waiting->count);
}

void
spq_nearest_waiting_begin(SpqNearestWaiting *waiting, MemoryContext context, uint32 most)
{
	waiting->boxes = MemoryContextAllocHuge(context, most * sizeof(SpqNearestWaitingBox));
	waiting->spare = MemoryContextAllocHuge(context, most * sizeof(SpqNearestWaitingBox));
	waiting->count = 0;
	waiting->most = most;
}

void
spq_nearest_waiting_end(SpqNearestWaiting *waiting)
{
	pfree(waiting->boxes);
	pfree(waiting->spare);
}
