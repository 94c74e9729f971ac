/*-------------------------------------------------------------------------
 *
 * sampled_column.h
 *	  The sample of an expression's boxes, if the user may see the rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_CACHE_SAMPLED_COLUMN_H
#define SPQ_ESTIMATE_CACHE_SAMPLED_COLUMN_H

#include "nodes/pathnodes.h"

#include "estimate/sample/box_expression.h"
#include "estimate/sample/sample_boxes.h"

extern const SpqEstimateSample *spq_estimate_column_sample(PlannerInfo *root,
														   const SpqEstimateExpression *column,
														   int block_rows, double *tuples);

#endif							/* SPQ_ESTIMATE_CACHE_SAMPLED_COLUMN_H */
