/*-------------------------------------------------------------------------
 *
 * tile_lanes_test.c
 *	  Tiles of the build side (join/tiles/tile_lanes.h) and their sweep: each pair
 *	  that satisfies the predicate, once.
 *
 *-------------------------------------------------------------------------
 */
#include "hostile_boxes.h"

#include "utils/memutils.h"

#include "join/tiles/tile_sweep.h"
#include "stubs.h"

#define PLENTY(rects)	((uint64) (rects).count * 400 + 100000)

static const SpqRelation predicates[] = {
	SPQ_BOX_OVERLAPS, SPQ_BOX_CONTAINS, SPQ_BOX_CONTAINED, SPQ_BOX_SAME,
	SPQ_BOX_MEETS, SPQ_BOX_WITHIN
};

static uint64 candidates;		/* of the last run */

static SpqJoinItem *
make_items(Rects rects, SpqRelation predicate, uint32 *count)
{
	SpqJoinItem *items = calloc(Max(rects.count, 1), sizeof(SpqJoinItem));

	*count = 0;
	for (int i = 0; i < rects.count; i++)
	{
		const SpqBox *box = (const SpqBox *) &rects.rect[i];

		if (!spq_box_can_match(predicate, box))
			continue;
		items[*count].box = *box;
		items[*count].tag = *count;
		(*count)++;
	}
	return items;
}

/*
 * Join the right side, in tiles, with blocks of the left side, and compare with
 * a double loop.  Return false if tiles do not suit the right side.
 */
static bool
compare(Rects left, Rects right, SpqRelation predicate, double distance, double tile_size,
		SpqJoinSelfJoin self, uint64 memory)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "test",
												  ALLOCSET_DEFAULT_SIZES);
	uint32		nbuild,
				nprobes;
	SpqJoinItem *build = make_items(right, predicate, &nbuild),
			   *probes = self ? build : make_items(left, predicate, &nprobes);
	static SpqJoinTiles tiles;
	static SpqJoinTileSweep sweep;
	static SpqJoinMatch match[SPQ_JOIN_TILE_MATCHES];
	uint8	   *times;
	bool		suits;

	if (self)
		nprobes = nbuild;
	times = calloc((size_t) nprobes * nbuild + 1, 1);
	candidates = 0;
	spq_join_entries_init(&sweep.entries, context);
	suits = nbuild > 0 && spq_join_tiles_build(&tiles, context, build, nbuild, tile_size, memory,
											   &sweep.entries);
	for (uint32 first = 0, count; suits && first < nprobes; first += count)
	{
		uint32		n;

		count = random_int(0, 1) ? 1 << random_int(0, 12) : 100000;
		count = Min(nprobes - first, count);
		sweep.predicate = predicate;
		sweep.distance = distance;
		sweep.self = self;
		sweep.position = first;
		sweep.tiles = &tiles;
		sweep.build = build;
		sweep.candidates = 0;
		spq_join_tile_sweep_prepare(&sweep);
		while (random_int(0, 1))
			spq_join_tile_sweep_divide(&sweep, probes + first,
									   random_int(sweep.divided, count));
		spq_join_tile_sweep_divide(&sweep, probes + first, count);
		spq_join_tile_sweep_start(&sweep);
		while ((n = spq_join_tile_sweep(&sweep, match, SPQ_JOIN_TILE_MATCHES)) > 0)
			for (uint32 i = 0; i < n; i++)
			{
				Assert(match[i].probe < count && match[i].build < nbuild);
				times[(size_t) (first + match[i].probe) * nbuild + match[i].build]++;
			}
		check(spq_join_tile_sweep(&sweep, match, SPQ_JOIN_TILE_MATCHES) == 0, "the end is no end");
		candidates += sweep.candidates;
	}
	for (uint32 i = 0; suits && i < nprobes; i++)
	{
		for (uint32 j = 0; j < nbuild; j++)
		{
			bool		expected = (!self || j > i) &&
				spq_box_related(predicate, distance, &probes[i].box, &build[j].box);

			check(times[(size_t) i * nbuild + j] == expected,
				  "predicate %d, row %u with row %u: %d times, not %d", predicate, i, j,
				  times[(size_t) i * nbuild + j], expected);
		}
	}
	MemoryContextDelete(context);
	check(stub_chunks == 0 && stub_contexts == 0, "left: %ld chunks, %ld contexts",
		  stub_chunks, stub_contexts);
	free(times);
	free(build);
	if (!self)
		free(probes);
	return suits;
}

static void
test_shapes(void)
{
	static const char *const shapes[] = {
		"u", "s", "pareto", "nested", "cover", "points", "points-boxes", "thin", "same",
		"large-small", "small-large"
	};

	for (int i = 0; i < (int) lengthof(shapes); i++)
	{
		bool		small = strcmp(shapes[i], "same") == 0 || strstr(shapes[i], "small") != NULL;
		Rects		left,
					right;

		make_shape(shapes[i], small ? 0.05 : 0.005, &left, &right);
		if (small)
		{
			left.count = Min(left.count, 2000);
			right.count = Min(right.count, 5000);
		}
		check(compare(left, right, SPQ_BOX_OVERLAPS, 0, 0, SPQ_JOIN_TWO_SETS, PLENTY(right)) ||
			  strcmp(shapes[i], "nested") == 0, "%s: no tiles", shapes[i]);
		free_both(left, right);
	}
	finish_test("shapes of the benchmark");
}

