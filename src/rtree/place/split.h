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
 * Of count entries with this many axes, two at least, choose those that go to the right half.  Both
 * halves get an entry at least; and if sizes are given, at most "limit" bytes if
 * that is possible at all.
 */
extern void spq_rtree_choose_split(const SpqRtreeBounds *bounds, const Size *sizes,
								   int count, int axes, Size limit, bool *right);

/*
 * Cut the entries of a keyed page where codes change.  Return false if they do not,
 * or too few entries would be on one side of an inner page.
 */
extern bool spq_rtree_split_by_code(const SpqRtreeBounds *bounds, const Size *sizes, int count,
									bool leaf, bool *right);

#endif							/* SPQ_RTREE_PLACE_SPLIT_H */
