/*-------------------------------------------------------------------------
 *
 * window.h
 *	  How many rows satisfy conditions with constants, from a sample.
 *
 * A condition on a box, "b && constant" or any other relation, is a limit to
 * each of its ends, and so is a conjunction of them: the window.
 *
 *		b && q			b.low  <= q.high,	b.high >= q.low
 *		b <@ q			b.low  >= q.low,	b.high <= q.high
 *		b << q			b.high <  q.low
 *
 * Of boxes of one size, those satisfy it whose center is in a rectangle.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_WINDOW_H
#define SPQ_ESTIMATE_WINDOW_H

#include "box/relation.h"
#include "estimate/sample.h"

typedef struct SpqEstimateWindow
{
	double		low_min[SPQ_DIM];	/* limits to the low end, on each axis */
	double		low_max[SPQ_DIM];
	double		high_min[SPQ_DIM];	/* and to the high end */
	double		high_max[SPQ_DIM];
	double		fraction;		/* of the boxes in the window, for which the
								 * conditions hold */
	bool		same;			/* one of the conditions is equality */
	bool		nothing;		/* no box satisfies the conditions */
} SpqEstimateWindow;

extern void spq_estimate_window_init(SpqEstimateWindow *window);
extern void spq_estimate_window_add(SpqEstimateWindow *window,
									SpqRelation relation, double fraction,
									const SpqBox *constant, bool box_is_left);
extern double spq_estimate_in_window(const SpqEstimateWindow *window,
									 const SpqEstimateSample *sample, double tuples);

#endif							/* SPQ_ESTIMATE_WINDOW_H */
