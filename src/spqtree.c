/*-------------------------------------------------------------------------
 *
 * spqtree.c
 *	  Entry point of the shared library.
 *
 * src/README.md is the map of the folders.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "estimate/hook.h"
#include "inspect/explain_option.h"
#include "join_node/join_node.h"
#include "nearest_node/nearest_node.h"
#include "rtree/gist_conditions.h"
#include "rtree/rtree.h"
#include "settings.h"
#include "spatial/extension/equivalent.h"

SPQ_MODULE_MAGIC("spqtree", SPQ_VERSION);

void		_PG_init(void);

/*
 * Define the settings and the option of EXPLAIN, and install the planner hooks.  Queries that a session
 * plans before it loads the library do not get spatial hash joins.
 */
void
_PG_init(void)
{
	spq_settings_init();
	spq_estimate_init(spq_rtree_cost_estimate);
	spq_rtree_gist_conditions_init();
	spq_spatial_equivalent_init();
	spq_node_init();
	spq_nearest_node_init();
	spq_inspect_option_init();
}
