/*-------------------------------------------------------------------------
 *
 * partition_test.c
 *	  Bins of space, and those that a probe may meet: join/bins/bins.c.
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

static void
test_router(void)
{
	static const SpqRelation predicates[] = {
		SPQ_BOX_OVERLAPS, SPQ_BOX_CONTAINS, SPQ_BOX_CONTAINED, SPQ_BOX_SAME,
		SPQ_BOX_MEETS, SPQ_BOX_WITHIN
	};
	long		found = 0,
				missed = 0;
	static SpqJoinBin bin;

	for (int i = 0; i < 500; i++)
	{
		uint32		nbins = random_int(0, 1) ? random_int(1, 100) :
			32 * random_int(1, 3);
		int			rows = random_int(1, 5);
		SpqJoinItem *items = malloc(nbins * rows * sizeof(SpqJoinItem));
		SpqJoinBinBounds *bounds = malloc(nbins * sizeof(SpqJoinBinBounds));
		bool		hashed = random_int(0, 1);
		SpqJoinRouter router;
		SpqRelation predicate = predicates[i % lengthof(predicates)];
		double		distance = random_int(0, 1) ? 1.5 : fabs(odd_number()) + 1e-9;
		pg_prng_state random;

		make_hard_items(items, nbins * rows);
		if (hashed)
			make_hashes(items, nbins * rows);
		pg_prng_seed(&random, 0);
		for (uint32 j = 0; j < nbins; j++)
		{
			spq_join_bin_clear(&bin);
			for (int k = 0; k < rows; k++)
			{
				SpqJoinItem *item = &items[j * rows + k];

				do
				{
					item->box = odd_box();
				} while (!spq_box_can_match(predicate, &item->box));
				spq_join_bin_add(&bin, item, 1, &random);
			}
			bounds[j] = bin.bounds;
		}
		spq_join_make_router(&router, bounds, nbins,
							 spq_box_slack(predicate, distance), hashed);

		for (int p = 0; p < 20; p++)
		{
			/* close to a row, or anywhere */
			SpqJoinItem probe = items[random_int(0, nbins * rows - 1)];

			if (random_int(0, 1))
				probe.box = odd_box();
			if (random_int(0, 1))
				high(&probe.box)[0] += EPSILON;
			if (!spq_box_can_match(predicate, &probe.box))
				continue;
			for (uint32 j = 0; j < nbins; j++)
			{
				uint32		lanes = spq_join_route_probe(&router, j / SPQ_JOIN_BUCKET_LANES, &probe);
				bool		routed = lanes & (uint32) 1 << j % SPQ_JOIN_BUCKET_LANES;

				for (int k = 0; k < rows; k++)
				{
					const SpqJoinItem *item = &items[j * rows + k];

					if (!spq_box_related(predicate, distance, &probe.box, &item->box) ||
						(hashed && spq_join_item_hash(item) != spq_join_item_hash(&probe)))
						continue;
					found++;
					check(routed, "%d: bin %u of %u was missed", predicate, j, nbins);
				}
				missed += !routed;
				if (j == nbins - 1 && nbins % SPQ_JOIN_BUCKET_LANES != 0)
					check(lanes >> nbins % SPQ_JOIN_BUCKET_LANES == 0,
						  "%x: there are %u bins", lanes, nbins);
			}
		}
		/* a probe whose hash is in no bin is sent to no bin */
		if (hashed)
		{
			SpqJoinItem probe = items[0];

			probe.tag = (uint64) 99998 << SPQ_JOIN_HASH_SHIFT;
			for (uint32 j = 0; j * SPQ_JOIN_BUCKET_LANES < nbins; j++)
				check(spq_join_route_probe(&router, j, &probe) == 0, "%u bins", nbins);
			pfree(router.keys);
		}
		pfree(router.buckets);
		free(items);
		free(bounds);
	}
	check(found > 1000 && missed > 1000, "%ld %ld", found, missed);
	finish_test("a probe goes to all bins with a box that it matches");
}

