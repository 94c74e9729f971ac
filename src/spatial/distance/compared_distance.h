/*-------------------------------------------------------------------------
 *
 * compared_distance.h
 *	  Conditions such as a <-> b < d, as conditions on boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_DISTANCE_COMPARED_DISTANCE_H
#define SPQ_SPATIAL_DISTANCE_COMPARED_DISTANCE_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"
#include "spatial/operators/sides.h"

extern bool spq_spatial_is_reach(Oid function);
extern OpExpr *spq_spatial_compared_clause(PlannerInfo *root, Node *clause,
										   const SpqSpatialSides *sides, SpqSpatialOperator *op);
extern List *spq_spatial_compared_conditions(PlannerInfo *root, Node *clause, bool *any_index);

#endif							/* SPQ_SPATIAL_DISTANCE_COMPARED_DISTANCE_H */
