/*-------------------------------------------------------------------------
 *
 * range_box.h
 *	  The box of a range, a multirange, or an interval between two values.
 *
 * The box lies on the x axis, from the number of the lower end to that of the
 * upper one (number.h).  Boxes of ranges that overlap overlap:
 *
 *		[2, 5)  <======>				an end that is missing is infinite
 *			 [4, )  <==========...
 *		--+--+--+--+--+--+-- x
 *		  2  3  4  5  6  7
 *
 * The empty range overlaps nothing, but every range contains it.  So where one
 * range contains another one, the empty range as the one contained gets a box
 * that meets all others; as the one that contains, it meets only those:
 *
 *		y  1  ##########	the empty range, contained: all of x, 0 <= y <= 1
 *		   0  ##########	... containing: the point (0, 1)
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RANGE_RANGE_BOX_H
#define SPQ_RANGE_RANGE_BOX_H

#include "utils/geo_decls.h"
#include "utils/typcache.h"

#include "range/number.h"

/* What a box of a range is for. */
typedef enum SpqRangeUse
{
	SPQ_RANGE_OVERLAPS,			/* an empty range has no box */
	SPQ_RANGE_ADJACENT,			/* the same; boxes of ranges that touch meet */
	SPQ_RANGE_CONTAINS,			/* the range that contains another one */
	SPQ_RANGE_CONTAINED			/* the range that another one contains */
} SpqRangeUse;

/* A range type, or that of the ranges of a multirange type. */
typedef struct SpqRangeType
{
	Oid			type;			/* range or multirange type; or InvalidOid */
	TypeCacheEntry *range;
	SpqNumberKind kind;			/* of its bounds; NONE: boxes are the whole
								 * line */
} SpqRangeType;

extern void spq_range_type(SpqRangeType *cached, Oid type);
extern bool spq_range_may_skip_values(const SpqRangeType *type);
extern bool spq_range_box(SpqRangeType *cached, Datum value, bool multirange, SpqRangeUse use,
						  BOX *box);
extern bool spq_range_box_between(const SpqNumber *lower, bool lower_inclusive,
								  const SpqNumber *upper, bool upper_inclusive,
								  SpqRangeUse use, BOX *box);
extern bool spq_range_sides(SpqRangeType *cached, Datum value, bool multirange, float8 *left,
							float8 *right);
extern void spq_interval_box(SpqNumber lower, bool lower_inclusive, SpqNumber upper,
							 bool upper_inclusive, BOX *box);

#endif							/* SPQ_RANGE_RANGE_BOX_H */
