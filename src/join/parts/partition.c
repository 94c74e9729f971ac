/*-------------------------------------------------------------------------
 *
 * partition.c
 *	  Parts of a build side that is too large for memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/parts/partition.h"

void
spq_join_part_clear(SpqJoinPart *part)
{
	const double infinity = get_float8_infinity();

	part->count = part->bytes = 0;
	part->nsampled = 0;
	spq_each_axis(axis)
	{
		part->bounds.low[axis] = infinity;
		part->bounds.high[axis] = -infinity;
	}
	part->bounds.low_key = PG_UINT32_MAX;
	part->bounds.high_key = 0;
}

static inline void
extend(double *low, double *high, double box_low, double box_high)
{
	const double infinity = get_float8_infinity();

	box_low = isnan(box_low) ? infinity : box_low;
	box_high = isnan(box_high) ? infinity : box_high;
	*low = Min(*low, box_low);
	*high = Max(*high, box_high);
}

/*
 * Count a row that was put into a part.  Every row has the same probability of
 * being in the sample (reservoir sampling: Vitter 1985, algorithm R).
 */
void
spq_join_part_add(SpqJoinPart *part, const SpqJoinItem *item, uint64 bytes,
				  pg_prng_state *random)
{
	SpqJoinPartBounds *bounds = &part->bounds;
	uint32		hash = spq_join_item_hash(item);

	spq_each_axis(axis)
		extend(&bounds->low[axis], &bounds->high[axis],
			   spq_box_low(&item->box)[axis], spq_box_high(&item->box)[axis]);
	bounds->low_key = Min(bounds->low_key, hash);
	bounds->high_key = Max(bounds->high_key, hash);
	part->bytes += bytes;
	part->count++;
	if (part->nsampled < SPQ_JOIN_PART_SAMPLE)
		part->sample[part->nsampled++] = *item;
	else
	{
		uint64		place = pg_prng_uint64_range(random, 0, part->count - 1);

		if (place < SPQ_JOIN_PART_SAMPLE)
			part->sample[place] = *item;
	}
}

/*
 * Return the number of parts, from the first on, that fit into memory
 * together; at least 1.
 */
uint32
spq_join_parts_that_fit(const uint64 *bytes, uint32 nparts, uint64 limit)
{
	uint64		sum = 0;
	uint32		n = 0;

	while (n < nparts && (n == 0 || sum + bytes[n] <= limit))
		sum += bytes[n++];
	return n;
}

/* Make a router for parts with these bounds, in the current memory context. */
void
spq_join_make_router(SpqJoinRouter *router, const SpqJoinPartBounds *bounds, uint32 nparts,
					 double slack, bool hashed)
{
	uint32		nbuckets = SPQ_JOIN_BUCKETS_ABOVE(nparts);

	router->slack = slack;
	router->nparts = nparts;
	memset(&router->origin, 0, sizeof(SpqJoinOrigin));
	for (uint32 i = 0; i < nparts; i++)
	{
		bool		finite = true;

		spq_each_axis(axis)
			finite &= fabs(bounds[i].low[axis]) <= DBL_MAX;
		if (finite)
		{
			memcpy(&router->origin, bounds[i].low, sizeof(SpqJoinOrigin));
			break;
		}
	}
	router->parts = palloc(nparts * sizeof(SpqJoinBucketBox));
	router->buckets = palloc(nbuckets * sizeof(SpqJoinBucket));
	router->bounds = palloc(nbuckets * sizeof(SpqJoinBucketBox));
	router->keys = hashed ? palloc(nbuckets * sizeof(SpqJoinBucketHashes)) : NULL;
	for (uint32 i = 0; i < nparts; i++)
	{
		SpqBoxCorners corners = {bounds[i].high, bounds[i].low};

		router->parts[i] = spq_join_bucket_corners(corners, 0, &router->origin);
	}
	for (uint32 i = 0; i < nbuckets; i++)
	{
		uint32		first = i * SPQ_JOIN_BUCKET_LANES,
					count = Min(nparts - first, SPQ_JOIN_BUCKET_LANES);

		router->bounds[i] = spq_join_bucket_fill(&router->buckets[i], router->parts + first,
												 count);
		if (!hashed)
			continue;
		spq_join_hashes_clear(&router->keys[i]);
		for (uint32 lane = 0; lane < count; lane++)
		{
			router->keys[i].low[lane] = (float) bounds[first + lane].low_key;
			router->keys[i].high[lane] = (float) bounds[first + lane].high_key;
		}
	}
}
