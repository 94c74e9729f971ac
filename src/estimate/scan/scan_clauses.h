/*-------------------------------------------------------------------------
 *
 * scan_clauses.h
 *	  The selectivity of the spatial conditions of a scan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_SCAN_CLAUSES_H
#define SPQ_ESTIMATE_SCAN_SCAN_CLAUSES_H

#include "nodes/pathnodes.h"

#include "estimate/sample/box_expression.h"
#include "estimate/window/window.h"

extern bool spq_estimate_scan_clauses(PlannerInfo *root, RelOptInfo *rel);
extern double spq_estimate_window_on(PlannerInfo *root, RelOptInfo *rel,
									 const SpqEstimateExpression *column,
									 SpqEstimateWindow *window, bool *known);

#endif							/* SPQ_ESTIMATE_SCAN_SCAN_CLAUSES_H */
