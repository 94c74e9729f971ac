/*-------------------------------------------------------------------------
 *
 * scan_shape.h
 *	  The conditions of a scan that have a shape of three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SCAN_SCAN_SHAPE_H
#define SPQ_ESTIMATE_SCAN_SCAN_SHAPE_H

#include "nodes/pathnodes.h"

#include "estimate/window/solid_shape.h"
#include "spatial/operators/operators.h"

extern bool spq_estimate_scan_shape(PlannerInfo *root, const SpqSpatialOperator *op,
									bool column_is_left, const FuncExpr *within,
									const Const *constant, SpqEstimateShape *shape);

#endif							/* SPQ_ESTIMATE_SCAN_SCAN_SHAPE_H */
