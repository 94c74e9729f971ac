/*-------------------------------------------------------------------------
 *
 * expected_fraction.h
 *	  The fraction of the pairs with matching boxes that is expected to satisfy
 *	  a condition.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_EXPECTED_FRACTION_H
#define SPQ_ESTIMATE_PAIRS_EXPECTED_FRACTION_H

#include "estimate/sample/sample_boxes.h"

extern bool spq_estimate_line_meets_box(const SpqSpatialOperator *op);
extern double spq_estimate_expected_fraction(const SpqSpatialOperator *op,
											 const SpqEstimateSample *left,
											 const SpqEstimateSample *right);

#endif							/* SPQ_ESTIMATE_PAIRS_EXPECTED_FRACTION_H */
