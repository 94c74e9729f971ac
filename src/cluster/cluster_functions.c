/*-------------------------------------------------------------------------
 *
 * cluster_functions.c
 *	  Clusters of rows as SQL functions.
 *
 * The first call finds the clusters; each call returns one row.  SQL functions around
 * these are inlined, as those of src/query_join/join_functions.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "access/htup_details.h"
#include "fmgr.h"

#include "cluster/cluster_join.h"
#include "query_join/query_join.h"

PG_FUNCTION_INFO_V1(spq_cluster_rows);
PG_FUNCTION_INFO_V1(spq_component_rows);

typedef struct ClusterCall
{
	SpqQueryCall call;			/* its row is that of a cluster */
	HeapTupleHeader noise;		/* the row of none */
	SpqClusterJoin cluster;
} ClusterCall;

static void
end_cluster(SpqQueryCall *call)
{
	spq_cluster_end(&((ClusterCall *) call)->cluster);
}

/* Return the next row; NULL at the end. */
static HeapTupleHeader
next_row(SpqQueryCall *base)
{
	ClusterCall *call = (ClusterCall *) base;
	HeapTupleHeader row;
	int64		id;
	int			number;

	if (!spq_cluster_next(&call->cluster, &id, &number))
		return NULL;

	/* write a bigint and an integer in place */
	row = number < 0 ? call->noise : base->result;
	*(int64 *) ((char *) row + row->t_hoff) = id;
	if (number >= 0)
		*(int32 *) ((char *) row + row->t_hoff + sizeof(int64)) = number;
	return row;
}

static void
make_rows(ClusterCall *call)
{
	Datum		values[2] = {0, 0};
	bool		nulls[2] = {false, false};

	call->call.result = heap_form_tuple(call->call.desc, values, nulls)->t_data;
	nulls[1] = true;
	call->noise = heap_form_tuple(call->call.desc, values, nulls)->t_data;
}

static void
null_argument(const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 errmsg("%s must not be null", name)));
}

static void
begin_clusters(FunctionCallInfo fcinfo, SpqQueryCall *base)
{
	ClusterCall *call = (ClusterCall *) base;
	char	   *query = spq_query_text_argument(fcinfo, 0, "query");
	double		eps;
	int			minpoints;

	if (PG_ARGISNULL(1))
		null_argument("eps");
	if (PG_ARGISNULL(2))
		null_argument("minpoints");
	eps = PG_GETARG_FLOAT8(1);
	minpoints = PG_GETARG_INT32(2);
	if (!(eps >= 0 && eps <= DBL_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("eps must be a finite distance, or 0"),
				 errhint("Specify the largest distance of two neighbors.")));
	if (minpoints < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("minpoints must be at least 1"),
				 errhint("Specify how many neighbors a row needs, itself included, to be the core of a cluster; with 1, each row is in a cluster.")));
	make_rows(call);
	spq_cluster_begin(&call->cluster, query, &eps, minpoints);
}

/*
 * _spqtree_cluster_rows(query, eps, minpoints)
 * returns setof (id bigint, cluster integer)
 */
Datum
spq_cluster_rows(PG_FUNCTION_ARGS)
{
	static const SpqQuerySet set = {sizeof(ClusterCall), begin_clusters, next_row, end_cluster};

	return spq_query_set(fcinfo, &set);
}

static void
begin_components(FunctionCallInfo fcinfo, SpqQueryCall *base)
{
	ClusterCall *call = (ClusterCall *) base;
	char	   *query = spq_query_text_argument(fcinfo, 0, "query");

	make_rows(call);
	spq_cluster_begin(&call->cluster, query, NULL, 1);
}

/*
 * _spqtree_component_rows(query) returns setof (id bigint, component integer)
 */
Datum
spq_component_rows(PG_FUNCTION_ARGS)
{
	static const SpqQuerySet set = {sizeof(ClusterCall), begin_components, next_row, end_cluster};

	return spq_query_set(fcinfo, &set);
}
