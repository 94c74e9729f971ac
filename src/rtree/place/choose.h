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
 * Return the downlink of an inner page, which has at least one, whose bounds need
 * the least enlargement.
 */
extern int	spq_rtree_choose_child(Page page, const SpqRtreeBounds *bounds);

/*
 * Let a bit be set for each child of a keyed page whose codes grow least by those
 * of an entry; of several, those with the fewest codes.
 */
extern void spq_rtree_choose_by_code(Page page, const SpqRtreeBounds *bounds, uint8 *candidates);

#endif							/* SPQ_RTREE_PLACE_CHOOSE_H */
