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


#include "rtree/scan.h"

/*
 * Add the comparisons of a key with an operator, and the key to the list of
 * those whose function may be asked.
 */
static void
add_operator(IndexScanDesc scan, ScanKey key, SpqRtreeConditions *conditions)
{
	SpqRtreeCondition condition;
	int			place = conditions->noperators++;

	condition.ncomparisons = 0;
	condition.exact = false;
	FunctionCall2(index_getprocinfo(scan->indexRelation, 1, SPQ_RTREE_CONDITION_PROC),
				  PointerGetDatum(key), PointerGetDatum(&condition));

	for (int i = 0; i < condition.ncomparisons; i++)
	{
		SpqRtreeComparison comparison = condition.comparisons[i];

		conditions->of_rows[conditions->ncomparisons] = comparison;
		comparison.end = spq_rtree_bounding_end(&comparison);
		conditions->of_bounds[conditions->ncomparisons++] = comparison;
	}

	/* those that are not exact come first */
	conditions->operators[place] = key;
	if (!condition.exact)
	{
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
	conditions->noperators = 0;
	conditions->ninexact = 0;

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
spq_rtree_parse_orders(IndexScanDesc scan, SpqRtreeOrder *orders)
{
	for (int i = 0; i < scan->numberOfOrderBys; i++)
	{
		ScanKey		key = &scan->orderByData[i];

		if (!(key->sk_flags & SK_ISNULL))
			FunctionCall2(index_getprocinfo(scan->indexRelation, 1, SPQ_RTREE_ORDER_PROC),
						  PointerGetDatum(key), PointerGetDatum(&orders[i]));
	}
}
