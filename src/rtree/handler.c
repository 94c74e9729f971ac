/*-------------------------------------------------------------------------
 *
 * handler.c
 *	  The access method spqtree, as PostgreSQL sees it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/vacuum.h"
#include "fmgr.h"

#include "compat.h"
#include "rtree/bulk_load/build.h"
#include "rtree/class/class.h"
#include "rtree/insert/insert.h"
#include "rtree/rtree.h"
#include "rtree/scan/parallel_scan.h"
#include "rtree/vacuum/vacuum.h"

PG_FUNCTION_INFO_V1(spq_rtree_handler);

/*
 * Two properties of 18 stay false, as for GiST.  amconsistentequality and
 * amconsistentordering say that all operators of a family agree on what is equal,
 * and on the order; but our families have operators such as &&.  Those of scalar
 * columns are also in families of btree, from which the planner knows it.
 */
static const IndexAmRoutine routines = {
	.type = T_IndexAmRoutine,
	.amstrategies = 0,			/* operator classes define them */
	.amsupport = SPQ_RTREE_PROCS,
	.amcanorderbyop = true,
	.amcanmulticol = true,
	.amoptionalkey = true,
	.amsearcharray = true,
	.amsearchnulls = true,
	.amstorage = true,
	.ampredlocks = true,
	.amcanparallel = true,
	.amcaninclude = true,
	SPQ_CAN_BUILD_PARALLEL
	.amusemaintenanceworkmem = false,
	.amparallelvacuumoptions =
	VACUUM_OPTION_PARALLEL_BULKDEL | VACUUM_OPTION_PARALLEL_COND_CLEANUP,
	.amkeytype = InvalidOid,

	.ambuild = spq_rtree_build,
	.ambuildempty = spq_rtree_build_empty,
	.aminsert = spq_rtree_insert,
	.ambulkdelete = spq_rtree_bulk_delete,
	.amvacuumcleanup = spq_rtree_vacuum_cleanup,
	.amcanreturn = spq_rtree_can_return,
	.amcostestimate = spq_rtree_cost_estimate,
	.amoptions = spq_rtree_options,
	.ambuildphasename = spq_rtree_build_phase_name,
	.amvalidate = spq_rtree_validate,
	.amadjustmembers = spq_rtree_adjust_members,
	.ambeginscan = spq_rtree_begin_scan,
	.amrescan = spq_rtree_rescan,
	.amgettuple = spq_rtree_get_tuple,
	.amgetbitmap = spq_rtree_get_bitmap,
	.amendscan = spq_rtree_end_scan,
	.amestimateparallelscan = spq_rtree_estimate_parallel_scan,
	.aminitparallelscan = spq_rtree_init_parallel_scan,
	.amparallelrescan = spq_rtree_parallel_rescan,
	SPQ_TRANSLATE_STRATEGIES(spq_rtree_translate_strategy, spq_rtree_translate_cmptype)
};

/* Return the routines of the access method. */
Datum
spq_rtree_handler(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(spq_routines_of_handler(&routines));
}
