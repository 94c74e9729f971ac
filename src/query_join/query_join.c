/*-------------------------------------------------------------------------
 *
 * query_join.c
 *	  A join of two queries, or of one with itself.
 *
 * The query with fewer rows, by the planner's estimate, is the build side.
 * The other query continues by a block of rows whenever the engine needs
 * probes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "access/htup_details.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "query_join/query_join.h"

/* The payload of a row, if the caller wants the boxes of pairs. */
typedef struct JoinRow
{
	int64		id;
	float8		box[2 * SPQ_JOIN_MAX_AXES];
} JoinRow;

/*
 * End a call: at the end, and earlier if the caller's plan is shut down or rescanned.
 * After an error, the resource owner closes queries and files.
 */
static void
end_call(Datum arg)
{
	SpqQueryCall *call = (SpqQueryCall *) DatumGetPointer(arg);

	call->set->end(call);
}

static SpqQueryCall *
begin_call(FunctionCallInfo fcinfo, const SpqQuerySet *set)
{
	SpqQueryCall *call = palloc0(set->size);

	call->set = set;
	if (get_call_result_type(fcinfo, NULL, &call->desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	call->desc = BlessTupleDesc(call->desc);
	call->econtext = ((ReturnSetInfo *) fcinfo->resultinfo)->econtext;
	RegisterExprContextCallback(call->econtext, end_call, PointerGetDatum(call));
	set->begin(fcinfo, call);
	return call;
}

/* Return the next row of a set-returning function, on each call. */
Datum
spq_query_set(FunctionCallInfo fcinfo, const SpqQuerySet *set)
{
	FuncCallContext *context;
	SpqQueryCall *call;
	HeapTupleHeader row;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->user_fctx = begin_call(fcinfo, set);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	call = context->user_fctx;
	row = set->next(call);
	if (row == NULL)
	{
		UnregisterExprContextCallback(call->econtext, end_call, PointerGetDatum(call));
		set->end(call);
		SRF_RETURN_DONE(context);
	}
	SRF_RETURN_NEXT(context, HeapTupleHeaderGetDatum(row));
}

/* Return a row whose first two columns are 0, to be overwritten. */
HeapTupleHeader
spq_query_row(const SpqQueryCall *call, Datum third)
{
	Datum		values[3] = {0, 0, third};
	bool		nulls[3] = {false, false, false};

	return heap_form_tuple(call->desc, values, nulls)->t_data;
}

/* Return argument number n.  Raise an error if it is NULL. */
char *
spq_query_text_argument(FunctionCallInfo fcinfo, int n, const char *name)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", name)));
	return text_to_cstring(PG_GETARG_TEXT_PP(n));
}

/* Return argument number n, a length, or 0 if it is NULL. */
float8
spq_query_length_argument(FunctionCallInfo fcinfo, int n, const char *name, const char *hint)
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

/* Return the relation that argument number n names. */
SpqRelation
spq_query_predicate_argument(FunctionCallInfo fcinfo, int n)
{
	const char *name = spq_query_text_argument(fcinfo, n, "predicate");

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

/*
 * Read argument number n, the distance of a join.  The predicate must have
 * been read.
 */
void
spq_query_read_distance(FunctionCallInfo fcinfo, int n, SpqJoinSpec *spec)
{
	spec->distance = spq_query_length_argument(fcinfo, n, "distance",
											   "Omit it to find overlapping boxes, or specify the largest gap between two boxes.");
	if (spec->distance > 0)
	{
		if (spec->predicate != SPQ_BOX_OVERLAPS)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("distance is supported only with predicate &&"),
					 errhint("Omit the distance or the predicate.")));
		spec->predicate = SPQ_BOX_WITHIN;
	}
}

/* Raise an error if two queries have boxes of different dimensions. */
void
spq_query_check_dimensions(const SpqQueryRows *left, const char *left_name,
						   const SpqQueryRows *right, const char *right_name)
{
	int			left_axes = spq_query_rows_axes(left),
				right_axes = spq_query_rows_axes(right);

	if (left_axes != right_axes)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("boxes of %s and %s must have the same dimension",
						left_name, right_name),
				 errdetail("Boxes of %s have %d dimensions, those of %s %d.",
						   left_name, left_axes, right_name, right_axes),
				 errhint("Convert one of them with box3(box, zmin, zmax), or the other with box(box3).")));
}

/*
 * Set up a join of two planned queries, or of one query with itself if "right"
 * is NULL.  The predicate of the specification has left and right operands in
 * this order; build_payload requests the boxes of pairs.
 */
