/*-------------------------------------------------------------------------
 *
 * subquery_value.h
 *	  The value of an expression that uses the result of a subquery.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_SUBQUERY_VALUE_H
#define SPQ_ESTIMATE_SCAN_SUBQUERY_VALUE_H

#include "nodes/pathnodes.h"

extern Node *spq_estimate_value(PlannerInfo *root, Node *node, PlannerInfo **below);

#endif							/* SPQ_ESTIMATE_SCAN_SUBQUERY_VALUE_H */
