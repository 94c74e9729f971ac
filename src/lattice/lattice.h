/*-------------------------------------------------------------------------
 *
 * lattice.h
 *	  The binary lattice that all split lines come from, and the place of a
 *	  box in it.
 *
 * A cell is a square whose side is a power of two and whose corner is a
 * multiple of that side, half open at the top and at the right:
 *
 *			[i * 2^e, (i + 1) * 2^e) x [j * 2^e, (j + 1) * 2^e)
 *
 * Two cells are either disjoint or one holds the other.  Exponents run from
 * SPQ_LATTICE_MIN_EXP to SPQ_LATTICE_MAX_EXP.  One more cell, of exponent SPQ_LATTICE_TOP_EXP,
 * is the whole plane; its quadrants meet at the origin, so that the axes are
 * split lines of the lattice as well:
 *
 *				   -2^1000	  0    2^1000
 *						+-----+-----+
 *						|	  |		|		SPQ_LATTICE_TOP_EXP: all four
 *						+-----0-----+		SPQ_LATTICE_MAX_EXP: each of them
 *						|	  |	  +-+
 *						+-----+---+-+		smaller cells: halves, quarters
 *
 * A box has its place by two things that no other box has a say in: its
 * anchor, a point that decides in which cells it is, and its size class, the
 * exponent of the smallest cell that is as large as the box.  (A quadtree
 * that holds objects by their center in cells as large as they are is called
 * a loose quadtree: Ulrich, 2000.)
 *
 * Invariants: every double has a cell for each exponent; cells of
 * growing exponent around one point are nested; both are exact, with no
 * rounding, for all finite values below 2^1000.  Larger ones, infinities and
 * NaN are replaced before they get here (see spq_lattice_place).
 *
 * These functions need no server and are tested without one
 * (test/unit/lattice_test.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_LATTICE_H
#define SPQ_LATTICE_H

#include <math.h>

#include "utils/geo_decls.h"

#include "box/bits.h"
#include "box/box.h"

/* Exponents of the smallest cell, of the largest, and of the whole plane. */
#define SPQ_LATTICE_MIN_EXP	(-1000)
#define SPQ_LATTICE_MAX_EXP	1000
#define SPQ_LATTICE_TOP_EXP	(SPQ_LATTICE_MAX_EXP + 1)

typedef struct SpqLatticeCell
{
	float8		x;				/* low corner */
	float8		y;
	int			exp;			/* side is 2^exp */
} SpqLatticeCell;

/* Where a box belongs. */
typedef struct SpqLatticePlace
{
	float8		x;				/* anchor */
	float8		y;
	int			size;			/* size class: the box fits a cell of this
								 * exponent */
} SpqLatticePlace;

/* 2^exp for an exponent of a normal double. */
static inline float8
spq_lattice_pow2(int exp)
{
	return spq_box_from_bits((uint64) (exp + SPQ_BOX_EXPONENT_BIAS) << 52);
}

/*
 * floor() of a number whose absolute value is below 2^52.  Written out, as
 * without SSE 4.1 the library's is a call, and an insertion has dozens.
 */
static inline float8
spq_lattice_floor(float8 v)
{
	float8		whole = (float8) (int64) v;

	return whole - (whole > v);
}

/*
 * Low edge, along one axis, of the cell of exponent exp that holds v.
 *
 * Scaling by a power of two is exact unless it overflows or underflows.
 * From 2^52 on a double is a whole number, hence v itself is an edge (that
 * covers an infinite product too).  A product that underflows is less than
 * one, and right unless v is negative and it becomes zero, which puts the
 * edge above v.  Adding zero turns -0 into 0.
 */
static inline float8
spq_lattice_edge(float8 v, int exp)
{
	float8		scaled;
	float8		edge;

	if (exp >= SPQ_LATTICE_TOP_EXP)
		return -spq_lattice_pow2(SPQ_LATTICE_MAX_EXP);
	scaled = v * spq_lattice_pow2(-exp);
	if (!(fabs(scaled) < 4503599627370496.0))
		return v + 0.0;
	edge = spq_lattice_floor(scaled) * spq_lattice_pow2(exp) + 0.0;
	return likely(edge <= v) ? edge : edge - spq_lattice_pow2(exp);
}

