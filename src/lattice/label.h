/*-------------------------------------------------------------------------
 *
 * label.h
 *	  The bounding box of everything below a node, packed with the node's
 *	  number into the 64 bits of a node label.
 *
 *			 5 bits	 3	  14 bits  14 bits	14 bits	 14 bits
 *			+-------+---+--------+--------+--------+--------+
 *			| node	| 0 |  low x |	low y | high x | high y |
 *			+-------+---+--------+--------+--------+--------+
 *
 * Each of the four bounds is a code: a short floating-point number (sign, 6
 * bits of exponent, 7 of mantissa), the distance of the bound from the corner
 * of the inner tuple's cell, in sides of that cell.  Steps are finest near the
 * corner, 1/128 of a side at the far end of the cell, and proportional to the
 * distance beyond it, up to 2^33 sides.  So one format serves boxes inside the
 * cell, boxes that extend beyond it, and boxes much larger than it.  The
 * largest code of either sign stands for infinity: "not bounded".
 *
 *			 code	-8191 ...	-1	   0	 1 ...	 8191
 *			 value	-inf  ... corner - ... corner ... +inf
 *
 * Invariants:
 * - spq_label_decode_code() never decreases when the code increases: it is a
 *	 product by a power of two and a sum, and rounding is monotonic.
 * - The result of spq_label_encode_low() decodes to at most the given value,
 *	 that of spq_label_encode_high() to at least the given value.  Both verify
 *	 their result by decoding it, so this does not depend on an error analysis.
 * Hence the decoded bounds of a node hold every box that the encoded bounds
 * held.  On an axis where a box has a NaN, the bounds are infinite.
 *
 * These functions need no server and are tested without one
 * (test/unit/label_test.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_LATTICE_LABEL_H
#define SPQ_LATTICE_LABEL_H

#include "box/bounds.h"
#include "lattice/lattice.h"

#define SPQ_LABEL_CODE_INF	8191	/* largest code, not bounded */
#define SPQ_LABEL_CODE_NONE	8192	/* beyond the largest code */

/* The frame of reference of an inner tuple's labels. */
typedef struct SpqLabelFrame
{
	float8		x;				/* low corner of the cell */
	float8		y;
	float8		side;
	float8		per_side;		/* 1 / side, also exact */
} SpqLabelFrame;

/* A label, unpacked but not decoded. */
typedef struct SpqLabel
{
	int			node;
	int			xmin;			/* codes */
	int			ymin;
	int			xmax;
	int			ymax;
} SpqLabel;

/* The stored exponent, 0 to 63, of the value 1.0. */
#define SPQ_LABEL_CODE_EXP_ONE	30
#define SPQ_LABEL_CODE_SHIFT		45	/* bits of a double's mantissa left
										 * out */
#define SPQ_LABEL_CODE_FIRST \
	(((uint64) (SPQ_BOX_EXPONENT_BIAS - SPQ_LABEL_CODE_EXP_ONE)) << (52 - SPQ_LABEL_CODE_SHIFT))

/*
 * Return the value of a code on the axis where the frame begins at "corner".
 */
static inline float8
spq_label_decode_code(int code, float8 corner, float8 side)
{
	uint64		bits;

	if (code == 0)
		return corner;
	if (code > 0)
	{
		if (code >= SPQ_LABEL_CODE_INF)
			return get_float8_infinity();
		bits = (SPQ_LABEL_CODE_FIRST + code - 1) << SPQ_LABEL_CODE_SHIFT;
		return corner + spq_box_from_bits(bits) * side;
	}
	if (code <= -SPQ_LABEL_CODE_INF)
		return -get_float8_infinity();
	bits = (SPQ_LABEL_CODE_FIRST - code - 1) << SPQ_LABEL_CODE_SHIFT;
	return corner - spq_box_from_bits(bits) * side;
}

/* Return the node number of a label. */
static inline int
spq_label_node(uint64 packed)
{
	return (int) (packed >> 59);
}

static inline void
spq_label_unpack(uint64 packed, SpqLabel *label)
{
	label->node = spq_label_node(packed);
	label->xmin = (int) ((packed >> 42) & 0x3FFF) - 8192;
	label->ymin = (int) ((packed >> 28) & 0x3FFF) - 8192;
	label->xmax = (int) ((packed >> 14) & 0x3FFF) - 8192;
	label->ymax = (int) (packed & 0x3FFF) - 8192;
}

static inline uint64
spq_label_pack(const SpqLabel *label)
{
	return (uint64) label->node << 59 |
		(uint64) (label->xmin + 8192) << 42 |
		(uint64) (label->ymin + 8192) << 28 |
		(uint64) (label->xmax + 8192) << 14 |
		(uint64) (label->ymax + 8192);
}

/* A label of node 0 with infinite bounds. */
#define SPQ_LABEL_BOUNDLESS \
	((uint64) (8192 - SPQ_LABEL_CODE_INF) << 42 | \
	 (uint64) (8192 - SPQ_LABEL_CODE_INF) << 28 | \
	 (uint64) (8192 + SPQ_LABEL_CODE_INF) << 14 | \
	 (uint64) (8192 + SPQ_LABEL_CODE_INF))

/*
 * Return the frame of a cell's labels.
 *
 * For the whole plane, steps that depend on the distance from its far corner
 * would be useless.  So its frame is the unit square at the origin: steps are
 * 1/128 of the distance from the axes, for distances of 2^-30 to 2^33.
 */
static inline SpqLabelFrame
spq_label_frame(const SpqLatticeCell *cell)
{
	SpqLabelFrame frame;

	if (cell->exp == SPQ_LATTICE_TOP_EXP)
	{
		frame.x = frame.y = 0.0;
		frame.side = frame.per_side = 1.0;
		return frame;
	}
	frame.x = cell->x;
	frame.y = cell->y;
	frame.side = spq_lattice_pow2(cell->exp);
	frame.per_side = spq_lattice_pow2(-cell->exp);
	return frame;
}

static inline SpqBoxBounds
spq_label_decode(uint64 packed, const SpqLabelFrame *frame)
{
	SpqLabel	label;
	SpqBoxBounds bounds;

	spq_label_unpack(packed, &label);
	bounds.xmin = spq_label_decode_code(label.xmin, frame->x, frame->side);
	bounds.ymin = spq_label_decode_code(label.ymin, frame->y, frame->side);
	bounds.xmax = spq_label_decode_code(label.xmax, frame->x, frame->side);
	bounds.ymax = spq_label_decode_code(label.ymax, frame->y, frame->side);
	return bounds;
}

extern int	spq_label_code_near(float8 value, float8 corner, float8 per_side);
extern int	spq_label_encode_low(float8 value, float8 corner, const SpqLabelFrame *frame);
extern int	spq_label_encode_high(float8 value, float8 corner,
								  const SpqLabelFrame *frame);
extern void spq_label_widen(SpqBoxBounds *bounds, const SpqBoxBounds *box,
							const SpqLatticeCell *cell, bool oversize);
extern void spq_label_foresee(SpqBoxBounds *bounds, const SpqLatticeCell *cell,
							  float8 overhang);
extern uint64 spq_label_encode(int node, const SpqBoxBounds *bounds,
							   const SpqLabelFrame *frame);

#endif							/* SPQ_LATTICE_LABEL_H */
