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
#include "rtree/class.h"
#include "rtree/rtree.h"

PG_FUNCTION_INFO_V1(spq_rtree_handler);

/* Return the routines of the access method. */
Datum
spq_rtree_handler(PG_FUNCTION_ARGS)
{
	IndexAmRoutine *routine = makeNode(IndexAmRoutine);

	routine->amstrategies = 0;	/* the operator class says */
	routine->amsupport = SPQ_RTREE_PROCS;
	routine->amcanorderbyop = true;
	routine->amcanmulticol = true;
	routine->amoptionalkey = true;
	routine->amsearcharray = true;
	routine->amsearchnulls = true;
	routine->amstorage = true;
	routine->ampredlocks = true;
	routine->amcanparallel = true;
	routine->amcaninclude = true;
	spq_set_can_build_parallel(routine);
	routine->amusemaintenanceworkmem = false;
	routine->amparallelvacuumoptions =
		VACUUM_OPTION_PARALLEL_BULKDEL | VACUUM_OPTION_PARALLEL_COND_CLEANUP;
	routine->amkeytype = InvalidOid;

	routine->ambuild = spq_rtree_build;
	routine->ambuildempty = spq_rtree_build_empty;
	routine->aminsert = spq_rtree_insert;
	routine->ambulkdelete = spq_rtree_bulk_delete;
	routine->amvacuumcleanup = spq_rtree_vacuum_cleanup;
	routine->amcanreturn = spq_rtree_can_return;
	routine->amcostestimate = spq_rtree_cost_estimate;
	routine->amoptions = spq_rtree_options;
	routine->ambuildphasename = spq_rtree_build_phase_name;
	routine->amvalidate = spq_rtree_validate;
	routine->ambeginscan = spq_rtree_begin_scan;
	routine->amrescan = spq_rtree_rescan;
	routine->amgettuple = spq_rtree_get_tuple;
	routine->amgetbitmap = spq_rtree_get_bitmap;
	routine->amendscan = spq_rtree_end_scan;
	routine->amestimateparallelscan = spq_rtree_estimate_parallel_scan;
	routine->aminitparallelscan = spq_rtree_init_parallel_scan;
	routine->amparallelrescan = spq_rtree_parallel_rescan;

	PG_RETURN_POINTER(routine);
}
