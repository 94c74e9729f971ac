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
#include "estimate/cache/cache.h"
#include "estimate/paths/paths.h"
#include "hooks.h"
#include "rtree/rtree.h"
#include "settings.h"

SPQ_MODULE_MAGIC("spqtree", SPQ_VERSION);

void		_PG_init(void);

/*
 * Define the settings, and install the hooks (hooks.c).  Queries that a session
 * plans before it loads the library do not get spatial hash joins.
 */
void
_PG_init(void)
{
	spq_settings_init();
	spq_estimate_own_costs = spq_rtree_cost_estimate;
	spq_estimate_cache_init();
	spq_hooks_install();
}
