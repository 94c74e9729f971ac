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
#include "fmgr.h"
#include "miscadmin.h"

#include "query_join/query_join.h"

PG_FUNCTION_INFO_V1(spq_join_pairs);
PG_FUNCTION_INFO_V1(spq_self_join_pairs);

typedef struct JoinCall
{
	SpqQueryCall call;
	SpqQueryJoin join;
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

static void
end_join(SpqQueryCall *call)
{
	spq_query_join_end(&((JoinCall *) call)->join);
}

/* Return the next pair as a row; NULL at the end. */
static HeapTupleHeader
next_pair(SpqQueryCall *call)
{
	SpqQueryJoin *join = &((JoinCall *) call)->join;
	SpqQueryJoinPair pair;

	/* write the two bigints in place */
	int64	   *ids = (int64 *) ((char *) call->result + call->result->t_hoff);

	if (!spq_query_join_next(join, &pair))
		return NULL;
	if (join->spec.self && pair.left > pair.right)
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

/* Plan a join, and read its build side. */
static void
begin_join(SpqQueryCall *call, SpqQueryRows *left, SpqQueryRows *right, const SpqJoinSpec *spec)
{
	SpqQueryJoin *join = &((JoinCall *) call)->join;

	call->result = spq_query_row(call, 0);
	spq_query_join_plan(join, left, right, spec);
	spq_query_join_start(join);
	spq_query_join_build(join);
}

static void
begin_two_sides(FunctionCallInfo fcinfo, SpqQueryCall *call)
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
	begin_join(call, left, right, &spec);
}

/*
 * _spqtree_join_pairs(left_query, right_query, predicate, distance, cell_size)
 * returns setof (left_id bigint, right_id bigint)
 */
Datum
spq_join_pairs(PG_FUNCTION_ARGS)
{
	static const SpqQuerySet set = {sizeof(JoinCall), begin_two_sides, next_pair, end_join};

	return spq_query_set(fcinfo, &set);
}

static void
begin_self(FunctionCallInfo fcinfo, SpqQueryCall *call)
{
	SpqJoinSpec spec = {.predicate = SPQ_BOX_OVERLAPS};
	char	   *query = spq_query_text_argument(fcinfo, 0, "query");

	read_lengths(fcinfo, 1, &spec);
	begin_join(call, spq_query_rows_plan(query, "query", SPQ_QUERY_BOXES), NULL, &spec);
}

/*
 * _spqtree_self_join_pairs(query, distance, cell_size)
 * returns setof (id1 bigint, id2 bigint)
 */
Datum
spq_self_join_pairs(PG_FUNCTION_ARGS)
{
	static const SpqQuerySet set = {sizeof(JoinCall), begin_self, next_pair, end_join};

	return spq_query_set(fcinfo, &set);
}
