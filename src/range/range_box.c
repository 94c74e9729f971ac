/*-------------------------------------------------------------------------
 *
 * range_box.c
 *	  The box of a range, a multirange, or an interval between two values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"

#include "range/range_box.h"

/*
 * Find out about a range or multirange type, unless "cached" is about it.
 *
 * The bounds of a range are ordered by the operator class that CREATE TYPE
 * named.  Numbers have the order of the default one.
 */
void
spq_range_type(SpqRangeType *cached, Oid type)
{
	TypeCacheEntry *entry,
			   *subtype;

	if (cached->type == type)
		return;
	cached->type = InvalidOid;
	entry = lookup_type_cache(type, TYPECACHE_RANGE_INFO | TYPECACHE_MULTIRANGE_INFO);
	if (entry->rngtype)
		entry = entry->rngtype; /* of a multirange type */
	if (!entry->rngelemtype)
		elog(ERROR, "type %u is not a range type", type);
	subtype = lookup_type_cache(getBaseType(entry->rngelemtype->type_id),
								TYPECACHE_CMP_PROC);
	cached->range = entry;
	cached->kind = entry->rng_cmp_proc_finfo.fn_oid == subtype->cmp_proc ?
		spq_number_kind(subtype->type_id) : SPQ_NUMBER_NONE;
	cached->type = type;
}

/* Set the box of bounds. */
static void
set_box(const SpqRangeType *cached, const RangeBound * lower, const RangeBound * upper, bool closed,
		BOX *box)
{
	const bool	known = cached->kind != SPQ_NUMBER_NONE;

	box->low.x = -get_float8_infinity();
	box->high.x = get_float8_infinity();
	box->low.y = box->high.y = 0;
	if (known && !lower->infinite)
	{
		SpqNumber	number = spq_number_of(cached->kind, lower->val);

		box->low.x = lower->inclusive || closed ? number.low : number.above;
	}
	if (known && !upper->infinite)
	{
		SpqNumber	number = spq_number_of(cached->kind, upper->val);

		box->high.x = upper->inclusive || closed ? number.high : number.below;
	}
}

/* Set the box of an empty range.  Return false if it has none. */
static bool
set_empty(SpqRangeUse use, BOX *box)
{
	switch (use)
	{
		case SPQ_RANGE_OVERLAPS:
		case SPQ_RANGE_ADJACENT:
			return false;
		case SPQ_RANGE_CONTAINS:
			box->low.x = box->high.x = 0;
			box->low.y = box->high.y = 1;
			break;
		case SPQ_RANGE_CONTAINED:
			box->low.x = -get_float8_infinity();
			box->high.x = get_float8_infinity();
			box->low.y = 0;
			box->high.y = 1;
			break;
	}
	return true;
}

/*
 * Set the box of a range or multirange.  Return false if it is empty, and has
 * none for this use.
 */
bool
spq_range_box(SpqRangeType *cached, Datum value, bool multirange, SpqRangeUse use, BOX *box)
{
	struct varlena *copy = PG_DETOAST_DATUM(value);
	bool		empty;
	RangeBound	lower,
				upper,
				other;

	if (multirange)
	{
		const		MultirangeType *all = (MultirangeType *) copy;

		spq_range_type(cached, MultirangeTypeGetOid(all));
		empty = MultirangeIsEmpty(all);
		if (!empty)
		{
			multirange_get_bounds(cached->range, all, 0, &lower, &other);
			multirange_get_bounds(cached->range, all, all->rangeCount - 1, &other, &upper);
		}
	}
	else
	{
		const		RangeType *range = (RangeType *) copy;

		spq_range_type(cached, RangeTypeGetOid(range));
		range_deserialize(cached->range, range, &lower, &upper, &empty);
	}
	if (!empty)
		set_box(cached, &lower, &upper, use == SPQ_RANGE_ADJACENT, box);
	if (copy != (struct varlena *) DatumGetPointer(value))
		pfree(copy);
	return !empty || set_empty(use, box);
}

/* Set the box of all values from one to another one. */
void
spq_interval_box(SpqNumber lower, bool lower_inclusive, SpqNumber upper, bool upper_inclusive,
				 BOX *box)
{
	box->low.x = lower_inclusive ? lower.low : lower.above;
	box->high.x = upper_inclusive ? upper.high : upper.below;
	box->low.y = box->high.y = 0;
}
