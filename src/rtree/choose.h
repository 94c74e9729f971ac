/*-------------------------------------------------------------------------
 *
 * choose.h
 *	  The child that a new entry goes to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CHOOSE_H
#define SPQ_RTREE_CHOOSE_H

#include "rtree/page.h"

/*
 * Return the downlink of an inner page, which has at least one, whose bounds need
 * the least enlargement.
 */
extern int	spq_rtree_choose_child(Page page, const SpqRtreeBounds *bounds);

#endif							/* SPQ_RTREE_CHOOSE_H */
