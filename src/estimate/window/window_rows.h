/*-------------------------------------------------------------------------
 *
 * window_rows.h
 *	  How many rows satisfy conditions with constants, from a sample.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_WINDOW_WINDOW_ROWS_H
#define SPQ_ESTIMATE_WINDOW_WINDOW_ROWS_H

#include "estimate/window/window.h"

extern double spq_estimate_in_window(const SpqEstimateWindow *window,
									 const SpqEstimateSample *sample, double tuples);

#endif							/* SPQ_ESTIMATE_WINDOW_WINDOW_ROWS_H */
