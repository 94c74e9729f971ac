/*-------------------------------------------------------------------------
 *
 * scalar_filter.c
 *	  Conditions on the scalar columns before the spatial one.
 *
 * The code of a row has some bits of each column (code.h).  If the bits of the
 * first columns are known, codes lie in an interval: two comparisons, which
 * the kernel makes with those of the spatial column.  The rest is tested on
 * rows: later columns, and values that the bits do not distinguish.
 *
 * The elements of an array (column = ANY (array), IN) are sorted by their
 * bits.  So the codes that rows can have are known without being listed, and
 * the least one that is not below a number is found like the next number that
 * has only certain digits:
 *
 *		tenant IN (2, 5), floor IN (1, 3)		codes 21 23 51 53
 *		the least one from 24 on: 2 has no digit from 4 on, so the next tenant, 51
 *
 * An interval of codes has one of them if the least one from its low end on is not
 * above its high end.  (A downlink that passes may still lead to none.)
 *
 * A row is found once, however many elements it equals: the tree is searched for all
 * of them together.  NULL equals nothing, so elements that are NULL are left out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "rtree/conditions/calls.h"
#include "rtree/conditions/scalar_filter.h"
#include "rtree/keys/payload.h"

/* Calls of a user's function between which its memory is freed. */
#define CALLS	1000

/* ----------------------------------------------------------------
 *		Conditions of a scan
 * ----------------------------------------------------------------
 */

static int
compare_elements(const void *a, const void *b)
{
	uint64		x = ((const SpqRtreeElement *) a)->bits,
				y = ((const SpqRtreeElement *) b)->bits;

	CHECK_FOR_INTERRUPTS();
	return x < y ? -1 : x > y;
}

/*
 * Add the condition that a scalar column equals an element of an array.  Return
 * false if no element can equal the value of a row.
 */
static bool
parse_set(SpqRtreeConditions *conditions, SpqRtreeArgument *argument, ScanKey key)
{
	SpqRtreeSet *set = &conditions->scalars.sets[conditions->scalars.nsets++];
	int			n,
				kept = 0;
	Datum	   *values = spq_rtree_key_elements(conditions, key, &n);
	MemoryContext old;

	set->key = key;
	set->has_bits = argument->kind == SPQ_RTREE_BITS_KNOWN && !argument->constant;
	set->asks = !set->has_bits || !argument->exact;
	if (set->asks && !spq_rtree_may_ask(conditions->scalars.index, key))
	{
		set->asks = false;
		conditions->rows.recheck = true;
	}
	set->elements = MemoryContextAllocHuge(conditions->arguments,
										   Max(n, 1) * sizeof(SpqRtreeElement));
	old = MemoryContextSwitchTo(conditions->short_lived);
	for (int i = 0; i < n; i++)
	{
		uint64		bits;

		if (i % CALLS == CALLS - 1)
		{
			CHECK_FOR_INTERRUPTS();
			MemoryContextReset(conditions->short_lived);
		}
		if (spq_rtree_argument_bits(argument, values[i], &bits) == SPQ_RTREE_BITS_NONE)
			continue;
		set->elements[kept].bits = bits;
		set->elements[kept++].value = values[i];
	}
	MemoryContextSwitchTo(old);
	MemoryContextReset(conditions->short_lived);
	pfree(values);
	set->nelements = kept;
	if (set->has_bits)
		qsort(set->elements, kept, sizeof(SpqRtreeElement), compare_elements);
	return kept > 0;
}

/* Add a comparison with the code. */
static void
compare_code(SpqRtreeConditions *conditions, bool at_most, uint64 number)
{
	SpqRtreeComparison comparison = {
		.end = SPQ_RTREE_CODE_END,.at_most = at_most,.number = (float8) number
	};

	spq_rtree_add_comparison(conditions, &comparison);
	conditions->ncodes++;
}

/* Note that no row satisfies the conditions. */
static void
read_nothing(SpqRtreeConditions *conditions)
{
	conditions->reads_tree = conditions->reads_nulls = false;
}

