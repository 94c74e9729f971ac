/*-------------------------------------------------------------------------
 *
 * vacuum.h
 *	  VACUUM: the callbacks of the access method.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_VACUUM_VACUUM_H
#define SPQ_RTREE_VACUUM_VACUUM_H

#include "access/genam.h"

extern IndexBulkDeleteResult *spq_rtree_bulk_delete(IndexVacuumInfo *info,
													IndexBulkDeleteResult *stats,
													IndexBulkDeleteCallback callback,
													void *callback_state);
extern IndexBulkDeleteResult *spq_rtree_vacuum_cleanup(IndexVacuumInfo *info,
													   IndexBulkDeleteResult *stats);

#endif							/* SPQ_RTREE_VACUUM_VACUUM_H */
