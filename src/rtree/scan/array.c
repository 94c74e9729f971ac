/*-------------------------------------------------------------------------
 *
 * array.c
 *	  Conditions with any element of an array: column = ANY (array), IN.
 *
 * A row is found once, however many elements satisfy the condition with it: the
 * tree is searched once for all elements.
 *
 * For scalar columns, the elements of each are sorted by their bits (code.h).
 * So the codes that rows can have need not be listed: the least of them that is
 * not below a number is found like the next number that has only certain
 * digits:
 *
 *		tenant IN (2, 5), floor IN (1, 3)		codes 21 23 51 53
 *		the least one from 24 on: no floor is >= 4, so the next tenant, 51
 *
 * An interval of codes contains one of them if the least one from its low end
 * on is not above its high end.  (Still, there may be none below the downlink.)
 *
 * For the spatial column, each element has comparisons of its own; those of at
 * least one element must hold.  Elements that are not near a page are left out
 * before its entries are compared.
 *
 * Operators are strict, so elements that are NULL are left out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "rtree/class/kernel.h"
#include "rtree/scan/array.h"
#include "rtree/scan/calls.h"
#include "rtree/scan/tuple.h"

/*
 * With more elements than this, those that are not near a page are left out.
 */
#define FEW		8

/* Memory of a user's function is freed once in this many calls. */
#define CALLS	1000

/* ----------------------------------------------------------------
 *		The elements of an array
 * ----------------------------------------------------------------
 */

/*
 * Return the elements of a key's array that are not NULL.  They live as long as
 * the key's arguments (spq_rtree_forget_arguments()).
 */