static inline SpqLatticeCell
spq_lattice_cell(float8 x, float8 y, int exp)
{
	SpqLatticeCell		cell;

	cell.x = spq_lattice_edge(x, exp);
	cell.y = spq_lattice_edge(y, exp);
	cell.exp = exp;
	return cell;
}

static inline bool
spq_lattice_cell_holds(const SpqLatticeCell *cell, float8 x, float8 y)
{
	return spq_lattice_edge(x, cell->exp) == cell->x &&
		spq_lattice_edge(y, cell->exp) == cell->y;
}

/*
 * Number of the sub-cell that holds a point of the cell, when each axis is
 * cut in 2^cuts parts: 0 is the lower left, numbers grow along x first.
 *
 * Edges are multiples of the sub-cell's side less than a cell's side apart,
 * so their difference is exact.
 */
static inline int
spq_lattice_subcell(const SpqLatticeCell *cell, int cuts, float8 x, float8 y)
{
	int			exp = cell->exp - cuts;
	float8		per_side = spq_lattice_pow2(-exp);
	int			column = (int) ((spq_lattice_edge(x, exp) - cell->x) * per_side);
	int			row = (int) ((spq_lattice_edge(y, exp) - cell->y) * per_side);

	return (row << cuts) + column;
}

/*
 * Can this coordinate be placed?  No for NaN, infinities and anything beyond
 * the largest cell.
 */
static inline bool
spq_lattice_has_place(float8 v)
{
	return fabs(v) < spq_lattice_pow2(SPQ_LATTICE_MAX_EXP);
}

/*
 * Anchor along one axis: the middle, which halving first keeps from
 * overflowing.  A side without a place leaves the decision to the other
 * one, so that [2020, infinity) is found near 2020.
 */
static inline float8
spq_lattice_anchor(float8 low, float8 high)
{
	if (!spq_lattice_has_place(low))
		return spq_lattice_has_place(high) ? high : 0.0;
	if (!spq_lattice_has_place(high))
		return low;
	return spq_box_middle(low, high);
}

/*
 * Exponent of the smallest cell whose side is at least this size: that of the
 * size itself if it is a power of two, else one more.  Of sizes so small that
 * they have no exponent of their own, the least.
 */
static inline int
spq_lattice_size_class(float8 size)
{
	int			exp = spq_box_exponent(size) - SPQ_BOX_EXPONENT_BIAS;

	if ((spq_box_bits(size) << 12) != 0)
		exp++;
	if (!(size > 0) || exp < SPQ_LATTICE_MIN_EXP)
		return SPQ_LATTICE_MIN_EXP;
	return Min(exp, SPQ_LATTICE_TOP_EXP);
}

/*
 * Place of a box.  Never fails; a box with a corner that has no place is of
 * the largest size class.
 */
static inline SpqLatticePlace
spq_lattice_place(const BOX *box)
{
	SpqLatticePlace	place;

	place.x = spq_lattice_anchor(box->low.x, box->high.x);
	place.y = spq_lattice_anchor(box->low.y, box->high.y);
	if (likely(spq_lattice_has_place(box->low.x) && spq_lattice_has_place(box->high.x) &&
			   spq_lattice_has_place(box->low.y) && spq_lattice_has_place(box->high.y)))
		place.size = spq_lattice_size_class(Max(box->high.x - box->low.x,
												box->high.y - box->low.y));
	else
		place.size = SPQ_LATTICE_TOP_EXP;
	return place;
}

extern SpqLatticeCell spq_lattice_cell_around(float8 xmin, float8 ymin,
									   float8 xmax, float8 ymax, int least_exp);

#endif							/* SPQ_LATTICE_H */
