/*-------------------------------------------------------------------------
 *
 * order.h
 *	  Boxes in the order of a Hilbert curve through their centers.
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

/*
 * A box's place along the curve, and its number, which is less than 2^31: in the
 * high and the low half of 64 bits.
 */
typedef uint64 SpqNearestPlace;

/* The curve's grid: an axis of it. */
typedef struct SpqNearestAxis
{
	float8		low;
	float8		scale;			/* cells in a unit; 0: one cell */
} SpqNearestAxis;

/* Fit a grid to a sample of boxes. */
extern void spq_nearest_fit_grid(const float8 *boxes, uint32 count, int axes,
								 SpqNearestAxis *grid);

/* Return a box's place along the curve, with all its bits. */
extern uint64 spq_nearest_place(const SpqNearestAxis *grid, const float8 *box, int axes);

static inline uint32
spq_nearest_place_index(SpqNearestPlace place)
{
	return (uint32) place;
}

/*
 * Set places[0] to places[count - 1] to the order of boxes.  There is room for
 * twice as many.
 */
extern void spq_nearest_order(const float8 *boxes, uint32 count, int axes,
							  SpqNearestPlace *places);

#endif							/* SPQ_NEAREST_JOIN_ORDER_H */
