/*-------------------------------------------------------------------------
 *
 * cluster_join.c
 *	  The clusters of rows, of a query or of a window's partition.
 *
 * The rows come once.  The join engine gets their boxes, joins them with
 * themselves, and returns each pair of rows whose boxes are near each other once.
 * DBSCAN (dbscan.h) needs no more.  Crowds are joined as one row each, and a pair
 * with a crowd stands for those with its members.
 *
 * Memory: a half of what a hash may use is for the labels of rows, the rest for
 * the join, ids and crowds, which go to disk if they need more.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "cluster/cluster_join.h"
#include "cluster/crowd_pairs.h"
#include "compat.h"

#define PAIRS		64			/* at a time */

/* What the engine knows a row or a crowd by. */
#define CROWD		((uint32) 1 << 31)

/* The payload of a row about which boxes do not decide. */
typedef struct ValueRow
{
	uint64		row;
	char		value[FLEXIBLE_ARRAY_MEMBER];
} ValueRow;

/* Give a row, or a crowd, to the engine. */
static void
build_box(SpqClusterJoin *cluster, uint32 item, const float8 *box)
{
	cluster->nearness.engine->build(cluster->join, box, 0, item, NULL, 0);
}

static void
build_single(void *arg, uint32 row, const float8 *box)
{
	build_box(arg, row, box);
}

/* Give a row to the engine with its value. */
static void
build_value(SpqClusterJoin *cluster, uint32 row, const float8 *box, Datum value)
{
	struct varlena *plain = (struct varlena *) DatumGetPointer(value);
	bool		is_varlena = cluster->nearness.value_length < 0;
	Size		length;
	ValueRow   *payload;

	/* a value on disk stays there, but one elsewhere in memory may go */
	if (is_varlena && VARATT_IS_EXTERNAL(plain) && !VARATT_IS_EXTERNAL_ONDISK(plain))
		plain = PG_DETOAST_DATUM_COPY(value);
	length = is_varlena ? VARSIZE_ANY(plain) : (Size) cluster->nearness.value_length;
	length += offsetof(ValueRow, value);
	if (length > cluster->payload_room)
	{
		MemoryContext context = GetMemoryChunkContext(cluster->payload);

		pfree(cluster->payload);
		cluster->payload_room = Max(length, 2 * cluster->payload_room);
		cluster->payload = MemoryContextAllocHuge(context, cluster->payload_room);
	}
	payload = (ValueRow *) cluster->payload;
	payload->row = row;
	memcpy(payload->value, plain, length - offsetof(ValueRow, value));
	cluster->nearness.engine->build(cluster->join, box, 0, 0, payload, length);
	if (plain != (struct varlena *) DatumGetPointer(value))
		pfree(plain);
}

void
spq_cluster_take(SpqClusterJoin *cluster, Datum value, bool isnull)
{
	float8		box[SPQ_CLUSTER_NUMBERS];
	bool		has_box = !isnull && spq_nearness_box(&cluster->nearness, value, box);
	uint32		row = spq_dbscan_add_row(cluster->dbscan, has_box);

	if (!has_box)
		return;
	cluster->neighbors++;
	if (cluster->nearness.asks)
		build_value(cluster, row, box, value);
	else if (!spq_crowds_take(cluster->crowds, row, box))
		build_box(cluster, row, box);
}

/* A crowd has this row. */
static void
receive_member(void *arg, uint32 first, uint32 row)
{
	spq_dbscan_add_crowd(((SpqClusterJoin *) arg)->dbscan, first, row);
}

/*
 * A row may be a neighbor of members of a crowd.  All of these are core rows of one
 * cluster, so stop as soon as the row is one of them.
 */
static void
meet_crowd(SpqClusterJoin *cluster, uint32 row, const float8 *box, const SpqCrowd *crowd)
{
	SpqCrowdMember members[SPQ_CROWD_PART];
	uint32		n;

	for (uint64 at = 0; at < crowd->count; at += n)
	{
		CHECK_FOR_INTERRUPTS();
		if (spq_dbscan_is_settled(cluster->dbscan, row, crowd->first))
			return;
		n = spq_crowd_read(cluster->crowds, crowd, at, members, SPQ_CROWD_PART);
		for (uint32 i = 0; i < n; i++)
		{
			if (!spq_nearness_boxes(&cluster->nearness, box, members[i].box))
				continue;
			spq_dbscan_neighbors(cluster->dbscan, row, members[i].row);
			if (spq_dbscan_is_core(cluster->dbscan, row))
				return;
		}
	}
}

/*
 * Two crowds may have members that are neighbors.  If some of the first members are, or all
 * is settled, this is soon known.  Otherwise wait for the other pairs: they settle most.
 */
