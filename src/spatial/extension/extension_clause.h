/*-------------------------------------------------------------------------
 *
 * extension_clause.h
 *	  Conditions on types of other extensions, as conditions on boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_EXTENSION_EXTENSION_CLAUSE_H
#define SPQ_SPATIAL_EXTENSION_EXTENSION_CLAUSE_H

#include "nodes/pathnodes.h"

#include "spatial/operators/operators.h"
#include "spatial/operators/sides.h"

extern Oid	spq_spatial_overlap_operator(Oid box_type);
extern List *spq_spatial_extension_conditions(PlannerInfo *root, Node *clause);
extern bool spq_spatial_extension_meets(PlannerInfo *root, Node *clause);
extern OpExpr *spq_spatial_extension_clause(PlannerInfo *root, Node *clause,
											const SpqSpatialSides *sides, SpqSpatialOperator *op);

#endif							/* SPQ_SPATIAL_EXTENSION_EXTENSION_CLAUSE_H */
