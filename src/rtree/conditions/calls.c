/*-------------------------------------------------------------------------
 *
 * calls.c
 *	  Calls of operators from a scan: their memory and arguments.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "argument.h"
#include "rtree/conditions/calls.h"

void
spq_rtree_prepare_calls(SpqRtreeConditions *conditions)
{
	MemoryContext parent = GetMemoryChunkContext(conditions->rows.operators);

	if (conditions->arguments)
		return;
	conditions->arguments = AllocSetContextCreate(parent, "spqtree arguments",
												  ALLOCSET_SMALL_SIZES);
	conditions->short_lived = AllocSetContextCreate(parent, "spqtree operators",
													ALLOCSET_SMALL_SIZES);
}

void
spq_rtree_forget_arguments(SpqRtreeConditions *conditions)
{
	if (conditions->arguments)
		MemoryContextReset(conditions->arguments);
}

void
spq_rtree_end_calls(SpqRtreeConditions *conditions)
{
	if (!conditions->arguments)
		return;
	MemoryContextDelete(conditions->arguments);
	MemoryContextDelete(conditions->short_lived);
	conditions->arguments = conditions->short_lived = NULL;
}

Datum *
spq_rtree_key_elements(SpqRtreeConditions *conditions, ScanKey key, int *count)
{
	MemoryContext old;
	ArrayType  *array;
	Datum	   *elements;
	bool	   *isnull;
	int16		length;
	bool		by_value;
	char		alignment;
	int			n,
				kept = 0;

	spq_expect_argument(key->sk_argument);
	spq_rtree_prepare_calls(conditions);
	old = MemoryContextSwitchTo(conditions->arguments);
	array = DatumGetArrayTypeP(key->sk_argument);
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &alignment);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, alignment, &elements,
					  &isnull, &n);
	for (int i = 0; i < n; i++)
		if (!isnull[i])
			elements[kept++] = elements[i];
	pfree(isnull);
	MemoryContextSwitchTo(old);
	*count = kept;
	return elements;
}

void
spq_rtree_detoast_argument(SpqRtreeConditions *conditions, ScanKey key)
{
	MemoryContext old;
	int16		length;
	bool		by_value;

	if (!OidIsValid(key->sk_subtype))
		return;
	get_typlenbyval(key->sk_subtype, &length, &by_value);
	if (!by_value)
		spq_expect_argument(key->sk_argument);
	if (length != -1)
		return;
	spq_rtree_prepare_calls(conditions);
	old = MemoryContextSwitchTo(conditions->arguments);
	key->sk_argument = PointerGetDatum(PG_DETOAST_DATUM(key->sk_argument));
	MemoryContextSwitchTo(old);
}
