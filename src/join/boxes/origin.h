/*-------------------------------------------------------------------------
 *
 * origin.h
 *	  From coordinates to the floats in buckets: an origin, or positions.
 *
 * Coordinates are relative to an origin near the data, because floats have only 24 bits.
 * That is too coarse if most data lies in clusters far apart: times of a day a century
 * ago and today, addresses of networks.  Then the floats of an axis are positions among a
 * sample of its coordinates, which are its knots:
 *
 *		coordinate	--|-|-||----------------------------||-|-|--
 *		float		  0 1 23							 45 6 7
 *
 * Between two knots, positions are linear.  Any such map is monotone, rounding included,
 * which is all that buckets need.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_ORIGIN_H
#define SPQ_JOIN_BOXES_ORIGIN_H

#include "join/boxes/item.h"

/* The most knots of an axis: between two of them, 14 bits of a float are left. */
#define SPQ_JOIN_KNOTS	1024

typedef struct SpqJoinOrigin
{
	double		at[SPQ_DIM];
	bool		has_knots;		/* on some axis */
	int			nknots[SPQ_DIM];	/* 0: relative to the origin */
	double		knot[SPQ_DIM][SPQ_JOIN_KNOTS];	/* ascending, finite */
} SpqJoinOrigin;

/* Return the low corner of a box as an origin, or zero if it is not finite. */
static inline SpqJoinOrigin
spq_join_origin(const SpqBox *box)
{
	SpqJoinOrigin origin = {0};

	if (spq_all_finite(spq_box_low(box), SPQ_DIM))
		spq_each_axis(axis)
			origin.at[axis] = spq_box_low(box)[axis];
	return origin;
}

/*
 * Choose the origin for these rows, whose middle one is near many others, even if some lie
 * far away.  "lines": it may have no knots, because lines are to be compared.
 */
extern void spq_join_choose_origin(SpqJoinOrigin *origin, const SpqJoinItem *items, uint32 count,
								   uint64 rows, bool lines);

/* Return the float of a coordinate that is no NaN, on an axis with knots. */
extern float spq_join_position(const SpqJoinOrigin *origin, int axis, double coordinate);

#endif							/* SPQ_JOIN_BOXES_ORIGIN_H */
