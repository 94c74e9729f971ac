/*-------------------------------------------------------------------------
 *
 * hook.h
 *	  Where the planner gets the estimates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_HOOK_H
#define SPQ_ESTIMATE_HOOK_H

extern void spq_estimate_init(void);

#endif							/* SPQ_ESTIMATE_HOOK_H */
