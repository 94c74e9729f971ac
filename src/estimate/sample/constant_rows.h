/*-------------------------------------------------------------------------
 *
 * constant_rows.h
 *	  The rows that a query itself contains: VALUES, and the elements of an
 *	  array.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SAMPLE_CONSTANT_ROWS_H
#define SPQ_ESTIMATE_SAMPLE_CONSTANT_ROWS_H

#include "nodes/parsenodes.h"

extern List *spq_estimate_constant_rows(const RangeTblEntry *rte, int most, double *all);
extern Node *spq_estimate_of_constant_row(Node *expr, List *row);

#endif							/* SPQ_ESTIMATE_SAMPLE_CONSTANT_ROWS_H */
