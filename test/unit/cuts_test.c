/*-------------------------------------------------------------------------
 *
 * cuts_test.c
 *	  Bins by cuts of space: join/bins/cuts.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <float.h>
#include <math.h>

#include "box/relation.h"
#include "join/bins/bins.h"
#include "joined.h"
#include "stubs.h"

static bool
are_alike(const SpqJoinItem *a, const SpqJoinItem *b, bool hashed)
{
	if (hashed && spq_join_item_hash(a) != spq_join_item_hash(b))
		return false;
	for (int axis = 0; axis < 2 * SPQ_DIM; axis++)
		if (((const float8 *) &a->box)[axis] != ((const float8 *) &b->box)[axis])
			return false;
	return true;
}

static void
test_cuts(void)
{
	long		cut = 0,
				uncut = 0;

	for (int i = 0; i < 4000; i++)
	{
		uint32		count = random_int(0, 3) ? random_int(0, 300) : random_int(0, 5);
		SpqJoinItem *items = malloc(count * sizeof(SpqJoinItem));
		int			most = random_int(1, SPQ_JOIN_MAX_BINS);
		bool		hashed = random_int(0, 1),
					done;
		SpqJoinCuts cuts;
		uint32		in_bin[SPQ_JOIN_MAX_BINS] = {0};

		make_hard_items(items, count);
		if (hashed)
			make_hashes(items, count);
		done = spq_join_choose_cuts(&cuts, items, count, most, hashed);
		check(cuts.nbins >= 1 && cuts.nbins <= most, "%d bins of %d", cuts.nbins, most);
		check(done == (cuts.nbins > 1), "%d bins", cuts.nbins);
		for (uint32 j = 0; j < count; j++)
		{
			int			bin = spq_join_bin_of(&cuts, &items[j]);

			check(bin >= 0 && bin < cuts.nbins, "%d", bin);
			in_bin[bin]++;
		}
		for (int bin = 0; bin < cuts.nbins; bin++)
			check(in_bin[bin] > 0 || count == 0, "%u rows, %d bins, none in %d", count, cuts.nbins, bin);
		/* boxes outside of the sample belong to a bin, too */
		for (int j = 0; j < 20; j++)
		{
			SpqJoinItem item = {.box = odd_box()};
			int			bin = spq_join_bin_of(&cuts, &item);

			check(bin >= 0 && bin < cuts.nbins, "%d", bin);
		}
		if (done)
			cut++;
		else if (most > 1)
		{
			/*
			 * boxes with the same center and size, such as infinite ones,
			 * need not be the same
			 */
			uncut++;
			for (uint32 j = 1; j < count; j++)
				for (int axis = 0; axis < SPQ_DIM && !are_alike(&items[0], &items[j], hashed); axis++)
				{
					double		c0 = low(&items[0].box)[axis] / 2 + high(&items[0].box)[axis] / 2,
								c = low(&items[j].box)[axis] / 2 + high(&items[j].box)[axis] / 2;

					check(c == c0 || !isfinite(c) || !isfinite(c0), "%g and %g could be cut", c0, c);
					check(!hashed || spq_join_item_hash(&items[j]) == spq_join_item_hash(&items[0]), "hashes could be cut");
				}
		}
		free(items);
	}
	check(cut > 100 && uncut > 100, "%ld %ld", cut, uncut);
	check(stub_chunks == 0, "%ld chunks of memory are left", stub_chunks);
	finish_test("cuts put each box into one bin, and rows of the sample into each");
}

/* Return the mean number of bins whose bounds an item meets. */
static double
copies(const SpqJoinCuts *cuts, const SpqJoinItem *items, int count, bool hashed, int *largest)
{
	static SpqJoinBin bins[SPQ_JOIN_MAX_BINS];
	SpqJoinBinBounds bounds[SPQ_JOIN_MAX_BINS];
	SpqJoinRouter router;
	pg_prng_state random;
	long		met = 0;

	pg_prng_seed(&random, seed);
	*largest = 0;
	for (int bin = 0; bin < cuts->nbins; bin++)
		spq_join_bin_clear(&bins[bin]);
	for (int i = 0; i < count; i++)
		spq_join_bin_add(&bins[spq_join_bin_of(cuts, &items[i])], &items[i], 1, &random);
	for (int bin = 0; bin < cuts->nbins; bin++)
	{
		bounds[bin] = bins[bin].bounds;
		*largest = Max(*largest, (int) bins[bin].count);
	}
	spq_join_make_router(&router, bounds, cuts->nbins, spq_box_slack(SPQ_BOX_OVERLAPS, 0), hashed);
	for (int i = 0; i < count; i++)
		met += __builtin_popcount(spq_join_route_probe(&router, 0, &items[i]));
	pfree(router.bins);
	pfree(router.buckets);
	pfree(router.bounds);
	if (hashed)
		pfree(router.keys);
	return (double) met / count;
}

static void
test_copies(void)
{
	for (int i = 0; i < 10; i++)
	{
		static SpqJoinItem items[3200];
		const int	count = lengthof(items);
		SpqJoinCuts cuts;
		int			largest;
		double		found;

		/* evenly spread small boxes: nearly no copies, and even bins */
		for (int j = 0; j < count; j++)
			items[j].box = box_at(drand48(), drand48(), drand48(), 0.001 * drand48(), 0.001, 0.001);
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_BINS, false), "not cut");
		check(cuts.nbins == SPQ_JOIN_MAX_BINS, "%d bins", cuts.nbins);
		found = copies(&cuts, items, count, false, &largest);
		check(found < 1.1, "%f copies", found);
		check(largest <= count / SPQ_JOIN_MAX_BINS + 10, "a bin has %d rows", largest);

		/* clusters */
		for (int j = 0; j < count; j++)
			items[j].box = box_at(random_int(0, 9) * 100 + pow(drand48(), 4), drand48() * 3 * random_int(0, 3), 0, 0.001, 0.001, 0);
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_BINS, false), "not cut");
		found = copies(&cuts, items, count, false, &largest);
		check(found < 1.2, "clusters: %f copies", found);

		/* wide boxes: cut from below to above */
		for (int j = 0; j < count; j++)
			items[j].box = box_at(drand48(), drand48(), drand48(), 0.5, 0.0001, 0.0001);
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_BINS, false), "not cut");
		found = copies(&cuts, items, count, false, &largest);
		check(found < 1.1, "wide boxes: %f copies", found);

		/* one large box in a hundred: they get bins of their own */
		for (int j = 0; j < count; j++)
		{
			double		size = j % 100 ? 0.001 : 0.5;

			items[j].box = box_at(drand48(), drand48(), drand48(), size, size, size);
		}
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_BINS, false), "not cut");
		found = copies(&cuts, items, count, false, &largest);
		check(found < 3, "large boxes: %f copies", found);

		/* hashes: a probe goes where its hash is */
		for (int j = 0; j < count; j++)
		{
			items[j].box = box_at(0, 0, 0, drand48(), drand48(), drand48());
			items[j].tag = (uint64) random_int(1, 1 << 20) << SPQ_JOIN_HASH_SHIFT;
		}
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_BINS, true), "not cut");
		found = copies(&cuts, items, count, true, &largest);
		check(found < 1.01, "hashes: %f copies", found);
		memset(items, 0, sizeof(items));
	}
	finish_test("few probes meet the bounds of more than one bin");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_cuts();
	test_copies();
	return tests_failed > 0;
}
