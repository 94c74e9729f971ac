/*-------------------------------------------------------------------------
 *
 * touched.h
 *	  What part of a relation index scans for the rows of another one reach.
 *
 * An index keeps neighbors on one page.  A sample of the inner relation is
 * divided likewise, by halves, into cells of neighbors with their bounds:
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

#include "estimate/sample/sample.h"

typedef struct SpqEstimateTouched
{
	double		part;			/* of the inner relation, as stored by an
								 * index */
	double		inside;			/* fraction of outer rows that touch any of it */
} SpqEstimateTouched;

extern SpqEstimateTouched spq_estimate_touched(const SpqEstimateSample *outer,
											   const SpqEstimateSample *inner);

#endif							/* SPQ_ESTIMATE_PAIRS_TOUCHED_H */
