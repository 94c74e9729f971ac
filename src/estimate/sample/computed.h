/*-------------------------------------------------------------------------
 *
 * computed.h
 *	  Arithmetic that raises no error, for samples.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SAMPLE_COMPUTED_H
#define SPQ_ESTIMATE_SAMPLE_COMPUTED_H

#include "nodes/execnodes.h"

/* An expression, ready to be evaluated without errors. */
typedef struct SpqEstimateEvaluation SpqEstimateEvaluation;

extern bool spq_estimate_is_computed(const Node *node);
extern bool spq_estimate_is_constructor(const Node *node);
extern bool spq_estimate_is_comparison(const Node *node);
extern SpqEstimateEvaluation *spq_estimate_evaluation(Node *expr, ExprContext *econtext);
extern Datum spq_estimate_evaluate(SpqEstimateEvaluation *evaluation, bool *isnull);

#endif							/* SPQ_ESTIMATE_SAMPLE_COMPUTED_H */
