/*-------------------------------------------------------------------------
 *
 * boxes.h
 *	  Whether each box is where it belongs, given the path to it.
 *
 *		inner (1,1)			each box of the chain is compared with each inner
 *		  |	node 3			tuple above: its place is in the tuple's region, it
 *		inner (5,2)			routes to the node that was taken, and it is within
 *		  |	node 11			the bounds of that node
 *		chain (40,3)
 *
 * Comparing with the lowest tuple alone would not be enough, because bounds
 * and regions of a path are not nested.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CHECK_BOXES_H
#define SPQ_CHECK_BOXES_H

#include "check/report.h"
#include "quadtree_pages/step.h"

extern void spq_check_boxes_enter(SpqCheck *check, SpqPageStep *inner);
extern void spq_check_boxes_of_chain(SpqCheck *check, SpqPageStep *chain);
extern void spq_check_boxes_leave(SpqCheck *check, SpqPageStep *inner);

#endif							/* SPQ_CHECK_BOXES_H */
