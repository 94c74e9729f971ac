/*-------------------------------------------------------------------------
 *
 * pins.h
 *	  Leaves that keep their pins in a search in order of distance.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_PINS_H
#define SPQ_RTREE_NEAREST_PINS_H

#include "rtree/nearest/nearest_state.h"

extern int	spq_rtree_pins_max(Relation index);
extern void spq_rtree_keep_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch);
extern void spq_rtree_forget_pin(SpqRtreeNearest *nearest, SpqRtreeBatch *batch);

#endif							/* SPQ_RTREE_NEAREST_PINS_H */
