/*-------------------------------------------------------------------------
 *
 * window_join.c
 *	  The join of the rows of any plan with an index, batch by batch.
 *
 *		probe child --> batch of boxes			build side's index
 *							|
 *							+--> search for all windows together, leaf by leaf
 *									|			(rtree/windows_search.h)
 *						rows whose boxes are in the relation
 *									|
 *						visible, and read from index or table	(index_side.h)
 *									|
 *						pairs of the leaf; in the end, unmatched rows of the batch
 *
 * In a nested loop each row searches the index alone.  Here a page of the index is read
 * once for all rows of a batch, and so is a row of its table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "join_node/indexes/index_join.h"
#include "join_node/indexes/index_side.h"
#include "rtree/rtree.h"
#include "rtree/windows_search.h"

/* The most rows of a batch, and the bytes that each takes without its payload. */
#define BATCH_ROWS	262144
#define ROW_BYTES	(5 * SPQ_TYPE_NUMBERS * sizeof(float8))
#define FIRST_ROOM	64

/* What comes next. */
typedef enum WindowPhase
{
	NEXT_BATCH,
	NEXT_LEAF,
	UNMATCHED,
	FINISHED
} WindowPhase;

typedef struct WindowJoin
{
	MemoryContext context;
	SpqNodeState *node;
	const SpqJoinEngine *boxes; /* compares them */
	int			numbers;		/* of a box */
	double		slack;
	float8		distance;		/* by which boxes may be apart, or -1 */
	SpqIndexSide build;
	SpqRtreeOddBoxes odd_builds;
	WindowPhase phase;

	/* the batch */
	MemoryContext memory;		/* of its payloads */
	Size		memory_limit;
	bool		no_more_rows;
	uint32		most_rows;
	uint32		room;			/* for rows */
	uint32		nrows;
	uint32		next_row;		/* if UNMATCHED */
	float8	   *box;
	float8	   *window;			/* the boxes, grown */
	uint64	   *ref;
	bool	   *matched;
	SpqRtreeWindows *search;

	/* the current leaf */
	uint16		row_of[SPQ_RTREE_LEAF_MAX]; /* of each entry */
	int			next_near;		/* window near the leaf */

	/* the pairs of a row of the batch with the leaf: its rows */
	uint32		current;
	uint16		pair[SPQ_RTREE_LEAF_MAX];
	int			npairs;
	int			next_pair;

	SpqJoinStats stats;
} WindowJoin;

