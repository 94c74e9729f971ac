/*-------------------------------------------------------------------------
 *
 * tighten.h
 *	  The second pass of VACUUM: the inner levels, from the bottom up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_VACUUM_TIGHTEN_H
#define SPQ_RTREE_VACUUM_TIGHTEN_H

#include "rtree/vacuum/vacuum_state.h"

/*
 * Shrink the promise of an exclusively locked page to the bounds of its entries.
 * Return whether it was larger.
 */
extern bool spq_rtree_shrink_promise(SpqRtreeVacuum *vacuum, Buffer buffer);

/* Tighten downlinks and promises, and free empty leaves. */
extern void spq_rtree_tighten(SpqRtreeVacuum *vacuum);

#endif							/* SPQ_RTREE_VACUUM_TIGHTEN_H */
