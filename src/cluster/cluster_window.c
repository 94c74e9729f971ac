/*-------------------------------------------------------------------------
 *
 * cluster_window.c
 *	  A window function of another extension that finds clusters: ours, which
 *	  stands for it (spatial/extension/equivalent_plan.c).
 *
 *		SELECT ST_ClusterDBSCAN(geom, 10, 5) OVER (PARTITION BY kind) FROM place
 *
 * The first row of a partition finds the clusters of all of its rows, as PostGIS'
 * function does.  Rows are in the same clusters, which may have other numbers.
 *
 * PostGIS' function is called instead, for a whole partition, where an argument is
 * wrong, so that errors are PostGIS', and where geometries have different SRIDs: it
 * compares them, but ST_DWithin(), which decides here, raises an error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "windowapi.h"

#include "cluster/cluster_join.h"
#include "spatial/extension/member.h"

PG_FUNCTION_INFO_V1(spq_cluster_window);

/* The function that ours stands for. */
#define ORIGINAL	"st_clusterdbscan"

/* What a call keeps from row to row. */
typedef struct WindowCall
{
	FmgrInfo	original;		/* found when it is called first */
	bool		asks;			/* the original decides about this partition */
} WindowCall;

/*
 * Give all rows of the partition to the clusters, and note which are NULL.  Return false if
 * values do not have the same reference, or some have none.
 */
static bool
take_rows(WindowObject window, SpqClusterJoin *cluster, const SpqType *type, int nrows, bool *isnull)
{
	MemoryContext values = AllocSetContextCreate(CurrentMemoryContext, "spatial cluster argument",
												 ALLOCSET_DEFAULT_SIZES);
	bool		has_reference = false,
				same = true;
	uint32		reference = 0;

	for (int row = 0; row < nrows && same; row++)
	{
		MemoryContext old = MemoryContextSwitchTo(values);
		bool		isout;
		Datum		value = WinGetFuncArgInPartition(window, 0, row, WINDOW_SEEK_HEAD, false,
													 &isnull[row], &isout);

		CHECK_FOR_INTERRUPTS();
		if (!isnull[row] && type->reference)
		{
			uint32		own = type->reference(value);

			same = own != SPQ_TYPE_NO_REFERENCE && (!has_reference || own == reference);
			reference = own;
			has_reference = true;
		}
		MemoryContextSwitchTo(old);
		if (same)
			spq_cluster_take(cluster, value, isnull[row]);
		MemoryContextReset(values);
	}
	MemoryContextDelete(values);
	return same;
}

/*
 * Set the numbers of the clusters of all rows; -1 for NULL.  "all": each row that is not NULL has a number,
 * also one without a box.
 */
static void
set_numbers(SpqClusterJoin *cluster, int32 *numbers, int nrows, const bool *isnull, bool all)
{
	for (int row = 0; row < nrows; row++)
	{
		numbers[row] = spq_cluster_number(cluster);
		if (all && numbers[row] < 0 && !isnull[row])
			numbers[row] = cluster->dbscan->clusters++;
	}
}

/* Find the clusters of a partition.  Return false if the original has to. */
static bool
find_clusters(FunctionCallInfo fcinfo, WindowObject window)
{
	SpqClusterJoin cluster = {0};
	int64		nrows = WinGetPartitionRowCount(window);
	Oid		   *types;
	int			nargs;
	bool	   *isnull;
	bool		eps_is_null,
				minpoints_is_null,
				found;
	Datum		eps = WinGetFuncArgCurrent(window, 1, &eps_is_null),
				minpoints = WinGetFuncArgCurrent(window, 2, &minpoints_is_null);

	if (eps_is_null || minpoints_is_null || !(DatumGetFloat8(eps) >= 0) ||
		DatumGetFloat8(eps) > DBL_MAX || DatumGetInt32(minpoints) < 0 || nrows > SPQ_LABEL_MAX)
		return false;
	(void) get_func_signature(fcinfo->flinfo->fn_oid, &types, &nargs);
	if (!spq_nearness_init_extension(&cluster.nearness, types[0], DatumGetFloat8(eps)))
		return false;
	/* the original has no limit of memory, and keeps all values in it */
	spq_cluster_start(&cluster, Max(DatumGetInt32(minpoints), 1), (double) nrows, SIZE_MAX);
	isnull = MemoryContextAllocHuge(CurrentMemoryContext, nrows);
	found = take_rows(window, &cluster, spq_spatial_member_type(types[0]), (int) nrows, isnull);
	if (found)
	{
		spq_cluster_find(&cluster);

		/*
		 * with fewer than two, PostGIS gives each geometry a number, also
		 * empty ones
		 */
		set_numbers(&cluster, WinGetPartitionLocalMemory(window, nrows * sizeof(int32)), (int) nrows,
					isnull, DatumGetInt32(minpoints) <= 1);
	}
	pfree(isnull);
	spq_cluster_end(&cluster);
	return found;
}

/* Call the original with the same window. */
static Datum
ask_original(FunctionCallInfo fcinfo, WindowCall *call)
{
	FmgrInfo   *ours = fcinfo->flinfo;
	Datum		result;

	if (!OidIsValid(call->original.fn_oid))
	{
		Oid		   *types,
					original;
		int			nargs;

		(void) get_func_signature(ours->fn_oid, &types, &nargs);
		original = spq_spatial_type_function(types[0], ORIGINAL, nargs, types);
		if (!OidIsValid(original))
			elog(ERROR, "function %s was not found", ORIGINAL);
		fmgr_info_cxt(original, &call->original, ours->fn_mcxt);
	}
	fcinfo->flinfo = &call->original;
	result = FunctionCallInvoke(fcinfo);
	fcinfo->flinfo = ours;
	return result;
}

/*
 * _spqtree_st_clusterdbscan(geometry, eps, minpoints) over (...) returns integer
 */
Datum
spq_cluster_window(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	WindowCall *call = fcinfo->flinfo->fn_extra;
	int64		row;
	const int32 *numbers;

	if (!WindowObjectIsValid(window))
		ereport(ERROR,
				(errcode(ERRCODE_WINDOWING_ERROR),
				 errmsg("this is a window function")));
	row = WinGetCurrentPosition(window);
	if (call == NULL)
		call = fcinfo->flinfo->fn_extra = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(WindowCall));
	if (row == 0)
		call->asks = !find_clusters(fcinfo, window);
	if (call->asks)
		return ask_original(fcinfo, call);
	numbers = WinGetPartitionLocalMemory(window, WinGetPartitionRowCount(window) * sizeof(int32));
	if (numbers[row] < 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32(numbers[row]);
}
