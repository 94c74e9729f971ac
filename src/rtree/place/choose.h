/*-------------------------------------------------------------------------
 *
 * choose.h
 *	  The child that a new entry goes to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PLACE_CHOOSE_H
#define SPQ_RTREE_PLACE_CHOOSE_H

#include "rtree/page/page.h"

/*
 * Return the downlink whose bounds need the least enlargement to enclose the
 * bounds of an entry.  The inner page must have at least one downlink.
 */
extern int	spq_rtree_choose_child(Page page, const SpqRtreeBounds *bounds);

/*
 * Set a bit for each child of a keyed page whose codes grow least by those of
 * an entry; among these, only for the children with the fewest codes.
 */
extern void spq_rtree_choose_by_code(Page page, const SpqRtreeBounds *bounds, uint8 *candidates);

#endif							/* SPQ_RTREE_PLACE_CHOOSE_H */
