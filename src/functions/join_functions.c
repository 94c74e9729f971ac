/*-------------------------------------------------------------------------
 *
 * join_functions.c
 *	  The join engine as SQL functions.
 *
 * These functions return one pair per call.  Users call SQL functions around
 * them, which the planner inlines.  A ProjectSet node then computes the pairs as
 * they are needed, and a LIMIT above it ends the join.  In FROM, the C functions
 * would run to the end and store all pairs first.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "access/htup_details.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "functions/query_rows.h"
#include "join/engine.h"

PG_FUNCTION_INFO_V1(spq_join_pairs);
PG_FUNCTION_INFO_V1(spq_self_join_pairs);

typedef struct JoinCall
{
	const SpqJoinEngine *engine;	/* of the dimension of the queries' boxes */
	SpqJoin    *join;
	SpqQueryRows *probes;		/* NULL in a join with itself */
	bool		left_is_build;
	ExprContext *econtext;
	HeapTupleHeader result;		/* reused for all pairs; only the ids change */
} JoinCall;

static void
add_build_row(void *arg, int64 id, const float8 *box)
{
	JoinCall   *call = arg;

	call->engine->build(call->join, box, 0, (uint64) id, NULL, 0);
}

static void
add_probe_row(void *arg, int64 id, const float8 *box)
{
	JoinCall   *call = arg;

	call->engine->probe(call->join, box, 0, (uint64) id, NULL, 0);
}

/* Return argument number n, which must not be NULL. */
static char *
text_argument(FunctionCallInfo fcinfo, int n, const char *name)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", name)));
	return text_to_cstring(PG_GETARG_TEXT_PP(n));
}

/* Return argument number n, a length; 0 if it is NULL. */
static float8
length_argument(FunctionCallInfo fcinfo, int n, const char *name, const char *hint)
{
	float8		value;

	if (PG_ARGISNULL(n))
		return 0;
	value = PG_GETARG_FLOAT8(n);
	if (!(value > 0 && value <= DBL_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be positive and finite", name),
				 errhint("%s", hint)));
	return value;
}

static SpqRelation
predicate_argument(const char *name)
{
	if (strcmp(name, "&&") == 0)
		return SPQ_BOX_OVERLAPS;
	if (strcmp(name, "@>") == 0)
		return SPQ_BOX_CONTAINS;
	if (strcmp(name, "<@") == 0)
		return SPQ_BOX_CONTAINED;
	if (strcmp(name, "~=") == 0)
		return SPQ_BOX_SAME;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unknown predicate \"%s\"", name),
			 errhint("Supported predicates are && (overlaps), @> (contains), <@ (contained in) and ~= (same as).")));
}

/* Read the arguments that both functions have, from argument number n on. */
static void
read_lengths(FunctionCallInfo fcinfo, int n, SpqJoinSpec *spec)
{
	spec->distance = length_argument(fcinfo, n, "distance",
									 "Omit it to find overlapping boxes, or specify the largest gap between two boxes.");
	spec->tile_size = length_argument(fcinfo, n + 1, "cell_size",
									  "Omit it to have it chosen from the data.");
	if (spec->distance > 0)
	{
		if (spec->predicate != SPQ_BOX_OVERLAPS)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("distance is supported with predicate && only"),
					 errhint("Omit the distance or the predicate.")));
		spec->predicate = SPQ_BOX_WITHIN;
	}
	spec->memory = get_hash_memory_limit();
}

/*
 * Close query and join.  Called at the end, and when the caller's plan is shut
 * down or rescanned before that.  After an error the resource owner does it.
 */
static void
end_call(Datum arg)
{
	JoinCall   *call = (JoinCall *) DatumGetPointer(arg);

	if (call->probes)
		spq_query_rows_end(call->probes);
	if (call->join)
		call->engine->end(call->join);
	call->probes = NULL;
	call->join = NULL;
}

/* Make the state of all calls, with the row that they return. */
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
	SpqJoinPair pair;

	for (;;)
	{
		switch (call->engine->next(call->join, &pair))
		{
			case SPQ_JOIN_PAIR:
				{
					/* write the two bigints in place */
					int64	   *ids = (int64 *) ((char *) call->result + call->result->t_hoff);
					int64		left = (int64) (call->left_is_build ? pair.build : pair.probe);
					int64		right = (int64) (call->left_is_build ? pair.probe : pair.build);

					if (call->probes == NULL && left > right)
					{
						ids[0] = right;
						ids[1] = left;
					}
					else
					{
						ids[0] = left;
						ids[1] = right;
					}
					return call->result;
				}
			case SPQ_JOIN_WANTS_PROBES:
				if (!spq_query_rows_run(call->probes, call->engine->room(call->join),
										add_probe_row, call))
					call->engine->probes_done(call->join);
				break;
			case SPQ_JOIN_END:
				return NULL;
			default:
				elog(ERROR, "unexpected event in a spatial join");
		}
	}
}

