/*-------------------------------------------------------------------------
 *
 * prune.h
 *	  Removing dead rows from a full leaf before it is split.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_PRUNE_H
#define SPQ_RTREE_INSERT_PRUNE_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

/*
 * Remove rows that are dead to all transactions from an exclusively locked leaf, if
 * there is reason to expect some.  The leaf stays locked and keeps its promise.
 * "unchanged": the new row is a version of one with the same columns.
 */
extern void spq_rtree_prune(Relation index, Relation heap, Buffer leaf, bool unchanged);

#endif							/* SPQ_RTREE_INSERT_PRUNE_H */
