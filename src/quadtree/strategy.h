/*-------------------------------------------------------------------------
 *
 * strategy.h
 *	  Strategy numbers of both operator classes.
 *
 * The box operators have the numbers that they have in the built-in classes
 * (access/stratnum.h), which have none for the distance of centers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_STRATEGY_H
#define SPQ_QUADTREE_STRATEGY_H

#include "access/stratnum.h"

/* box @> point */
#define SPQ_QUAD_CONTAINS_POINT		RTContainsElemStrategyNumber

/* ORDER BY box <-> box: distance of the centers */
#define SPQ_QUAD_CENTER_DISTANCE	17

#endif							/* SPQ_QUADTREE_STRATEGY_H */
