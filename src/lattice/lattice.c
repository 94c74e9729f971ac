/*-------------------------------------------------------------------------
 *
 * lattice.c
 *	  The smallest cell around several points.  See lattice.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lattice/lattice.h"

/*
 * Return the smallest exponent, at least "exp", at which one cell holds both
 * values.
 *
 * Values on different sides of zero are both in the whole plane only.
 * Otherwise the side must exceed their difference, and at most 53 doublings
 * from there lead to a cell that begins or ends at zero.
 */
static int
common_exponent(float8 min, float8 max, int exp)
{
	if (min < 0 && max >= 0)
		return SPQ_LATTICE_TOP_EXP;
	if (max > min)
	{
		int			diff_exp;

		(void) frexp(max - min, &diff_exp);
		exp = Max(exp, diff_exp - 1);
	}
	while (spq_lattice_edge(min, exp) != spq_lattice_edge(max, exp))
		exp++;
	return exp;
}

/*
 * Return the smallest cell of at least this exponent that holds all points
 * between (xmin, ymin) and (xmax, ymax).  These coordinates must have places
 * (spq_lattice_has_place).
 */
SpqLatticeCell
spq_lattice_cell_around(float8 xmin, float8 ymin, float8 xmax, float8 ymax,
						int least_exp)
{
	int			exp = least_exp;

	exp = common_exponent(xmin, xmax, exp);
	exp = common_exponent(ymin, ymax, exp);
	return spq_lattice_cell(xmin, ymin, exp);
}
