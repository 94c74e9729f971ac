/*-------------------------------------------------------------------------
 *
 * tile_order_test.c
 *	  Boxes in tile order: join/boxes/tile_order.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <float.h>
#include <math.h>

#include "join/boxes/tile_order.h"
#include "joined.h"

typedef enum Kind
{
	UNIFORM,
	CLUSTERS,					/* clusters of clusters */
	OUTLIER,					/* a cluster, and one box far away */
	SAME,
	CONCENTRIC,					/* one center, any size */
	REPEATED,					/* few distinct boxes */
	DENORMAL,
	HUGE_NUMBERS,
	INFINITE,
	NOT_A_NUMBER,
	SIZES,						/* of many magnitudes */
	ODD,
	KINDS
} Kind;

static const char *const kind_names[] = {
	"uniform", "clusters in clusters", "one far outlier", "all the same",
	"same center", "repeated boxes", "denormals", "huge numbers", "infinities",
	"not a number", "sizes over decades", "odd boxes"
};

/* Return a flat box.  In three dimensions, z is y. */
static SpqBox
box_of(double x, double y, double width, double height)
{
	return box_at(x, y, SPQ_DIM > 2 ? y : 0, width, height, 0);
}

static SpqBox
make_box(Kind kind, int i)
{
	const double infinity = get_float8_infinity();
	SpqBox		box;

	switch (kind)
	{
		case UNIFORM:
			return box_of(drand48() * 1000, drand48() * 1000, drand48(), drand48());
		case CLUSTERS:
			{
				double		x = 0,
							y = 0,
							size = 1e200;

				/* nest deeper and deeper, around few centers on each level */
				for (int level = random_int(0, 25); level > 0; level--)
				{
					x += random_int(0, 1) * size;
					size *= 1e-12;
				}
				return box_of(x + drand48() * size, y + drand48() * size, 0, 0);
			}
		case OUTLIER:
			return i == 0 ? box_of(1e200, -1e200, 1, 1) :
				box_of(drand48(), drand48(), 1e-3, 1e-3);
		case SAME:
			return box_of(3, 4, 5, 6);
		case CONCENTRIC:
			{
				double		half = ldexp(1.0, random_int(-10, 40));

				return box_of(-half, -half, 2 * half, 2 * half);
			}
		case REPEATED:
			return box_of(random_int(0, 5), random_int(0, 3) * 1e-9, 1, 2);
		case DENORMAL:
			return box_of(random_int(0, 20) * 5e-324, random_int(-9, 9) * 5e-324,
						  0, random_int(0, 1) * 5e-324);
		case HUGE_NUMBERS:
			return box_of(random_int(-9, 9) * 1e307, (drand48() - 0.5) * 2e307,
						  drand48() * 1e307, drand48() * 8e307);
		case INFINITE:
			box = box_of(drand48(), drand48(), 1, 1);
			switch (random_int(0, 5))
			{
				case 0:
					low(&box)[0] = high(&box)[0] = infinity;
					break;
				case 1:
					low(&box)[1] = -infinity;
					break;
				case 2:
					low(&box)[0] = low(&box)[1] = -infinity;
					high(&box)[0] = high(&box)[1] = infinity;
					break;
				case 3:
					low(&box)[0] = high(&box)[0] = -infinity;
					break;
			}
			return box;
		case NOT_A_NUMBER:
			box = box_of(drand48(), drand48(), 1, 1);
			if (random_int(0, 1))
				high(&box)[0] = get_float8_nan();
			if (random_int(0, 3) == 0)
				low(&box)[0] = high(&box)[0] = get_float8_nan();
			if (random_int(0, 3) == 0)
				low(&box)[1] = high(&box)[1] = get_float8_nan();
			return box;
		case SIZES:
			return box_of(drand48() * 1000, drand48() * 1000,
						  exp(drand48() * 30 - 20), exp(drand48() * 30 - 20));
		default:
			return odd_box();
	}
}

/* The items that compare_boxes() reads. */
static const SpqJoinItem *items_compared;

static int
compare_boxes(const void *a, const void *b)
{
	return memcmp(&items_compared[*(const uint32 *) a].box,
				  &items_compared[*(const uint32 *) b].box, sizeof(SpqBox));
}

