/*-------------------------------------------------------------------------
 *
 * split.h
 *	  How a full page is cut in two.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PLACE_SPLIT_H
#define SPQ_RTREE_PLACE_SPLIT_H

#include "rtree/page/bounds.h"

/*
 * Choose which of "count" entries, at least two, go to the right half.  Each
 * half gets at least one entry.  If sizes are given, each gets at most "limit"
 * bytes, if that is possible.
 */
extern void spq_rtree_choose_split(const SpqRtreeBounds *bounds, const Size *sizes,
								   int count, int axes, Size limit, bool *right);

/*
 * Cut the entries of a keyed page where codes change.  Return false if they do
 * not, or if one side of an inner page would get too few entries.
 */
extern bool spq_rtree_split_by_code(const SpqRtreeBounds *bounds, const Size *sizes, int count,
									bool leaf, bool *right);

#endif							/* SPQ_RTREE_PLACE_SPLIT_H */
