/*-------------------------------------------------------------------------
 *
 * cuts_test.c
 *	  Parts by cuts of space: join/parts/cuts.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <float.h>
#include <math.h>

#include "box/relation.h"
#include "join/parts/cuts.h"
#include "join/parts/partition.h"
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
		int			most = random_int(1, SPQ_JOIN_MAX_PARTS);
		bool		hashed = random_int(0, 1),
					done;
		SpqJoinCuts cuts;
		uint32		in_part[SPQ_JOIN_MAX_PARTS] = {0};

		make_hard_items(items, count);
		if (hashed)
			make_hashes(items, count);
		done = spq_join_choose_cuts(&cuts, items, count, most, hashed);
		check(cuts.nparts >= 1 && cuts.nparts <= most, "%d parts of %d", cuts.nparts, most);
		check(done == (cuts.nparts > 1), "%d parts", cuts.nparts);
		for (uint32 j = 0; j < count; j++)
		{
			int			part = spq_join_part_of(&cuts, &items[j]);

			check(part >= 0 && part < cuts.nparts, "%d", part);
			in_part[part]++;
		}
		for (int part = 0; part < cuts.nparts; part++)
			check(in_part[part] > 0 || count == 0, "%u rows, %d parts, none in %d", count, cuts.nparts, part);
		/* boxes outside of the sample belong to a part, too */
		for (int j = 0; j < 20; j++)
		{
			SpqJoinItem item = {.box = odd_box()};
			int			part = spq_join_part_of(&cuts, &item);

			check(part >= 0 && part < cuts.nparts, "%d", part);
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
	finish_test("cuts put each box into one part, and rows of the sample into each");
}

/* Return the mean number of parts whose bounds an item meets. */
static double
copies(const SpqJoinCuts *cuts, const SpqJoinItem *items, int count, bool hashed, int *largest)
{
	static SpqJoinPart parts[SPQ_JOIN_MAX_PARTS];
	SpqJoinPartBounds bounds[SPQ_JOIN_MAX_PARTS];
	SpqJoinRouter router;
	pg_prng_state random;
	long		met = 0;

	pg_prng_seed(&random, seed);
	*largest = 0;
	for (int part = 0; part < cuts->nparts; part++)
		spq_join_part_clear(&parts[part]);
	for (int i = 0; i < count; i++)
		spq_join_part_add(&parts[spq_join_part_of(cuts, &items[i])], &items[i], 1, &random);
	for (int part = 0; part < cuts->nparts; part++)
	{
		bounds[part] = parts[part].bounds;
		*largest = Max(*largest, (int) parts[part].count);
	}
	spq_join_make_router(&router, bounds, cuts->nparts, spq_box_slack(SPQ_BOX_OVERLAPS, 0), hashed);
	for (int i = 0; i < count; i++)
		met += __builtin_popcount(spq_join_route_probe(&router, 0, &items[i]));
	pfree(router.parts);
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

		/* evenly spread small boxes: nearly no copies, and even parts */
		for (int j = 0; j < count; j++)
			items[j].box = box_at(drand48(), drand48(), drand48(), 0.001 * drand48(), 0.001, 0.001);
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_PARTS, false), "not cut");
		check(cuts.nparts == SPQ_JOIN_MAX_PARTS, "%d parts", cuts.nparts);
		found = copies(&cuts, items, count, false, &largest);
		check(found < 1.1, "%f copies", found);
		check(largest <= count / SPQ_JOIN_MAX_PARTS + 10, "a part has %d rows", largest);

		/* clusters */
		for (int j = 0; j < count; j++)
			items[j].box = box_at(random_int(0, 9) * 100 + pow(drand48(), 4), drand48() * 3 * random_int(0, 3), 0, 0.001, 0.001, 0);
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_PARTS, false), "not cut");
		found = copies(&cuts, items, count, false, &largest);
		check(found < 1.2, "clusters: %f copies", found);

		/* wide boxes: cut from below to above */
		for (int j = 0; j < count; j++)
			items[j].box = box_at(drand48(), drand48(), drand48(), 0.5, 0.0001, 0.0001);
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_PARTS, false), "not cut");
		found = copies(&cuts, items, count, false, &largest);
		check(found < 1.1, "wide boxes: %f copies", found);

		/* one large box in a hundred: they get parts of their own */
		for (int j = 0; j < count; j++)
		{
			double		size = j % 100 ? 0.001 : 0.5;

			items[j].box = box_at(drand48(), drand48(), drand48(), size, size, size);
		}
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_PARTS, false), "not cut");
		found = copies(&cuts, items, count, false, &largest);
		check(found < 3, "large boxes: %f copies", found);

		/* hashes: a probe goes where its hash is */
		for (int j = 0; j < count; j++)
		{
			items[j].box = box_at(0, 0, 0, drand48(), drand48(), drand48());
			items[j].tag = (uint64) random_int(1, 1 << 20) << SPQ_JOIN_HASH_SHIFT;
		}
		check(spq_join_choose_cuts(&cuts, items, count, SPQ_JOIN_MAX_PARTS, true), "not cut");
		found = copies(&cuts, items, count, true, &largest);
		check(found < 1.01, "hashes: %f copies", found);
		memset(items, 0, sizeof(items));
	}
	finish_test("few probes meet the bounds of more than one part");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_cuts();
	test_copies();
	return tests_failed > 0;
}
