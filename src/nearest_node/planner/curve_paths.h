/*-------------------------------------------------------------------------
 *
 * curve_paths.h
 *	  Loops over rows in the order of a curve.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_NODE_PLANNER_CURVE_PATHS_H
#define SPQ_NEAREST_NODE_PLANNER_CURVE_PATHS_H

extern void spq_nearest_curve_init(void);

#endif							/* SPQ_NEAREST_NODE_PLANNER_CURVE_PATHS_H */
