/*-------------------------------------------------------------------------
 *
 * order.h
 *	  Boxes in the order of a Hilbert curve through their middles.
 *
 * A box is an array of its high ends on all axes, then its low ends.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_JOIN_ORDER_H
#define SPQ_NEAREST_JOIN_ORDER_H

#define SPQ_NEAREST_AXES	3

/* A box's place along the curve, and its number. */
typedef struct SpqNearestPlace
{
	uint64		key;
	uint32		index;
} SpqNearestPlace;

/*
 * Set "places" to the order of boxes.  "spare" has room for as many.
 */
extern void spq_nearest_order(const float8 *boxes, uint32 count, int axes,
							  SpqNearestPlace *places, SpqNearestPlace *spare);

#endif							/* SPQ_NEAREST_JOIN_ORDER_H */
