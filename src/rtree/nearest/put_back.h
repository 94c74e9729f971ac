/*-------------------------------------------------------------------------
 *
 * put_back.h
 *	  Leaves that a search in order of distance puts back, because it has
 *	  too many pins.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_PUT_BACK_H
#define SPQ_RTREE_NEAREST_PUT_BACK_H

#include "rtree/nearest/nearest_state.h"

extern void spq_rtree_put_back(IndexScanDesc scan);

#endif							/* SPQ_RTREE_NEAREST_PUT_BACK_H */
