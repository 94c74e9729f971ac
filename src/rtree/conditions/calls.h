/*-------------------------------------------------------------------------
 *
 * calls.h
 *	  Calls of operators from a scan: their memory, their arguments, their answers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CONDITIONS_CALLS_H
#define SPQ_RTREE_CONDITIONS_CALLS_H

#include "rtree/conditions/filters.h"

/* Make the memory contexts for calls of operators, if there are none yet. */
extern void spq_rtree_prepare_calls(SpqRtreeConditions *conditions);

/* Free the arguments of keys, which are about to be replaced. */
extern void spq_rtree_forget_arguments(SpqRtreeConditions *conditions);

/* Delete the memory contexts for calls of operators. */
extern void spq_rtree_end_calls(SpqRtreeConditions *conditions);

/* Detoast the argument of a key, which operators would do for each row. */
extern void spq_rtree_detoast_argument(SpqRtreeConditions *conditions, ScanKey key);

/*
 * Return the elements of a key's array that are not NULL, in a new array; values by
 * reference live as long as the key.
 */
extern Datum *spq_rtree_key_elements(SpqRtreeConditions *conditions, ScanKey key, int *count);

/* Return whether an operator holds for a row. */
static inline SpqRtreeAnswer
spq_rtree_ask(ScanKey key, SpqRtreeAsk ask, Datum argument, const float8 *ends)
{
	if (ask)
		return ask(key, argument, ends);
	/* the ends begin with the image of the datum */
	return DatumGetBool(FunctionCall2Coll(&key->sk_func, key->sk_collation,
										  PointerGetDatum(ends), argument)) ?
		SPQ_RTREE_YES : SPQ_RTREE_NO;
}

#endif							/* SPQ_RTREE_CONDITIONS_CALLS_H */