SpqJoin *
spq_node_begin_window_join(SpqNodeState *node)
{
	MemoryContext context = AllocSetContextCreate(node->css.ss.ps.state->es_query_cxt,
												  "spqtree index join", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	WindowJoin *join = palloc0(sizeof(WindowJoin));

	join->context = context;
	join->node = node;
	join->odd_builds = node->exact ? SPQ_RTREE_DROP_NAN : SPQ_RTREE_MAKE_SAFE;
	spq_index_side_begin(&join->build, node, SPQ_NODE_BUILD);
	spq_rtree_start_scan(join->build.rows.scan);
	join->boxes = spq_join_engine(node->axes);
	join->numbers = 2 * node->axes;
	/* twice: corners may be the wrong way round by as much as the tolerance */
	join->slack = node->axes == 2 ? 2 * spq_box_slack(node->predicate, 0) : 0;
	join->distance = spq_index_distance(node);
	join->memory = AllocSetContextCreate(context, "spqtree rows of a batch", ALLOCSET_DEFAULT_SIZES);
	join->memory_limit = get_hash_memory_limit() / 2;
	join->most_rows = Max(Min(join->memory_limit / ROW_BYTES, BATCH_ROWS), 64);
	join->room = FIRST_ROOM;
	join->box = palloc_array(float8, join->room * join->numbers);
	join->window = palloc_array(float8, join->room * join->numbers);
	join->ref = palloc_array(uint64, join->room);
	join->matched = palloc_array(bool, join->room);
	MemoryContextSwitchTo(old);
	return (SpqJoin *) join;
}

/* Set the window of a box; of one with a NaN, an empty one. */
static void
set_window(const WindowJoin *join, const float8 *box, float8 *window)
{
	int			axes = join->numbers / 2;

	for (int axis = 0; axis < axes; axis++)
	{
		float8		high = box[axis],
					low = box[axes + axis];

		if (isnan(high) || isnan(low))
		{
			high = -get_float8_infinity();
			low = get_float8_infinity();
		}
		if (high < low && isinf(high))
		{
			window[axis] = high;	/* an empty one stays empty */
			window[axes + axis] = low;
		}
		else
		{
			window[axis] = Max(high, low) + join->slack;
			window[axes + axis] = Min(high, low) - join->slack;
		}
	}
}

/* Make room for more rows. */
static void
make_room(WindowJoin *join)
{
	join->room = Min(2 * join->room, join->most_rows);
	join->box = repalloc_array(join->box, float8, join->room * join->numbers);
	join->window = repalloc_array(join->window, float8, join->room * join->numbers);
	join->ref = repalloc_array(join->ref, uint64, join->room);
	join->matched = repalloc_array(join->matched, bool, join->room);
}

/* Add a row to the batch.  Without a box, it has no match.  Return its memory. */
static Size
add_row(WindowJoin *join, TupleTableSlot *slot, const float8 *box)
{
	SpqNodePayload payload = spq_node_payload_of(&join->node->side[SPQ_NODE_PROBE], slot, 0);
	uint32		row = join->nrows++;
	float8	   *own_box;

	if (row == join->room)
		make_room(join);
	own_box = join->box + row * join->numbers;
	if (payload.data)
	{
		void	   *copy = MemoryContextAlloc(join->memory, payload.length);

		memcpy(copy, payload.data, payload.length);
		payload.ref = (uint64) (uintptr_t) copy;
	}
	join->ref[row] = payload.ref;
	join->matched[row] = false;
	memcpy(own_box, box, join->numbers * sizeof(float8));
	spq_index_grow(own_box, 1, join->numbers / 2, join->distance);
	set_window(join, own_box, join->window + row * join->numbers);
	return payload.length;
}

static void
note_memory(WindowJoin *join)
{
	join->stats.memory = Max(join->stats.memory, MemoryContextMemAllocated(join->context, true));
}

/* Read the next batch, and start its search.  Return false at the end. */
static bool
next_batch(WindowJoin *join)
{
	SpqNodeState *node = join->node;
	SpqNodeSide *side = &node->side[SPQ_NODE_PROBE];
	const float8 nan[SPQ_TYPE_NUMBERS] = {NAN, NAN, NAN, NAN, NAN, NAN};
	Size		memory = 0;
	MemoryContext old;

	MemoryContextReset(join->memory);
	join->nrows = 0;
	while (!join->no_more_rows && join->nrows < join->most_rows && memory < join->memory_limit)
	{
		TupleTableSlot *slot = ExecProcNode(side->plan);
		float8		box[SPQ_TYPE_NUMBERS];
		uint32		hash;

		CHECK_FOR_INTERRUPTS();
		if (TupIsNull(slot))
			join->no_more_rows = true;
		else if (spq_node_side_key(side, slot, box, &hash))
			memory += add_row(join, slot, box);
		else if (node->kind & SPQ_NODE_EMIT_PROBES)
			memory += add_row(join, slot, nan);
	}
	if (join->nrows == 0)
		return false;
	old = MemoryContextSwitchTo(join->memory);
	join->search = spq_rtree_windows_begin(join->build.rows.scan, join->nrows, join->window);
	/* no current leaf yet */
	join->search->nnear = join->next_near = 0;
	MemoryContextSwitchTo(old);
	join->stats.batches++;
	note_memory(join);
	return true;
}

/* Find the pairs of the next row of the batch that is near the current leaf. */
static void
find_pairs(WindowJoin *join)
{
	const SpqRtreeLeafCopy *leaf = &join->build.leaf;
	const SpqRtreeWindows *search = join->search;
	const uint64 *matches = spq_rtree_window_matches(search, join->next_near);
	const float8 *box;

	join->current = search->near[join->next_near++];
	box = join->box + (Size) join->current * join->numbers;
	join->npairs = join->next_pair = 0;
	if (search->done[join->current])
		return;
	for (int i = 0; i < search->nwords; i++)
		for (uint64 left = matches[i]; left != 0; left &= left - 1)
		{
			int			row = join->row_of[i * 64 + pg_rightmost_one_pos64(left)];

			if (row == PG_UINT16_MAX)
				continue;		/* a NaN, in no pair */
			join->stats.candidates++;
			if (join->boxes->related(join->node->predicate, 0, box, spq_rtree_leaf_copy_box(leaf, row)))
				join->pair[join->npairs++] = row;
		}
	join->stats.matches += join->npairs;
}

/* Enter the next leaf with rows near the batch.  Return false after the last one. */
static bool
next_leaf(WindowJoin *join)
{
	SpqIndexSide *build = &join->build;
	SpqRtreeWindows *search = join->search;
	Buffer		buffer = spq_rtree_windows_next(search);
	uint64		any[SPQ_RTREE_MATCH_WORDS] = {0};

	if (!BufferIsValid(buffer))
		return false;
	for (int w = 0; w < search->nnear; w++)
		for (int i = 0; i < search->nwords; i++)
			any[i] |= spq_rtree_window_matches(search, w)[i];
	for (int i = 0; i < search->nwords; i++)
		any[i] = SPQ_RTREE_MATCH_BYTES(any[i]);
	spq_index_side_enter(build, buffer, (const uint8 *) any, join->odd_builds);
	memset(join->row_of, 0xff, sizeof(join->row_of));
	for (int row = 0; row < build->leaf.nrows; row++)
	{
		join->row_of[build->leaf.entry[row]] = row;
		spq_index_side_prepare(build, buffer, row);
	}
	UnlockReleaseBuffer(buffer);
	join->next_near = 0;
	return true;
}

/* Go on to the next pair of the current row with the leaf.  Return false after the last one. */
static inline bool
next_of_row(WindowJoin *join)
{
	if (join->next_pair < join->npairs && join->search->done[join->current])
		join->next_pair = join->npairs;
	while (join->next_pair < join->npairs)
		if (spq_index_side_has(&join->build, join->pair[join->next_pair++]))
			return true;
	return false;
}

/* The same, also of the next rows. */
static inline bool
next_of_leaf(WindowJoin *join)
{
	while (!next_of_row(join))
	{
		if (join->search == NULL || join->next_near == join->search->nnear)
			return false;
		find_pairs(join);
	}
	return true;
}

static inline void
set_pair(const WindowJoin *join, SpqJoinPair *result)
{
	int			row = join->pair[join->next_pair - 1];

	result->probe = join->ref[join->current];
	result->build = join->build.ref[row];
	result->probe_box = join->box + (Size) join->current * join->numbers;
	result->build_box = spq_rtree_leaf_copy_box(&join->build.leaf, row);
}

static SpqJoinEvent
window_next(SpqJoin *base, SpqJoinPair *result)
{
	WindowJoin *join = (WindowJoin *) base;

	for (;;)
	{
		if (next_of_leaf(join))
		{
			set_pair(join, result);
			return SPQ_JOIN_PAIR;
		}
		switch (join->phase)
		{
			case NEXT_BATCH:
				join->phase = next_batch(join) ? NEXT_LEAF : FINISHED;
				break;

			case NEXT_LEAF:
				if (next_leaf(join))
					break;
				note_memory(join);
				join->stats.leaves += join->search->nleaves;
				spq_rtree_windows_end(join->search);
				join->search = NULL;
				join->next_row = 0;
				join->phase = (join->node->kind & SPQ_NODE_EMIT_PROBES) ? UNMATCHED : NEXT_BATCH;
				break;

			case UNMATCHED:
				while (join->next_row < join->nrows)
				{
					uint32		row = join->next_row++;

					if (!join->matched[row])
					{
						result->probe = join->ref[row];
						return SPQ_JOIN_UNMATCHED_PROBE;
					}
				}
				join->phase = NEXT_BATCH;
				break;

			case FINISHED:
				return SPQ_JOIN_END;
		}
	}
}

static uint32
window_more(SpqJoin *base, SpqJoinPair *results, uint32 room)
{
	WindowJoin *join = (WindowJoin *) base;
	uint32		n = 0;

	while (n < room && next_of_leaf(join))
		set_pair(join, &results[n++]);
	return n;
}

static uint32
window_skip(SpqJoin *base, bool of_probe)
{
	WindowJoin *join = (WindowJoin *) base;
	uint32		n = 0;

	while (of_probe ? next_of_row(join) : next_of_leaf(join))
		n++;
	return n;
}

static void
window_accept(SpqJoin *base)
{
	WindowJoin *join = (WindowJoin *) base;

	join->matched[join->current] = true;
	if (join->node->kind & SPQ_NODE_ONE_PER_PROBE)
		join->search->done[join->current] = true;
}

/* The scan is started again. */
static bool
window_restart(SpqJoin *base)
{
	return false;
}

static const SpqJoinStats *
window_stats(SpqJoin *base)
{
	WindowJoin *join = (WindowJoin *) base;

	join->stats.fetches = join->build.rows.nfetched;
	if (join->search)
	{
		join->stats.leaves += join->search->nleaves;
		join->search->nleaves = 0;
	}
	return &join->stats;
}

static void
window_end(SpqJoin *base)
{
	WindowJoin *join = (WindowJoin *) base;

	spq_index_side_end(&join->build);
	MemoryContextDelete(join->context);
}

const SpqJoinEngine spq_node_window_engine = {
	.next = window_next,
	.more = window_more,
	.skip = window_skip,
	.accept = window_accept,
	.restart = window_restart,
	.stats = window_stats,
	.end = window_end,
};
