/*-------------------------------------------------------------------------
 *
 * strategy.c
 *	  Strategy numbers of the operator classes for boxes.  See strategy.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "box/strategy.h"

/*
 * Raise an error.  Not inlined: there it would cost each leaf some registers.
 */
void
spq_box_unknown_strategy(StrategyNumber strategy)
{
	elog(ERROR, "unrecognized strategy number: %d", strategy);
	pg_unreachable();
}
