/*-------------------------------------------------------------------------
 *
 * units.h
 *	  Units of the axes, in which the typical row of a build is a cube.
 *
 * Axes may have different units, and data may be a thousand times as long along
 * one axis as along another, like the floors of a country's houses.  Nobody
 * knows what windows look like, but most are more like the rows than like all
 * of the data.  So a build in three dimensions measures each axis in the median
 * extent of the rows along it:
 *
 *		all rows	+----------------------------------------+
 *					+----------------------------------------+ a few floors
 *		a group		+----+		and not			+------------------+
 *					+----+						+------------------+ one floor
 *
 * The result does not depend on the units of the user.  Points have no extents,
 * so they have no such units.
 *
 * The curve (curve.c) counts in fractions of the units.  Without units, these
 * are fractions of the distance between the first and the last rows, not
 * counting one in a hundred on either side: rows far away from all others
 * should not take the places of these on the curve.
 *
 * The curve's largest cells meet at its origin.  If that were in the middle of the
 * rows, the curve would pass through the lower floors of all houses before the upper
 * ones.  So on each axis the rows are in the middle of one cell that is only a little
 * longer; on the longest axis, that is the largest one.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PLACE_UNITS_H
#define SPQ_RTREE_PLACE_UNITS_H

#include "rtree/page/bounds.h"

typedef struct SpqRtreeUnits
{
	float8		unit[SPQ_RTREE_AXES];	/* 0 if they are not known */
	float8		origin[SPQ_RTREE_AXES]; /* where the largest cells of the
										 * curve meet */
	float8		fraction[SPQ_RTREE_AXES];	/* step of the curve near the
											 * origin */
	float8		base;			/* if not 0: axes are digits in this base
								 * (digits.h), and rows are in the order of
								 * numbers, less that of the origin */
} SpqRtreeUnits;

static inline bool
spq_rtree_units_are_known(const SpqRtreeUnits *units)
{
	return units != NULL && units->unit[0] > 0;
}

/* Return whether the axes of a build are digits. */
static inline bool
spq_rtree_units_are_digits(const SpqRtreeUnits *units)
{
	return units != NULL && units->base > 0;
}

/* Choose the units of a build, given a sample of its rows. */
extern SpqRtreeUnits spq_rtree_choose_units(const SpqRtreeBounds *rows, int count, int axes);

/* The same for rows whose axes are digits in a base.  The sample gets sorted. */
extern SpqRtreeUnits spq_rtree_choose_units_of_digits(SpqRtreeBounds *rows, int count,
													  float8 base);

#endif							/* SPQ_RTREE_PLACE_UNITS_H */
