/*-------------------------------------------------------------------------
 *
 * build.h
 *	  CREATE INDEX: the callbacks of the access method.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_H
#define SPQ_RTREE_BULK_LOAD_BUILD_H

#include "access/genam.h"
#include "nodes/execnodes.h"
#include "utils/rel.h"

extern IndexBuildResult *spq_rtree_build(Relation heap, Relation index, IndexInfo *info);
extern void spq_rtree_build_empty(Relation index);
extern char *spq_rtree_build_phase_name(int64 phase);

/* ---- options.c: WITH (fillfactor = ...) ---- */

extern bytea *spq_rtree_options(Datum options, bool validate);
extern int	spq_rtree_fillfactor(Relation index);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_H */
