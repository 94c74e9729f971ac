/*-------------------------------------------------------------------------
 *
 * equivalent.h
 *	  Functions that are faster than those of another extension.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_EXTENSION_EQUIVALENT_H
#define SPQ_SPATIAL_EXTENSION_EQUIVALENT_H

#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"

extern Oid	spq_spatial_equivalent(Oid function);
extern Oid	spq_spatial_tried(Oid function);

/* equivalent_plan.c */
extern void spq_spatial_replace_functions(PlannedStmt *statement,
										  bool (*is_ours) (const CustomScan *scan));
extern void spq_spatial_cost_conditions(QualCost *cost, List *clauses, PlannerInfo *root);

#endif							/* SPQ_SPATIAL_EXTENSION_EQUIVALENT_H */
