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
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/float.h"

#include "nearest_join/nearest_join.h"
#include "query_join/query_join.h"

PG_FUNCTION_INFO_V1(spq_nearest_pairs);

typedef struct NearestCall
{
	SpqQueryRows *left;
	SpqQueryRows *right;
	SpqNearestJoin *join;
	ExprContext *econtext;
	HeapTupleHeader result;		/* reused for all pairs */
} NearestCall;

/* The row that is returned, in the data of the result. */
typedef struct ResultRow
{
	int64		left;
	int64		right;
	float8		distance;
} ResultRow;

/*
 * Close queries and join.  Called at the end, and earlier if the caller's plan
 * is shut down or rescanned.  After an error, the resource owner does that.
 */
static void
end_call(Datum arg)
{
	NearestCall *call = (NearestCall *) DatumGetPointer(arg);

	if (call->left)
		spq_query_rows_end(call->left);
	if (call->right)
		spq_query_rows_end(call->right);
	if (call->join)
		spq_nearest_join_end(call->join);
	call->left = call->right = NULL;
	call->join = NULL;
}

/* Create the state of a set-returning call, with the row that it returns. */
static NearestCall *
make_call(FunctionCallInfo fcinfo)
{
	NearestCall *call = palloc0(sizeof(NearestCall));
	TupleDesc	desc;
	Datum		values[3] = {0, 0, 0};
	bool		nulls[3] = {false, false, false};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	desc = BlessTupleDesc(desc);
	call->result = heap_form_tuple(desc, values, nulls)->t_data;
	call->econtext = ((ReturnSetInfo *) fcinfo->resultinfo)->econtext;
	RegisterExprContextCallback(call->econtext, end_call, PointerGetDatum(call));
	return call;
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

/* On the first call, plan both queries, and read the right one. */
static void
begin_call(FunctionCallInfo fcinfo)
{
	FuncCallContext *context = SRF_FIRSTCALL_INIT();
	MemoryContext old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
	NearestCall *call = make_call(fcinfo);
	char	   *left_query = spq_query_text_argument(fcinfo, 0, "left_query"),
			   *right_query = spq_query_text_argument(fcinfo, 1, "right_query");
	SpqNearestSpec spec;

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
	context->user_fctx = call;
	MemoryContextSwitchTo(old);
}

/* Find the next pair, and read rows of the left query as needed. */
static bool
next_pair(NearestCall *call, SpqNearestPair *pair)
{
	for (;;)
	{
		switch (spq_nearest_join_next(call->join, pair))
		{
			case SPQ_NEAREST_PAIR:
				return true;
			case SPQ_NEAREST_WANTS_LEFT:
				if (!spq_query_rows_run(call->left, spq_nearest_join_room(call->join), add_left,
										call))
					spq_nearest_join_left_done(call->join);
				break;
			case SPQ_NEAREST_END:
				return false;
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
	FuncCallContext *context;
	NearestCall *call;
	SpqNearestPair pair;
	ResultRow  *row;

	if (SRF_IS_FIRSTCALL())
		begin_call(fcinfo);
	context = SRF_PERCALL_SETUP();
	call = context->user_fctx;
	if (!next_pair(call, &pair))
	{
		UnregisterExprContextCallback(call->econtext, end_call, PointerGetDatum(call));
		end_call(PointerGetDatum(call));
		SRF_RETURN_DONE(context);
	}
	/* write in place */
	row = (ResultRow *) ((char *) call->result + call->result->t_hoff);
	row->left = pair.left;
	row->right = pair.right;
	row->distance = pair.distance;
	SRF_RETURN_NEXT(context, HeapTupleHeaderGetDatum(call->result));
}
