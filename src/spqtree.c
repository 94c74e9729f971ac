/*-------------------------------------------------------------------------
 *
 * spqtree.c
 *	  Entry point of the shared library.
 *
 * The work is done in one folder per capability:
 *
 *	  quadtree/		the SP-GiST operator class for boxes
 *	  join/			the spatial join engine
 *	  join_functions/	the join as SQL functions
 *	  join_node/	the join as a node of PostgreSQL's plans
 *	  cells/		cells of a grid, as SQL functions
 *	  check/		checking an index
 *	  inspect/		looking into an index
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "join_node/join_node.h"
#include "join_node/selectivity.h"
#include "join_node/settings.h"

SPQ_MODULE_MAGIC("spqtree", SPQ_VERSION);

void		_PG_init(void);

/*
 * Settings and planner hooks.  A session that does not have the library loaded
 * before it plans a query plans it without spatial hash joins.
 */
void
_PG_init(void)
{
	spq_define_settings();
	spq_selectivity_init();
	spq_install_join_node();
}
