/*-------------------------------------------------------------------------
 *
 * condition.h
 *	  A condition of a scan, as comparisons of ends with numbers.
 *
 * An operator class turns a strategy and its argument into at most
 * SPQ_RTREE_COMPARISONS comparisons, all of which have to hold:
 *
 *		an end of the box  <=  a number		or		an end  >=  a number
 *
 * Numbers are chosen such that a comparison equals the operator's own, with
 * EPSILON and its rounding, to the last bit: "x + EPSILON >= q" is "x >= n" for
 * the least n for which it holds, since rounding is monotonic.  NaN satisfies
 * no comparison.
 *
 * Of what may lie below an inner entry the same comparisons decide: a box
 * within the bounds can have an end <= n only if the bounds' low end is, and an
 * end >= n only if the bounds' high end is.  Bounds have no NaN, and those
 * around a box with NaN are infinite on its axis, so they satisfy any
 * comparison that is not with NaN or the far infinity.  A condition can say more
 * of bounds by a function of its own.
 *
 * Rows are asked before anyone knows that they are visible.  So an operator that
 * may raise an error is not asked here; the executor asks it of the rows that it sees.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_CONDITION_H
#define SPQ_RTREE_CLASS_CONDITION_H

#include "access/skey.h"

#include "rtree/page/layout.h"

/* ~= compares all ends from both sides. */
#define SPQ_RTREE_COMPARISONS	(2 * SPQ_RTREE_ENDS)

struct SpqRtreeColumns;			/* class.h */

typedef struct SpqRtreeComparison
{
	uint8		end;			/* of a row: an index into its ends; when
								 * pages are compared, the column */
	bool		at_most;		/* end <= number, or end >= number */
	float8		number;
} SpqRtreeComparison;

/* What is known of a row before anyone knows that it is visible. */
typedef enum SpqRtreeAnswer
{
	SPQ_RTREE_NO,
	SPQ_RTREE_YES,
	SPQ_RTREE_RECHECK			/* the executor has to ask the operator */
} SpqRtreeAnswer;

/* Return whether a key's operator holds for a row whose ends begin with this image. */
typedef SpqRtreeAnswer (*SpqRtreeAsk) (const ScanKeyData *key, Datum argument,
									   const float8 *ends);

typedef struct SpqRtreeCondition
{
	int			ncomparisons;
	SpqRtreeComparison comparisons[SPQ_RTREE_COMPARISONS];

	/*
	 * Whether the comparisons are the operator for all boxes without NaN.
	 * Where they are not, and for pages that may have a NaN, rows are asked
	 * as well; then for these pages the comparisons do not count.
	 */
	bool		exact;
	SpqRtreeAsk ask;			/* NULL: the operator's function, which never
								 * raises an error */

	/*
	 * If set: whether a row within these bounds, which satisfy the
	 * comparisons, may satisfy the operator.  For shapes that fill little of
	 * their window.
	 */
	bool		(*reaches) (const void *argument, const float8 *bounds);

	/*
	 * If set, too: of the entries of a page that have a bit, a byte for each
	 * group, clear those that surely do not satisfy the operator.  Set the
	 * bits of others, in "sure", that need not be asked: rows that surely
	 * satisfy it, and bounds that may.  Of bounds, or of rows without NaN.
	 * Quicker than asking each of them.
	 */
	void		(*prefilter) (const void *argument, const struct SpqRtreeColumns *columns,
							  uint8 *matches, uint8 *sure);
	const void *argument;
	Size		argument_size;	/* of a condition with this test */
} SpqRtreeCondition;

/* Add a comparison. */
static inline void
spq_rtree_compare(SpqRtreeCondition *condition, int end, bool at_most, float8 number)
{
	SpqRtreeComparison *comparison = &condition->comparisons[condition->ncomparisons++];

	Assert(condition->ncomparisons <= SPQ_RTREE_COMPARISONS);
	comparison->end = end;
	comparison->at_most = at_most;
	comparison->number = number;
}

/* The column of a leaf that a comparison is made with, codes or ends of the class. */
static inline int
spq_rtree_row_column(const SpqRtreeLayout *layout, const SpqRtreeComparison *comparison)
{
	return comparison->end == SPQ_RTREE_CODE_END ? layout->code :
		comparison->end % layout->ends;
}

/*
 * The column of an inner page that a comparison is made with: also if it has got the
 * column of a leaf as its end, which is on the same axis.  Of the codes, the column of the
 * highest ones is behind the ends, and that of the lowest ones follows.
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
