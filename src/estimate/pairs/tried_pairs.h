/*-------------------------------------------------------------------------
 *
 * tried_pairs.h
 *	  Which part of the pairs whose boxes match satisfies the condition itself.
 *
 * A box says little of a line: of lines whose boxes meet, one pair in thirty crosses.
 * So the condition is tried on some pairs of the samples, by a function that raises no
 * error (spq_spatial_tried):
 *
 *		pairs that match	 p0 p1 p2 p3 p4 p5 p6 p7 ...	of all samples' rows
 *		tried				 |		 |		 |				a few of them, spread evenly
 *							yes		 no		 ?				? counts for nothing
 *
 * Each row is read again by its place in the table, and nothing is kept of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_TRIED_PAIRS_H
#define SPQ_ESTIMATE_PAIRS_TRIED_PAIRS_H

#include "estimate/pairs/near_pairs.h"

/* What decides a pair. */
typedef struct SpqEstimateTrial
{
	Oid			function;		/* InvalidOid: nothing can be tried */
	bool		exchanged;		/* its first argument is that of the right
								 * side */
} SpqEstimateTrial;

extern double spq_estimate_tried_fraction(const SpqEstimatePairs *near,
										  const SpqEstimateTrial *trial, double expected);

#endif							/* SPQ_ESTIMATE_PAIRS_TRIED_PAIRS_H */
