/*-------------------------------------------------------------------------
 *
 * tuple.h
 *	  Columns and index tuples of rows, for index-only scans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_TUPLE_H
#define SPQ_RTREE_SCAN_TUPLE_H

#include "rtree/scan/scan_state.h"

extern void spq_rtree_row_values(const SpqRtreeScan *state, Relation index, Page page,
								 BlockNumber block, int entry, float8 *key, Datum *values,
								 bool *isnull);
extern Size spq_rtree_form_tuple(const SpqRtreeScan *state, Relation index, Page page,
								 BlockNumber block, int entry, char *place);

#endif							/* SPQ_RTREE_SCAN_TUPLE_H */
