/*-------------------------------------------------------------------------
 *
 * rights.h
 *	  Whether the user may execute what we add to a plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_OPERATORS_RIGHTS_H
#define SPQ_SPATIAL_OPERATORS_RIGHTS_H

#include "nodes/pathnodes.h"

/*
 * Return whether the user may execute all functions of an expression that the query
 * does not contain, but that we would add to its plan.  Either way, the plan depends
 * on the role: for another one it is made again.
 */
extern bool spq_spatial_may_execute(PlannerInfo *root, Node *expr);

#endif							/* SPQ_SPATIAL_OPERATORS_RIGHTS_H */
