/*-------------------------------------------------------------------------
 *
 * change_functions.c
 *	  The difference between the pairs of two states, as SQL functions.
 *
 * The pairs that held before are either passed by the caller, or found by a
 * join of the state before.  Then the state after is joined, and each of its
 * pairs is looked up.  New pairs are returned as they are found, and pairs
 * that no longer hold are returned at the end.
 *
 * With a second, larger distance at which pairs leave, a state does not
 * determine which pairs held: between the two distances, that depends on the
 * past.  In this case the caller must pass the pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "query_join/pair_set.h"
#include "query_join/query_join.h"

PG_FUNCTION_INFO_V1(spq_join_changed_pairs);
PG_FUNCTION_INFO_V1(spq_self_join_changed_pairs);

#define BATCH	32				/* pairs prefetched at a time */

typedef struct JoinedPair
{
	SpqHashedPair pair;
	bool		may_enter;
} JoinedPair;

typedef struct ChangeCall
{
	SpqQueryCall call;
	SpqQueryRows *before_rows;	/* a query of pairs; NULL if they are joined */
	SpqQueryJoin before;
	SpqQueryJoin now;
	bool		self;
	SpqRelation enter;			/* relation by which pairs enter, if it is not
								 * that of "now" */
	double		enter_distance;
	SpqPairSet *set;
	JoinedPair	batch[BATCH];	/* pairs of the current join */
	int			count;
	int			next;
	HeapTupleHeader result[2];	/* reused for all pairs; one for kind leave,
								 * one for enter; only the ids change */
} ChangeCall;

static void
end_changes(SpqQueryCall *base)
{
	ChangeCall *call = (ChangeCall *) base;

	if (call->before_rows)
		spq_query_rows_end(call->before_rows);
	spq_query_join_end(&call->before);
	spq_query_join_end(&call->now);
	if (call->set)
		spq_pair_set_end(call->set);
	call->set = NULL;
}

/* In a join with itself, put the smaller id of a pair first. */
static inline void
order_ids(const ChangeCall *call, int64 *a, int64 *b)
{
	if (call->self && *a > *b)
	{
		int64		swap = *a;

		*a = *b;
		*b = swap;
	}
}

/*
 * Return whether a join with itself has found two rows of one object.  These
 * are not a pair.
 */
static inline bool
is_one_object(const ChangeCall *call, const SpqQueryJoinPair *pair)
{
	return call->self && pair->left == pair->right;
}

static void
hold_pair(void *arg, int64 a, int64 b)
{
	ChangeCall *call = arg;

	order_ids(call, &a, &b);
	spq_pair_set_hold(call->set, spq_pair_set_hash(call->set, a, b));
}

/* Return whether a pair of the join "now" is close enough to enter. */
static inline bool
may_enter(const ChangeCall *call, const SpqQueryJoin *join, const SpqQueryJoinPair *pair)
{
	return !join->spec.build_payload ||
		join->engine->related(call->enter, call->enter_distance,
							  pair->left_box, pair->right_box);
}

/* Read the next pairs of a join.  Return false at its end. */
static bool
read_batch(ChangeCall *call, SpqQueryJoin *join)
{
	SpqQueryJoinPair pair;

	CHECK_FOR_INTERRUPTS();
	call->next = call->count = 0;
	while (call->count < BATCH && spq_query_join_next(join, &pair))
	{
		JoinedPair *joined = &call->batch[call->count];

		if (is_one_object(call, &pair))
			continue;
		order_ids(call, &pair.left, &pair.right);
		joined->pair = spq_pair_set_hash(call->set, pair.left, pair.right);
		joined->may_enter = may_enter(call, join, &pair);
		call->count++;
	}
	return call->count > 0;
}

/*
 * Read the pairs that held before, and begin the join "now".  Each join gets
 * half of the memory, and the pairs the other half: the two joins never exist
 * at the same time.
 */
static void
begin_changes(ChangeCall *call)
{
	Size		memory = get_hash_memory_limit();

	for (int entered = 0; entered < 2; entered++)
		call->result[entered] = spq_query_row(&call->call,
											  CStringGetTextDatum(entered ? "enter" : "leave"));
	if (call->before_rows)
		spq_query_rows_start(call->before_rows);
	else
		spq_query_join_start(&call->before);
	spq_query_join_start(&call->now);

	call->set = spq_pair_set_begin(memory / 2);
	if (call->before_rows)
		spq_query_rows_run_pairs(call->before_rows, hold_pair, call);
	else
	{
		call->before.spec.memory = memory / 2;
		spq_query_join_build(&call->before);
		while (read_batch(call, &call->before))
			for (int i = 0; i < call->count; i++)
				spq_pair_set_hold(call->set, call->batch[i].pair);
		spq_query_join_end(&call->before);
	}
	call->now.spec.memory = memory / 2;
	spq_query_join_build(&call->now);
	call->count = call->next = 0;
}

static HeapTupleHeader
make_result(ChangeCall *call, int64 a, int64 b, bool entered)
{
	HeapTupleHeader row = call->result[entered];

	/* write the two bigints in place */
	int64	   *ids = (int64 *) ((char *) row + row->t_hoff);

	ids[0] = a;
	ids[1] = b;
	return row;
}