/* Set the elements of a column to one value with these bits. */
static void
set_bits(SpqRtreeConditions *conditions, int column, uint64 bits)
{
	conditions->scalars.single[column].bits = bits;
	conditions->scalars.elements[column] = &conditions->scalars.single[column];
	conditions->scalars.nelements[column] = 1;
}

/* Add a condition that rows are asked for, here or by the executor. */
static void
ask_scalar(SpqRtreeConditions *conditions, ScanKey key)
{
	if (spq_rtree_may_ask(conditions->scalars.index, key))
		conditions->scalars.keys[conditions->scalars.nkeys++] = key;
	else
		conditions->rows.recheck = true;
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
		spq_rtree_detoast_argument(conditions, key);
	if (known[column])
	{
		ask_scalar(conditions, key);
		return;
	}
	spq_rtree_argument_init(&argument, conditions->scalars.coder, conditions->scalars.index, key);
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
	const SpqRtreeSet *set = &conditions->scalars.sets[conditions->scalars.nsets];
	SpqRtreeArgument argument;

	spq_rtree_argument_init(&argument, conditions->scalars.coder, conditions->scalars.index, key);
	if (!parse_set(conditions, &argument, key))
		read_nothing(conditions);
	else if (conditions->scalars.nelements[column] > 0)
		return;
	else if (set->has_bits)
	{
		conditions->scalars.elements[column] = set->elements;
		conditions->scalars.nelements[column] = set->nelements;
	}
	else if (argument.constant)
		set_bits(conditions, column, 0);
}

/*
 * If the bits of the first columns are known, the code is in a range, or one of several
 * codes.  If codes are exact, the range decides for columns with one value.
 */
void
spq_rtree_parse_scalars(IndexScanDesc scan, SpqRtreeConditions *conditions)
{
	SpqRtreeScalarFilter *filter = &conditions->scalars;
	const SpqRtreeCoder *coder = filter->coder;
	ScanKey		known[INDEX_MAX_KEYS] = {NULL};
	uint64		low = 0,
				high = 0,
				later;
	int			prefix = 0,
				in_range = 0;	/* columns that a range decides */

	filter->nkeys = filter->nsets = filter->nprefix = 0;
	if (coder->nscalars == 0)
		return;
	memset(filter->nelements, 0, sizeof(filter->nelements));
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

	while (prefix < coder->nscalars && filter->nelements[prefix] > 0)
		prefix++;
	while (coder->exact && in_range < prefix && known[in_range])
		in_range++;
	for (int column = in_range; column < coder->nscalars; column++)
		if (known[column])
			ask_scalar(conditions, known[column]);
	if (filter->nkeys > 0)
		spq_rtree_prepare_calls(conditions);
	if (prefix == 0)
		return;

	/* bits of later columns can be anything */
	for (int column = 0; column < prefix; column++)
	{
		int			n = filter->nelements[column];

		low |= filter->elements[column][0].bits << coder->scalars[column].shift;
		high |= filter->elements[column][n - 1].bits << coder->scalars[column].shift;
	}
	later = (UINT64CONST(1) << coder->scalars[prefix - 1].shift) - 1;
	compare_code(conditions, false, low);
	compare_code(conditions, true, high | later);
	if (filter->nsets > 0)
		filter->nprefix = prefix;
}

/* ----------------------------------------------------------------
 *		Entries of a page
 * ----------------------------------------------------------------
 */

