/*-------------------------------------------------------------------------
 *
 * match.c
 *	  Which entries of a page satisfy a scan's conditions.
 *
 * The result is a bit for each entry, a byte for each group.
 *
 * Comparisons decide, but for two cases in which the operators' own functions
 * are asked: conditions that comparisons do not express exactly, and leaves that
 * may have a NaN, where they do not count at all.  (Of a class whose ends are bounds
 * only, there are no such functions and no NaN.)  Conditions on scalars that codes do
 * not decide are asked of the scalars themselves.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "rtree/kernel.h"
#include "rtree/scan.h"

/* Return the bits of the places of a group that have an entry. */
static inline uint8
occupied(int count, int group)
{
	int			here = count - group * SPQ_RTREE_GROUP;

	return here >= SPQ_RTREE_GROUP ? 0xFF : (1 << here) - 1;
}

/*
 * Return which entries of a group satisfy all comparisons.  Those with codes come
 * first: on a page of many codes they leave few groups, so the others' columns are
 * not even read.  On a page of few codes that is in vain, so it is given up as soon as
 * it did not pay; "gain" begins with 0.
 */
static inline uint8
match_group(const SpqRtreeColumn *ends, const SpqRtreeComparison *comparisons,
			int ncodes, int ncomparisons, int *gain)
{
	if (ncodes > 0 && *gain >= 0)
	{
		if (spq_rtree_match_group(ends, comparisons, ncodes) == 0)
		{
			(*gain)++;
			return 0;
		}
		(*gain)--;
	}
	return spq_rtree_match_group(ends, comparisons, ncomparisons);
}

/* Return whether all of these keys' operators hold for an entry of a leaf. */
static bool
ask_operators(const SpqRtreeLayout *layout, const SpqRtreeColumn *columns, int i,
			  ScanKey *keys, int nkeys)
{
	float8		ends[SPQ_RTREE_ENDS];

	spq_rtree_get_ends(layout, columns, i, ends);
	for (int k = 0; k < nkeys; k++)
	{
		/* the ends begin with the image of the datum */
		if (!DatumGetBool(FunctionCall2Coll(&keys[k]->sk_func, keys[k]->sk_collation,
											PointerGetDatum(ends),
											keys[k]->sk_argument)))
			return false;
	}
	return true;
}

/*
 * Return which of these entries of an inner page have bounds that all conditions
 * with a test of their own reach.
 */
static uint8
test_reaches(const SpqRtreeConditions *conditions, const SpqRtreeLayout *layout,
			 const SpqRtreeColumn *columns, uint8 mask)
{
	for (int i = 0; i < SPQ_RTREE_GROUP; i++)
	{
		float8		bounds[SPQ_RTREE_ENDS];

		if ((mask & (1 << i)) == 0)
			continue;
		for (int end = 0; end < layout->ends; end++)
			bounds[end] = columns[end][i];
		for (int k = 0; k < conditions->nreaches; k++)
			if (!conditions->reach[k].reaches(conditions->reach[k].argument, bounds))
				mask &= ~(1 << i);
	}
	return mask;
}

/*
 * Let the bits of a page be those of entries that conditions do not exclude by a test
 * of all.  Return whether there is one.
 */
static bool
narrow_matches(const SpqRtreeConditions *conditions, Page page, uint8 *matches)
{
	SpqRtreeColumns columns = spq_rtree_columns(page);
	bool		narrowed = false;

	for (int k = 0; k < conditions->nreaches; k++)
	{
		const SpqRtreeReach *reach = &conditions->reach[k];

		if (!reach->narrow)
			continue;
		if (!narrowed)
			memset(matches, 0xFF, columns.ngroups);
		reach->narrow(reach->argument, &columns, matches);
		narrowed = true;
	}
	return narrowed;
}

/* Return which of these entries of a keyed inner page may have codes of the arrays. */
static uint8
test_codes(const SpqRtreeConditions *conditions, const SpqRtreeLayout *layout,
		   const SpqRtreeColumn *columns, uint8 mask)
{
	for (uint32 left = mask; left != 0; left &= left - 1)
	{
		int			i = pg_rightmost_one_pos32(left);

		if (!spq_rtree_codes_between(conditions, columns[layout->code + 1][i],
									 columns[layout->code][i]))
			mask &= ~(1 << i);
	}
	return mask;
}

