/*-------------------------------------------------------------------------
 *
 * curve.h
 *	  Positions on the Hilbert curve, by which a build groups rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CURVE_H
#define SPQ_RTREE_CURVE_H

#include "rtree/units.h"

/* The size of a position, in bytes. */
#define SPQ_RTREE_KEY_SIZE(axes)	(4 * (axes))

/*
 * Write the position of the middle of bounds on a Hilbert curve, such that
 * memcmp() orders positions.
 */
extern void spq_rtree_curve_key(const SpqRtreeBounds *bounds, int axes,
								const SpqRtreeUnits *units, uint8 *key);

#endif							/* SPQ_RTREE_CURVE_H */
