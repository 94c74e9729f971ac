/*-------------------------------------------------------------------------
 *
 * tighten.h
 *	  The second pass of VACUUM: over the inner levels, from the bottom up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_VACUUM_TIGHTEN_H
#define SPQ_RTREE_VACUUM_TIGHTEN_H

#include "rtree/vacuum/vacuum_state.h"

/*
 * Let an exclusively locked page promise what its entries need, if it promises
 * more.  Return whether it did.
 */
extern bool spq_rtree_shrink_promise(SpqRtreeVacuum *vacuum, Buffer buffer);

/* The second pass. */
extern void spq_rtree_tighten(SpqRtreeVacuum *vacuum);

#endif							/* SPQ_RTREE_VACUUM_TIGHTEN_H */
