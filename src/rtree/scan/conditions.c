/*-------------------------------------------------------------------------
 *
 * conditions.c
 *	  The conditions of a scan: its keys, as comparisons and orders.
 *
 * All operators are strict: a NULL argument excludes all rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "rtree/scan/array.h"
#include "rtree/scan/calls.h"
#include "rtree/scan/conditions.h"

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
 * Detoast a key's argument, so that its operator need not do that for each row.
 */
static void
detoast_argument(SpqRtreeConditions *conditions, ScanKey key)
{
	MemoryContext old;

	if (!OidIsValid(key->sk_subtype) || get_typlen(key->sk_subtype) != -1)
		return;
	spq_rtree_prepare_calls(conditions);
	old = MemoryContextSwitchTo(conditions->arguments);
	key->sk_argument = PointerGetDatum(PG_DETOAST_DATUM(key->sk_argument));
	MemoryContextSwitchTo(old);
}

/*
 * Add a comparison, once with a column of leaves and once with one of inner
 * pages.
 */
static void
add_comparison(SpqRtreeConditions *conditions, SpqRtreeComparison comparison)
{
	SpqRtreeComparison *of_rows = &conditions->of_rows[conditions->ncomparisons],
			   *of_bounds = &conditions->of_bounds[conditions->ncomparisons++];

	*of_rows = *of_bounds = comparison;
	of_rows->end = spq_rtree_row_column(conditions->leaf_layout, &comparison);
	of_bounds->end = spq_rtree_bounding_end(&comparison, conditions->leaf_layout->axes);
}

/*
 * Add the comparisons of a key with an operator.  If rows have the image of a
 * datum, add the key to those whose operator may be evaluated.
 */
static void
add_operator(IndexScanDesc scan, ScanKey key, SpqRtreeConditions *conditions)
{
	SpqRtreeCondition condition;
	SpqRtreeOperator added;
	int			place;

	set_argument_type(scan, key);
	detoast_argument(conditions, key);
	condition = spq_rtree_class_condition(scan->indexRelation, key);
	added.key = key;
	added.ask = condition.ask;

	for (int i = 0; i < condition.ncomparisons; i++)
		add_comparison(conditions, condition.comparisons[i]);

	if (condition.reaches)
	{
		SpqRtreeReach *reach = &conditions->reach[conditions->nreaches++];

		reach->reaches = condition.reaches;
		reach->prefilter = condition.prefilter;
		reach->argument = reach->prefilter_argument = condition.argument;
		reach->argument_size = condition.argument_size;
	}

	/* if the index has only bounds, the executor rechecks rows */
	if (!spq_rtree_returns_key(scan->indexRelation))
	{
		if (condition.exact)
			conditions->recheck_unbounded = true;
		else
			conditions->recheck = true;
		return;
	}

	/* keys that are not exact come first */
	place = conditions->noperators++;
	conditions->operators[place] = added;
	if (!condition.exact)
	{
		spq_rtree_prepare_calls(conditions);
		conditions->operators[place] = conditions->operators[conditions->ninexact];
		conditions->operators[conditions->ninexact++] = added;
	}
}

/* Add a comparison with the code. */
static void
compare_code(SpqRtreeConditions *conditions, bool at_most, uint64 number)
{
	SpqRtreeComparison comparison = {SPQ_RTREE_CODE_END, at_most, (float8) number};

	add_comparison(conditions, comparison);
	conditions->ncodes++;
}

/* Note that no row satisfies the conditions. */
static void
read_nothing(SpqRtreeConditions *conditions)
{
	conditions->reads_tree = conditions->reads_nulls = false;
}

/* Restrict the bits of a column to those of one value. */
static void
set_bits(SpqRtreeConditions *conditions, int column, uint64 bits)
{
	conditions->single[column].bits = bits;
	conditions->elements[column] = &conditions->single[column];
	conditions->nelements[column] = 1;
}

/*
 * Add a condition on a scalar to those that are evaluated for rows.  If that
 * may raise an error, leave it to the executor.
 */
static void
ask_scalar(SpqRtreeConditions *conditions, ScanKey key)
{
	if (spq_rtree_may_ask(conditions->index, key))
		conditions->scalars[conditions->nscalars++] = key;
	else
		conditions->recheck = true;
}

/*
 * Parse a condition that compares a scalar with one value.  The first condition
 * on a column whose bits are known goes to "known"; the others are evaluated
 * for rows.
 */
static void
parse_scalar(SpqRtreeConditions *conditions, ScanKey key, ScanKey *known)
{
	int			column = key->sk_attno - 1;
	SpqRtreeArgument argument;
	SpqRtreeBits kind;
	uint64		bits;

	if (!(key->sk_flags & SK_ISNULL))
		detoast_argument(conditions, key);
	if (known[column])
	{
		ask_scalar(conditions, key);
		return;
	}
	spq_rtree_argument_init(&argument, conditions->coder, conditions->index, key);
	kind = spq_rtree_argument_bits(&argument, key->sk_argument, &bits);
	if (kind == SPQ_RTREE_BITS_NONE)
		read_nothing(conditions);
	if (kind == SPQ_RTREE_BITS_KNOWN)
	{
		known[column] = key;
		set_bits(conditions, column, bits);
	}
	else
		ask_scalar(conditions, key);
}

