/*-------------------------------------------------------------------------
 *
 * index_join.c
 *	  The join of two indexes, leaf by leaf.
 *
 *		probe's index				build side's index
 *		leaf, its rows' hull  -->	search: leaves with rows in this window
 *		  \_____________________________/
 *				rows whose boxes are in the relation	(leaf_pairs.h)
 *					|
 *				visible, and read from index or table	(index_side.h)
 *					|
 *				pairs, then unmatched rows of the leaf
 *
 * Nothing of it is larger than two leaves and their pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "join_node/indexes/index_join.h"
#include "join_node/indexes/index_side.h"
#include "rtree/leaf_join/leaf_pairs.h"
#include "rtree/leaf_search.h"

/* What comes next. */
typedef enum Phase
{
	NEXT_PROBE_LEAF,
	NEXT_BUILD_LEAF,
	UNMATCHED,
	FINISHED
} Phase;

typedef struct IndexJoin
{
	MemoryContext context;
	const SpqNodeState *node;
	SpqIndexSide probe;
	SpqIndexSide build;
	SpqRtreeLeafPairs *pairs;
	Phase		phase;
	int			next_pair;		/* of the current two leaves */
	int			next_row;		/* of the probe leaf, if UNMATCHED */
	int			current;		/* row of the probe leaf in the last pair */
	SpqRtreeOddBoxes odd_probes;
	SpqRtreeOddBoxes odd_builds;
	float8		distance;		/* by which boxes may be apart, or -1 */
	bool		drops;			/* a row with an accepted pair needs no other */
	bool		matched[SPQ_RTREE_LEAF_MAX];
	int			nmatched;

	SpqJoinStats stats;
} IndexJoin;

bool
spq_node_can_join_indexes(const EState *estate)
{
	/* rows that are checked again come from the children */
	return estate->es_epq_active == NULL && IsMVCCSnapshot(estate->es_snapshot);
}

SpqJoin *
spq_node_begin_index_join(SpqNodeState *node)
{
	MemoryContext context = AllocSetContextCreate(node->css.ss.ps.state->es_query_cxt,
												  "spqtree index join", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	IndexJoin  *join = palloc0(sizeof(IndexJoin));

	join->context = context;
	join->node = node;
	join->odd_builds = node->exact ? SPQ_RTREE_DROP_NAN : SPQ_RTREE_MAKE_SAFE;
	join->odd_probes = node->exact && (node->kind & SPQ_NODE_EMIT_PROBES) ? SPQ_RTREE_KEEP_NAN :
		join->odd_builds;
	join->distance = spq_index_distance(node);
	join->drops = (node->kind & SPQ_NODE_ONE_PER_PROBE) != 0;
	spq_index_side_begin(&join->probe, node, SPQ_NODE_PROBE);
	spq_index_side_begin(&join->build, node, SPQ_NODE_BUILD);
	join->pairs = spq_rtree_leaf_pairs_begin(node->predicate);
	spq_rtree_start_leaves(join->probe.rows.scan, (node->kind & SPQ_NODE_EMIT_PROBES) != 0);
	spq_rtree_start_windows(join->build.rows.scan, node->predicate == SPQ_BOX_CONTAINS,
							get_hash_memory_limit() / 2,
							node->axes == 2 ? spq_rtree_leaf_pairs_near : spq_rtree_leaf_pairs3_near,
							join->pairs);
	MemoryContextSwitchTo(old);
	return (SpqJoin *) join;
}

/* Enter the next leaf of the probe's index.  Return false at the end. */
static bool
next_probe_leaf(IndexJoin *join)
{
	SpqIndexSide *probe = &join->probe;
	SpqRtreeLeafCopy *leaf = &probe->leaf;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];
	Buffer		buffer = spq_rtree_find_leaf(probe->rows.scan, matches);

	if (!BufferIsValid(buffer))
		return false;
	spq_index_side_enter(probe, buffer, matches, join->odd_probes);
	if (leaf->has_boxes)
		spq_index_grow(leaf->boxes, leaf->nrows, leaf->axes, join->distance);
	spq_index_side_prepare_all(probe, buffer);
	spq_rtree_release_leaf(probe->rows.scan, buffer);

	memset(join->matched, false, leaf->nrows);
	join->nmatched = 0;
	if (!leaf->has_boxes)
		return true;
	if (leaf->axes == 2)
		spq_rtree_leaf_pairs_left(join->pairs, leaf);
	else
		spq_rtree_leaf_pairs3_left(join->pairs, leaf);
	spq_rtree_search_window(join->build.rows.scan, join->pairs->hull);
	return true;
}

/*
 * Enter the next leaf of the build side's index that has rows near the probe's leaf, and
 * find the pairs.  Return false after the last one.
 */
static bool
next_build_leaf(IndexJoin *join)
{
	SpqIndexSide *build = &join->build;
	SpqRtreeLeafCopy *leaf = &build->leaf;
	SpqRtreeLeafPairs *pairs = join->pairs;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];
	Buffer		buffer;

	if (!join->probe.leaf.has_boxes || (join->drops && join->nmatched == join->probe.leaf.nrows))
		return false;
	buffer = spq_rtree_find_leaf(build->rows.scan, matches);
	if (!BufferIsValid(buffer))
		return false;
	spq_index_side_enter(build, buffer, matches, join->odd_builds);
	if (leaf->axes == 2)
		spq_rtree_leaf_pairs_find(pairs, &join->probe.leaf, leaf);
	else
		spq_rtree_leaf_pairs3_find(pairs, &join->probe.leaf, leaf);
	/* they are in the order of these rows */
	for (int i = 0, last = -1; i < pairs->npairs; i++)
	{
		if (pairs->pair[i].right != last)
			spq_index_side_prepare(build, buffer, pairs->pair[i].right);
		last = pairs->pair[i].right;
	}
	spq_rtree_release_leaf(build->rows.scan, buffer);
	if (join->node->counts.in_probe_order)
		spq_rtree_leaf_pairs_by_left(pairs, join->probe.leaf.nrows);
	join->stats.matches += pairs->npairs;
	join->next_pair = 0;
	return true;
}

