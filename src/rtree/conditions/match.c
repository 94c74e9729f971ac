/*-------------------------------------------------------------------------
 *
 * match.c
 *	  Which entries of a page satisfy a scan's conditions.
 *
 * The result is a bit for each entry, a byte for each group.
 *
 * Comparisons decide, with two exceptions: conditions that they do not express
 * exactly, and leaves that may have a NaN, on which they are ignored.  In both
 * cases operators are evaluated for rows.  (If a class's ends are only bounds,
 * the executor does so, and there is no NaN.)  Conditions on scalars that codes
 * do not decide are evaluated on the scalars themselves.
 *
 * The visibility of rows is not known yet, so no evaluation here raises an
 * error.  Where an operator may raise one, the row matches, and the executor
 * rechecks it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "rtree/class/kernel.h"
#include "rtree/conditions/calls.h"
#include "rtree/conditions/choice.h"
#include "rtree/conditions/match.h"
#include "rtree/conditions/scalar_filter.h"

/* Return the bits of the places of a group that have an entry. */
static inline uint8
occupied(int count, int group)
{
	int			here = count - group * SPQ_RTREE_GROUP;

	return here >= SPQ_RTREE_GROUP ? 0xFF : (1 << here) - 1;
}

/*
 * Return which entries of a group satisfy all comparisons.  Those with codes
 * come first: on a page of many codes few groups satisfy them, so the other
 * columns of most groups need not be read.  On a page of few codes this is
 * useless, and is given up as soon as it has not paid.  "gain" is 0 for the
 * first group of a page.
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

/* Return whether all of these operators hold for an entry of a leaf. */
static SpqRtreeAnswer
ask_operators(const SpqRtreeLayout *layout, const char *group, int i,
			  const SpqRtreeOperator *operators, int noperators)
{
	float8		ends[SPQ_RTREE_ENDS];
	SpqRtreeAnswer answer = SPQ_RTREE_YES;

	spq_rtree_get_ends(layout, group, i, ends);
	for (int k = 0; k < noperators; k++)
	{
		ScanKey		key = operators[k].key;

		switch (spq_rtree_ask(key, operators[k].ask, key->sk_argument, ends))
		{
			case SPQ_RTREE_NO:
				return SPQ_RTREE_NO;
			case SPQ_RTREE_YES:
				break;
			case SPQ_RTREE_RECHECK:
				answer = SPQ_RTREE_RECHECK;
				break;
		}
	}
	return answer;
}

/*
 * Clear the bits of entries of an inner page whose bounds a condition excludes
 * by a test of its own.
 */
static void
test_reaches(const SpqRtreeConditions *conditions, Page page, uint8 *matches)
{
	SpqRtreeColumns columns = spq_rtree_columns(page);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	uint8		sure[SPQ_RTREE_GROUPS_MAX];

	for (int k = 0; k < conditions->bounds.nreaches; k++)
	{
		const SpqRtreeReach *reach = &conditions->bounds.reach[k];

		memset(sure, 0, columns.ngroups);
		if (reach->prefilter)
			reach->prefilter(reach->prefilter_argument, &columns, matches, sure);
		for (int g = 0; g < columns.ngroups; g++)
			for (uint32 left = matches[g] & ~sure[g]; left != 0; left &= left - 1)
			{
				const SpqRtreeColumn *ends = spq_rtree_group_columns(page, g);
				int			i = pg_rightmost_one_pos32(left);
				float8		bounds[SPQ_RTREE_ENDS];

				for (int end = 0; end < layout->ends; end++)
					bounds[end] = ends[end][i];
				if (!reach->reaches(reach->argument, bounds))
					matches[g] &= ~(1 << i);
			}
	}
}

/*
 * Clear the bits of rows that the prefilter of a condition excludes.  In
 * "sure", set the bits of rows for which the only operator to be evaluated
 * certainly holds.
 */
static void
prefilter_rows(const SpqRtreeConditions *conditions, Page page, uint8 *matches, uint8 *sure)
{
	SpqRtreeWideLeaf wide;
	SpqRtreeColumns columns = spq_rtree_wide_columns(page, &wide);

	memset(sure, 0, columns.ngroups);
	for (int k = 0; k < conditions->bounds.nreaches; k++)
		if (conditions->bounds.reach[k].prefilter)
			conditions->bounds.reach[k].prefilter(conditions->bounds.reach[k].prefilter_argument, &columns, matches,
												  sure);
	if (conditions->rows.ninexact > 1)
		memset(sure, 0, columns.ngroups);
}

/*
 * Return which of these entries of a keyed inner page may have codes that the
 * arrays allow.
 */
static uint8
test_codes(const SpqRtreeScalarFilter *filter, const SpqRtreeLayout *layout,
		   const SpqRtreeColumn *columns, uint8 mask)
{
	for (uint32 left = mask; left != 0; left &= left - 1)
	{
		int			i = pg_rightmost_one_pos32(left);

		if (!spq_rtree_codes_between(filter, columns[layout->code + 1][i],
									 columns[layout->code][i]))
			mask &= ~(1 << i);
	}
	return mask;
}

/* Return the number of bits that are set for a page. */
static inline int
count_matches(const uint8 *matches, int ngroups)
{
	int			found = 0;

	for (int g = 0; g < ngroups; g++)
		found += pg_number_of_ones[matches[g]];
	return found;
}