static void
test_hostile(void)
{
	static const double steps[] = {1, 1e-6, 3e-7, 1e-300, 1e9, 1e307};
	int			in_tiles = 0,
				runs = cases(600);

	for (int i = 0; i < runs; i++)
	{
		double		step = steps[random_int(0, lengthof(steps) - 1)];
		bool		ordered = random_int(0, 1),
					special_too = random_int(0, 1);
		SpqRelation predicate = predicates[random_int(0, lengthof(predicates) - 1)];
		double		distance = predicate != SPQ_BOX_WITHIN ? 0 :
			random_int(0, 3) ? step * drand48() * 3 + 5e-324 : 1e307 * drand48();
		Rects		left = hostile_boxes(random_int(0, 400), step, ordered, special_too),
					right = hostile_boxes(random_int(0, random_int(0, 3) ? 400 : 5000), step,
										  ordered, special_too);

		in_tiles += compare(left, right, predicate, distance,
							random_int(0, 3) ? 0 : step * drand48() * 10,
							random_int(0, 9) ? SPQ_JOIN_TWO_SETS :
							random_int(0, 1) ? SPQ_JOIN_SELF_BY_POSITION : SPQ_JOIN_SELF_BY_ORDINAL,
							random_int(0, 3) ? PLENTY(right) : (uint64) right.count * 56);
		free_both(left, right);
	}
	check(in_tiles > runs / 4, "%d runs of %d", in_tiles, runs);
	finish_test("EPSILON, NaN, infinities, exchanged corners");
}

/* Some thousand boxes, most in a small place. */
static void
test_crowded(void)
{
	static const double sizes[] = {0, 1e-9, 1e-6, 1e-3, 1, 10},
				places[] = {0, 1e6, 1e12, -1e3, 1e-3, 0};

	for (int i = 0; i < 2 * (int) lengthof(sizes); i++)
	{
		int			k = i / 2;
		Rects		left = crowded_boxes(1000, places[k], sizes[k], 1000),
					right = crowded_boxes(6000, places[k], sizes[k], 1000);

		(void) compare(left, right, i % 2 ? SPQ_BOX_MEETS : SPQ_BOX_OVERLAPS, 0, 0,
					   SPQ_JOIN_TWO_SETS, PLENTY(right));
		free_both(left, right);
	}
	finish_test("crowded places");
}

/* Some build boxes reach to infinity, and some probes lie beyond all other boxes. */
static void
test_outside(void)
{
	for (int i = 0; i < 8; i++)
	{
		Rects		left = crowded_boxes(300, i % 2 ? 3000 : -3000, 10, 10),
					right = make(3000);

		for (int row = 0; row < right.count; row++)
		{
			double		x = between(0, 1000),
						y = between(0, 1000);
			Rect		r = {x + 10, y + 10, x, y};

			right.rect[row] = r;
		}
		if (i & 2)
			right.rect[7].hx = right.rect[7].hy = HUGE_VAL;
		if (i & 4)
			right.rect[9].lx = right.rect[9].ly = -HUGE_VAL;
		check(compare(left, right, SPQ_BOX_OVERLAPS, 0, 0, SPQ_JOIN_TWO_SETS, PLENTY(right)),
			  "no tiles");
		free_both(left, right);
	}
	finish_test("boxes outside the grid");
}

/* The lanes of ordinary boxes are few, and find little that is no match. */
static void
test_costs(void)
{
	Rects		left,
				right;
	uint64		with_lanes;

	make_shape("u", 0.01, &left, &right);
	check(compare(left, right, SPQ_BOX_OVERLAPS, 0, 0, SPQ_JOIN_TWO_SETS, (uint64) right.count * 56),
		  "tiles take more than a sort");
	with_lanes = candidates;
	check(with_lanes > 9000 && with_lanes < 11500, "%lu candidates", (long) with_lanes);
	check(!compare(left, right, SPQ_BOX_OVERLAPS, 0, 0, SPQ_JOIN_TWO_SETS, (uint64) right.count * 20),
		  "tiles in too little memory");

	/* nine in ten are in one place, so that they would share a tile */
	for (int i = 0; i < right.count; i++)
		if (i % 10)
		{
			right.rect[i].lx = right.rect[i].ly = 5 + drand48() * 1e-3;
			right.rect[i].hx = right.rect[i].hy = right.rect[i].lx + 1e-9;
		}
	check(!compare(left, right, SPQ_BOX_OVERLAPS, 0, 0, SPQ_JOIN_TWO_SETS, PLENTY(right)),
		  "a tile of 9,000 boxes");
	free_both(left, right);
	finish_test("when tiles suit, and candidates");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_shapes();
	test_hostile();
	test_crowded();
	test_outside();
	test_costs();
	return tests_failed > 0;
}
