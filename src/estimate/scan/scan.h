/*-------------------------------------------------------------------------
 *
 * scan.h
 *	  The conditions of one relation, its size and its paths.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_SCAN_H
#define SPQ_ESTIMATE_SCAN_SCAN_H

#include "nodes/pathnodes.h"

#include "estimate/sample/sample.h"
#include "estimate/window/solid_shape.h"
#include "estimate/window/window.h"
#include "spatial/operators/operators.h"

/* subquery_value.c */
extern Node *spq_estimate_value(PlannerInfo *root, Node *node, PlannerInfo **below);

/* scan_shape.c */
extern bool spq_estimate_scan_shape(PlannerInfo *root, const SpqSpatialOperator *op,
									bool column_is_left, const FuncExpr *within,
									const Const *constant, SpqEstimateShape *shape);

/* scan_clauses.c */
extern bool spq_estimate_scan_clauses(PlannerInfo *root, RelOptInfo *rel);
extern double spq_estimate_window_on(PlannerInfo *root, RelOptInfo *rel,
									 const SpqEstimateExpression *column,
									 SpqEstimateWindow *window, bool *known);

/* filter.c */
extern bool spq_estimate_is_assumed(PlannerInfo *root, const RestrictInfo *rinfo);
extern bool spq_estimate_filters(PlannerInfo *root, const RelOptInfo *rel);

/* heap_order.c */
extern double spq_estimate_heap_order(PlannerInfo *root, const IndexPath *path);

/* scan_paths.c */
extern void spq_estimate_scans(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SPQ_ESTIMATE_SCAN_SCAN_H */
