/*-------------------------------------------------------------------------
 *
 * curve_test.c
 *	  Positions on the Hilbert curve, by which a build sorts rows, and how well
 *	  they distinguish rows.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <math.h>

#include "box/hilbert.h"
#include "rtree/place/curve.h"

/* Return arbitrary bounds. */
static SpqRtreeBounds
odd_bounds(void)
{
	float8		ends[SPQ_RTREE_ENDS];

	for (int end = 0; end < SPQ_RTREE_ENDS; end++)
		ends[end] = random_int(0, 9) > 0 ? odd_number() :
			random_int(0, 2) > 0 ? get_float8_infinity() * (random_int(0, 1) - 0.5) :
			get_float8_nan();
	return spq_rtree_bounds_of(ends, SPQ_RTREE_AXES);
}

/* Number of bits of a coordinate on the curve. */
#define CURVE_BITS(axes)	((axes) == 2 ? 32 : 21)

/*
 * Return a number with this coordinate in the plane, which has the high bits of
 * a double.
 */
static float8
number_in_plane(uint32 coordinate)
{
	uint64		bits = (uint64) coordinate << 32 | UINT64CONST(1) << 31;
	float8		number;

	bits = bits >> 63 ? bits & PG_INT64_MAX : ~bits;
	/* infinity or NaN: make it finite */
	if ((bits >> 52 & 0x7ff) == 0x7ff)
		bits &= ~(UINT64CONST(1) << 52);
	memcpy(&number, &bits, sizeof(bits));
	return number;
}

/*
 * Return a number with this coordinate in space.  Near the origin, coordinates
 * count fractions; farther away they are a floating-point number.
 */
static float8
number_in_space(uint32 coordinate, const SpqRtreeUnits *units, int axis)
{
	bool		negative = coordinate < 1 << 20;
	uint32		place = negative ? (1 << 20) - 1 - coordinate : coordinate - (1 << 20);
	float8		fractions = place + 0.5;

	if (place >= 1 << 19)
	{
		place -= 1 << 19;
		fractions = ldexp(1 + ((place & 8191) + 0.5) / 8192, 19 + place / 8192);
	}
	return units->origin[axis] + (negative ? -fractions : fractions) * units->fraction[axis];
}

typedef struct Cell
{
	uint64		key;
	int			place[SPQ_RTREE_AXES];
} Cell;

static int
compare_cells(const void *a, const void *b)
{
	uint64		x = ((const Cell *) a)->key,
				y = ((const Cell *) b)->key;

	return x < y ? -1 : x > y;
}

/*
 * Check that cells that follow each other on the curve are neighbors, at one
 * level of a grid, and that the curve visits each cell of the grid once,
 * without leaving the grid before all are visited.  The first "above" bits of
 * the coordinates are random and common to all cells.
 */
static void
try_curve(int axes, int above)
{
	enum
	{
		BITS = 3, MOST = 1 << (BITS * SPQ_RTREE_AXES)
	};
	static Cell cells[MOST];
	int			ncells = 1 << (BITS * axes);
	int			below = CURVE_BITS(axes) - BITS - above;
	const SpqRtreeUnits units = {{0}, {0, 0, 0}, {3, 0.001, 1e6}, 0};
	uint32		corner[SPQ_RTREE_AXES];

	for (int axis = 0; axis < axes; axis++)
	{
		corner[axis] = above == 0 ? 0 : (uint32) lrand48() >> (31 - above);
		/* in the plane: finite numbers */
		if (axes == 2 && above > 0)
			corner[axis] = (uint32) UINT64CONST(0xbff00000) >> (32 - above);
	}
	for (int i = 0; i < ncells; i++)
	{
		SpqRtreeBounds bounds;

		for (int axis = 0; axis < axes; axis++)
		{
			int			place = i >> (axis * BITS) & ((1 << BITS) - 1);
			uint32		coordinate = (corner[axis] << BITS | place) << below;

			if (below > 0)
				coordinate += (uint32) lrand48() & ((1u << Min(below, 31)) - 1);
			cells[i].place[axis] = place;
			bounds.low[axis] = bounds.high[axis] = axes == 2 ? number_in_plane(coordinate) :
				number_in_space(coordinate, &units, axis);
		}
		cells[i].key = spq_rtree_curve_key(&bounds, axes, &units) >> (axes * below);
	}
	qsort(cells, ncells, sizeof(Cell), compare_cells);
	for (int i = 1; i < ncells; i++)
	{
		int			steps = 0;

		for (int axis = 0; axis < axes; axis++)
			steps += abs(cells[i].place[axis] - cells[i - 1].place[axis]);
		check(steps == 1, "%d steps between places %d and %d", steps, i - 1, i);
		check(cells[i].key == cells[0].key + i, "place %d of %d above %d", i, axes, above);
	}
}