/* Begin a join, and read its build side. */
static void
read_build_side(JoinCall *call, const SpqJoinSpec *spec, SpqQueryRows *build)
{
	call->engine = spq_query_rows_axes(build) == 3 ? &spq_join3_engine : &spq_join2_engine;
	spq_query_rows_start(build);
	call->join = call->engine->begin(spec);
	spq_query_rows_run(build, 0, add_build_row, call);
	call->engine->build_done(call->join);
}

/* Require two queries to have boxes of the same dimension. */
static void
check_dimensions(const SpqQueryRows *left, const SpqQueryRows *right)
{
	int			left_axes = spq_query_rows_axes(left),
				right_axes = spq_query_rows_axes(right);

	if (left_axes != right_axes)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("boxes of left_query and right_query must have the same dimension"),
				 errdetail("Boxes of left_query have %d dimensions, those of right_query %d.",
						   left_axes, right_axes),
				 errhint("Convert one of them with box3(box, zmin, zmax), or the other with box(box3).")));
}

static Datum
return_pair(FunctionCallInfo fcinfo)
{
	FuncCallContext *context = SRF_PERCALL_SETUP();
	JoinCall   *call = context->user_fctx;
	HeapTupleHeader row = next_pair(call);

	if (row == NULL)
	{
		UnregisterExprContextCallback(call->econtext, end_call, PointerGetDatum(call));
		end_call(PointerGetDatum(call));
		SRF_RETURN_DONE(context);
	}
	SRF_RETURN_NEXT(context, HeapTupleHeaderGetDatum(row));
}

/*
 * spqtree_join_pairs(left_query, right_query, predicate, distance, cell_size)
 * returns setof (left_id bigint, right_id bigint)
 *
 * The build side is the query with fewer rows, by the planner's estimate.
 */
Datum
spq_join_pairs(PG_FUNCTION_ARGS)
{
	if (SRF_IS_FIRSTCALL())
	{
		FuncCallContext *context = SRF_FIRSTCALL_INIT();
		MemoryContext old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		JoinCall   *call = make_call(fcinfo);
		SpqJoinSpec spec = {0};
		char	   *left_query = text_argument(fcinfo, 0, "left_query");
		char	   *right_query = text_argument(fcinfo, 1, "right_query");
		SpqQueryRows *left,
				   *right,
				   *build;

		spec.predicate = predicate_argument(text_argument(fcinfo, 2, "predicate"));
		read_lengths(fcinfo, 3, &spec);
		left = spq_query_rows_plan(left_query, "left_query");
		right = spq_query_rows_plan(right_query, "right_query");
		check_dimensions(left, right);

		call->left_is_build = spq_query_rows_estimate(left) < spq_query_rows_estimate(right);
		if (call->left_is_build)
		{
			/*
			 * the user's predicate is between left and right, the engine's
			 * between probe and build
			 */
			spec.predicate = spq_box_commute(spec.predicate);
			build = left;
			call->probes = right;
		}
		else
		{
			build = right;
			call->probes = left;
		}

		spq_query_rows_start(call->probes);
		read_build_side(call, &spec, build);
		context->user_fctx = call;
		MemoryContextSwitchTo(old);
	}
	return return_pair(fcinfo);
}

/*
 * spqtree_self_join_pairs(query, distance, cell_size)
 * returns setof (id1 bigint, id2 bigint)
 */
Datum
spq_self_join_pairs(PG_FUNCTION_ARGS)
{
	if (SRF_IS_FIRSTCALL())
	{
		FuncCallContext *context = SRF_FIRSTCALL_INIT();
		MemoryContext old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		JoinCall   *call = make_call(fcinfo);
		SpqJoinSpec spec = {0};
		char	   *query = text_argument(fcinfo, 0, "query");

		spec.predicate = SPQ_BOX_OVERLAPS;
		spec.self = true;
		read_lengths(fcinfo, 1, &spec);
		read_build_side(call, &spec, spq_query_rows_plan(query, "query"));
		context->user_fctx = call;
		MemoryContextSwitchTo(old);
	}
	return return_pair(fcinfo);
}