/* Return the next change as a row; NULL at the end. */
static HeapTupleHeader
next_change(SpqQueryCall *base)
{
	ChangeCall *call = (ChangeCall *) base;
	int64		a,
				b;
	bool		entered;

	while (call->now.join != NULL)
	{
		while (call->next < call->count)
		{
			JoinedPair *joined = &call->batch[call->next++];

			if (spq_pair_set_find(call->set, joined->pair, joined->may_enter))
				return make_result(call, joined->pair.a, joined->pair.b, true);
		}
		if (!read_batch(call, &call->now))
			spq_query_join_end(&call->now);
	}
	if (spq_pair_set_next(call->set, &a, &b, &entered))
		return make_result(call, a, b, entered);
	return NULL;
}

/*
 * Read distance and leave_distance, arguments number n and n + 1, and return
 * the specification of the join "now".
 */
static SpqJoinSpec
read_distances(FunctionCallInfo fcinfo, int n, SpqRelation predicate, ChangeCall *call)
{
	SpqJoinSpec spec = {0};
	float8		leave;

	spec.predicate = predicate;
	spq_query_read_distance(fcinfo, n, &spec);
	leave = spq_query_length_argument(fcinfo, n + 1, "leave_distance",
									  "Omit it if pairs leave at the distance at which they enter.");
	if (leave > 0)
	{
		if (predicate != SPQ_BOX_OVERLAPS)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("leave_distance is supported only with predicate &&"),
					 errhint("Omit the distance or the predicate.")));
		if (leave < spec.distance)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("leave_distance must not be less than distance")));
		call->enter = spec.predicate;
		call->enter_distance = spec.distance;
		spec.build_payload = true;
		spec.predicate = SPQ_BOX_WITHIN;
		spec.distance = leave;
	}
	return spec;
}

static void
begin_two_sides(FunctionCallInfo fcinfo, SpqQueryCall *base)
{
	ChangeCall *call = (ChangeCall *) base;
	char	   *before_query = spq_query_text_argument(fcinfo, 0, "before_query");
	char	   *left_query = spq_query_text_argument(fcinfo, 1, "left_query");
	char	   *right_query = spq_query_text_argument(fcinfo, 2, "right_query");
	SpqJoinSpec spec = read_distances(fcinfo, 4, spq_query_predicate_argument(fcinfo, 3), call);
	SpqQueryRows *left,
			   *right;

	call->before_rows = spq_query_rows_plan(before_query, "before_query", SPQ_QUERY_PAIRS);
	left = spq_query_rows_plan(left_query, "left_query", SPQ_QUERY_BOXES);
	right = spq_query_rows_plan(right_query, "right_query", SPQ_QUERY_BOXES);
	spq_query_join_plan(&call->now, left, right, &spec);
	begin_changes(call);
}

/*
 * _spqtree_join_changed_pairs(before_query, left_query, right_query, predicate,
 * distance, leave_distance)
 * returns setof (left_id bigint, right_id bigint, kind text)
 */
Datum
spq_join_changed_pairs(PG_FUNCTION_ARGS)
{
	static const SpqQuerySet set = {sizeof(ChangeCall), begin_two_sides, next_change, end_changes};

	return spq_query_set(fcinfo, &set);
}

static void
begin_self(FunctionCallInfo fcinfo, SpqQueryCall *base)
{
	ChangeCall *call = (ChangeCall *) base;
	char	   *before_query = spq_query_text_argument(fcinfo, 0, "before_query");
	char	   *after_query = spq_query_text_argument(fcinfo, 1, "after_query");
	SpqJoinSpec spec = read_distances(fcinfo, 2, SPQ_BOX_OVERLAPS, call);
	SpqQueryRows *before,
			   *after;

	call->self = true;
	before = spq_query_rows_plan(before_query, "before_query", SPQ_QUERY_EITHER);
	after = spq_query_rows_plan(after_query, "after_query", SPQ_QUERY_BOXES);
	spq_query_join_plan(&call->now, after, NULL, &spec);
	if (spq_query_rows_are_pairs(before))
		call->before_rows = before;
	else
	{
		if (spec.build_payload)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("leave_distance requires before_query to return pairs of ids"),
					 errdetail("Boxes alone do not show whether pairs farther apart than distance held before."),
					 errhint("Keep the pairs: insert those that enter, delete those that leave, and select both ids in before_query.")));
		spq_query_check_dimensions(before, "before_query", after, "after_query");
		spq_query_join_plan(&call->before, before, NULL, &spec);
	}
	begin_changes(call);
}

/*
 * _spqtree_self_join_changed_pairs(before_query, after_query, distance,
 * leave_distance)
 * returns setof (id1 bigint, id2 bigint, kind text)
 */
Datum
spq_self_join_changed_pairs(PG_FUNCTION_ARGS)
{
	static const SpqQuerySet set = {sizeof(ChangeCall), begin_self, next_change, end_changes};

	return spq_query_set(fcinfo, &set);
}
