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

/*
 * The functions that return the bounds of a value: its usual bounds, in the
 * plane or in space; and bounds in space for a type whose usual ones are in
 * the plane.
 */
#define SPQ_SPATIAL_BOUNDS	"spqtree_bounds"
#define SPQ_SPATIAL_BOUNDS3	"spqtree_bounds3"

extern Oid	spq_spatial_find_function(const char *name, int nargs, const Oid *types, Oid result_type);
extern Oid	spq_spatial_trusted_function(const char *name, int nargs, const Oid *types,
										 Oid result_type);
extern Oid	spq_spatial_sql_function(const char *f, int nargs, const Oid *types, Oid last);
extern Oid	spq_spatial_bounds_function(Oid type, bool distance);
extern bool spq_spatial_is_bounds(Oid function);
extern List *spq_spatial_extension_conditions(PlannerInfo *root, Node *clause);
extern bool spq_spatial_extension_meets(PlannerInfo *root, Node *clause);
extern bool spq_spatial_is_plain_bounds(Oid function);
extern FuncExpr *spq_spatial_bounds_without_call(const FuncExpr *bounds);
extern bool spq_spatial_is_maker(Oid function);
extern OpExpr *spq_spatial_extension_clause(PlannerInfo *root, Node *clause,
											const SpqSpatialSides *sides, SpqSpatialOperator *op);

#endif							/* SPQ_SPATIAL_EXTENSION_EXTENSION_CLAUSE_H */