/* Return whether both rows of a pair are in the result of their scans. */
static pg_attribute_always_inline bool
has_rows(IndexJoin *join, const SpqRtreeLeafPair *pair)
{
	return spq_index_side_has(&join->probe, pair->left) &&
		spq_index_side_has(&join->build, pair->right);
}

static pg_attribute_always_inline void
set_pair(const IndexJoin *join, const SpqRtreeLeafPair *pair, SpqJoinPair *result)
{
	result->probe = join->probe.ref[pair->left];
	result->build = join->build.ref[pair->right];
	result->probe_box = spq_rtree_leaf_copy_box(&join->probe.leaf, pair->left);
	result->build_box = spq_rtree_leaf_copy_box(&join->build.leaf, pair->right);
}

/* Return the next pair of the current two leaves, or NULL. */
static inline const SpqRtreeLeafPair *
next_of_leaves(IndexJoin *join)
{
	while (join->next_pair < join->pairs->npairs)
	{
		const SpqRtreeLeafPair *pair = &join->pairs->pair[join->next_pair++];

		if (join->drops && join->matched[pair->left])
			continue;
		if (has_rows(join, pair))
			return pair;
	}
	return NULL;
}

static SpqJoinEvent
index_next(SpqJoin *base, SpqJoinPair *result)
{
	IndexJoin  *join = (IndexJoin *) base;

	for (;;)
	{
		const SpqRtreeLeafPair *pair = next_of_leaves(join);

		if (pair)
		{
			set_pair(join, pair, result);
			join->current = pair->left;
			return SPQ_JOIN_PAIR;
		}
		switch (join->phase)
		{
			case NEXT_PROBE_LEAF:
				join->phase = next_probe_leaf(join) ? NEXT_BUILD_LEAF : FINISHED;
				break;

			case NEXT_BUILD_LEAF:
				if (next_build_leaf(join))
					break;
				join->next_row = 0;
				join->phase = (join->node->kind & SPQ_NODE_EMIT_PROBES) ? UNMATCHED :
					NEXT_PROBE_LEAF;
				break;

			case UNMATCHED:
				while (join->next_row < join->probe.leaf.nrows)
				{
					int			row = join->next_row++;

					if (!join->matched[row] && spq_index_side_has(&join->probe, row))
					{
						result->probe = join->probe.ref[row];
						return SPQ_JOIN_UNMATCHED_PROBE;
					}
				}
				join->phase = NEXT_PROBE_LEAF;
				break;

			case FINISHED:
				return SPQ_JOIN_END;
		}
	}
}

/* More pairs of the same two leaves: what they refer to stays. */
static uint32
index_more(SpqJoin *base, SpqJoinPair *results, uint32 room)
{
	IndexJoin  *join = (IndexJoin *) base;
	uint32		n = 0;

	while (n < room)
	{
		const SpqRtreeLeafPair *pair = next_of_leaves(join);

		if (pair == NULL)
			break;
		set_pair(join, pair, &results[n++]);
	}
	return n;
}

static uint32
index_skip(SpqJoin *base, bool of_probe)
{
	IndexJoin  *join = (IndexJoin *) base;
	const SpqRtreeLeafPairs *pairs = join->pairs;
	uint32		n = 0;

	/* a leaf has no other pairs than these, and none of their rows is hidden */
	if (!of_probe && join->probe.all_read && join->build.all_read)
	{
		n = pairs->npairs - join->next_pair;
		join->next_pair = pairs->npairs;
	}
	while (join->next_pair < pairs->npairs &&
		   (!of_probe || pairs->pair[join->next_pair].left == join->current))
		n += has_rows(join, &pairs->pair[join->next_pair++]);
	return n;
}

static void
index_accept(SpqJoin *base)
{
	IndexJoin  *join = (IndexJoin *) base;

	join->nmatched += !join->matched[join->current];
	join->matched[join->current] = true;
	if (join->drops)
		spq_rtree_leaf_pairs_drop(join->pairs, join->current);
}

/* The scans are started again. */
static bool
index_restart(SpqJoin *base)
{
	return false;
}

static const SpqJoinStats *
index_stats(SpqJoin *base)
{
	IndexJoin  *join = (IndexJoin *) base;

	join->stats.candidates = join->pairs->candidates;
	join->stats.leaves = join->probe.nleaves;
	join->stats.leaf_pairs = join->build.nleaves;
	join->stats.fetches = join->probe.rows.nfetched + join->build.rows.nfetched;
	join->stats.memory = MemoryContextMemAllocated(join->context, true);
	return &join->stats;
}

static void
index_end(SpqJoin *base)
{
	IndexJoin  *join = (IndexJoin *) base;

	spq_rtree_end_windows(join->build.rows.scan);
	spq_index_side_end(&join->probe);
	spq_index_side_end(&join->build);
	MemoryContextDelete(join->context);
}

const SpqJoinEngine spq_node_index_engine = {
	.next = index_next,
	.more = index_more,
	.skip = index_skip,
	.accept = index_accept,
	.restart = index_restart,
	.stats = index_stats,
	.end = index_end,
};
