/*-------------------------------------------------------------------------
 *
 * matched_rows.h
 *	  Rows of a semi or anti join that have a match by all conditions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_JOIN_MATCHED_ROWS_H
#define SPQ_ESTIMATE_JOIN_MATCHED_ROWS_H

#include "nodes/pathnodes.h"

extern void spq_estimate_limit_matched(PlannerInfo *root, RestrictInfo *rinfo,
									   RelOptInfo *left, RelOptInfo *right);

#endif							/* SPQ_ESTIMATE_JOIN_MATCHED_ROWS_H */
