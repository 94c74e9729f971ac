/*-------------------------------------------------------------------------
 *
 * grown_value.h
 *	  Conditions on values that another extension's function has enlarged by a
 *	  distance.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SPATIAL_DISTANCE_GROWN_VALUE_H
#define SPQ_SPATIAL_DISTANCE_GROWN_VALUE_H

#include "nodes/pathnodes.h"

extern Node *spq_spatial_grown_within(PlannerInfo *root, Node *clause);

#endif							/* SPQ_SPATIAL_DISTANCE_GROWN_VALUE_H */
