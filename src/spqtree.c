/*-------------------------------------------------------------------------
 *
 * spqtree.c
 *	  Entry point of the shared library.
 *
 * There is one folder per capability:
 *
 *	  box/			boxes: their relations, distances, roundings; no server
 *	  lattice/		cells of the plane, and short bounds; no server
 *	  rtree/		the access method
 *	  quadtree/		the SP-GiST operator classes for boxes
 *	  pages/		reading the pages of an SP-GiST index, without trusting them
 *	  rtree_pages/	the same for an index of the access method
 *	  check/		checking an index
 *	  inspect/		statistics of an index, and what a query costs in it
 *	  picture/		drawing an index
 *	  join/			the join engine; of the server, only memory and files
 *	  spatial/		operators that imply that boxes overlap
 *	  estimate/		estimates of rows that satisfy a spatial condition
 *	  join_node/	the join as a node in plans
 *	  functions/	SQL functions for joins and cells
 *	  watch/		watches: triggers that log who enters and leaves
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "estimate/hook.h"
#include "join_node/join_node.h"
#include "rtree/foreign_index.h"
#include "rtree/rtree.h"
#include "settings.h"
#include "spatial/equivalent.h"

SPQ_MODULE_MAGIC("spqtree", SPQ_VERSION);

void		_PG_init(void);

/*
 * Define the settings and install the planner hooks.  Queries that a session
 * plans before it loads the library are planned without spatial hash joins.
 */
void
_PG_init(void)
{
	spq_settings_init();
	spq_estimate_init(spq_rtree_cost_estimate);
	spq_rtree_foreign_index_init();
	spq_spatial_equivalent_init();
	spq_node_init();
}