void
spq_query_join_plan(SpqQueryJoin *join, SpqQueryRows *left, SpqQueryRows *right,
					const SpqJoinSpec *spec)
{
	memset(join, 0, sizeof(*join));
	join->spec = *spec;
	join->spec.self = right == NULL;
	join->spec.probe_payload = spec->build_payload;
	if (right == NULL)
		join->build = left;
	else
	{
		spq_query_check_dimensions(left, "left_query", right, "right_query");
		join->left_is_build = spq_query_rows_estimate(left) < spq_query_rows_estimate(right);
		join->build = join->left_is_build ? left : right;
		join->probes = join->left_is_build ? right : left;
		/* the operands of the engine's predicate are probe and build row */
		if (join->left_is_build)
			join->spec.predicate = spq_box_commute(spec->predicate);
	}
	join->engine = spq_join_engine(spq_query_rows_axes(join->build));
}

/* Start the queries.  This opens their tables. */
void
spq_query_join_start(SpqQueryJoin *join)
{
	if (join->probes)
		spq_query_rows_start(join->probes);
	spq_query_rows_start(join->build);
}

/* Fill in a payload, and return its length. */
static Size
make_row(const SpqQueryJoin *join, JoinRow *row, int64 id, const float8 *box)
{
	Size		bytes = 2 * join->engine->axes * sizeof(float8);

	row->id = id;
	memcpy(row->box, box, bytes);
	return offsetof(JoinRow, box) + bytes;
}

typedef bool (*AddRow) (SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
						const void *payload, Size length);

/*
 * Pass a row to the engine, with its box as payload if the caller wants boxes.
 */
static void
add_row(const SpqQueryJoin *join, AddRow add, bool with_box, int64 id, const float8 *box)
{
	JoinRow		row;

	if (with_box)
	{
		Size		size = make_row(join, &row, id, box);

		add(join->join, box, 0, 0, &row, size);
	}
	else
		add(join->join, box, 0, (uint64) id, NULL, 0);
}

static void
add_build_row(void *arg, int64 id, const float8 *box)
{
	const SpqQueryJoin *join = arg;

	add_row(join, join->engine->build, join->spec.build_payload, id, box);
}

static void
add_probe_row(void *arg, int64 id, const float8 *box)
{
	const SpqQueryJoin *join = arg;

	add_row(join, join->engine->probe, join->spec.probe_payload, id, box);
}

/* Begin the join of queries that have been started, and read its build side. */
void
spq_query_join_build(SpqQueryJoin *join)
{
	join->join = join->engine->begin(&join->spec);
	spq_query_rows_run(join->build, 0, add_build_row, join);
	join->engine->build_done(join->join);
}

/*
 * Return the next pair.  Return false at the end, however often it is called.
 */
bool
spq_query_join_next(SpqQueryJoin *join, SpqQueryJoinPair *pair)
{
	SpqJoinPair found;

	for (;;)
	{
		switch (join->engine->next(join->join, &found))
		{
			case SPQ_JOIN_PAIR:
				{
					uint64		left = join->left_is_build ? found.build : found.probe;
					uint64		right = join->left_is_build ? found.probe : found.build;

					if (join->spec.build_payload)
					{
						const JoinRow *left_row = (const JoinRow *) (uintptr_t) left;
						const JoinRow *right_row = (const JoinRow *) (uintptr_t) right;

						pair->left = left_row->id;
						pair->right = right_row->id;
						pair->left_box = left_row->box;
						pair->right_box = right_row->box;
					}
					else
					{
						pair->left = (int64) left;
						pair->right = (int64) right;
					}
					return true;
				}
			case SPQ_JOIN_WANTS_PROBES:
				if (!spq_query_rows_run(join->probes, join->engine->room(join->join),
										add_probe_row, join))
					join->engine->probes_done(join->join);
				break;
			case SPQ_JOIN_END:
				return false;
			default:
				elog(ERROR, "unexpected event in a spatial join");
		}
	}
}

/*
 * Close queries and join.  After an error, the resource owner and the memory
 * context do that.
 */
void
spq_query_join_end(SpqQueryJoin *join)
{
	if (join->probes)
		spq_query_rows_end(join->probes);
	if (join->build)
		spq_query_rows_end(join->build);
	if (join->join)
		join->engine->end(join->join);
	join->probes = join->build = NULL;
	join->join = NULL;
}
