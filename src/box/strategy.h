/*-------------------------------------------------------------------------
 *
 * strategy.h
 *	  Strategy numbers of the operator classes for boxes, and the relations that
 *	  they stand for.
 *
 * Operators of the built-in classes have the same numbers as there
 * (access/stratnum.h).  The numbers of all others are defined here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_STRATEGY_H
#define SPQ_BOX_STRATEGY_H

#include "access/stratnum.h"

#include "box/relation.h"
#include "compat.h"

/* box @> point */
#define SPQ_BOX_CONTAINS_POINT_STRATEGY		RTContainsElemStrategyNumber

/* ORDER BY box <-> box: distance of the centers */
#define SPQ_BOX_CENTER_DISTANCE_STRATEGY	17

/* along the third axis */
#define SPQ_BOX_FRONT_STRATEGY				41
#define SPQ_BOX_OVERFRONT_STRATEGY			42
#define SPQ_BOX_BACK_STRATEGY				43
#define SPQ_BOX_OVERBACK_STRATEGY			44

/* The relation, plus one, of each strategy number; 0 for no relation. */
static const uint8 spq_box_relations[] = {
	[RTLeftStrategyNumber] = SPQ_BOX_LEFT + 1,
	[RTOverLeftStrategyNumber] = SPQ_BOX_OVERLEFT + 1,
	[RTOverlapStrategyNumber] = SPQ_BOX_OVERLAPS + 1,
	[RTOverRightStrategyNumber] = SPQ_BOX_OVERRIGHT + 1,
	[RTRightStrategyNumber] = SPQ_BOX_RIGHT + 1,
	[RTSameStrategyNumber] = SPQ_BOX_SAME + 1,
	[RTContainsStrategyNumber] = SPQ_BOX_CONTAINS + 1,
	[RTContainedByStrategyNumber] = SPQ_BOX_CONTAINED + 1,
	[RTOverBelowStrategyNumber] = SPQ_BOX_OVERBELOW + 1,
	[RTBelowStrategyNumber] = SPQ_BOX_BELOW + 1,
	[RTAboveStrategyNumber] = SPQ_BOX_ABOVE + 1,
	[RTOverAboveStrategyNumber] = SPQ_BOX_OVERABOVE + 1,
	[SPQ_BOX_CONTAINS_POINT_STRATEGY] = SPQ_BOX_MEETS + 1,
#if SPQ_DIM > 2
	[SPQ_BOX_FRONT_STRATEGY] = SPQ_BOX_FRONT + 1,
	[SPQ_BOX_OVERFRONT_STRATEGY] = SPQ_BOX_OVERFRONT + 1,
	[SPQ_BOX_BACK_STRATEGY] = SPQ_BOX_BACK + 1,
	[SPQ_BOX_OVERBACK_STRATEGY] = SPQ_BOX_OVERBACK + 1,
#endif
};

spq_noreturn extern void spq_box_unknown_strategy(StrategyNumber strategy);

/* Return the relation that a strategy number stands for. */
static inline SpqRelation
spq_box_relation(StrategyNumber strategy)
{
	if (unlikely(strategy >= lengthof(spq_box_relations) ||
				 spq_box_relations[strategy] == 0))
		spq_box_unknown_strategy(strategy);
	return spq_box_relations[strategy] - 1;
}

#endif							/* SPQ_BOX_STRATEGY_H */
