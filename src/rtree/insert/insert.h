/*-------------------------------------------------------------------------
 *
 * insert.h
 *	  Insertion: the callback of the access method.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_INSERT_H
#define SPQ_RTREE_INSERT_INSERT_H

#include "access/genam.h"
#include "nodes/execnodes.h"
#include "utils/rel.h"

extern bool spq_rtree_insert(Relation index, Datum *values, bool *isnull,
							 ItemPointer tid, Relation heap,
							 IndexUniqueCheck check, bool unchanged,
							 IndexInfo *info);

#endif							/* SPQ_RTREE_INSERT_INSERT_H */
