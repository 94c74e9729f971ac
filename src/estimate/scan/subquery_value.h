/*-------------------------------------------------------------------------
 *
 * subquery_value.h
 *	  What an expression with the result of a subquery is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_SUBQUERY_VALUE_H
#define SPQ_ESTIMATE_SCAN_SUBQUERY_VALUE_H

#include "nodes/pathnodes.h"

extern Node *spq_estimate_value(PlannerInfo *root, Node *node, PlannerInfo **below);

#endif							/* SPQ_ESTIMATE_SCAN_SUBQUERY_VALUE_H */
