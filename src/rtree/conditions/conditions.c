/*-------------------------------------------------------------------------
 *
 * conditions.c
 *	  The conditions of a scan: its keys, as comparisons and orders.
 *
 * All operators are strict: a NULL argument excludes all rows.
 *
 * If there are several spatial columns, the chain of NULLs has only the rows in
 * which all are NULL.  Other NULLs are in the tree (row_ends.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/conditions/calls.h"
#include "rtree/conditions/choice.h"
#include "rtree/conditions/conditions.h"
#include "rtree/conditions/scalar_filter.h"

/*
 * Set the type of a key's argument.  Scans for an exclusion constraint leave it
 * out; then it is that of the class.
 */
static void
set_argument_type(IndexScanDesc scan, ScanKey key)
{
	if (!OidIsValid(key->sk_subtype))
		key->sk_subtype = scan->indexRelation->rd_opcintype[key->sk_attno - 1];
}

/*
 * Add the condition that an operator class returns for a key.  If rows have the
 * image of a datum, add the key to those whose operator may be evaluated.
 */
void
spq_rtree_add_condition(SpqRtreeConditions *conditions, ScanKey key,
						const SpqRtreeCondition *condition)
{
	SpqRtreeRowFilter *rows = &conditions->rows;
	SpqRtreeOperator added = {key, condition->ask};
	int			place;

	for (int i = 0; i < condition->ncomparisons; i++)
		spq_rtree_add_comparison(conditions, &condition->comparisons[i]);

	if (condition->reaches)
	{
		SpqRtreeReach *reach = &conditions->bounds.reach[conditions->bounds.nreaches++];

		reach->reaches = condition->reaches;
		reach->prefilter = condition->prefilter;
		reach->argument = reach->prefilter_argument = condition->argument;
		reach->argument_size = condition->argument_size;
	}

	/* if the index has only bounds, the executor rechecks rows */
	if (!spq_rtree_returns_key(conditions->scalars.index))
	{
		if (condition->exact)
			rows->recheck_unbounded = true;
		else
			rows->recheck = true;
		return;
	}

	/* those that are not exact come first */
	place = rows->noperators++;
	rows->operators[place] = added;
	if (!condition->exact)
	{
		spq_rtree_prepare_calls(conditions);
		rows->operators[place] = rows->operators[rows->ninexact];
		rows->operators[rows->ninexact++] = added;
	}
}

/* Add the condition of a key with an operator. */
static void
add_operator(IndexScanDesc scan, ScanKey key, SpqRtreeConditions *conditions)
{
	SpqRtreeCondition condition;

	set_argument_type(scan, key);
	spq_rtree_detoast_argument(conditions, key);
	condition = spq_rtree_class_condition(scan->indexRelation, key);
	spq_rtree_add_condition(conditions, key, &condition);
}

/*
 * Add IS NULL on some of several spatial columns: the ends of row_ends.c.  The
 * executor rechecks it, because a range that ends at -infinity looks like NULL.
 */
static void
add_null_test(SpqRtreeConditions *conditions, int axis, int axes)
{
	const float8 least = -get_float8_infinity();
	SpqRtreeComparison low = {.end = axes + axis,.at_most = true,.number = least},
				high = {.end = axis,.at_most = true,.number = least};

	spq_rtree_add_comparison(conditions, &low);
	spq_rtree_add_comparison(conditions, &high);
	conditions->rows.recheck = true;
}

/* Return whether a scan's keys demand that each spatial column is NULL. */
static bool
wants_nulls(IndexScanDesc scan, int first, int ncolumns)
{
	uint32		columns = 0;

	for (int i = 0; i < scan->numberOfKeys; i++)
	{
		const ScanKeyData *key = &scan->keyData[i];

		if (key->sk_attno >= first && (key->sk_flags & SK_SEARCHNULL))
			columns |= 1 << (key->sk_attno - first);
	}
	return columns == (1U << ncolumns) - 1;
}

/*
 * Parse the conditions of a scan.  The arrays must have room for those of all
 * keys.
 */
void
spq_rtree_parse_conditions(IndexScanDesc scan, SpqRtreeConditions *conditions)
{
	int			ncolumns = spq_rtree_spatial_columns(scan->indexRelation),
				first = conditions->scalars.coder->nscalars + 1;

	conditions->reads_tree = true;
	conditions->reads_nulls = true;
	conditions->ncomparisons = 0;
	conditions->ncodes = 0;
	conditions->bounds.nreaches = 0;
	conditions->rows.noperators = 0;
	conditions->rows.ninexact = 0;
	conditions->rows.recheck = conditions->rows.recheck_unbounded = false;
	conditions->nchoices = 0;
	spq_rtree_parse_scalars(scan, conditions);
	if (wants_nulls(scan, first, ncolumns))
		conditions->reads_tree = false;

	for (int i = 0; i < scan->numberOfKeys; i++)
	{
		ScanKey		key = &scan->keyData[i];

		if (key->sk_attno < first)
			continue;
		if (key->sk_flags & SK_SEARCHNULL)
		{
			if (ncolumns > 1)
				add_null_test(conditions, key->sk_attno - first, ncolumns);
		}
		else if (key->sk_flags & SK_SEARCHNOTNULL)
		{
			conditions->reads_nulls = false;
			if (ncolumns > 1)
				conditions->rows.recheck_unbounded = true;
		}
		else
		{
			conditions->reads_nulls = false;
			if (key->sk_flags & SK_ISNULL)
				conditions->reads_tree = false;
			else if (!(key->sk_flags & SK_SEARCHARRAY))
				add_operator(scan, key, conditions);
			else if (!spq_rtree_parse_choice(conditions, key))
				conditions->reads_tree = false;
			else if (!spq_rtree_returns_key(scan->indexRelation))
				conditions->rows.recheck = true;
		}
	}
}

/* Parse the orders of a scan.  Orders with a NULL argument are left alone. */
void
spq_rtree_parse_orders(IndexScanDesc scan, SpqRtreeConditions *conditions,
					   SpqRtreeOrder *orders)
{
	for (int i = 0; i < scan->numberOfOrderBys; i++)
	{
		ScanKey		key = &scan->orderByData[i];

		if (key->sk_flags & SK_ISNULL)
			continue;
		set_argument_type(scan, key);
		spq_rtree_detoast_argument(conditions, key);
		orders[i].prefilter = NULL;
		FunctionCall2(spq_rtree_class_proc(scan->indexRelation, SPQ_RTREE_ORDER_PROC),
					  PointerGetDatum(key), PointerGetDatum(&orders[i]));
	}
}
