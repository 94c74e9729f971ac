/*-------------------------------------------------------------------------
 *
 * window.h
 *	  Conditions with constants, as limits on the ends of a box.
 *
 * A condition on a box, "b && constant" or any other relation, limits each of
 * its ends, and so does a conjunction of such conditions: the window.
 *
 *		b && q			b.low  <= q.high,	b.high >= q.low
 *		b <@ q			b.low  >= q.low,	b.high <= q.high
 *		b << q			b.high <  q.low
 *
 * A box of a given size satisfies it if its center is in a rectangle.  With
 * three axes, there may be shapes, too (solid_shape.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_WINDOW_WINDOW_H
#define SPQ_ESTIMATE_WINDOW_WINDOW_H

#include "box/relation.h"
#include "estimate/sample/sample.h"
#include "estimate/window/solid_shape.h"

/* Conditions with shapes on one column; more are assumed to be implied. */
#define SPQ_ESTIMATE_SHAPES	2

typedef struct SpqEstimateWindow
{
	int			axes;
	double		low_min[SPQ_ESTIMATE_MAX_AXES]; /* limits on the low end, on
												 * each axis */
	double		low_max[SPQ_ESTIMATE_MAX_AXES];
	double		high_min[SPQ_ESTIMATE_MAX_AXES];	/* limits on the high end */
	double		high_max[SPQ_ESTIMATE_MAX_AXES];
	double		fraction;		/* of the boxes in the window that satisfy the
								 * conditions */
	bool		same;			/* one of the conditions is equality */
	bool		nothing;		/* no box satisfies the conditions */
	int			shapes;			/* that boxes must also meet, or lie in; only
								 * with three axes */
	SpqEstimateShape shape[SPQ_ESTIMATE_SHAPES];
} SpqEstimateWindow;

extern void spq_estimate_window_init(SpqEstimateWindow *window, int axes);
extern void spq_estimate_window_add(SpqEstimateWindow *window,
									SpqRelation relation, double fraction,
									const float8 *constant, bool box_is_left);
extern void spq_estimate_window_add_shape(SpqEstimateWindow *window,
										  const SpqEstimateShape *shape);

/* shrink_window.c */
extern double spq_estimate_shrink(const SpqEstimateWindow *window,
								  const SpqEstimateSample *sample, const bool *is_in);

/* window_rows.c */
extern double spq_estimate_in_window(const SpqEstimateWindow *window,
									 const SpqEstimateSample *sample, double tuples);
extern int	spq_estimate_rows_in_window(const SpqEstimateWindow *window,
										const SpqEstimateSample *sample, bool *is_in);
extern bool spq_estimate_enough_blocks(const SpqEstimateSample *sample, const bool *is_in);
extern double spq_estimate_around_window(const SpqEstimateWindow *window,
										 const SpqEstimateSample *sample,
										 const bool *is_in, int in);
extern double spq_estimate_least(const SpqEstimateSample *sample, double tuples);

/* any_window.c */
extern double spq_estimate_in_any_window(const SpqEstimateWindow *windows, int count, double all,
										 const SpqEstimateSample *sample, double tuples, int *in,
										 double *sum);

#endif							/* SPQ_ESTIMATE_WINDOW_WINDOW_H */