static void
test_order(Kind kind, uint32 count, double tile_size)
{
	/* arrays of exactly this size, for AddressSanitizer */
	SpqJoinItem *items = malloc(count * sizeof(SpqJoinItem));
	SpqJoinItem *unsorted = malloc(count * sizeof(SpqJoinItem));
	SpqJoinItem *given = malloc(count * sizeof(SpqJoinItem));
	SpqJoinTileCode *keys = malloc(count * sizeof(SpqJoinTileCode));
	SpqJoinTileCode *workspace = malloc(count * sizeof(SpqJoinTileCode));
	uint32	   *place = malloc(count * sizeof(uint32));
	uint32	   *by_box = malloc(count * sizeof(uint32));
	uint32	   *changes = malloc(count * sizeof(uint32));
	SpqJoinGrid grid;

	for (uint32 i = 0; i < count; i++)
	{
		given[i].box = make_box(kind, i);
		given[i].ref = i;
		given[i].tag = i * UINT64CONST(0x9e3779b97f4a7c15);
		unsorted[i] = given[i];
		place[i] = PG_UINT32_MAX;
	}
	grid = spq_join_fit_grid(given, count, tile_size);
	check(grid.scale >= 0 && grid.scale <= DBL_MAX &&
		  fabs(grid.low[0]) <= DBL_MAX &&
		  fabs(grid.low[SPQ_DIM - 1]) <= DBL_MAX,
		  "%s", kind_names[kind]);
	check(grid.scale == 0 ||
		  spq_join_grid_tile_size(&grid) >= tile_size * (1 - 1e-9),
		  "%s: tile size %g", kind_names[kind], tile_size);
	spq_join_tile_order(unsorted, items, count, &grid, tile_size, keys, workspace);
	free(unsorted);

	for (uint32 i = 0; i < count; i++)
	{
		uint64		ref = items[i].ref;

		check(ref < count && place[ref] == PG_UINT32_MAX &&
			  memcmp(&items[i], &given[ref], sizeof(SpqJoinItem)) == 0,
			  "%s: %u items, item %u", kind_names[kind], count, i);
		if (ref < count)
			place[ref] = i;
		check(i == 0 || spq_join_tile_code(&grid, &items[i - 1].box) <=
			  spq_join_tile_code(&grid, &items[i].box),
			  "%s: %u items, item %u", kind_names[kind], count, i);
		changes[i] = i == 0 ? 0 : changes[i - 1] + (keys[i].key != keys[i - 1].key);
		by_box[i] = i;
	}

	/* equal boxes, and all boxes between them, have the same code */
	items_compared = items;
	qsort(by_box, count, sizeof(uint32), compare_boxes);
	for (uint32 i = 1; i < count; i++)
	{
		if (compare_boxes(&by_box[i - 1], &by_box[i]) == 0)
			check(changes[by_box[i - 1]] == changes[by_box[i]],
				  "%s: %u items, tile size %g: items %u and %u are equal",
				  kind_names[kind], count, tile_size, by_box[i - 1], by_box[i]);
	}

	free(items);
	free(given);
	free(keys);
	free(workspace);
	free(place);
	free(by_box);
	free(changes);
}

static void
test_all_orders(void)
{
	static const uint32 counts[] = {0, 1, 2, 31, 32, 33, 65, 511, 512, 513, 20000};
	static const double tile_sizes[] = {
		0, 1e-3, 1, 100, 1e-310, 5e-324, 1e200, 1e308, DBL_MAX
	};

	for (Kind kind = 0; kind < KINDS; kind++)
	{
		char		name[100];

		for (int i = 0; i < (int) lengthof(counts); i++)
		{
			for (int j = 0; j < (int) lengthof(tile_sizes); j++)
			{
				/* for large counts, two tile sizes are enough */
				if (counts[i] < 20000 || j == 0 || j == 2)
					test_order(kind, counts[i], tile_sizes[j]);
			}
		}
		snprintf(name, sizeof(name), "tile order: %s", kind_names[kind]);
		finish_test(name);
	}
}

/*
 * Check that neighbors in the order are neighbors in the plane, for two dense
 * clusters.
 */
