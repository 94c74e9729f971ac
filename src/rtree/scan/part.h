/*-------------------------------------------------------------------------
 *
 * part.h
 *	  The step of every search: read the first page of a part of a level.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_PART_H
#define SPQ_RTREE_SCAN_PART_H

#include "rtree/scan/scan_state.h"

extern Buffer spq_rtree_read_part(IndexScanDesc scan, const SpqRtreePart *part,
								  SpqRtreePart *rest);

#endif							/* SPQ_RTREE_SCAN_PART_H */
