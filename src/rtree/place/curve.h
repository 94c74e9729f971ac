/*-------------------------------------------------------------------------
 *
 * curve.h
 *	  Positions on the Hilbert curve, by which a build groups rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PLACE_CURVE_H
#define SPQ_RTREE_PLACE_CURVE_H

#include "rtree/place/units.h"

/*
 * Return the position of the middle of bounds on a Hilbert curve.  Units matter
 * in three dimensions only.
 */
extern uint64 spq_rtree_curve_key(const SpqRtreeBounds *bounds, int axes,
								  const SpqRtreeUnits *units);

#endif							/* SPQ_RTREE_PLACE_CURVE_H */
