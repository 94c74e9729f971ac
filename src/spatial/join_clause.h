/*-------------------------------------------------------------------------
 *
 * join_clause.h
 *	  A spatial join condition, as a clause of an operator.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_JOIN_CLAUSE_H
#define SPQ_SPATIAL_JOIN_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"
#include "spatial/operators/sides.h"

extern OpExpr *spq_spatial_implied_clause(PlannerInfo *root, RestrictInfo *rinfo, List *conditions,
										  const SpqSpatialSides *sides, SpqSpatialOperator *op);
extern RestrictInfo *spq_spatial_join_clause(PlannerInfo *root, RestrictInfo *rinfo,
											 List *conditions, const SpqSpatialSides *sides,
											 SpqSpatialOperator *op);

/* arms.c */
extern List *spq_spatial_arms(PlannerInfo *root, const RestrictInfo *rinfo, int most);
extern RestrictInfo *spq_spatial_with_clause(const RestrictInfo *rinfo, Expr *clause);

#endif							/* SPQ_SPATIAL_JOIN_CLAUSE_H */