static void
test_refinement(void)
{
	const uint32 count = 8000;
	SpqJoinItem *unsorted = malloc(count * sizeof(SpqJoinItem));
	SpqJoinItem *items = malloc(count * sizeof(SpqJoinItem));
	SpqJoinTileCode *keys = malloc(count * sizeof(SpqJoinTileCode));
	SpqJoinTileCode *workspace = malloc(count * sizeof(SpqJoinTileCode));

	for (int tile_size = 0; tile_size <= 2; tile_size++)
	{
		SpqJoinGrid grid;
		double		sum = 0;

		for (uint32 i = 0; i < count; i++)
		{
			unsorted[i].box = box_of(drand48() + 1e7 * random_int(0, 1), drand48(), 0, 0);
			unsorted[i].ref = unsorted[i].tag = i;
		}
		grid = spq_join_fit_grid(unsorted, count, tile_size);
		spq_join_tile_order(unsorted, items, count, &grid, tile_size, keys, workspace);
		for (uint32 i = 1; i < count; i++)
			sum += Min(fabs(low(&items[i].box)[0] - low(&items[i - 1].box)[0]), 1) +
				fabs(low(&items[i].box)[1] - low(&items[i - 1].box)[1]);
		/* a random order gives 2/3; with these tile sizes it is random */
		check(tile_size > 0 ? sum / count > 0.5 : sum / count < 0.05,
			  "tile size %d: on average %g", tile_size, sum / count);
	}
	free(unsorted);
	free(items);
	free(keys);
	free(workspace);
	finish_test("crowded tiles are refined, but not below the tile size");
}

static double
largest_side(SpqBox *box)
{
	double		side = high(box)[0] - low(box)[0];

	for (int axis = 1; axis < SPQ_DIM; axis++)
		side = Max(side, high(box)[axis] - low(box)[axis]);
	return side;
}

/* Check that large boxes are not between small ones. */
static void
test_levels(void)
{
	for (int i = 0; i < 100000; i++)
	{
		SpqJoinGrid grid = {0};
		SpqBox		small = odd_box(),
					large = odd_box();
		int			level_small,
					level_large;

#if SPQ_DIM > 2
		for (int axis = 0; axis < SPQ_DIM; axis++)
			grid.unit[axis] = 1;
#endif
		grid.scale = exp(drand48() * 20 - 10);
		grid.exponent = random_int(0, 2047);
		level_small = spq_join_code_size_class(spq_join_tile_code(&grid, &small));
		level_large = spq_join_code_size_class(spq_join_tile_code(&grid, &large));
		check(level_small >= 0 && level_small < SPQ_JOIN_SIZE_CLASSES, "%d", level_small);
		if (largest_side(&small) <= largest_side(&large))
			check(level_small <= level_large, "%d %d", level_small, level_large);
	}
	finish_test("levels follow sizes");
}

#if SPQ_DIM > 2

/* Check that the order does not depend on the unit of an axis. */
static void
test_units(void)
{
	const int	count = 20000;
	SpqJoinItem *items[2],
			   *sorted = malloc(count * sizeof(SpqJoinItem));
	SpqJoinTileCode *codes[2],
			   *workspace = malloc(count * sizeof(SpqJoinTileCode));

	for (int round = 0; round < 12; round++)
	{
		int			axis = round % SPQ_DIM;

		for (int k = 0; k < 2; k++)
		{
			items[k] = malloc(count * sizeof(SpqJoinItem));
			codes[k] = malloc(count * sizeof(SpqJoinTileCode));
		}
		for (int i = 0; i < count; i++)
		{
			double		side = round < 6 ? 1 : 0;

			items[0][i].box = box_at(drand48() * 100, drand48() * 100, drand48() * 100,
									 drand48() * side, drand48() * side, drand48() * side);
			items[0][i].ref = items[0][i].tag = i;
			items[1][i] = items[0][i];
			/* multiplying by a power of 2 rounds nothing */
			low(&items[0][i].box)[axis] *= 1024;
			high(&items[0][i].box)[axis] *= 1024;
			low(&items[1][i].box)[axis] *= ldexp(1, -30);
			high(&items[1][i].box)[axis] *= ldexp(1, -30);
		}
		for (int k = 0; k < 2; k++)
		{
			SpqJoinGrid grid;

			spq_join_order_items(items[k], sorted, count, 0, false, false, codes[k], workspace, &grid);
			/* every axis is used */
			check(grid.scale > 0, "round %d", round);
			for (int a = 0; a < SPQ_DIM; a++)
			{
				double		step = (a != axis ? 1 : k == 0 ? 1024 : ldexp(1, -30)) * 100;
				double		tiles = step / 2 * grid.unit[a] * grid.scale;

				check(tiles > 100, "round %d axis %d: %g tiles", round, a, tiles);
			}
		}
		for (int i = 0; i < count; i++)
			check(axis == 0 || codes[0][i].key == codes[1][i].key, "round %d, %d", round, i);
		for (int k = 0; k < 2; k++)
		{
			free(items[k]);
			free(codes[k]);
		}
	}
	free(sorted);
	free(workspace);
	finish_test("the order does not depend on units");
}

#endif

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_all_orders();
	test_refinement();
	test_levels();
#if SPQ_DIM > 2
	test_units();
#endif
	return tests_failed > 0;
}
