/*-------------------------------------------------------------------------
 *
 * tree.h
 *	  Whether an index of access method spqtree is sound.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_CHECK_TREE_H
#define SPQ_CHECK_TREE_H

#include "check/report.h"

extern void spq_check_tree(SpqCheck *check, bool heapallindexed);

#endif							/* SPQ_CHECK_TREE_H */
