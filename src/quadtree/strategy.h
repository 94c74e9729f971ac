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

#include "box/relation.h"

/* box @> point */
#define SPQ_QUAD_CONTAINS_POINT		RTContainsElemStrategyNumber

/* ORDER BY box <-> box: distance of the centres */
#define SPQ_QUAD_CENTER_DISTANCE	17

/*
 * Return the relation of an indexed box and a query that a strategy stands
 * for.  A query that is a point counts as a box without extent.
 */
static pg_attribute_always_inline SpqRelation
spq_quad_relation(int strategy)
{
	switch (strategy)
	{
		case RTLeftStrategyNumber:
			return SPQ_BOX_LEFT;
		case RTOverLeftStrategyNumber:
			return SPQ_BOX_OVERLEFT;
		case RTOverlapStrategyNumber:
			return SPQ_BOX_OVERLAPS;
		case RTOverRightStrategyNumber:
			return SPQ_BOX_OVERRIGHT;
		case RTRightStrategyNumber:
			return SPQ_BOX_RIGHT;
		case RTSameStrategyNumber:
			return SPQ_BOX_SAME;
		case RTContainsStrategyNumber:
			return SPQ_BOX_CONTAINS;
		case RTContainedByStrategyNumber:
			return SPQ_BOX_CONTAINED;
		case RTOverBelowStrategyNumber:
			return SPQ_BOX_OVERBELOW;
		case RTBelowStrategyNumber:
			return SPQ_BOX_BELOW;
		case RTAboveStrategyNumber:
			return SPQ_BOX_ABOVE;
		case RTOverAboveStrategyNumber:
			return SPQ_BOX_OVERABOVE;
		case SPQ_QUAD_CONTAINS_POINT:
			return SPQ_BOX_MEETS;
	}
	elog(ERROR, "unrecognized strategy number: %d", strategy);
	return SPQ_BOX_OVERLAPS;	/* keep compiler quiet */
}

#endif							/* SPQ_STRATEGY_H */