/*
 * Parse a condition that compares a scalar with an array; spq_rtree_in_sets()
 * evaluates it for rows, whatever the bits.
 */
static void
parse_scalar_array(SpqRtreeConditions *conditions, ScanKey key)
{
	int			column = key->sk_attno - 1;
	const SpqRtreeSet *set = &conditions->sets[conditions->nsets];
	SpqRtreeArgument argument;

	spq_rtree_argument_init(&argument, conditions->coder, conditions->index, key);
	if (!spq_rtree_parse_set(conditions, &argument, key))
		read_nothing(conditions);
	else if (conditions->nelements[column] > 0)
		return;
	else if (set->has_bits)
	{
		conditions->elements[column] = set->elements;
		conditions->nelements[column] = set->nelements;
	}
	else if (argument.constant)
		set_bits(conditions, column, 0);
}

/*
 * Parse the conditions on scalars.  If the bits of the first columns are known,
 * the code is in a range, or is one of several.  If codes are exact, a range
 * says all about the columns with one value each.
 */
static void
parse_scalars(IndexScanDesc scan, SpqRtreeConditions *conditions)
{
	const SpqRtreeCoder *coder = conditions->coder;
	ScanKey		known[INDEX_MAX_KEYS] = {NULL};
	uint64		low = 0,
				high = 0,
				later;
	int			prefix = 0,
				in_range = 0;	/* columns that a range decides alone */

	memset(conditions->nelements, 0, sizeof(conditions->nelements));
	for (int arrays = 0; arrays < 2; arrays++)
		for (int i = 0; i < scan->numberOfKeys; i++)
		{
			ScanKey		key = &scan->keyData[i];

			if (key->sk_attno > coder->nscalars ||
				((key->sk_flags & SK_SEARCHARRAY) != 0) != arrays)
				continue;
			if ((key->sk_flags & SK_ISNULL) &&
				!(key->sk_flags & (SK_SEARCHNULL | SK_SEARCHNOTNULL)))
				read_nothing(conditions);
			else if (arrays)
				parse_scalar_array(conditions, key);
			else
				parse_scalar(conditions, key, known);
		}

	while (prefix < coder->nscalars && conditions->nelements[prefix] > 0)
		prefix++;
	while (coder->exact && in_range < prefix && known[in_range])
		in_range++;
	for (int column = in_range; column < coder->nscalars; column++)
		if (known[column])
			ask_scalar(conditions, known[column]);
	if (conditions->nscalars > 0)
		spq_rtree_prepare_calls(conditions);
	if (prefix == 0)
		return;

	/* bits of later columns may be anything */
	for (int column = 0; column < prefix; column++)
	{
		int			n = conditions->nelements[column];

		low |= conditions->elements[column][0].bits << coder->scalars[column].shift;
		high |= conditions->elements[column][n - 1].bits << coder->scalars[column].shift;
	}
	later = (UINT64CONST(1) << coder->scalars[prefix - 1].shift) - 1;
	compare_code(conditions, false, low);
	compare_code(conditions, true, high | later);
	if (conditions->nsets > 0)
		conditions->nprefix = prefix;
}

/*
 * Parse the conditions of a scan.  The arrays must have room for those of all
 * keys.
 */
void
spq_rtree_parse_conditions(IndexScanDesc scan, SpqRtreeConditions *conditions)
{
	conditions->reads_tree = true;
	conditions->reads_nulls = true;
	conditions->ncomparisons = 0;
	conditions->nreaches = 0;
	conditions->noperators = 0;
	conditions->ninexact = 0;
	conditions->recheck = conditions->recheck_unbounded = false;
	conditions->ncodes = 0;
	conditions->nscalars = 0;
	conditions->nsets = 0;
	conditions->nchoices = 0;
	conditions->nprefix = 0;
	if (conditions->coder->nscalars > 0)
		parse_scalars(scan, conditions);

	for (int i = 0; i < scan->numberOfKeys; i++)
	{
		ScanKey		key = &scan->keyData[i];

		if (key->sk_attno <= conditions->coder->nscalars)
			continue;
		if (key->sk_flags & SK_SEARCHNULL)
			conditions->reads_tree = false;
		else if (key->sk_flags & SK_SEARCHNOTNULL)
			conditions->reads_nulls = false;
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
				conditions->recheck = true;
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
		detoast_argument(conditions, key);
		orders[i].prefilter = NULL;
		FunctionCall2(spq_rtree_class_proc(scan->indexRelation, SPQ_RTREE_ORDER_PROC),
					  PointerGetDatum(key), PointerGetDatum(&orders[i]));
	}
}
