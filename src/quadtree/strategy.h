/*-------------------------------------------------------------------------
 *
 * strategy.h
 *	  Strategy numbers of both operator classes.
 *
 * The box operators have the numbers they have in core's classes
 * (access/stratnum.h), except that core has none for a centre distance.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_STRATEGY_H
#define SPQ_STRATEGY_H

#include "access/stratnum.h"

/* box @> point */
#define SPQ_CONTAINS_POINT_STRATEGY		RTContainsElemStrategyNumber

/* ORDER BY box <-> point */
#define SPQ_POINT_DISTANCE_STRATEGY		RTKNNSearchStrategyNumber

/* ORDER BY box <-> box: distance of the centres */
#define SPQ_CENTRE_DISTANCE_STRATEGY	17

#endif							/* SPQ_STRATEGY_H */
