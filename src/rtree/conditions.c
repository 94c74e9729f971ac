/*-------------------------------------------------------------------------
 *
 * conditions.c
 *	  What a scan asks for: its keys, as comparisons and orders.
 *
 * All operators are strict: an argument of NULL excludes all rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "rtree/scan.h"

/* Prepare for calls of operators. */
static void
prepare_calls(SpqRtreeConditions *conditions)
{
	MemoryContext parent = GetMemoryChunkContext(conditions->operators);

	if (conditions->arguments)
		return;
	conditions->arguments = AllocSetContextCreate(parent, "spqtree arguments",
												  ALLOCSET_SMALL_SIZES);
	conditions->short_lived = AllocSetContextCreate(parent, "spqtree operators",
													ALLOCSET_SMALL_SIZES);
}

/*
 * Let a key's argument be as its operator wants it, which so need not do that for
 * each row.
 */
static void
detoast_argument(SpqRtreeConditions *conditions, ScanKey key)
{
	MemoryContext old;

	if (!OidIsValid(key->sk_subtype) || get_typlen(key->sk_subtype) != -1)
		return;
	prepare_calls(conditions);
	old = MemoryContextSwitchTo(conditions->arguments);
	key->sk_argument = PointerGetDatum(PG_DETOAST_DATUM(key->sk_argument));
	MemoryContextSwitchTo(old);
}

/* Forget the arguments of keys that are replaced by others. */
void
spq_rtree_forget_arguments(SpqRtreeConditions *conditions)
{
	if (conditions->arguments)
		MemoryContextReset(conditions->arguments);
}

/* Have done with calls of operators. */
void
spq_rtree_end_calls(SpqRtreeConditions *conditions)
{
	if (!conditions->arguments)
		return;
	MemoryContextDelete(conditions->arguments);
	MemoryContextDelete(conditions->short_lived);
	conditions->arguments = conditions->short_lived = NULL;
}

/*
 * Add the comparisons of a key with an operator, and the key to the list of
 * those whose function may be asked.
 */
static void
add_operator(IndexScanDesc scan, ScanKey key, SpqRtreeConditions *conditions)
{
	SpqRtreeCondition condition;
	int			place;

	condition.ncomparisons = 0;
	condition.exact = false;
	condition.reaches = NULL;
	detoast_argument(conditions, key);
	FunctionCall2(index_getprocinfo(scan->indexRelation, 1, SPQ_RTREE_CONDITION_PROC),
				  PointerGetDatum(key), PointerGetDatum(&condition));

	for (int i = 0; i < condition.ncomparisons; i++)
	{
		SpqRtreeComparison comparison = condition.comparisons[i];

		conditions->of_rows[conditions->ncomparisons] = comparison;
		comparison.end = spq_rtree_bounding_end(&comparison);
		conditions->of_bounds[conditions->ncomparisons++] = comparison;
	}

	if (condition.reaches)
	{
		conditions->reach[conditions->nreaches].reaches = condition.reaches;
		conditions->reach[conditions->nreaches++].argument = condition.argument;
	}

	/* rows of which the index has only bounds are left to the executor */
	if (!spq_rtree_returns_key(scan->indexRelation))
	{
		conditions->recheck = true;
		return;
	}

	/* those that are not exact come first */
	place = conditions->noperators++;
	conditions->operators[place] = key;
	if (!condition.exact)
	{
		prepare_calls(conditions);
		conditions->operators[place] = conditions->operators[conditions->ninexact];
		conditions->operators[conditions->ninexact++] = key;
	}
}

/* Parse the conditions of a scan; the arrays have room for those of all keys. */
void
spq_rtree_parse_conditions(IndexScanDesc scan, SpqRtreeConditions *conditions)
{
	conditions->reads_tree = true;
	conditions->reads_nulls = true;
	conditions->ncomparisons = 0;
	conditions->nreaches = 0;
	conditions->noperators = 0;
	conditions->ninexact = 0;
	conditions->recheck = false;

	for (int i = 0; i < scan->numberOfKeys; i++)
	{
		ScanKey		key = &scan->keyData[i];

		if (key->sk_flags & SK_SEARCHNULL)
			conditions->reads_tree = false;
		else if (key->sk_flags & SK_SEARCHNOTNULL)
			conditions->reads_nulls = false;
		else
		{
			conditions->reads_nulls = false;
			if (key->sk_flags & SK_ISNULL)
				conditions->reads_tree = false;
			else
				add_operator(scan, key, conditions);
		}
	}
}

/* Parse the orders of a scan.  That of a NULL argument is left alone. */
void
spq_rtree_parse_orders(IndexScanDesc scan, SpqRtreeConditions *conditions,
					   SpqRtreeOrder *orders)
{
	for (int i = 0; i < scan->numberOfOrderBys; i++)
	{
		ScanKey		key = &scan->orderByData[i];

		if (key->sk_flags & SK_ISNULL)
			continue;
		detoast_argument(conditions, key);
		FunctionCall2(index_getprocinfo(scan->indexRelation, 1, SPQ_RTREE_ORDER_PROC),
					  PointerGetDatum(key), PointerGetDatum(&orders[i]));
	}
}
