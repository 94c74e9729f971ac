/*-------------------------------------------------------------------------
 *
 * shrink_window.h
 *	  How many rows are in a window that contains few rows of a sample, or none.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_WINDOW_SHRINK_WINDOW_H
#define SPQ_ESTIMATE_WINDOW_SHRINK_WINDOW_H

#include "estimate/window/window.h"

extern double spq_estimate_shrink(const SpqEstimateWindow *window,
								  const SpqEstimateSample *sample, const bool *is_in);

#endif							/* SPQ_ESTIMATE_WINDOW_SHRINK_WINDOW_H */
