/*-------------------------------------------------------------------------
 *
 * table_ahead.h
 *	  Requests for the table's blocks of rows that will be returned soon.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_TABLE_AHEAD_H
#define SPQ_RTREE_SCAN_TABLE_AHEAD_H

#include "rtree/scan/scan_state.h"

/* Request the table's blocks of the rows after the next one. */
extern void spq_rtree_ahead_of_rows(IndexScanDesc scan);

#endif							/* SPQ_RTREE_SCAN_TABLE_AHEAD_H */
