/*-------------------------------------------------------------------------
 *
 * partition_test.c
 *	  Parts of space, and those that a probe may meet: join/parts/partition.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <float.h>
#include <math.h>

#include "box/relation.h"
#include "join/parts/partition.h"
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
	static SpqJoinPart part;

	for (int i = 0; i < 500; i++)
	{
		uint32		nparts = random_int(0, 1) ? random_int(1, 100) :
			32 * random_int(1, 3);
		int			rows = random_int(1, 5);
		SpqJoinItem *items = malloc(nparts * rows * sizeof(SpqJoinItem));
		SpqJoinPartBounds *bounds = malloc(nparts * sizeof(SpqJoinPartBounds));
		bool		hashed = random_int(0, 1);
		SpqJoinRouter router;
		SpqRelation predicate = predicates[i % lengthof(predicates)];
		double		distance = random_int(0, 1) ? 1.5 : fabs(odd_number()) + 1e-9;
		pg_prng_state random;

		make_hard_items(items, nparts * rows);
		if (hashed)
			make_hashes(items, nparts * rows);
		pg_prng_seed(&random, 0);
		for (uint32 j = 0; j < nparts; j++)
		{
			spq_join_part_clear(&part);
			for (int k = 0; k < rows; k++)
			{
				SpqJoinItem *item = &items[j * rows + k];

				do
				{
					item->box = odd_box();
				} while (!spq_box_can_match(predicate, &item->box));
				spq_join_part_add(&part, item, 1, &random);
			}
			bounds[j] = part.bounds;
		}
		spq_join_make_router(&router, bounds, nparts,
							 spq_box_slack(predicate, distance), hashed);

		for (int p = 0; p < 20; p++)
		{
			/* close to a row, or anywhere */
			SpqJoinItem probe = items[random_int(0, nparts * rows - 1)];

			if (random_int(0, 1))
				probe.box = odd_box();
			if (random_int(0, 1))
				high(&probe.box)[0] += EPSILON;
			if (!spq_box_can_match(predicate, &probe.box))
				continue;
			for (uint32 j = 0; j < nparts; j++)
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
					check(routed, "%d: part %u of %u was missed", predicate, j, nparts);
				}
				missed += !routed;
				if (j == nparts - 1 && nparts % SPQ_JOIN_BUCKET_LANES != 0)
					check(lanes >> nparts % SPQ_JOIN_BUCKET_LANES == 0,
						  "%x: there are %u parts", lanes, nparts);
			}
		}
		/* a probe whose hash is in no part is sent to no part */
		if (hashed)
		{
			SpqJoinItem probe = items[0];

			probe.tag = (uint64) 99998 << SPQ_JOIN_HASH_SHIFT;
			for (uint32 j = 0; j * SPQ_JOIN_BUCKET_LANES < nparts; j++)
				check(spq_join_route_probe(&router, j, &probe) == 0, "%u parts", nparts);
			pfree(router.keys);
		}
		pfree(router.buckets);
		free(items);
		free(bounds);
	}
	check(found > 1000 && missed > 1000, "%ld %ld", found, missed);
	finish_test("a probe goes to all parts with a box that it matches");
}

static void
test_parts_that_fit(void)
{
	for (int i = 0; i < 10000; i++)
	{
		uint64		bytes[10],
					limit = random_int(0, 30),
					sum = 0;
		uint32		nparts = random_int(1, 10),
					n;

		for (uint32 j = 0; j < nparts; j++)
			bytes[j] = random_int(0, 15);
		n = spq_join_parts_that_fit(bytes, nparts, limit);
		check(n >= 1 && n <= nparts, "%u of %u", n, nparts);
		for (uint32 j = 0; j < n; j++)
			sum += bytes[j];
		check(n == 1 || sum <= limit, "%u are too many", n);
		check(n == nparts || sum + bytes[n] > limit, "%u are too few", n);
	}
	finish_test("parts that fit into memory together");
}

static void
test_sample(void)
{
	static SpqJoinPart part;
	static long times[1000];
	pg_prng_state random;
	long		sum = 0;

	pg_prng_seed(&random, seed);
	for (int i = 0; i < 600; i++)
	{
		/* counts near the sample size, and one well above */
		uint32		rows = i % 2 ? 1000 : SPQ_JOIN_PART_SAMPLE + random_int(-3, 3);
		bool		seen[1000] = {0};
		uint64		bytes = 0;

		spq_join_part_clear(&part);
		check(part.count == 0 && part.nsampled == 0 && part.bytes == 0, "not clear");
		for (uint32 j = 0; j < rows; j++)
		{
			SpqJoinItem item = {.ref = j,.tag = j};

			item.box = box_at(j, -(double) j, 0, 1, 5 + (double) j, 0);
			spq_join_part_add(&part, &item, j % 7, &random);
			bytes += j % 7;
			check(part.nsampled == Min(j + 1, SPQ_JOIN_PART_SAMPLE), "%u of %u",
				  part.nsampled, j + 1);
		}
		check(part.count == rows && part.bytes == bytes, "%lu rows", (long) part.count);
		check(part.bounds.low[0] == 0 && part.bounds.high[0] == rows &&
			  part.bounds.low[1] == 1 - (double) rows && part.bounds.high[1] == 5, "bounds");
		for (uint32 j = 0; j < part.nsampled; j++)
		{
			uint64		ref = part.sample[j].ref;

			check(ref < rows && !seen[ref] && low(&part.sample[j].box)[0] == ref,
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
		check(labs(sum - 300 * SPQ_JOIN_PART_SAMPLE / 5) < 400, "fifth %d: %ld", fifth, sum);
	}
	/* each of sample size + 1 rows is left out equally often */
	{
		static SpqJoinPart full;
		SpqJoinItem item = {.ref = SPQ_JOIN_PART_SAMPLE};
		long		left_out = 0;

		spq_join_part_clear(&full);
		for (int i = 0; i < SPQ_JOIN_PART_SAMPLE; i++)
		{
			SpqJoinItem other = {.ref = i};

			spq_join_part_add(&full, &other, 0, &random);
		}
		for (int i = 0; i < 129 * 200; i++)
		{
			bool		found = false;

			part = full;
			spq_join_part_add(&part, &item, 0, &random);
			for (uint32 j = 0; j < part.nsampled; j++)
				found |= part.sample[j].ref == item.ref;
			left_out += !found;
		}
		/* expected are 200, with sigma 14 */
		check(left_out > 120 && left_out < 280, "the last: %ld", left_out);
	}
	finish_test("a sample has different rows, and all with the same chance");

	/* NaN counts as infinity */
	{
		SpqJoinItem item = {.box = box_at(3, 0, 0, get_float8_nan(), 1, 0)};

		spq_join_part_clear(&part);
		spq_join_part_add(&part, &item, 0, &random);
		check(part.bounds.low[0] == 3 && isinf(part.bounds.high[0]) &&
			  part.bounds.low[1] == 0 && part.bounds.high[1] == 1, "NaN");
		finish_test("bounds of a part with NaN");
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
