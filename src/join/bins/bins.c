/*-------------------------------------------------------------------------
 *
 * bins.c
 *	  Bins of a build side that is too large for memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/bins/bins.h"

void
spq_join_bin_clear(SpqJoinBin *bin)
{
	const double infinity = get_float8_infinity();

	bin->count = bin->bytes = 0;
	bin->nsampled = 0;
	spq_each_axis(axis)
	{
		bin->bounds.low[axis] = infinity;
		bin->bounds.high[axis] = -infinity;
	}
	bin->bounds.low_key = PG_UINT32_MAX;
	bin->bounds.high_key = 0;
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
 * Count a row that was put into a bin.  Every row has the same probability of
 * being in the sample (reservoir sampling: Vitter 1985, algorithm R).
 */
void
spq_join_bin_add(SpqJoinBin *bin, const SpqJoinItem *item, uint64 bytes,
				 pg_prng_state *random)
{
	SpqJoinBinBounds *bounds = &bin->bounds;
	uint32		hash = spq_join_item_hash(item);

	spq_each_axis(axis)
		extend(&bounds->low[axis], &bounds->high[axis],
			   spq_box_low(&item->box)[axis], spq_box_high(&item->box)[axis]);
	bounds->low_key = Min(bounds->low_key, hash);
	bounds->high_key = Max(bounds->high_key, hash);
	bin->bytes += bytes;
	bin->count++;
	if (bin->nsampled < SPQ_JOIN_BIN_SAMPLE)
		bin->sample[bin->nsampled++] = *item;
	else
	{
		uint64		place = pg_prng_uint64_range(random, 0, bin->count - 1);

		if (place < SPQ_JOIN_BIN_SAMPLE)
			bin->sample[place] = *item;
	}
}

/*
 * Return the number of bins, from the first on, that fit into memory
 * together; at least 1.
 */
uint32
spq_join_bins_that_fit(const uint64 *bytes, uint32 nbins, uint64 limit)
{
	uint64		sum = 0;
	uint32		n = 0;

	while (n < nbins && (n == 0 || sum + bytes[n] <= limit))
		sum += bytes[n++];
	return n;
}

/* Make a router for bins with these bounds, in the current memory context. */
void
spq_join_make_router(SpqJoinRouter *router, const SpqJoinBinBounds *bounds, uint32 nbins,
					 double slack, bool hashed)
{
	uint32		nbuckets = SPQ_JOIN_BUCKETS_ABOVE(nbins);

	router->slack = slack;
	router->nbins = nbins;
	memset(&router->origin, 0, sizeof(SpqJoinOrigin));
	for (uint32 i = 0; i < nbins; i++)
	{
		bool		finite = true;

		spq_each_axis(axis)
			finite &= fabs(bounds[i].low[axis]) <= DBL_MAX;
		if (finite)
		{
			memcpy(router->origin.at, bounds[i].low, sizeof(router->origin.at));
			break;
		}
	}
	router->bins = palloc(nbins * sizeof(SpqJoinBucketBox));
	router->buckets = palloc(nbuckets * sizeof(SpqJoinBucket));
	router->bounds = palloc(nbuckets * sizeof(SpqJoinBucketBox));
	router->keys = hashed ? palloc(nbuckets * sizeof(SpqJoinBucketHashes)) : NULL;
	for (uint32 i = 0; i < nbins; i++)
	{
		SpqBoxCorners corners = {bounds[i].high, bounds[i].low};

		router->bins[i] = spq_join_bucket_corners(corners, 0, &router->origin);
	}
	for (uint32 i = 0; i < nbuckets; i++)
	{
		uint32		first = i * SPQ_JOIN_BUCKET_LANES,
					count = Min(nbins - first, SPQ_JOIN_BUCKET_LANES);

		router->bounds[i] = spq_join_bucket_fill(&router->buckets[i], router->bins + first,
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