/* Return whether the conditions on scalars hold for an entry of a leaf. */
static bool
ask_scalars(const SpqRtreeConditions *conditions, Page page, int entry)
{
	if (conditions->nsets > 0 && !spq_rtree_in_sets(conditions, page, entry))
		return false;
	for (int k = 0; k < conditions->nscalars; k++)
	{
		ScanKey		key = conditions->scalars[k];
		bool		isnull;
		Datum		value = spq_rtree_scalar(conditions, page, entry, key->sk_attno - 1, &isnull);

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

/* Find the downlinks that may lead to matching rows; return their number. */
int
spq_rtree_match_inner(const SpqRtreeConditions *conditions, Page page, uint8 *matches)
{
	int			count = spq_rtree_count(page),
				ngroups = spq_rtree_groups(count),
				ncomparisons = conditions->ncomparisons,
				gain = 0,
				found = 0;
	const SpqRtreeComparison *comparisons = conditions->of_bounds;
	const char *place = spq_rtree_group(page, 0);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	bool		narrowed = false;

	if (unlikely(conditions->nchoices > 0))
		spq_rtree_near_choices(conditions, page);
	if (unlikely(conditions->nreaches > 0))
		narrowed = narrow_matches(conditions, page, matches);
	for (int g = 0; g < ngroups; g++, place += layout->size)
	{
		uint8		mask = occupied(count, g) &
			match_group((const SpqRtreeColumn *) place, comparisons,
						conditions->ncodes, ncomparisons, &gain);

		if (unlikely(conditions->nreaches > 0))
			mask = test_reaches(conditions, layout, (const SpqRtreeColumn *) place,
								narrowed ? mask & matches[g] : mask);
		matches[g] = mask;
		if (unlikely(conditions->nprefix > 0))
			matches[g] = test_codes(conditions, layout, (const SpqRtreeColumn *) place,
									matches[g]);
		if (unlikely(conditions->nchoices > 0))
			matches[g] = spq_rtree_choose_of_bounds(conditions, (const SpqRtreeColumn *) place,
													matches[g]);
		found += pg_number_of_ones[matches[g]];
	}
	return found;
}

/* Return whether the comparisons hold for a code. */
static bool
compare_code(const SpqRtreeComparison *comparisons, int ncodes, float8 code)
{
	for (int c = 0; c < ncodes; c++)
		if (!(comparisons[c].at_most ? code <= comparisons[c].number :
			  code >= comparisons[c].number))
			return false;
	return true;
}

/* Find the matching rows of a leaf; return their number. */
int
spq_rtree_match_leaf(const SpqRtreeConditions *conditions, Page page, bool skip_dead,
					 uint8 *matches)
{
	const SpqRtreeSpecial *special = spq_rtree_special(page);
	int			ngroups = spq_rtree_groups(special->count),
				ncomparisons = conditions->ncomparisons,
				nasked = conditions->ninexact,
				ncodes = conditions->ncodes,
				gain = 0,
				found = 0;
	const SpqRtreeComparison *comparisons = conditions->of_rows;
	MemoryContext old = CurrentMemoryContext;
	bool		has_nan = (special->flags & SPQ_RTREE_HAS_NAN) != 0,
				asks_scalars = conditions->nscalars > 0 || conditions->nsets > 0,
				narrowed = false,
				calls;
	const char *place = spq_rtree_group(page, 0);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);

	if (unlikely(has_nan))
	{
		ncomparisons = ncodes;
		nasked = conditions->noperators;
	}
	if (spq_rtree_is_of_one_code(page) && ncodes > 0)
	{
		/* they hold for all rows or for none */
		if (!compare_code(comparisons, ncodes, spq_rtree_codes(page)->high))
		{
			memset(matches, 0, ngroups);
			return 0;
		}
		comparisons += ncodes;
		ncomparisons -= ncodes;
		ncodes = 0;
	}
	calls = nasked > 0 || asks_scalars || conditions->nchoices > 0;
	if (calls && conditions->short_lived)
		MemoryContextSwitchTo(conditions->short_lived);
	if (unlikely(conditions->nchoices > 0))
		spq_rtree_near_choices(conditions, page);
	if (unlikely(nasked > 0) && conditions->nreaches > 0 && !has_nan)
		narrowed = narrow_matches(conditions, page, matches);

	for (int g = 0; g < ngroups; g++, place += layout->size)
	{
		const SpqRtreeColumn *columns = (const SpqRtreeColumn *) place;
		uint8		mask = occupied(special->count, g);

		if (skip_dead)
			mask &= ~*(const uint8 *) (place + layout->dead);
		mask &= match_group(columns, comparisons, ncodes, ncomparisons, &gain);
		if (unlikely(nasked > 0))
		{
			if (narrowed)
				mask &= matches[g];
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
				if ((mask & (1 << i)) != 0 &&
					!ask_operators(layout, columns, i, conditions->operators, nasked))
					mask &= ~(1 << i);
		}
		if (unlikely(asks_scalars))
			for (uint32 left = mask; left != 0; left &= left - 1)
			{
				int			i = pg_rightmost_one_pos32(left);

				if (!ask_scalars(conditions, page, g * SPQ_RTREE_GROUP + i))
					mask &= ~(1 << i);
			}
		if (unlikely(conditions->nchoices > 0))
			mask = spq_rtree_choose_of_rows(conditions, columns, has_nan, mask);
		matches[g] = mask;
		found += pg_number_of_ones[mask];
	}
	if (calls && conditions->short_lived)
	{
		MemoryContextSwitchTo(old);
		MemoryContextReset(conditions->short_lived);
	}
	return found;
}
