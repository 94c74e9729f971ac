/*-------------------------------------------------------------------------
 *
 * limits.h
 *	  The bounds that a node must have to hold an answer of a query.
 *
 * Each operator is a conjunction of comparisons of one coordinate of the box
 * with a number, and each coordinate of a box is within the bounds of its node.
 * So each comparison requires one bound of the node to be low enough or high
 * enough.  All scan keys together require at most four comparisons:
 *
 *		xmin <= limit, ymin <= limit, xmax >= limit, ymax >= limit
 *
 * The limits are codes of the tuple's labels (label.h).  They are computed
 * once per tuple; then each node costs four integer comparisons, for any
 * number of keys.
 *
 * Exactness: a limit is found by evaluating the operator's own comparison,
 * EPSILON and rounding included, on decoded codes.  Decoding is monotonic
 * and so is the comparison; hence if it holds for the coordinate of any box
 * below the node, it holds for the node's bound.
 *
 * These functions need no server and are tested without one
 * (test/unit/limits_test.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_LATTICE_LIMITS_H
#define SPQ_LATTICE_LIMITS_H

#include "box/relation.h"
#include "lattice/label.h"

/* Limits, as codes; see SpqLabel. */
typedef struct SpqLabelLimits
{
	int			xmin;			/* label's xmin must not be above this */
	int			ymin;
	int			xmax;			/* label's xmax must not be below this */
	int			ymax;
} SpqLabelLimits;

/*
 * Return whether a label passes the limits: it does if no difference is
 * negative.
 */
static inline bool
spq_label_passes(const SpqLabelLimits *limits, uint64 packed)
{
	SpqLabel	label;

	spq_label_unpack(packed, &label);
	return ((limits->xmin - label.xmin) | (label.xmax - limits->xmax) |
			(limits->ymin - label.ymin) | (label.ymax - limits->ymax)) >= 0;
}

extern SpqLabelLimits spq_label_no_limits(void);
extern void spq_label_limit(SpqLabelLimits *limits, SpqRelation relation,
							SpqBoxCorners query, const SpqLabelFrame *frame);

#endif							/* SPQ_LATTICE_LIMITS_H */