static void
meet_crowds(SpqClusterJoin *cluster, uint32 a, uint32 b)
{
	const SpqCrowd *first = spq_crowd(cluster->crowds, a),
			   *second = spq_crowd(cluster->crowds, b);

	if (spq_dbscan_is_settled(cluster->dbscan, first->first, second->first))
		return;
	if (spq_crowds_meet_soon(cluster->crowds, &cluster->nearness, first, second))
		spq_dbscan_neighbors(cluster->dbscan, first->first, second->first);
	else if (first->count > SPQ_CROWD_PART || second->count > SPQ_CROWD_PART)
		spq_numbers_append(cluster->undecided, (int64) ((uint64) a << 32 | b));
}

/* Look at the pairs of crowds that have waited. */
static void
decide_crowds(SpqClusterJoin *cluster)
{
	int64		pair;

	spq_numbers_rewind(cluster->undecided);
	while (spq_numbers_next(cluster->undecided, &pair))
	{
		const SpqCrowd *first = spq_crowd(cluster->crowds, (uint32) ((uint64) pair >> 32)),
				   *second = spq_crowd(cluster->crowds, (uint32) pair);

		CHECK_FOR_INTERRUPTS();
		if (!spq_dbscan_is_settled(cluster->dbscan, first->first, second->first) &&
			spq_crowds_meet(cluster->crowds, &cluster->nearness, first, second, cluster->memory / 4))
			spq_dbscan_neighbors(cluster->dbscan, first->first, second->first);
	}
}

/* Look at a pair that the engine has found, of rows or crowds. */
static void
meet_boxes(SpqClusterJoin *cluster, const SpqJoinPair *pair)
{
	uint32		a = (uint32) pair->build,
				b = (uint32) pair->probe;

	if (!((a | b) & CROWD))
	{
		if (!spq_dbscan_is_settled(cluster->dbscan, a, b) &&
			spq_nearness_confirms(&cluster->nearness, pair->build_box, pair->probe_box))
			spq_dbscan_neighbors(cluster->dbscan, a, b);
	}
	else if ((a & b) & CROWD)
		meet_crowds(cluster, a & ~CROWD, b & ~CROWD);
	else if (a & CROWD)
		meet_crowd(cluster, b, pair->probe_box, spq_crowd(cluster->crowds, a & ~CROWD));
	else
		meet_crowd(cluster, a, pair->build_box, spq_crowd(cluster->crowds, b & ~CROWD));
}

/* Look at a pair of rows about which boxes do not decide. */
static void
meet_values(SpqClusterJoin *cluster, const SpqJoinPair *pair)
{
	const ValueRow *a = (const ValueRow *) (uintptr_t) pair->build,
			   *b = (const ValueRow *) (uintptr_t) pair->probe;

	/* the order of operands does not depend on the memory of the join */
	if (a->row > b->row)
	{
		const ValueRow *swap = a;

		a = b;
		b = swap;
	}
	if (!spq_dbscan_is_settled(cluster->dbscan, (uint32) a->row, (uint32) b->row) &&
		spq_nearness_ask(&cluster->nearness, a->value, b->value))
		spq_dbscan_neighbors(cluster->dbscan, (uint32) a->row, (uint32) b->row);
}

/* Request the memory of a pair's rows. */
static void
prefetch_pair(const SpqClusterJoin *cluster, const SpqJoinPair *pair)
{
	if (!(((uint32) pair->build | (uint32) pair->probe) & CROWD))
	{
		spq_dbscan_prefetch(cluster->dbscan, (uint32) pair->build);
		spq_dbscan_prefetch(cluster->dbscan, (uint32) pair->probe);
	}
}

/* Make crowds of rows in one spot, and give them to the engine as one row each. */
static void
divide_crowds(SpqClusterJoin *cluster)
{
	spq_crowds_divide(cluster->crowds, build_single, receive_member, cluster);
	for (uint32 i = 0; i < spq_crowds_count(cluster->crowds); i++)
		build_box(cluster, CROWD | i, spq_crowd(cluster->crowds, i)->box);
}

/* Look at all pairs. */
static void
run_join(SpqClusterJoin *cluster)
{
	const SpqJoinEngine *engine = cluster->nearness.engine;
	SpqJoinPair pairs[PAIRS];

	if (cluster->crowds)
		divide_crowds(cluster);
	engine->build_done(cluster->join);
	while (engine->next(cluster->join, &pairs[0]) != SPQ_JOIN_END)
	{
		uint32		n = 1 + engine->more(cluster->join, &pairs[1], PAIRS - 1);

		CHECK_FOR_INTERRUPTS();
		if (cluster->nearness.asks)
		{
			for (uint32 i = 0; i < n; i++)
				meet_values(cluster, &pairs[i]);
			continue;
		}
		for (uint32 i = 0; i < n; i++)
			prefetch_pair(cluster, &pairs[i]);
		for (uint32 i = 0; i < n; i++)
			meet_boxes(cluster, &pairs[i]);
	}
}

