/*-------------------------------------------------------------------------
 *
 * self_pairs.h
 *	  Self-joins that exclude each row's pair with itself.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_JOIN_SELF_PAIRS_H
#define SPQ_ESTIMATE_JOIN_SELF_PAIRS_H

#include "nodes/pathnodes.h"

extern bool spq_estimate_other_rows_only(RelOptInfo *left, RelOptInfo *right);

#endif							/* SPQ_ESTIMATE_JOIN_SELF_PAIRS_H */