static void
test_curve(int axes)
{
	const SpqRtreeUnits units = {{0}, {0}, {3, 0.001, 1e6}, 0};

	for (int above = 0; above <= CURVE_BITS(axes) - 3; above++)
		for (int i = 0; i < 10; i++)
			/* in the plane, the bits above include the exponent */
			if (axes == 3 || above == 0 || above >= 12)
				try_curve(axes, above);
	for (int i = 0; i < 100000; i++)
	{
		SpqRtreeBounds bounds = odd_bounds();

		(void) spq_rtree_curve_key(&bounds, axes, &units);
		check(true, "no error");
	}
	/* infinite numbers are in the last cell */
	for (int octant = 0; axes == 3 && octant < 8; octant++)
	{
		SpqRtreeBounds far,
					last;

		for (int axis = 0; axis < 3; axis++)
		{
			bool		negative = octant >> axis & 1;

			far.low[axis] = far.high[axis] = negative ? -get_float8_infinity() :
				get_float8_infinity();
			last.low[axis] = last.high[axis] =
				number_in_space(negative ? 0 : (1 << 21) - 1, &units, axis);
		}
		check(spq_rtree_curve_key(&far, 3, &units) == spq_rtree_curve_key(&last, 3, &units),
			  "octant %d", octant);
	}
	finish_test(axes == 2 ? "curve in the plane" : "curve in space");
}

/*
 * Check that a few rows far away do not give all other rows the same position.
 */
static void
test_fractions(void)
{
	enum
	{
		ROWS = 2000
	};
	SpqRtreeBounds *rows = palloc(ROWS * sizeof(SpqRtreeBounds));
	Cell	   *cells = palloc(ROWS * sizeof(Cell));

	for (int try = 0; try < 100; try++)
	{
		float8		extent = try % 2 ? exp(random_int(-4, 4)) : 0;
		SpqRtreeUnits units;
		int			same = 0;

		for (int i = 0; i < ROWS; i++)
			for (int axis = 0; axis < 3; axis++)
			{
				/*
				 * kilometers, seconds since 1970, and an axis with an
				 * unrelated unit
				 */
				float8		low = axis == 0 ? drand48() * 1000 :
					axis == 1 ? 1.7e9 + drand48() * 86400 :
					random_int(0, 1000) * (extent > 0 ? 10 : 1e9);

				if (i % 200 == 0)
					low = odd_number();
				rows[i].low[axis] = low;
				rows[i].high[axis] = low + extent;
			}
		units = spq_rtree_choose_units(rows, ROWS, 3);
		check(spq_rtree_units_are_known(&units) == (extent > 0), "extent %g", extent);
		for (int i = 0; i < ROWS; i++)
			cells[i].key = spq_rtree_curve_key(&rows[i], 3, &units);
		qsort(cells, ROWS, sizeof(Cell), compare_cells);
		for (int i = 1; i < ROWS; i++)
			same += cells[i].key == cells[i - 1].key;
		check(same < ROWS / 100, "extent %g: %d rows are where others are", extent, same);
	}
	pfree(rows);
	pfree(cells);
	finish_test("what the curve tells apart");
}

/* Floors of a house stay together where houses are low and far apart. */
static void
test_floors(void)
{
	enum
	{
		HOUSES = 500, FLOORS = 40, ROWS = HOUSES * FLOORS
	};
	SpqRtreeBounds *rows = palloc(ROWS * sizeof(SpqRtreeBounds));
	Cell	   *cells = palloc(ROWS * sizeof(Cell));

	for (int try = 0; try < 20; try++)
	{
		int			flat = try % 3;
		int			first[HOUSES],
					last[HOUSES];
		SpqRtreeUnits units;

		for (int house = 0; house < HOUSES; house++)
		{
			float8		at[3];

			for (int axis = 0; axis < 3; axis++)
				at[axis] = try * 1e4 + drand48() * 1e5;
			for (int floor = 0; floor < FLOORS; floor++)
				for (int axis = 0; axis < 3; axis++)
				{
					SpqRtreeBounds *row = &rows[house * FLOORS + floor];

					row->low[axis] = axis == flat ? 3 * floor - 50 : at[axis];
					row->high[axis] = row->low[axis] + (axis == flat ? 3 : 20);
				}
			first[house] = ROWS;
			last[house] = 0;
		}
		units = spq_rtree_choose_units(rows, ROWS, 3);
		for (int i = 0; i < ROWS; i++)
		{
			cells[i].key = spq_rtree_curve_key(&rows[i], 3, &units);
			cells[i].place[0] = i / FLOORS;
		}
		qsort(cells, ROWS, sizeof(Cell), compare_cells);
		for (int i = 0; i < ROWS; i++)
		{
			first[cells[i].place[0]] = Min(first[cells[i].place[0]], i);
			last[cells[i].place[0]] = Max(last[cells[i].place[0]], i);
		}
		for (int house = 0; house < HOUSES; house++)
			check(last[house] - first[house] < ROWS / 16, "floors from place %d to %d, axis %d",
				  first[house], last[house], flat);
	}
	pfree(rows);
	pfree(cells);
	finish_test("floors of houses along the curve");
}

/* Four positions at once are the upper halves of those one by one. */
static void
test_planes(void)
{
	for (int t = 0; t < 10000; t++)
	{
		SpqWords	x,
					y,
					planes;

		for (int i = 0; i < SPQ_WORDS; i++)
		{
			x[i] = (uint32) lrand48() << random_int(0, 31);
			y[i] = (uint32) lrand48() << random_int(0, 31);
		}
		planes = spq_hilbert_planes(x, y);
		for (int i = 0; i < SPQ_WORDS; i++)
		{
			uint32		one[2] = {x[i], y[i]};

			check(planes[i] == spq_hilbert_plane(one) >> 32, "x %u, y %u: %u", x[i], y[i], planes[i]);
		}
	}
	finish_test("four places at once");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	for (int axes = 2; axes <= SPQ_RTREE_AXES; axes++)
		test_curve(axes);
	test_fractions();
	test_floors();
	test_planes();
	return tests_failed > 0;
}
