/*-------------------------------------------------------------------------
 *
 * gist_conditions.h
 *	  Index conditions that other extensions provide for their functions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_GIST_CONDITIONS_H
#define SPQ_RTREE_GIST_CONDITIONS_H

#include "nodes/pathnodes.h"

extern void spq_rtree_show_gist_families(RelOptInfo *rel);

#endif							/* SPQ_RTREE_GIST_CONDITIONS_H */