/* Find the downlinks that may lead to matching rows.  Return their number. */
int
spq_rtree_match_inner(const SpqRtreeConditions *conditions, Page page, uint8 *matches)
{
	int			count = spq_rtree_count(page),
				ngroups = spq_rtree_groups(count),
				ncomparisons = conditions->ncomparisons,
				gain = 0;
	const SpqRtreeComparison *comparisons = conditions->bounds.comparisons;
	const char *place = spq_rtree_group(page, 0);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);

	if (unlikely(conditions->nchoices > 0))
		spq_rtree_near_choices(conditions, page);
	for (int g = 0; g < ngroups; g++, place += layout->size)
	{
		matches[g] = occupied(count, g) &
			match_group((const SpqRtreeColumn *) place, comparisons,
						conditions->ncodes, ncomparisons, &gain);
		if (unlikely(conditions->scalars.nprefix > 0))
			matches[g] = test_codes(&conditions->scalars, layout, (const SpqRtreeColumn *) place,
									matches[g]);
		if (unlikely(conditions->nchoices > 0))
			matches[g] = spq_rtree_choose_of_bounds(conditions, (const SpqRtreeColumn *) place,
													matches[g]);
	}
	if (unlikely(conditions->bounds.nreaches > 0))
		test_reaches(conditions, page, matches);
	return count_matches(matches, ngroups);
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

/* Clear the bits of rows that are excluded by anything but comparisons. */
static void
ask_page(SpqRtreeConditions *conditions, Page page, bool has_nan, int nasked,
		 uint8 *matches)
{
	int			ngroups = spq_rtree_groups(spq_rtree_count(page));
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	const char *place = spq_rtree_group(page, 0);
	MemoryContext old = CurrentMemoryContext;
	bool		asks_scalars = spq_rtree_asks_scalars(&conditions->scalars);
	uint8		sure[SPQ_RTREE_GROUPS_MAX];

	if (conditions->short_lived)
		MemoryContextSwitchTo(conditions->short_lived);
	if (conditions->nchoices > 0)
		spq_rtree_near_choices(conditions, page);
	if (conditions->bounds.nreaches > 0 && !has_nan)
		prefilter_rows(conditions, page, matches, sure);
	else
		memset(sure, 0, ngroups);

	for (int g = 0; g < ngroups; g++, place += layout->size)
	{
		SpqRtreeColumn wide[SPQ_RTREE_ENDS + 1];

		if (nasked > 0)
			for (uint32 left = matches[g] & ~sure[g]; left != 0; left &= left - 1)
			{
				int			i = pg_rightmost_one_pos32(left);

				switch (ask_operators(layout, place, i, conditions->rows.operators, nasked))
				{
					case SPQ_RTREE_NO:
						matches[g] &= ~(1 << i);
						break;
					case SPQ_RTREE_YES:
						break;
					case SPQ_RTREE_RECHECK:
						conditions->rows.recheck = true;
						break;
				}
			}
		if (asks_scalars)
			for (uint32 left = matches[g]; left != 0; left &= left - 1)
			{
				int			i = pg_rightmost_one_pos32(left);

				if (!spq_rtree_passes_scalars(&conditions->scalars, page, g * SPQ_RTREE_GROUP + i))
					matches[g] &= ~(1 << i);
			}
		if (conditions->nchoices > 0)
			matches[g] = spq_rtree_choose_of_rows(conditions,
												  spq_rtree_wide_group(layout, place, wide),
												  has_nan, matches[g]);
	}
	if (conditions->short_lived)
	{
		MemoryContextSwitchTo(old);
		MemoryContextReset(conditions->short_lived);
	}
}

/* Find the matching rows of a leaf.  Return their number. */
int
spq_rtree_match_leaf(SpqRtreeConditions *conditions, Page page, bool skip_dead,
					 uint8 *matches)
{
	const SpqRtreeSpecial *special = spq_rtree_special(page);
	int			ngroups = spq_rtree_groups(special->count),
				ncomparisons = conditions->ncomparisons,
				nasked = conditions->rows.ninexact,
				ncodes = conditions->ncodes,
				gain = 0;
	const SpqRtreeComparison *comparisons = conditions->rows.comparisons;
	bool		has_nan = (special->flags & SPQ_RTREE_HAS_NAN) != 0,
				calls;
	const char *place = spq_rtree_group(page, 0);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	SpqRtreeColumn wide[SPQ_RTREE_ENDS + 1];

	/* rows of the chain of NULLs have only codes, and satisfy no operator */
	if (unlikely(has_nan || (special->flags & SPQ_RTREE_IS_NULLS)))
	{
		ncomparisons = ncodes;
		nasked = conditions->rows.noperators;
	}
	if (spq_rtree_is_of_one_code(page) && ncodes > 0)
	{
		/* comparisons with codes hold for all rows or for none */
		if (!compare_code(comparisons, ncodes, spq_rtree_codes(page)->high))
		{
			memset(matches, 0, ngroups);
			return 0;
		}
		comparisons += ncodes;
		ncomparisons -= ncodes;
		ncodes = 0;
	}
	calls = nasked > 0 || spq_rtree_asks_scalars(&conditions->scalars) ||
		conditions->nchoices > 0;

	for (int g = 0; g < ngroups; g++, place += layout->size)
	{
		matches[g] = occupied(special->count, g);
		if (skip_dead)
			matches[g] &= ~*(const uint8 *) (place + layout->dead);
		if (unlikely(layout->floats && ncodes == 0))
			matches[g] &= spq_rtree_match_floats((const SpqRtreeFloatColumn *) place,
												 comparisons, ncomparisons);
		else
			matches[g] &= match_group(spq_rtree_wide_group(layout, place, wide), comparisons,
									  ncodes, ncomparisons, &gain);
	}
	if (unlikely(calls))
		ask_page(conditions, page, has_nan, nasked, matches);
	return count_matches(matches, ngroups);
}
