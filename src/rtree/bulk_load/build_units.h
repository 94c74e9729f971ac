/*-------------------------------------------------------------------------
 *
 * build_units.h
 *	  CREATE INDEX: the units of the axes, from a sample of the table's rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_UNITS_H
#define SPQ_RTREE_BULK_LOAD_BUILD_UNITS_H

#include "nodes/execnodes.h"

#include "rtree/bulk_load/build_state.h"

/* Choose the units of the axes from a sample of the table's rows. */
extern void spq_rtree_sample_units(SpqRtreeBuild *build, IndexInfo *info);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_UNITS_H */
