/*-------------------------------------------------------------------------
 *
 * choice.c
 *	  Conditions of the spatial column with any element of an array.
 *
 * Each element has comparisons of its own, all of which have to hold for one element.
 * A row is found once, however many elements it matches: the tree is searched for all
 * of them together.  Elements that are not near a page are left out before its entries
 * are compared.  NULL matches nothing, so elements that are NULL are left out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "rtree/class/kernel.h"
#include "rtree/conditions/calls.h"
#include "rtree/conditions/choice.h"

/* With more elements than this, those that are not near a page are left out. */
#define FEW		8

/*
 * Add the condition that a key on the spatial column holds with an element of
 * its array.  Return false if there are no elements.
 */
bool
spq_rtree_parse_choice(SpqRtreeConditions *conditions, ScanKey key)
{
	SpqRtreeChoice *choice = &conditions->choices[conditions->nchoices++];
	int			n;
	Datum	   *values = spq_rtree_key_elements(conditions, key, &n);
	bool		toasted = n > 0 && get_typlen(key->sk_subtype) == -1;
	MemoryContext old = MemoryContextSwitchTo(conditions->arguments);
	Size		size = Max(n, 1);
	int			ncomparisons = 0;

	choice->key = key;
	choice->asks = spq_rtree_returns_key(conditions->scalars.index);
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
		condition = spq_rtree_class_condition(conditions->scalars.index, &one);

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
 * or may: then the executor rechecks them.  Columns are of float8.
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

				spq_rtree_get_ends(conditions->leaf_layout, (const char *) columns, i, ends);
				switch (spq_rtree_ask(choice->key, alternative->ask, alternative->argument, ends))
				{
					case SPQ_RTREE_NO:
						here &= ~(1 << i);
						break;
					case SPQ_RTREE_YES:
						break;
					case SPQ_RTREE_RECHECK:
						conditions->rows.recheck = true;
						break;
				}
			}
			found |= here;
		}
		mask &= found;
	}
	return mask;
}
