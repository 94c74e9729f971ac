/*-------------------------------------------------------------------------
 *
 * plane_sums.h
 *	  Half-spaces and a box without a common point.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SOLID_GEOMETRY_PLANE_SUMS_H
#define SPQ_SOLID_GEOMETRY_PLANE_SUMS_H

#include "solid/geometry/solid.h"

/* A plane as an array: its normal, and its offset at this index. */
#define SPQ_PLANE_OFFSET 3

/* A box, and half-spaces each of which has a point in common with it. */
typedef struct SpqPlanes
{
	const SpqBox3 *box;
	const float8 *plane[SPQ_FRUSTUM3_PLANES];
	int			count;
	/* products of these numbers cannot overflow or underflow */
	bool		is_moderate;
} SpqPlanes;

extern bool spq_plane_sums_separate(const SpqPlanes *planes);

#endif							/* SPQ_SOLID_GEOMETRY_PLANE_SUMS_H */
