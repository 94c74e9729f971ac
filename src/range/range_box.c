/*-------------------------------------------------------------------------
 *
 * range_box.c
 *	  The box of a range, a multirange, or an interval between two values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
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

/* Return the low end of boxes of ranges with this lower bound, a value. */
static float8
low_end(const SpqRangeType *cached, Datum value, bool inclusive)
{
	SpqNumber	number;

	if (cached->kind == SPQ_NUMBER_NONE)
		return -get_float8_infinity();
	number = spq_number_of(cached->kind, value);
	return inclusive ? number.low : number.above;
}

/* Return the high end of boxes of ranges with this upper bound, a value. */
static float8
high_end(const SpqRangeType *cached, Datum value, bool inclusive)
{
	SpqNumber	number;

	if (cached->kind == SPQ_NUMBER_NONE)
		return get_float8_infinity();
	number = spq_number_of(cached->kind, value);
	return inclusive ? number.high : number.below;
}

/* Set the box of bounds. */
static void
set_box(const SpqRangeType *cached, const RangeBound *lower, const RangeBound *upper, bool closed,
		BOX *box)
{
	box->low.x = lower->infinite ? -get_float8_infinity() :
		low_end(cached, lower->val, lower->inclusive || closed);
	box->high.x = upper->infinite ? get_float8_infinity() :
		high_end(cached, upper->val, upper->inclusive || closed);
	box->low.y = box->high.y = 0;
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

/* The bounds of a range, or the outer ones of a multirange. */
typedef struct Outline
{
	RangeBound	lower,
				upper;
	struct varlena *copy;		/* where the values are, if it was compressed;
								 * or NULL */
} Outline;

/* Read the bounds.  Return false if there are none: the range is empty. */
static bool
read_outline(SpqRangeType *cached, Datum value, bool multirange, Outline *outline)
{
	struct varlena *plain = PG_DETOAST_DATUM(value);

	outline->copy = plain == (struct varlena *) DatumGetPointer(value) ? NULL : plain;
	if (multirange)
	{
		const MultirangeType *all = (MultirangeType *) plain;
		RangeBound	other;

		spq_range_type(cached, MultirangeTypeGetOid(all));
		if (MultirangeIsEmpty(all))
			return false;
		multirange_get_bounds(cached->range, all, 0, &outline->lower, &other);
		multirange_get_bounds(cached->range, all, all->rangeCount - 1, &other, &outline->upper);
		return true;
	}
	else
	{
		const RangeType *range = (RangeType *) plain;
		bool		empty;

		spq_range_type(cached, RangeTypeGetOid(range));
		range_deserialize(cached->range, range, &outline->lower, &outline->upper, &empty);
		return !empty;
	}
}

static void
free_outline(Outline *outline)
{
	if (outline->copy)
		pfree(outline->copy);
}

/*
 * Set the box of a range or multirange.  Return false if it is empty, and has
 * none for this use.
 */
bool
spq_range_box(SpqRangeType *cached, Datum value, bool multirange, SpqRangeUse use, BOX *box)
{
	Outline		outline;
	bool		found = read_outline(cached, value, multirange, &outline);

	if (found)
		set_box(cached, &outline.lower, &outline.upper, use == SPQ_RANGE_ADJACENT, box);
	free_outline(&outline);
	return found || set_empty(use, box);
}

/*
 * Set "left" to the high end of the box of ranges that end just before a range
 * begins, and "right" to the low end of those that begin just after its end.
 * If there is nothing on a side, it is infinite.  Return false for an empty
 * range.
 */
bool
spq_range_sides(SpqRangeType *cached, Datum value, bool multirange, float8 *left, float8 *right)
{
	Outline		outline;
	bool		found = read_outline(cached, value, multirange, &outline);

	if (found)
	{
		*left = outline.lower.infinite ? -get_float8_infinity() :
			high_end(cached, outline.lower.val, !outline.lower.inclusive);
		*right = outline.upper.infinite ? get_float8_infinity() :
			low_end(cached, outline.upper.val, !outline.upper.inclusive);
	}
	free_outline(&outline);
	return found;
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

/*
 * As spq_range_box(), for the range between two values.  A value that is NULL is a missing
 * bound.  A range whose lower value is above the upper one counts as empty.
 */
bool
spq_range_box_between(const SpqNumber *lower, bool lower_inclusive,
					  const SpqNumber *upper, bool upper_inclusive, SpqRangeUse use, BOX *box)
{
	const SpqNumber first = {.low = -get_float8_infinity(),.above = -get_float8_infinity()},
				last = {.high = get_float8_infinity(),.below = get_float8_infinity()};
	bool		closed = use == SPQ_RANGE_ADJACENT;

	if (lower && upper &&
		(lower->low > upper->high ||
		 (lower->high >= upper->low && !(lower_inclusive && upper_inclusive))))
		return set_empty(use, box);
	spq_interval_box(lower ? *lower : first, lower_inclusive || closed,
					 upper ? *upper : last, upper_inclusive || closed, box);
	return true;
}

/*
 * Return whether ranges can be adjacent although no bounds of theirs have the
 * same value.  The functions that say so for PostgreSQL's own types make all
 * ranges exclude their upper bounds, so there it does not happen.
 */
bool
spq_range_may_skip_values(const SpqRangeType *type)
{
	return type->range->rng_canonical_finfo.fn_oid >= FirstUnpinnedObjectId;
}
