/*-------------------------------------------------------------------------
 *
 * distance_clause.h
 *	  Conditions spqtree_dwithin(a, b, distance), as conditions on boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_DISTANCE_DISTANCE_CLAUSE_H
#define SPQ_SPATIAL_DISTANCE_DISTANCE_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"
#include "spatial/operators/sides.h"

extern bool spq_spatial_is_dwithin(Oid function);
extern bool spq_spatial_is_expand(Oid function);
extern Expr *spq_spatial_expand(const FuncExpr *dwithin, Node *shape, Node *distance);
extern Oid	spq_spatial_window_operator(const FuncExpr *dwithin, const char *name, Oid left,
										Oid window);
extern bool spq_spatial_share_distance(PlannerInfo *root, Node *distance, Node *left,
									   Node *right, const SpqSpatialSides *sides,
									   Node **left_part, Node **right_part);
extern OpExpr *spq_spatial_within_clause(PlannerInfo *root, Node *clause,
										 const SpqSpatialSides *sides, SpqSpatialOperator *op);

#endif							/* SPQ_SPATIAL_DISTANCE_DISTANCE_CLAUSE_H */
