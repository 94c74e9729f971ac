/*-------------------------------------------------------------------------
 *
 * nearest_functions.c
 *	  The nearest join as an SQL function.
 *
 * As in join_functions.c, the C function returns one pair per call, and an SQL
 * function around it is inlined.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/float.h"

#include "nearest_join/nearest_join.h"
#include "query_join/query_join.h"

PG_FUNCTION_INFO_V1(spq_nearest_pairs);

typedef struct NearestCall
{
	SpqQueryCall call;
	SpqQueryRows *left;
	SpqQueryRows *right;
	SpqNearestJoin *join;
} NearestCall;

/* The row that is returned, in the data of the result. */
typedef struct ResultRow
{
	int64		left;
	int64		right;
	float8		distance;
} ResultRow;

static void
end_join(SpqQueryCall *base)
{
	NearestCall *call = (NearestCall *) base;

	if (call->left)
		spq_query_rows_end(call->left);
	if (call->right)
		spq_query_rows_end(call->right);
	if (call->join)
		spq_nearest_join_end(call->join);
	call->left = call->right = NULL;
	call->join = NULL;
}

/* Read k and max_distance, arguments number 2 and 3. */
static void
read_limits(FunctionCallInfo fcinfo, SpqNearestSpec *spec)
{
	if (PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", "k")));
	if (PG_GETARG_INT32(2) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k must not be negative"),
				 errhint("It is the number of neighbors of each row.")));
	spec->k = PG_GETARG_INT32(2);
	spec->max_distance = PG_ARGISNULL(3) ? get_float8_infinity() : PG_GETARG_FLOAT8(3);
	if (!(spec->max_distance >= 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_distance must be a number that is not negative"),
				 errhint("Omit it to find neighbors at any distance.")));
	spec->memory = get_hash_memory_limit();
}

static void
add_right(void *arg, int64 id, const float8 *box)
{
	spq_nearest_join_right(((NearestCall *) arg)->join, id, box);
}

static void
add_left(void *arg, int64 id, const float8 *box)
{
	spq_nearest_join_left(((NearestCall *) arg)->join, id, box);
}

/* Plan both queries, and read the right one. */
static void
begin_join(FunctionCallInfo fcinfo, SpqQueryCall *base)
{
	NearestCall *call = (NearestCall *) base;
	char	   *left_query = spq_query_text_argument(fcinfo, 0, "left_query"),
			   *right_query = spq_query_text_argument(fcinfo, 1, "right_query");
	SpqNearestSpec spec;

	base->result = spq_query_row(base, 0);
	read_limits(fcinfo, &spec);
	call->left = spq_query_rows_plan(left_query, "left_query", SPQ_QUERY_BOXES);
	call->right = spq_query_rows_plan(right_query, "right_query", SPQ_QUERY_BOXES);
	spq_query_check_dimensions(call->left, "left_query", call->right, "right_query");
	spec.axes = spq_query_rows_axes(call->left);
	spq_query_rows_start(call->left);
	spq_query_rows_start(call->right);
	call->join = spq_nearest_join_begin(&spec);
	spq_query_rows_run(call->right, 0, add_right, call);
	spq_nearest_join_right_done(call->join);
}

/* Return the next pair as a row, and read rows of the left query as needed; NULL at the end. */
static HeapTupleHeader
next_pair(SpqQueryCall *base)
{
	NearestCall *call = (NearestCall *) base;
	SpqNearestPair pair;
	ResultRow  *row = (ResultRow *) ((char *) base->result + base->result->t_hoff);

	for (;;)
	{
		switch (spq_nearest_join_next(call->join, &pair))
		{
			case SPQ_NEAREST_PAIR:
				/* write in place */
				row->left = pair.left;
				row->right = pair.right;
				row->distance = pair.distance;
				return base->result;
			case SPQ_NEAREST_WANTS_LEFT:
				if (!spq_query_rows_run(call->left, spq_nearest_join_room(call->join), add_left,
										call))
					spq_nearest_join_left_done(call->join);
				break;
			case SPQ_NEAREST_END:
				return NULL;
		}
	}
}

/*
 * _spqtree_nearest_pairs(left_query, right_query, k, max_distance)
 * returns setof (left_id bigint, right_id bigint, distance float8)
 */
Datum
spq_nearest_pairs(PG_FUNCTION_ARGS)
{
	static const SpqQuerySet set = {sizeof(NearestCall), begin_join, next_pair, end_join};

	return spq_query_set(fcinfo, &set);
}
