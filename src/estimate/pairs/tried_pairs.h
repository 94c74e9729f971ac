/*-------------------------------------------------------------------------
 *
 * tried_pairs.h
 *	  The fraction of the pairs with matching boxes that satisfies the
 *	  condition itself.
 *
 * A box says little about a line: of lines whose boxes meet, one pair in
 * thirty crosses.  So the condition is tried on some pairs of the samples, by
 * a function that raises no error (spq_spatial_tried):
 *
 *		pairs that match	 p0 p1 p2 p3 p4 p5 p6 p7 ...	of all samples' rows
 *		tried				 |		 |		 |				a few, spread evenly
 *							yes		 no		 ?				? is not counted
 *
 * Each row is read again by its TID, and no value is kept.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_TRIED_PAIRS_H
#define SPQ_ESTIMATE_PAIRS_TRIED_PAIRS_H

#include "estimate/pairs/near_pairs.h"

/* The function that decides a pair. */
typedef struct SpqEstimateTrial
{
	Oid			function;		/* InvalidOid if nothing can be tried */
	bool		exchanged;		/* its first argument is from the right side */
} SpqEstimateTrial;

extern double spq_estimate_tried_fraction(const SpqEstimatePairs *near,
										  const SpqEstimateTrial *trial, double expected);

#endif							/* SPQ_ESTIMATE_PAIRS_TRIED_PAIRS_H */