static void
test_parts_that_fit(void)
{
	for (int i = 0; i < 10000; i++)
	{
		uint64		bytes[10],
					limit = random_int(0, 30),
					sum = 0;
		uint32		nbins = random_int(1, 10),
					n;

		for (uint32 j = 0; j < nbins; j++)
			bytes[j] = random_int(0, 15);
		n = spq_join_bins_that_fit(bytes, nbins, limit);
		check(n >= 1 && n <= nbins, "%u of %u", n, nbins);
		for (uint32 j = 0; j < n; j++)
			sum += bytes[j];
		check(n == 1 || sum <= limit, "%u are too many", n);
		check(n == nbins || sum + bytes[n] > limit, "%u are too few", n);
	}
	finish_test("bins that fit into memory together");
}

static void
test_sample(void)
{
	static SpqJoinBin bin;
	static long times[1000];
	pg_prng_state random;
	long		sum = 0;

	pg_prng_seed(&random, seed);
	for (int i = 0; i < 600; i++)
	{
		/* counts near the sample size, and one well above */
		uint32		rows = i % 2 ? 1000 : SPQ_JOIN_BIN_SAMPLE + random_int(-3, 3);
		bool		seen[1000] = {0};
		uint64		bytes = 0;

		spq_join_bin_clear(&bin);
		check(bin.count == 0 && bin.nsampled == 0 && bin.bytes == 0, "not clear");
		for (uint32 j = 0; j < rows; j++)
		{
			SpqJoinItem item = {.ref = j,.tag = j};

			item.box = box_at(j, -(double) j, 0, 1, 5 + (double) j, 0);
			spq_join_bin_add(&bin, &item, j % 7, &random);
			bytes += j % 7;
			check(bin.nsampled == Min(j + 1, SPQ_JOIN_BIN_SAMPLE), "%u of %u",
				  bin.nsampled, j + 1);
		}
		check(bin.count == rows && bin.bytes == bytes, "%lu rows", (long) bin.count);
		check(bin.bounds.low[0] == 0 && bin.bounds.high[0] == rows &&
			  bin.bounds.low[1] == 1 - (double) rows && bin.bounds.high[1] == 5, "bounds");
		for (uint32 j = 0; j < bin.nsampled; j++)
		{
			uint64		ref = bin.sample[j].ref;

			check(ref < rows && !seen[ref] && low(&bin.sample[j].box)[0] == ref,
				  "%lu", (long) ref);
			seen[ref] = true;
			if (rows == 1000)
				times[ref]++;
		}
	}
	/* each fifth of the rows has a fifth of the samples, within five sigma */
	for (int fifth = 0; fifth < 5; fifth++)
	{
		sum = 0;
		for (int j = 0; j < 200; j++)
			sum += times[fifth * 200 + j];
		check(labs(sum - 300 * SPQ_JOIN_BIN_SAMPLE / 5) < 400, "fifth %d: %ld", fifth, sum);
	}
	/* each of sample size + 1 rows is left out equally often */
	{
		static SpqJoinBin full;
		SpqJoinItem item = {.ref = SPQ_JOIN_BIN_SAMPLE};
		long		left_out = 0;

		spq_join_bin_clear(&full);
		for (int i = 0; i < SPQ_JOIN_BIN_SAMPLE; i++)
		{
			SpqJoinItem other = {.ref = i};

			spq_join_bin_add(&full, &other, 0, &random);
		}
		for (int i = 0; i < 129 * 200; i++)
		{
			bool		found = false;

			bin = full;
			spq_join_bin_add(&bin, &item, 0, &random);
			for (uint32 j = 0; j < bin.nsampled; j++)
				found |= bin.sample[j].ref == item.ref;
			left_out += !found;
		}
		/* expected are 200, with sigma 14 */
		check(left_out > 120 && left_out < 280, "the last: %ld", left_out);
	}
	finish_test("a sample has different rows, and all with the same chance");

	/* NaN counts as infinity */
	{
		SpqJoinItem item = {.box = box_at(3, 0, 0, get_float8_nan(), 1, 0)};

		spq_join_bin_clear(&bin);
		spq_join_bin_add(&bin, &item, 0, &random);
		check(bin.bounds.low[0] == 3 && isinf(bin.bounds.high[0]) &&
			  bin.bounds.low[1] == 0 && bin.bounds.high[1] == 1, "NaN");
		finish_test("bounds of a bin with NaN");
	}
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_router();
	test_parts_that_fit();
	test_sample();
	return tests_failed > 0;
}
