/*-------------------------------------------------------------------------
 *
 * equivalent_plan.h
 *	  Equivalents of functions in the conditions of plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_EXTENSION_EQUIVALENT_PLAN_H
#define SPQ_SPATIAL_EXTENSION_EQUIVALENT_PLAN_H

#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"

extern void spq_spatial_replace_functions(PlannedStmt *statement,
										  bool (*is_ours) (const CustomScan *scan));
extern void spq_spatial_cost_conditions(QualCost *cost, List *clauses, PlannerInfo *root);

#endif							/* SPQ_SPATIAL_EXTENSION_EQUIVALENT_PLAN_H */
