/*-------------------------------------------------------------------------
 *
 * lattice_test.c
 *	  Cells and places: lattice/lattice.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "lattice/lattice.h"

/* Return a number that has a place in the lattice. */
static float8
placed_number(void)
{
	for (;;)
	{
		float8		v = odd_number();

		if (fabs(v) < spq_lattice_pow2(SPQ_LATTICE_MAX_EXP))
			return v;
	}
}

static void
test_edges(void)
{
	for (int i = 0; i < 300000; i++)
	{
		float8		v = placed_number();
		int			exp = random_int(SPQ_LATTICE_MIN_EXP, SPQ_LATTICE_MAX_EXP);
		float8		edge = spq_lattice_edge(v, exp);
		float8		side = spq_lattice_pow2(exp);

		check(edge <= v, "v %g exp %d edge %g", v, exp, edge);
		/* the sum is exact unless v is so large that it is an edge itself */
		check(edge == v || edge + side > v, "v %g exp %d edge %g", v, exp, edge);
		check(fmod(edge, side) == 0.0, "v %g exp %d edge %g", v, exp, edge);
		check(spq_lattice_edge(edge, exp) == edge, "v %g exp %d", v, exp);
		check(spq_lattice_edge(edge, exp + 1) == spq_lattice_edge(v, exp + 1),
			  "cells are not nested: v %g exp %d", v, exp);
	}
	finish_test("every number is in one cell of each exponent, cells are nested");

	for (int exp = SPQ_LATTICE_MIN_EXP; exp <= SPQ_LATTICE_MAX_EXP; exp++)
	{
		float8		tiny = -5e-324;

		check(spq_lattice_edge(tiny, exp) < 0, "exp %d", exp);
		check(spq_lattice_edge(-0.0, exp) == 0 &&
			  !signbit(spq_lattice_edge(-0.0, exp)), "exp %d", exp);
	}
	finish_test("numbers just below zero, and negative zero");
}

static void
test_subcells(void)
{
	for (int i = 0; i < 200000; i++)
	{
		float8		x = placed_number(),
					y = placed_number();
		int			cuts = random_int(0, 2);
		int			exp = random_int(SPQ_LATTICE_MIN_EXP + cuts, SPQ_LATTICE_TOP_EXP);
		SpqLatticeCell cell = spq_lattice_cell(x, y, exp);
		int			number = spq_lattice_subcell(&cell, cuts, x, y);
		float8		side = spq_lattice_pow2(exp - cuts);
		SpqLatticeCell sub = spq_lattice_cell(x, y, exp - cuts);

		check(spq_lattice_cell_holds(&cell, x, y), "x %g y %g exp %d", x, y, exp);
		check(number >= 0 && number < 1 << (2 * cuts), "number %d", number);
		check(cell.x + (number & ((1 << cuts) - 1)) * side == sub.x &&
			  cell.y + (number >> cuts) * side == sub.y,
			  "x %g y %g exp %d number %d", x, y, exp, number);
	}
	finish_test("sub-cells are numbered by where they are");
}

static void
test_cell_around(void)
{
	for (int i = 0; i < 200000; i++)
	{
		float8		x1 = placed_number(),
					x2 = lrand48() % 2 ? placed_number() :
			nextafter(x1, placed_number()),
					y1 = placed_number(),
					y2 = lrand48() % 2 ? y1 : placed_number();
		int			least = random_int(SPQ_LATTICE_MIN_EXP, SPQ_LATTICE_TOP_EXP);
		SpqLatticeCell cell,
					smaller;

		if (fabs(x2) >= spq_lattice_pow2(SPQ_LATTICE_MAX_EXP))
			continue;
		cell = spq_lattice_cell_around(Min(x1, x2), Min(y1, y2),
									   Max(x1, x2), Max(y1, y2), least);
		check(cell.exp >= least && cell.exp <= SPQ_LATTICE_TOP_EXP, "%d", cell.exp);
		check(spq_lattice_cell_holds(&cell, x1, y1) && spq_lattice_cell_holds(&cell, x2, y2),
			  "(%g %g) (%g %g) exp %d", x1, y1, x2, y2, cell.exp);
		smaller = spq_lattice_cell(x1, y1, cell.exp - 1);
		check(cell.exp == least || !spq_lattice_cell_holds(&smaller, x2, y2),
			  "(%g %g) (%g %g) exp %d", x1, y1, x2, y2, cell.exp);
	}
	finish_test("the smallest cell around two points");
}

static void
test_places(void)
{
	for (int i = 0; i < 300000; i++)
	{
		BOX			box = any_box();
		SpqLatticePlace place = spq_lattice_place(&box);
		float8		size = Max(box.high.x - box.low.x,
							   box.high.y - box.low.y);

		check(fabs(place.x) < spq_lattice_pow2(SPQ_LATTICE_MAX_EXP) &&
			  fabs(place.y) < spq_lattice_pow2(SPQ_LATTICE_MAX_EXP), "%g %g",
			  place.x, place.y);
		check(place.size >= SPQ_LATTICE_MIN_EXP && place.size <= SPQ_LATTICE_TOP_EXP,
			  "%d", place.size);
		if (place.size < SPQ_LATTICE_TOP_EXP)
		{
			check(size <= spq_lattice_pow2(place.size), "%g %d", size, place.size);
			check(place.size == SPQ_LATTICE_MIN_EXP ||
				  size > spq_lattice_pow2(place.size - 1), "%g %d", size, place.size);
			/* half of the smallest number is zero */
			check(place.x >= box.low.x - 5e-324 &&
				  place.x <= box.high.x + 5e-324 &&
				  place.y >= box.low.y - 5e-324 &&
				  place.y <= box.high.y + 5e-324,
				  "anchor %g %g", place.x, place.y);
		}
	}
	finish_test("every box has a place, its size class fits");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_edges();
	test_subcells();
	test_cell_around();
	test_places();
	return tests_failed > 0;
}