static Datum *
get_elements(SpqRtreeConditions *conditions, ScanKey key, int *count)
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
bool
spq_rtree_parse_set(SpqRtreeConditions *conditions, SpqRtreeArgument *argument, ScanKey key)
{
	SpqRtreeSet *set = &conditions->sets[conditions->nsets++];
	int			n,
				kept = 0;
	Datum	   *values = get_elements(conditions, key, &n);
	MemoryContext old;

	set->key = key;
	set->has_bits = argument->kind == SPQ_RTREE_BITS_KNOWN && !argument->constant;
	set->asks = !set->has_bits || !argument->exact;
	if (set->asks && !spq_rtree_may_ask(conditions->index, key))
	{
		set->asks = false;
		conditions->recheck = true;
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

/*
 * Add the condition that a key on the spatial column holds with an element of
 * its array.  Return false if there are no elements.
 */
bool
spq_rtree_parse_choice(SpqRtreeConditions *conditions, ScanKey key)
{
	SpqRtreeChoice *choice = &conditions->choices[conditions->nchoices++];
	int			n;
	Datum	   *values = get_elements(conditions, key, &n);
	bool		toasted = n > 0 && get_typlen(key->sk_subtype) == -1;
	MemoryContext old = MemoryContextSwitchTo(conditions->arguments);
	Size		size = Max(n, 1);
	int			ncomparisons = 0;

	choice->key = key;
	choice->asks = spq_rtree_returns_key(conditions->index);
	choice->nalternatives = n;
	choice->alternatives = palloc_extended(size * sizeof(SpqRtreeAlternative), MCXT_ALLOC_HUGE);
	choice->near = palloc_extended(size * sizeof(int), MCXT_ALLOC_HUGE);
	size *= 2 * conditions->leaf_layout->axes;
	choice->comparisons = palloc_extended(size * sizeof(SpqRtreeComparison), MCXT_ALLOC_HUGE);
	for (int i = 0; i < n; i++)
	{
		SpqRtreeAlternative *alternative = &choice->alternatives[i];
		ScanKeyData one = *key;
		SpqRtreeCondition condition;

		CHECK_FOR_INTERRUPTS();
		one.sk_flags &= ~SK_SEARCHARRAY;
		one.sk_argument = toasted ? PointerGetDatum(PG_DETOAST_DATUM(values[i])) : values[i];
		condition = spq_rtree_class_condition(conditions->index, &one);

		alternative->argument = one.sk_argument;
		alternative->exact = condition.exact;
		alternative->ask = condition.ask;
		alternative->reach.reaches = condition.reaches;
		alternative->reach.argument = condition.argument;
		alternative->first = ncomparisons;
		alternative->ncomparisons = condition.ncomparisons;
		if ((Size) (ncomparisons + condition.ncomparisons) > size)
		{
			size = 2 * size + SPQ_RTREE_COMPARISONS;
			choice->comparisons = repalloc_huge(choice->comparisons,
												size * sizeof(SpqRtreeComparison));
		}
		for (int c = 0; c < condition.ncomparisons; c++)
		{
			SpqRtreeComparison *comparison = &choice->comparisons[ncomparisons++];

			*comparison = condition.comparisons[c];
			comparison->end = spq_rtree_row_column(conditions->leaf_layout, comparison);
		}
	}
	MemoryContextSwitchTo(old);
	pfree(values);
	return n > 0;
}

/* ----------------------------------------------------------------
 *		Scalar columns
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

/*
 * Return whether rows with codes from low to high can exist, given the elements
 * that the first columns may have.
 */
bool
spq_rtree_codes_between(const SpqRtreeConditions *conditions, float8 low, float8 high)
{
	const SpqRtreeScalar *scalars = conditions->coder->scalars;
	uint64		from = low > 0 ? (uint64) low : 0,
				code = 0;
	uint64		next[INDEX_MAX_KEYS];	/* the least digit to try */
	bool		above = false;	/* an earlier digit is greater already */

	for (int column = 0; column < conditions->nprefix; column++)
		next[column] = bits_of_column(&scalars[column], from);
	for (int column = 0; column < conditions->nprefix;)
	{
		const SpqRtreeElement *elements = conditions->elements[column];
		int			n = conditions->nelements[column],
					place = above ? 0 : find_element(elements, n, next[column]);

		if (place == n)
		{
			/* no digit is left here: increase the one before */
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

	/* bits of later columns are 0: if no digit is greater, it is <= low */
	return (float8) code <= high;
}

/*
 * Return whether a row of a leaf satisfies all conditions with arrays of
 * scalars.
 */
bool
spq_rtree_in_sets(const SpqRtreeConditions *conditions, Page page, int entry)
{
	uint64		code = (uint64) spq_rtree_code(page, entry);

	for (int s = 0; s < conditions->nsets; s++)
	{
		const SpqRtreeSet *set = &conditions->sets[s];
		ScanKey		key = set->key;
		int			column = key->sk_attno - 1,
					i = 0;
		uint64		bits = 0;
		Datum		value;
		bool		isnull;

		if (set->has_bits)
		{
			bits = bits_of_column(&conditions->coder->scalars[column], code);
			i = find_element(set->elements, set->nelements, bits);
			if (i == set->nelements || set->elements[i].bits != bits)
				return false;
		}
		if (!set->asks)
			continue;
		value = spq_rtree_scalar(conditions, page, entry, column, &isnull);
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

/* ----------------------------------------------------------------
 *		The spatial column
 * ----------------------------------------------------------------
 */

/*
 * Return whether rows within bounds may satisfy the condition with an element.
 */
static bool
is_near(const SpqRtreeChoice *choice, const SpqRtreeAlternative *alternative,
		const float8 *bounds, int axes)
{
	for (int c = 0; c < alternative->ncomparisons; c++)
	{
		const SpqRtreeComparison *comparison = &choice->comparisons[alternative->first + c];
		float8		end = bounds[spq_rtree_bounding_end(comparison, axes)];

		if (!(comparison->at_most ? end <= comparison->number : end >= comparison->number))
			return false;
	}
	return !alternative->reach.reaches ||
		alternative->reach.reaches(alternative->reach.argument, bounds);
}

/* Find the elements near a page, before its entries are compared. */
void
spq_rtree_near_choices(const SpqRtreeConditions *conditions, Page page)
{
	int			axes = conditions->leaf_layout->axes;
	float8		bounds[SPQ_RTREE_ENDS];
	bool		has_bounds = false;

	for (int k = 0; k < conditions->nchoices; k++)
	{
		SpqRtreeChoice *choice = &conditions->choices[k];

		choice->nnear = 0;
		if (choice->nalternatives > FEW && !has_bounds)
		{
			SpqRtreeBounds hull = spq_rtree_page_hull(page);

			has_bounds = true;
			spq_rtree_bounds_ends(&hull, axes, bounds);
		}
		for (int i = 0; i < choice->nalternatives; i++)
			if (!has_bounds || is_near(choice, &choice->alternatives[i], bounds, axes))
				choice->near[choice->nnear++] = i;
	}
}

/*
 * Return which of these entries of an inner page may lead to rows that satisfy
 * all conditions with arrays.
 */
uint8
spq_rtree_choose_of_bounds(const SpqRtreeConditions *conditions,
						   const SpqRtreeColumn *columns, uint8 mask)
{
	int			axes = conditions->leaf_layout->axes;

	for (int k = 0; k < conditions->nchoices; k++)
	{
		const SpqRtreeChoice *choice = &conditions->choices[k];
		uint8		found = 0;

		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			float8		bounds[SPQ_RTREE_ENDS];

			if ((mask & (1 << i)) == 0)
				continue;
			for (int end = 0; end < 2 * axes; end++)
				bounds[end] = columns[end][i];
			for (int n = 0; n < choice->nnear && !(found & (1 << i)); n++)
				if (is_near(choice, &choice->alternatives[choice->near[n]], bounds, axes))
					found |= 1 << i;
		}
		mask &= found;
	}
	return mask;
}

/*
 * Return which of these entries of a leaf satisfy all conditions with arrays,
 * or may: then the executor rechecks them.
 */
uint8
spq_rtree_choose_of_rows(SpqRtreeConditions *conditions,
						 const SpqRtreeColumn *columns, bool has_nan, uint8 mask)
{
	for (int k = 0; k < conditions->nchoices; k++)
	{
		const SpqRtreeChoice *choice = &conditions->choices[k];
		uint8		found = 0;

		for (int n = 0; n < choice->nnear && found != mask; n++)
		{
			const SpqRtreeAlternative *alternative = &choice->alternatives[choice->near[n]];
			uint8		here = mask & ~found;

			if (!has_nan)
				here &= spq_rtree_match_group(columns,
											  &choice->comparisons[alternative->first],
											  alternative->ncomparisons);
			for (uint32 left = here; left != 0 && choice->asks && (has_nan || !alternative->exact);
				 left &= left - 1)
			{
				int			i = pg_rightmost_one_pos32(left);
				float8		ends[SPQ_RTREE_ENDS];

				spq_rtree_get_ends(conditions->leaf_layout, columns, i, ends);
				switch (spq_rtree_ask(choice->key, alternative->ask, alternative->argument, ends))
				{
					case SPQ_RTREE_NO:
						here &= ~(1 << i);
						break;
					case SPQ_RTREE_YES:
						break;
					case SPQ_RTREE_RECHECK:
						conditions->recheck = true;
						break;
				}
			}
			found |= here;
		}
		mask &= found;
	}
	return mask;
}
