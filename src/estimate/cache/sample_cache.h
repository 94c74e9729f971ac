/*-------------------------------------------------------------------------
 *
 * sample_cache.h
 *	  A cache of samples and estimates for the session.
 *
 *		(table, expression) ... -> sample --+
 *											+--> estimate of the pair
 *		(table, expression) ... -> sample --+
 *
 * A sample is valid until one of its relations is altered, vacuumed or
 * analyzed, or its size changes by more than a tenth.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_CACHE_SAMPLE_CACHE_H
#define SPQ_ESTIMATE_CACHE_SAMPLE_CACHE_H

#include "estimate/pairs/estimate.h"
#include "estimate/sample/sample_boxes.h"

extern void spq_estimate_cache_init(void);
extern const SpqEstimateSample *spq_estimate_sample(List *children, const SpqTypeOperand *operand,
													int rows, int block_rows);
extern const SpqEstimateSample *spq_estimate_sample_again(uint64 id);
extern const SpqEstimate *spq_estimate_of_samples(const SpqEstimateSample *left,
												  const SpqEstimateSample *right,
												  const SpqEstimateQuestion *question);

#endif							/* SPQ_ESTIMATE_CACHE_SAMPLE_CACHE_H */
