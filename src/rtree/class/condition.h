/*-------------------------------------------------------------------------
 *
 * condition.h
 *	  A condition of a scan, as comparisons of ends with numbers.
 *
 * An operator class turns a strategy and its argument into at most
 * SPQ_RTREE_COMPARISONS comparisons, all of which must hold:
 *
 *		an end of the box  <=  a number		or		an end  >=  a number
 *
 * The numbers make a comparison equal the operator's own, with EPSILON and
 * rounding, to the last bit: "x + EPSILON >= q" becomes "x >= n", where n is
 * the least number for which it holds (rounding is monotonic).  NaN satisfies
 * no comparison.
 *
 * The same comparisons exclude entries of inner pages: a box within bounds can
 * have an end <= n only if the low end of the bounds is <= n, and an end >= n
 * only if their high end is >= n.  Bounds have no NaN; around a box with a NaN
 * they are infinite on its axis, so they satisfy all comparisons except those
 * with NaN.  A condition can exclude more bounds by a function of its own.
 *
 * A scan tests rows before their visibility is known.  So it does not call an
 * operator that may raise an error; the executor does, for visible rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_CONDITION_H
#define SPQ_RTREE_CLASS_CONDITION_H

#include <float.h>
#include <math.h>

#include "access/skey.h"
#include "utils/float.h"

#include "rtree/page/layout.h"

/* ~= compares all ends from both sides. */
#define SPQ_RTREE_COMPARISONS	(2 * SPQ_RTREE_ENDS)

struct SpqRtreeColumns;			/* class.h */

typedef struct SpqRtreeComparison
{
	uint8		end;			/* index into a row's ends, or
								 * SPQ_RTREE_CODE_END; when compared with a
								 * page, the column */
	bool		at_most;		/* end <= number, or end >= number */
	float4		rounded;		/* spq_rtree_rounded(), if compared with rows */
	float8		number;
} SpqRtreeComparison;

/* The result of a test of a row whose visibility is not known. */
typedef enum SpqRtreeAnswer
{
	SPQ_RTREE_NO,
	SPQ_RTREE_YES,
	SPQ_RTREE_RECHECK			/* the executor must evaluate the operator */
} SpqRtreeAnswer;

/*
 * Return whether a key's operator holds for a row whose ends begin with its
 * image.
 */
typedef SpqRtreeAnswer (*SpqRtreeAsk) (const ScanKeyData *key, Datum argument,
									   const float8 *ends);

typedef struct SpqRtreeCondition
{
	/*
	 * Set by the caller: the type of the class (if that is polymorphic, of
	 * the column), and the number of axes
	 */
	Oid			column_type;
	int			axes;

	int			ncomparisons;
	SpqRtreeComparison comparisons[SPQ_RTREE_COMPARISONS];

	/*
	 * Whether the comparisons equal the operator for all boxes without NaN.
	 * Otherwise, and on pages that may have a NaN, the operator is evaluated,
	 * too; on such pages the comparisons are ignored.
	 */
	bool		exact;
	SpqRtreeAsk ask;			/* NULL: the operator's function, which never
								 * raises an error */

	/*
	 * If set: return whether a row within these bounds, which satisfy the
	 * comparisons, may satisfy the operator.  For shapes that fill little of
	 * their window.
	 */
	bool		(*reaches) (const void *argument, const float8 *bounds);

	/*
	 * Set only together with "reaches": decide most entries of a page at
	 * once.  "matches" has a bit for each entry, a byte for each group: clear
	 * the bits of entries that certainly do not satisfy the operator.  In
	 * "sure", set the bits of other entries that need no further test: rows
	 * that certainly satisfy it, and bounds that may.  The page is an inner
	 * page or a leaf without NaN.
	 */
	void		(*prefilter) (const void *argument, const struct SpqRtreeColumns *columns,
							  uint8 *matches, uint8 *sure);
	const void *argument;
	Size		argument_size;	/* set if "prefilter" is */
} SpqRtreeCondition;

/* Add a comparison to a condition. */
static inline void
spq_rtree_compare(SpqRtreeCondition *condition, int end, bool at_most, float8 number)
{
	SpqRtreeComparison *comparison = &condition->comparisons[condition->ncomparisons++];

	Assert(condition->ncomparisons <= SPQ_RTREE_COMPARISONS);
	comparison->end = end;
	comparison->at_most = at_most;
	comparison->number = number;
}

/*
 * Return the number of a comparison as a float4, rounded so that this is the same
 * comparison for all ends that are float4: up to the next one if the end has to be
 * at least the number, otherwise down.
 */
static inline float4
spq_rtree_rounded(const SpqRtreeComparison *comparison)
{
	const float4 infinity = get_float4_infinity();
	float8		number = comparison->number;
	float4		rounded;

	if (number > FLT_MAX)
		return comparison->at_most && !isinf(number) ? FLT_MAX : infinity;
	if (number < -FLT_MAX)
		return comparison->at_most || isinf(number) ? -infinity : -FLT_MAX;
	rounded = (float4) number;
	if (comparison->at_most && rounded > number)
		return nextafterf(rounded, -infinity);
	if (!comparison->at_most && rounded < number)
		return nextafterf(rounded, infinity);
	return rounded;
}

/* Return the column of a leaf that a comparison reads: a code or an end. */
static inline int
spq_rtree_row_column(const SpqRtreeLayout *layout, const SpqRtreeComparison *comparison)
{
	return comparison->end == SPQ_RTREE_CODE_END ? layout->code :
		comparison->end % layout->ends;
}

/*
 * Return the column of an inner page that a comparison reads.  The comparison's
 * end may also be a column of a leaf: it is on the same axis.  The column of
 * the highest codes follows the ends, that of the lowest codes is next.
 */
static inline int
spq_rtree_bounding_end(const SpqRtreeComparison *comparison, int axes)
{
	int			axis = comparison->end % axes;

	if (comparison->end == SPQ_RTREE_CODE_END)
		return 2 * axes + comparison->at_most;
	return comparison->at_most ? axes + axis : axis;
}

#endif							/* SPQ_RTREE_CLASS_CONDITION_H */