/*
 * Begin, after "nearness" has been set.  "expected" is the number of rows, or 0.  The memory of
 * labels has a limit of its own.
 */
void
spq_cluster_start(SpqClusterJoin *cluster, int minpoints, double expected, Size labels)
{
	SpqNearness *nearness = &cluster->nearness;
	Size		memory = get_hash_memory_limit();
	SpqJoinSpec spec = {
		.predicate = nearness->relation,
		.distance = nearness->box_distance,
		.self = true,
		.build_payload = nearness->asks,
		.memory = memory / 4 + memory / 8,
		.expected_build = expected,
	};
	SpqCrowdSpec crowds = {
		.axes = nearness->axes,
		.distance = nearness->distance,
		.least = (uint32) minpoints,
		.expected = expected,
		.memory = memory / 32
	};

	cluster->memory = memory;
	cluster->minpoints = minpoints;
	cluster->dbscan = spq_dbscan_begin(minpoints, labels, memory / 16);
	cluster->undecided = spq_numbers_begin(memory / 64);
	if (nearness->asks)
	{
		cluster->payload_room = 1024;
		cluster->payload = palloc(cluster->payload_room);
	}
	else
		cluster->crowds = spq_crowds_begin(&crowds);
	cluster->join = nearness->engine->begin(&spec);
}

/* All rows have been taken: find the clusters. */
void
spq_cluster_find(SpqClusterJoin *cluster)
{
	/*
	 * No row is a neighbor of more rows than there are.  Without a core row,
	 * all pairs would wait, and rows in one spot would be no crowd.
	 */
	if (cluster->neighbors >= (uint32) cluster->minpoints)
	{
		run_join(cluster);
		decide_crowds(cluster);
	}
	cluster->nearness.engine->end(cluster->join);
	cluster->join = NULL;
	spq_dbscan_finish(cluster->dbscan);
}

/* Return the number of the next row's cluster, in the order in which they came, or -1. */
int
spq_cluster_number(SpqClusterJoin *cluster)
{
	return spq_dbscan_cluster(cluster->dbscan, cluster->next++);
}

/* Take a row of the query. */
static void
receive_row(void *arg, int64 id, Datum value, bool isnull)
{
	SpqClusterJoin *cluster = arg;

	spq_numbers_append(cluster->ids, id);
	spq_cluster_take(cluster, value, isnull);
}

/*
 * Find the clusters of the rows of a query: those that meet, or if "distance" is not NULL,
 * that are within this distance.
 */
void
spq_cluster_begin(SpqClusterJoin *cluster, const char *query, const double *distance, int minpoints)
{
	Size		memory = get_hash_memory_limit();

	cluster->rows = spq_query_rows_plan(query, "query", SPQ_QUERY_VALUES);
	spq_nearness_init(&cluster->nearness, spq_query_rows_value_type(cluster->rows), "query", distance);
	spq_query_rows_start(cluster->rows);
	cluster->ids = spq_numbers_begin(memory / 32);
	spq_cluster_start(cluster, minpoints, spq_query_rows_estimate(cluster->rows), memory / 2);
	spq_query_rows_run_values(cluster->rows, receive_row, cluster);
	spq_cluster_find(cluster);
	spq_numbers_rewind(cluster->ids);
}

/*
 * Return the next row, in the order of the query, and the number of its cluster, or -1.
 * Return false at the end.
 */
bool
spq_cluster_next(SpqClusterJoin *cluster, int64 *id, int *number)
{
	if (!spq_numbers_next(cluster->ids, id))
		return false;
	*number = spq_cluster_number(cluster);
	return true;
}

/* After an error, the resource owner and the memory context do this. */
void
spq_cluster_end(SpqClusterJoin *cluster)
{
	if (cluster->rows)
		spq_query_rows_end(cluster->rows);
	if (cluster->join)
		cluster->nearness.engine->end(cluster->join);
	if (cluster->crowds)
		spq_crowds_end(cluster->crowds);
	if (cluster->dbscan)
		spq_dbscan_end(cluster->dbscan);
	if (cluster->ids)
		spq_numbers_end(cluster->ids);
	if (cluster->undecided)
		spq_numbers_end(cluster->undecided);
	memset(cluster, 0, sizeof(*cluster));
}
