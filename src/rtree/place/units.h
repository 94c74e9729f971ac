/*-------------------------------------------------------------------------
 *
 * units.h
 *	  Units of the axes, in which the typical row of a build is a cube.
 *
 * Axes may have different units, and data may be a thousand times as long along one
 * of them as along another: the storeys of a country's houses.  What a window looks like, no
 * one knows; but most windows are more like the rows themselves than like all of the
 * data.  So a build in three dimensions measures each axis in the median of the
 * rows' extents along it:
 *
 *		all rows	+----------------------------------------+
 *					+----------------------------------------+ a few storeys
 *		a group		+----+		and not			+------------------+
 *					+----+						+------------------+ one storey
 *
 * The answer does not depend on the units in which the user measures.  Points have no
 * extents, so of them there are no such units.
 *
 * The curve (curve.c) counts in fractions of the units, or if there are none, of the
 * distance between the first and the last rows, but for one in a hundred on either side:
 * rows far away from all others are not to take the places of these on the curve.
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
	float8		origin[SPQ_RTREE_AXES]; /* in the midst of rows */
	float8		fraction[SPQ_RTREE_AXES];	/* what the curve tells apart
											 * there */
} SpqRtreeUnits;

static inline bool
spq_rtree_units_are_known(const SpqRtreeUnits *units)
{
	return units != NULL && units->unit[0] > 0;
}

/* Return the units for these rows, a sample of all. */
extern SpqRtreeUnits spq_rtree_choose_units(const SpqRtreeBounds *rows, int count, int axes);

#endif							/* SPQ_RTREE_PLACE_UNITS_H */
