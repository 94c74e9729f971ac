/*-------------------------------------------------------------------------
 *
 * row_keys.h
 *	  The exact distances of a row, as keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_NEAREST_ROW_KEYS_H
#define SPQ_RTREE_NEAREST_ROW_KEYS_H

#include "rtree/nearest/nearest_state.h"

extern bool spq_rtree_find_keys(IndexScanDesc scan, const SpqRtreeBatch *batch, int entry);

#endif							/* SPQ_RTREE_NEAREST_ROW_KEYS_H */