/* Return the number of the first element whose bits are not below these. */
static int
find_element(const SpqRtreeElement *elements, int nelements, uint64 bits)
{
	int			low = 0,
				high = nelements;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (elements[middle].bits < bits)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return the bits of a column in a code. */
static inline uint64
bits_of_column(const SpqRtreeScalar *scalar, uint64 code)
{
	return (code >> scalar->shift) & ((UINT64CONST(1) << scalar->bits) - 1);
}

bool
spq_rtree_codes_between(const SpqRtreeScalarFilter *filter, float8 low, float8 high)
{
	const SpqRtreeScalar *scalars = filter->coder->scalars;
	uint64		from = low > 0 ? (uint64) low : 0,
				code = 0;
	uint64		next[INDEX_MAX_KEYS];	/* from which the digit goes on */
	bool		above = false;	/* a digit before is greater already */

	for (int column = 0; column < filter->nprefix; column++)
		next[column] = bits_of_column(&scalars[column], from);
	for (int column = 0; column < filter->nprefix;)
	{
		const SpqRtreeElement *elements = filter->elements[column];
		int			n = filter->nelements[column],
					place = above ? 0 : find_element(elements, n, next[column]);

		if (place == n)
		{
			/* no digit here: a greater one before */
			if (column == 0)
				return false;
			column--;
			next[column]++;
			code &= ~(((UINT64CONST(1) << scalars[column].bits) - 1) << scalars[column].shift);
			continue;
		}
		if (!above)
			above = elements[place].bits > bits_of_column(&scalars[column], from);
		code |= elements[place].bits << scalars[column].shift;
		column++;
	}

	/* if none is greater, bits of later columns go on where they are */
	return (float8) code <= high;
}

/*
 * Return the value of a scalar column of an entry of a leaf; "page" may be a
 * copy.
 */
static Datum
get_scalar(const SpqRtreeScalarFilter *filter, Page page, int entry, int column,
		   bool *isnull)
{
	IndexTuple	payload;

	if (filter->payload_desc == NULL)
		return spq_rtree_decode(filter->coder, spq_rtree_code(page, entry), column, isnull);
	payload = spq_rtree_find_payload(page, entry);
	if (payload == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INDEX_CORRUPTED),
				 errmsg("index \"%s\" is damaged: a row has no scalar columns",
						RelationGetRelationName(filter->index)),
				 errhint("Run spqtree_check to list all problems, then REINDEX the index.")));
	return index_getattr(payload, column + 1, filter->payload_desc, isnull);
}

/*
 * Return whether a row of a leaf satisfies all conditions with arrays of
 * scalars.
 */
static bool
is_in_sets(const SpqRtreeScalarFilter *filter, Page page, int entry)
{
	uint64		code = (uint64) spq_rtree_code(page, entry);

	for (int s = 0; s < filter->nsets; s++)
	{
		const SpqRtreeSet *set = &filter->sets[s];
		ScanKey		key = set->key;
		int			column = key->sk_attno - 1,
					i = 0;
		uint64		bits = 0;
		Datum		value;
		bool		isnull;

		if (set->has_bits)
		{
			bits = bits_of_column(&filter->coder->scalars[column], code);
			i = find_element(set->elements, set->nelements, bits);
			if (i == set->nelements || set->elements[i].bits != bits)
				return false;
		}
		if (!set->asks)
			continue;
		value = get_scalar(filter, page, entry, column, &isnull);
		if (isnull)
			return false;
		for (;; i++)
		{
			if (i == set->nelements || (set->has_bits && set->elements[i].bits != bits))
				return false;
			if (DatumGetBool(FunctionCall2Coll(&key->sk_func, key->sk_collation, value,
											   set->elements[i].value)))
				break;
		}
	}
	return true;
}

bool
spq_rtree_passes_scalars(const SpqRtreeScalarFilter *filter, Page page, int entry)
{
	if (filter->nsets > 0 && !is_in_sets(filter, page, entry))
		return false;
	for (int k = 0; k < filter->nkeys; k++)
	{
		ScanKey		key = filter->keys[k];
		bool		isnull;
		Datum		value = get_scalar(filter, page, entry, key->sk_attno - 1, &isnull);

		if (key->sk_flags & SK_SEARCHNULL)
		{
			if (!isnull)
				return false;
		}
		else if (isnull)
			return false;
		else if (!(key->sk_flags & SK_SEARCHNOTNULL) &&
				 !DatumGetBool(FunctionCall2Coll(&key->sk_func, key->sk_collation, value,
												 key->sk_argument)))
			return false;
	}
	return true;
}
