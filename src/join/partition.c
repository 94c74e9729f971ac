/*-------------------------------------------------------------------------
 *
 * partition.c
 *	  Divides a build side that is too large for memory into parts of space.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/partition.h"

static int
compare_keys(const void *a, const void *b)
{
	uint32		x = *(const uint32 *) a,
				y = *(const uint32 *) b;

	return x < y ? -1 : x > y ? 1 : 0;
}

/*
 * Chooses a division into "most" parts, 2 to SPQ_MOST_PARTS, of about the same
 * number of rows, or fewer, as far as the sample tells.  False if the sample has but one cell: then dividing
 * would not help.  If true, at least two parts have a row of the sample.
 */
bool
spq_divide(SpqDivision *division, const SpqJoinItem *sample, uint32 count,
		   uint32 most, double cell_size)
{
	uint32	   *keys;

	if (count < 2)
		return false;
	division->lattice = spq_fit_lattice(sample, count, cell_size);
	keys = palloc(count * sizeof(uint32));
	for (uint32 i = 0; i < count; i++)
		keys[i] = spq_cell_key(&division->lattice, &sample[i].box);
	qsort(keys, count, sizeof(uint32), compare_keys);

	division->first_key[0] = 0;
	division->nparts = 1;
	for (uint32 i = 1; i < most; i++)
	{
		uint32		key = keys[(uint64) i * count / most];

		/* more than the least, so that the part before has a row, too */
		if (key > division->first_key[division->nparts - 1] && key > keys[0])
			division->first_key[division->nparts++] = key;
	}
	/* the one cell that most are in may be the first: then what follows it */
	if (division->nparts == 1 && keys[count - 1] > keys[0])
		division->first_key[division->nparts++] = keys[count - 1];
	pfree(keys);
	return division->nparts > 1;
}

int
spq_part_of(const SpqDivision *division, const BOX *box)
{
	uint32		key = spq_cell_key(&division->lattice, box);
	int			low = 0,
				high = division->nparts;

	/* first_key[low] <= key < first_key[high] */
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;

		if (division->first_key[middle] <= key)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void
spq_part_clear(SpqPart *part)
{
	const double infinity = get_float8_infinity();

	part->count = part->bytes = 0;
	part->nsampled = 0;
	part->bounds.low.x = part->bounds.low.y = infinity;
	part->bounds.high.x = part->bounds.high.y = -infinity;
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
 * Counts a row that was put into a part.  The sample is every row with the
 * same chance (reservoir sampling: Vitter 1985, algorithm R).
 */
void
spq_part_add(SpqPart *part, const SpqJoinItem *item, uint64 bytes,
			 pg_prng_state *random)
{
	const BOX  *box = &item->box;

	extend(&part->bounds.low.x, &part->bounds.high.x, box->low.x, box->high.x);
	extend(&part->bounds.low.y, &part->bounds.high.y, box->low.y, box->high.y);
	part->bytes += bytes;
	part->count++;
	if (part->nsampled < SPQ_PART_SAMPLE)
		part->sample[part->nsampled++] = *item;
	else
	{
		uint64		place = pg_prng_uint64_range(random, 0, part->count - 1);

		if (place < SPQ_PART_SAMPLE)
			part->sample[place] = *item;
	}
}

/* How many parts, from the first on, fit into memory together?  At least one. */
uint32
spq_parts_that_fit(const uint64 *bytes, uint32 nparts, uint64 limit)
{
	uint64		sum = 0;
	uint32		n = 0;

	while (n < nparts && (n == 0 || sum + bytes[n] <= limit))
		sum += bytes[n++];
	return n;
}

/* Makes a router for parts with these bounds, in the current memory context. */
void
spq_make_router(SpqRouter *router, const BOX *bounds, uint32 nparts, double slack)
{
	uint32		nbuckets = (nparts + SPQ_BUCKET_LANES - 1) / SPQ_BUCKET_LANES;

	router->slack = slack;
	router->nparts = nparts;
	router->origin.x = router->origin.y = 0;
	for (uint32 i = 0; i < nparts; i++)
	{
		if (fabs(bounds[i].low.x) <= DBL_MAX && fabs(bounds[i].low.y) <= DBL_MAX)
		{
			router->origin = bounds[i].low;
			break;
		}
	}
	router->buckets = palloc(nbuckets * sizeof(SpqBucket));
	for (uint32 i = 0; i < nbuckets; i++)
		spq_bucket_clear(&router->buckets[i]);
	for (uint32 i = 0; i < nparts; i++)
		spq_bucket_set(&router->buckets[i / SPQ_BUCKET_LANES],
					   i % SPQ_BUCKET_LANES,
					   spq_bucket_box(&bounds[i], 0, &router->origin));
}
