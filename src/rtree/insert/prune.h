/*-------------------------------------------------------------------------
 *
 * prune.h
 *	  Removing dead rows from a full leaf, before it is split.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_PRUNE_H
#define SPQ_RTREE_INSERT_PRUNE_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

/*
 * Remove rows of a leaf that are dead to all, if that seems worth it.  The leaf is
 * exclusively locked and stays so.  What it promises stays as it is.
 */
extern void spq_rtree_prune(Relation index, Relation heap, Buffer leaf);

#endif							/* SPQ_RTREE_INSERT_PRUNE_H */
