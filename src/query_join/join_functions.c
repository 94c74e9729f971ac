/*-------------------------------------------------------------------------
 *
 * join_functions.c
 *	  The join engine as SQL functions.
 *
 * These functions return one pair per call.  Users call SQL functions around
 * them, which the planner inlines.  A ProjectSet node then computes pairs when
 * they are needed, and a LIMIT above it ends the join.  In FROM, the C
 * functions would run to the end and store all pairs first.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "query_join/query_join.h"

PG_FUNCTION_INFO_V1(spq_join_pairs);
PG_FUNCTION_INFO_V1(spq_self_join_pairs);

typedef struct JoinCall
{
	SpqQueryJoin join;
	ExprContext *econtext;
	HeapTupleHeader result;		/* reused for all pairs; only the ids change */
} JoinCall;

/* Read distance and cell size, arguments number n and n + 1. */
static void
read_lengths(FunctionCallInfo fcinfo, int n, SpqJoinSpec *spec)
{
	spq_query_read_distance(fcinfo, n, spec);
	spec->tile_size = spq_query_length_argument(fcinfo, n + 1, "cell_size",
												"Omit it to choose the size from the data.");
	spec->memory = get_hash_memory_limit();
}

/*
 * Close queries and join.  Called at the end, and earlier if the caller's plan
 * is shut down or rescanned.  After an error, the resource owner does that.
 */
static void
end_call(Datum arg)
{
	JoinCall   *call = (JoinCall *) DatumGetPointer(arg);

	spq_query_join_end(&call->join);
}

/* Create the state of a set-returning call, with the row that it returns. */
static JoinCall *
make_call(FunctionCallInfo fcinfo)
{
	JoinCall   *call = palloc0(sizeof(JoinCall));
	TupleDesc	desc;
	Datum		values[2] = {0, 0};
	bool		nulls[2] = {false, false};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	desc = BlessTupleDesc(desc);
	call->result = heap_form_tuple(desc, values, nulls)->t_data;
	call->econtext = ((ReturnSetInfo *) fcinfo->resultinfo)->econtext;
	RegisterExprContextCallback(call->econtext, end_call, PointerGetDatum(call));
	return call;
}

/* Return the next pair as a row; NULL at the end. */
static HeapTupleHeader
next_pair(JoinCall *call)
{
	/* write the two bigints in place */
	int64	   *ids = (int64 *) ((char *) call->result + call->result->t_hoff);
	SpqQueryJoinPair pair;

	if (!spq_query_join_next(&call->join, &pair))
		return NULL;
	if (call->join.spec.self && pair.left > pair.right)
	{
		ids[0] = pair.right;
		ids[1] = pair.left;
	}
	else
	{
		ids[0] = pair.left;
		ids[1] = pair.right;
	}
	return call->result;
}

/* On the first call, begin the join that "plan" plans for the arguments. */
static void
begin_join(FunctionCallInfo fcinfo, void (*plan) (FunctionCallInfo fcinfo, SpqQueryJoin *join))
{
	FuncCallContext *context = SRF_FIRSTCALL_INIT();
	MemoryContext old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
	JoinCall   *call = make_call(fcinfo);

	plan(fcinfo, &call->join);
	spq_query_join_start(&call->join);
	spq_query_join_build(&call->join);
	context->user_fctx = call;
	MemoryContextSwitchTo(old);
}

/* Return the next pair, on each call. */
static Datum
join_pairs(FunctionCallInfo fcinfo, void (*plan) (FunctionCallInfo fcinfo, SpqQueryJoin *join))
{
	FuncCallContext *context;
	JoinCall   *call;
	HeapTupleHeader row;

	if (SRF_IS_FIRSTCALL())
		begin_join(fcinfo, plan);
	context = SRF_PERCALL_SETUP();
	call = context->user_fctx;
	row = next_pair(call);
	if (row == NULL)
	{
		UnregisterExprContextCallback(call->econtext, end_call, PointerGetDatum(call));
		end_call(PointerGetDatum(call));
		SRF_RETURN_DONE(context);
	}
	SRF_RETURN_NEXT(context, HeapTupleHeaderGetDatum(row));
}

static void
plan_join(FunctionCallInfo fcinfo, SpqQueryJoin *join)
{
	SpqJoinSpec spec = {0};
	char	   *left_query = spq_query_text_argument(fcinfo, 0, "left_query");
	char	   *right_query = spq_query_text_argument(fcinfo, 1, "right_query");
	SpqQueryRows *left,
			   *right;

	spec.predicate = spq_query_predicate_argument(fcinfo, 2);
	read_lengths(fcinfo, 3, &spec);
	left = spq_query_rows_plan(left_query, "left_query", SPQ_QUERY_BOXES);
	right = spq_query_rows_plan(right_query, "right_query", SPQ_QUERY_BOXES);
	spq_query_join_plan(join, left, right, &spec);
}

/*
 * _spqtree_join_pairs(left_query, right_query, predicate, distance, cell_size)
 * returns setof (left_id bigint, right_id bigint)
 */
Datum
spq_join_pairs(PG_FUNCTION_ARGS)
{
	return join_pairs(fcinfo, plan_join);
}

static void
plan_self_join(FunctionCallInfo fcinfo, SpqQueryJoin *join)
{
	SpqJoinSpec spec = {.predicate = SPQ_BOX_OVERLAPS};
	char	   *query = spq_query_text_argument(fcinfo, 0, "query");

	read_lengths(fcinfo, 1, &spec);
	spq_query_join_plan(join, spq_query_rows_plan(query, "query", SPQ_QUERY_BOXES), NULL,
						&spec);
}

/*
 * _spqtree_self_join_pairs(query, distance, cell_size)
 * returns setof (id1 bigint, id2 bigint)
 */
Datum
spq_self_join_pairs(PG_FUNCTION_ARGS)
{
	return join_pairs(fcinfo, plan_self_join);
}
