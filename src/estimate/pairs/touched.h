/*-------------------------------------------------------------------------
 *
 * touched.h
 *	  The part of a relation that index scans for the rows of another reach.
 *
 * An index keeps neighbors on one page.  Likewise, a sample of the inner
 * relation is divided by halves into cells of neighbors with their bounds:
 *
 *		+----+ +-----+
 *		|    | | o o |  <- outer rows touch one of three cells: one third of
 *		+----+ | o   |	   the index is read, again and again
 *		+----+ +-----+
 *		|    |		 o  <- outside of all cells: the scan ends near the root
 *		+----+
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_TOUCHED_H
#define SPQ_ESTIMATE_PAIRS_TOUCHED_H

#include "estimate/sample/sample_boxes.h"

typedef struct SpqEstimateTouched
{
	double		part;			/* fraction of the inner relation, in the
								 * order of an index */
	double		inside;			/* fraction of outer rows that touch it */
} SpqEstimateTouched;

extern SpqEstimateTouched spq_estimate_touched(const SpqEstimateSample *outer,
											   const SpqEstimateSample *inner);

#endif							/* SPQ_ESTIMATE_PAIRS_TOUCHED_H */
