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
 * SPQ_LATTICE_MIN_EXP to SPQ_LATTICE_MAX_EXP.  One more cell, of exponent
 * SPQ_LATTICE_TOP_EXP, is the whole plane; its quadrants meet at the origin, so
 * the axes are split lines of the lattice as well:
 *
 *				   -2^1000	  0    2^1000
 *						+-----+-----+
 *						|	  |		|		SPQ_LATTICE_TOP_EXP: all four
 *						+-----0-----+		SPQ_LATTICE_MAX_EXP: each of them
 *						|	  |	  +-+
 *						+-----+---+-+		smaller cells: halves, quarters
 *
 * The place of a box does not depend on other boxes.  It consists of an
 * anchor, the point that decides which cells the box is in, and a size class,
 * the exponent of the smallest cell as large as the box.  (A quadtree that
 * puts objects, by their center, in cells as large as the objects is called a
 * loose quadtree: Ulrich, 2000.)
 *
 * Invariants: every number of absolute value below 2^1000 is in one cell of
 * each exponent, the cells of increasing exponents around a point are nested,
 * and edges are computed without rounding.  spq_lattice_place() replaces
 * larger numbers, infinities and NaN.
 *
 * These functions need no server and are tested without one
 * (test/unit/lattice_test.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_LATTICE_LATTICE_H
#define SPQ_LATTICE_LATTICE_H

#include <math.h>

#include "utils/geo_decls.h"

#include "box/bits.h"
#include "box/box.h"

/* Exponents of the smallest cell, the largest cell and the whole plane. */
#define SPQ_LATTICE_MIN_EXP	(-1000)
#define SPQ_LATTICE_MAX_EXP	1000
#define SPQ_LATTICE_TOP_EXP	(SPQ_LATTICE_MAX_EXP + 1)

typedef struct SpqLatticeCell
{
	float8		x;				/* low corner */
	float8		y;
	int			exp;			/* side is 2^exp */
} SpqLatticeCell;

/* The place of a box in the lattice. */
typedef struct SpqLatticePlace
{
	float8		x;				/* anchor */
	float8		y;
	int			size;			/* size class: the box fits a cell of this
								 * exponent */
} SpqLatticePlace;

/* Return 2^exp, for the exponent of a normal double. */
static inline float8
spq_lattice_pow2(int exp)
{
	return spq_box_from_bits((uint64) (exp + SPQ_BOX_EXPONENT_BIAS) << 52);
}

/*
 * Return floor() of a number of absolute value below 2^52.  Without SSE 4.1
 * the C library's floor() is a function call, and an insertion needs dozens.
 */
static inline float8
spq_lattice_floor(float8 v)
{
	float8		whole = (float8) (int64) v;

	return whole - (whole > v);
}

/*
 * Return the low edge, along one axis, of the cell of exponent exp that holds
 * v.
 *
 * Scaling by a power of two is exact unless it overflows or underflows.  From
 * 2^52 on, each double is a whole number, so v itself is an edge; this
 * includes an infinite product.  A product that underflows is less than one,
 * and has the right floor, except that a negative one may become zero, which
 * would put the edge above v.  Adding zero turns -0 into 0.
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
	SpqLatticeCell cell;

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
 * Return the number of the sub-cell that holds a point of the cell, if each
 * axis is cut in 2^cuts parts.  Number 0 is the lower left; numbers increase
 * along x first.
 *
 * The difference of the edges is exact: both are multiples of the sub-cell's
 * side, and less than the cell's side apart.
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
 * Return whether a coordinate has a place.  NaN, infinities and numbers beyond
 * the largest cell have none.
 */
static inline bool
spq_lattice_has_place(float8 v)
{
	return fabs(v) < spq_lattice_pow2(SPQ_LATTICE_MAX_EXP);
}

/*
 * Return the anchor along one axis: the middle of the two sides.  If one side
 * has no place, return the other: the anchor of [2020, infinity) is 2020.
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
 * Return the exponent of the smallest cell whose side is at least this size:
 * the exponent of the size if that is a power of two, else one more.  If the
 * size is less than all cells, zero or negative, return the smallest exponent.
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
 * Return the place of a box.  Every box has a place.  If a coordinate has
 * none, the size class is the largest.
 */
static inline SpqLatticePlace
spq_lattice_place(const BOX *box)
{
	SpqLatticePlace place;

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

#endif							/* SPQ_LATTICE_LATTICE_H */
