/*-------------------------------------------------------------------------
 *
 * hook.h
 *	  Where the planner gets the estimates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_HOOK_H
#define SPQ_ESTIMATE_HOOK_H

#include "access/amapi.h"

extern void spq_estimate_init(amcostestimate_function own_costs);

#endif							/* SPQ_ESTIMATE_HOOK_H */
