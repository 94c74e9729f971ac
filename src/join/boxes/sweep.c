/*-------------------------------------------------------------------------
 *
 * sweep.c
 *	  Joins a block of probes with the build side in memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "join/boxes/bucket_line.h"
#include "join/boxes/payloads.h"
#include "join/boxes/sweep.h"
#include "prefetch.h"

void
spq_join_sweep_start(SpqJoinSweep *sweep)
{
	sweep->bucket = 0;
	sweep->depth = 0;
	sweep->pending = 0;
	sweep->shrunk = false;
	sweep->oldest = 0;
	sweep->nleft = SPQ_JOIN_HELD;
	for (int i = 0; i < SPQ_JOIN_HELD; i++)
		sweep->held[i].probes = 0;
}

/* Return the last item below a bucket of the directory. */
static inline uint32
last_item(const SpqJoinDirectory *directory, int level, uint32 bucket)
{
	uint64		end = ((uint64) bucket + 1) << (5 * level);

	StaticAssertStmt(SPQ_JOIN_BUCKET_LANES == 1 << 5, "buckets have 2^5 lanes");
	return directory->first[Min(end, directory->nbuckets[0])] - 1;
}

/* Return the bounds of a bucket of the directory. */
static inline const SpqJoinBucketBox *
bounds_of(const SpqJoinDirectory *directory, const SpqJoinSweepStack *at)
{
	return &directory->bounds[at->level][at->bucket];
}

/* Return the line of a probe. */
static inline const SpqLine *
line_of(const SpqJoinItem *probe)
{
	const SpqJoinPayload *payload = spq_join_payload_of(probe->ref);

	return (const SpqLine *) (payload->data + payload->length - sizeof(SpqLine));
}

/*
 * For each lane of a bucket, find the probes whose lines and boxes may meet it.
 * Return the lanes that have any.
 */
static uint32
find_along_lines(const SpqJoinSweep *sweep, const SpqJoinSweepStack *at,
				 const SpqJoinBucketFrame *frame, uint32 *probes)
{
	const SpqJoinDirectory *directory = sweep->directory;
	const SpqJoinBucket *bucket = &directory->buckets[at->level][at->bucket];
	SpqJoinLineFrame line_frame = spq_join_line_frame(frame, bounds_of(directory, at),
													  &directory->origin);
	uint32		first = sweep->first[sweep->bucket - 1],
				left = at->probes,
				found = 0;

	if (sweep->first_of_probe)
		left &= spq_join_bucket_lanes(&sweep->buckets[sweep->bucket - 1]);
	memset(probes, 0, SPQ_JOIN_BUCKET_LANES * sizeof(uint32));
	for (; left != 0; left &= left - 1)
	{
		int			probe = pg_rightmost_one_pos32(left);
		uint32		lanes = spq_join_bucket_meets(bucket, frame, &sweep->boxes[first + probe]);

		if (lanes != 0)
			lanes &= spq_join_bucket_on_line(bucket, &line_frame, &directory->origin,
											 line_of(&sweep->probes[first + probe]));
		found |= lanes;
		for (; lanes != 0; lanes &= lanes - 1)
			probes[pg_rightmost_one_pos32(lanes)] |= (uint32) 1 << probe;
	}
	return found;
}

/* Push the children of a bucket that the probes may meet onto the stack. */
static pg_attribute_always_inline void
descend(SpqJoinSweep *sweep, SpqJoinSweepStack at, bool hashed, bool lines)
{
	const SpqJoinDirectory *directory = sweep->directory;
	const SpqJoinBucket *bucket = &directory->buckets[at.level][at.bucket];
	SpqJoinBucketFrame frame = spq_join_bucket_frame(bounds_of(directory, &at));
	uint32		lanes = spq_join_bucket_meets(bucket, &frame, &sweep->bounds);
	uint32		probes[SPQ_JOIN_BUCKET_LANES];

	if (hashed)
		lanes &= spq_join_hashes_meet(&directory->keys[at.level][at.bucket], sweep->key_range);
	if (lines && lanes != 0)
		lanes &= find_along_lines(sweep, &at, &frame, probes);
	while (lanes != 0)
	{
		int			lane = pg_leftmost_one_pos32(lanes);
		uint32		child = at.bucket * SPQ_JOIN_BUCKET_LANES + lane;
		SpqJoinSweepStack *top = &sweep->stack[sweep->depth];

		lanes ^= (uint32) 1 << lane;
		/* probes are joined with later items of their own set only */
		if (sweep->self == SPQ_JOIN_SELF_BY_POSITION &&
			last_item(directory, at.level - 1, child) <=
			sweep->position + sweep->first[sweep->bucket - 1])
			break;				/* lower lanes have earlier items */
		Assert(sweep->depth < (int) lengthof(sweep->stack));
		top->level = at.level - 1;
		top->bucket = child;
		if (lines)
			top->probes = probes[lane];
		spq_prefetch(bounds_of(directory, top));
		if (hashed)
			top->keys = spq_join_hashes_get(&directory->keys[at.level][at.bucket], lane);
		sweep->depth++;
	}
}

/*
 * Return whether a pair is a match.  "later" says that the build row comes
 * after the probe.
 */
static pg_attribute_always_inline bool
wanted(const SpqJoinSweep *sweep, SpqRelation predicate, SpqJoinSelfJoin self,
	   const SpqJoinItem *probe, const SpqJoinItem *build, bool later)
{
	if (self == SPQ_JOIN_SELF_BY_POSITION && !later)
		return false;
	if (self == SPQ_JOIN_SELF_BY_ORDINAL &&
		(build->tag & SPQ_JOIN_TAG_ORDINAL) <= (probe->tag & SPQ_JOIN_TAG_ORDINAL))
		return false;
	return spq_box_related(predicate, sweep->distance, &probe->box, &build->box);
}

/*
 * Return whether the current probes and all rows below a bucket have the same
 * hash.
 */
static pg_attribute_always_inline bool
same_hash(const SpqJoinSweep *sweep, SpqJoinHashRange keys)
{
	return keys.low == keys.high &&
		keys.low == sweep->key_range.low && keys.high == sweep->key_range.high;
}

/* Return the lanes of the current probes that may meet boxes of a bucket. */
static pg_attribute_always_inline uint32
find_probes(const SpqJoinSweep *sweep, const SpqJoinSweepStack *at, bool hashed, bool lines)
{
	uint32		lanes = spq_join_bucket_meets(&sweep->buckets[sweep->bucket - 1], &sweep->frame,
											  bounds_of(sweep->directory, at));

	if (hashed)
		lanes &= spq_join_hashes_meet(&sweep->keys[sweep->bucket - 1], at->keys);
	if (lines)
		lanes &= at->probes;
	return lanes;
}

/* Return the frame of a bucket of boxes for the lines of probes, if they have any. */
static pg_attribute_always_inline SpqJoinLineFrame
frame_for_lines(const SpqJoinSweep *sweep, const SpqJoinSweepStack *at,
				const SpqJoinBucketFrame *frame, bool lines)
{
	const SpqJoinLineFrame none = {0};

	if (!lines)
		return none;
	return spq_join_line_frame(frame, bounds_of(sweep->directory, at),
							   &sweep->directory->origin);
}

/*
 * Return the lanes of a bucket of boxes that the probe in one lane of a bucket
 * of probes may meet.
 */
static pg_attribute_always_inline uint32
find_boxes(const SpqJoinSweep *sweep, const SpqJoinSweepStack *at,
		   const SpqJoinBucketFrame *frame, const SpqJoinLineFrame *line_frame,
		   uint32 bucket, int probe_lane, bool hashed, bool lines)
{
	const SpqJoinDirectory *directory = sweep->directory;
	uint32		lanes = spq_join_bucket_meets(&directory->buckets[0][at->bucket], frame,
											  &sweep->boxes[sweep->first[bucket] + probe_lane]);

	if (hashed && lanes != 0)
		lanes &= spq_join_hashes_meet(&directory->keys[0][at->bucket],
									  spq_join_hashes_get(&sweep->keys[bucket], probe_lane));
	if (lines && lanes != 0)
		lanes &= spq_join_bucket_on_line(&directory->buckets[0][at->bucket], line_frame,
										 &directory->origin,
										 line_of(&sweep->probes[sweep->first[bucket] + probe_lane]));
	return lanes;
}

/*
 * Return false if no box of a bucket meets any of these probes.  Four or more
 * probes are first compared as one box.  In three dimensions, more than half
 * of the buckets that meet some probes have no box for them.  In two
 * dimensions, the comparison saves no more than it costs.
 */
static pg_attribute_always_inline bool
any_box(const SpqJoinSweep *sweep, const SpqJoinSweepStack *at, const SpqJoinBucketFrame *frame,
		uint32 bucket, uint32 probe_lanes)
{
	uint32		more = probe_lanes & (probe_lanes - 1);
	SpqJoinBucketBox bounds;

	more &= more - 1;
	if (SPQ_DIM == 2 || (more & (more - 1)) == 0)
		return true;
	bounds = spq_join_bucket_bounds(&sweep->boxes[sweep->first[bucket]], probe_lanes);
	return spq_join_bucket_meets(&sweep->directory->buckets[0][at->bucket], frame, &bounds) != 0;
}

static pg_attribute_always_inline void
fetch_box(const SpqJoinSweep *sweep, uint32 build)
{
	const SpqJoinItem *item = &sweep->build[build];

	/* it may be in two cache lines, and the caller will read the reference */
	spq_prefetch(item);
	if (sizeof(SpqJoinItem) % SPQ_LINE_SIZE != 0)
		spq_prefetch(&item->ref);
}

/*
 * Append the candidates of two buckets to a buffer that has *end already, and
 * prefetch their boxes.
 */
static pg_attribute_always_inline void
find_candidates(const SpqJoinSweep *sweep, const SpqJoinSweepStack *at, uint32 bucket,
				uint32 probe_lanes, bool hashed, bool lines, SpqJoinMatch *candidates, uint32 *end)
{
	uint32		first_probe = sweep->first[bucket],
				first_build = sweep->directory->first[at->bucket],
				n = *end,
				nfound = 0;
	SpqJoinBucketFrame frame = spq_join_bucket_frame(bounds_of(sweep->directory, at));
	SpqJoinLineFrame line_frame = frame_for_lines(sweep, at, &frame, lines);
	struct
	{
		uint32		probe,
					lanes;
	}			found[SPQ_JOIN_BUCKET_LANES];

	if (!any_box(sweep, at, &frame, bucket, probe_lanes))
		return;

	/* no branch: whether a probe meets a box is unpredictable */
	for (; probe_lanes != 0; probe_lanes &= probe_lanes - 1)
	{
		int			lane = pg_rightmost_one_pos32(probe_lanes);
		uint32		lanes = find_boxes(sweep, at, &frame, &line_frame, bucket, lane, hashed, lines);

		found[nfound].probe = first_probe + lane;
		found[nfound].lanes = lanes;
		nfound += lanes != 0;
	}
	for (uint32 i = 0; i < nfound; i++)
	{
		uint32		lanes = found[i].lanes;

		spq_prefetch(&sweep->probes[found[i].probe]);
		do
		{
			candidates[n].probe = found[i].probe;
			candidates[n].build = first_build + pg_rightmost_one_pos32(lanes);
			fetch_box(sweep, candidates[n].build);
			n++;
			lanes &= lanes - 1;
		} while (lanes != 0);
	}
	*end = n;
}

/*
 * Hold the current pair of buckets, in place of the oldest, while the bucket
 * of boxes is fetched.
 */
static pg_attribute_always_inline void
hold(SpqJoinSweep *sweep, const SpqJoinSweepStack *at, uint32 probes, bool compare_hashes)
{
	SpqJoinHeld *held = &sweep->held[sweep->oldest];
	const char *bucket = (const char *) &sweep->directory->buckets[0][at->bucket];

	for (Size offset = 0; offset < sizeof(SpqJoinBucket); offset += SPQ_LINE_SIZE)
		spq_prefetch(bucket + offset);
	held->at = *at;
	held->bucket = sweep->bucket - 1;
	held->probes = probes;
	held->compare_hashes = compare_hashes;
}

/* Find the candidates of the oldest pair of buckets held, if there is one. */
static pg_attribute_always_inline void
take_oldest(SpqJoinSweep *sweep, bool hashed, bool lines, SpqJoinMatch *candidates, uint32 *end)
{
	SpqJoinHeld *held = &sweep->held[sweep->oldest];

	if (held->probes != 0)
		find_candidates(sweep, &held->at, held->bucket, held->probes,
						hashed && held->compare_hashes, lines, candidates, end);
	held->probes = 0;
}

/*
 * Decide the candidates "from" to "end" - 1 of a buffer that begins with n
 * matches.  Append the new matches to these, and return the number of all.
 */
static pg_attribute_always_inline uint32
decide_by(SpqJoinSweep *sweep, SpqJoinMatch *matches, uint32 n, uint32 from, uint32 end,
		  SpqRelation predicate, SpqJoinSelfJoin self)
{
	for (uint32 i = from; i < end; i++)
	{
		SpqJoinMatch match = matches[i];

		/* kept if it is a match, else overwritten by the next */
		matches[n] = match;
		n += wanted(sweep, predicate, self, &sweep->probes[match.probe],
					&sweep->build[match.build],
					match.build > sweep->position + match.probe);
	}
	sweep->candidates += end - from;
	return n;
}

/*
 * The same, for the predicate of the join.  Copies of the loop keep the switch
 * out of it.
 */
static uint32
decide_candidates(SpqJoinSweep *sweep, SpqJoinMatch *matches, uint32 n, uint32 from, uint32 end)
{
	if (sweep->self == SPQ_JOIN_SELF_BY_POSITION)
		return sweep->predicate == SPQ_BOX_OVERLAPS ?
			decide_by(sweep, matches, n, from, end, SPQ_BOX_OVERLAPS, SPQ_JOIN_SELF_BY_POSITION) :
			decide_by(sweep, matches, n, from, end, sweep->predicate, SPQ_JOIN_SELF_BY_POSITION);
	if (sweep->self == SPQ_JOIN_SELF_BY_ORDINAL)
		return decide_by(sweep, matches, n, from, end, sweep->predicate, SPQ_JOIN_SELF_BY_ORDINAL);

	switch (sweep->predicate)
	{
		case SPQ_BOX_OVERLAPS:
			return decide_by(sweep, matches, n, from, end, SPQ_BOX_OVERLAPS, SPQ_JOIN_TWO_SETS);
		case SPQ_BOX_CONTAINS:
			return decide_by(sweep, matches, n, from, end, SPQ_BOX_CONTAINS, SPQ_JOIN_TWO_SETS);
		case SPQ_BOX_CONTAINED:
			return decide_by(sweep, matches, n, from, end, SPQ_BOX_CONTAINED, SPQ_JOIN_TWO_SETS);
		case SPQ_BOX_SAME:
			return decide_by(sweep, matches, n, from, end, SPQ_BOX_SAME, SPQ_JOIN_TWO_SETS);
		case SPQ_BOX_MEETS:
			return decide_by(sweep, matches, n, from, end, SPQ_BOX_MEETS, SPQ_JOIN_TWO_SETS);
		case SPQ_BOX_WITHIN:
			return decide_by(sweep, matches, n, from, end, SPQ_BOX_WITHIN, SPQ_JOIN_TWO_SETS);
		default:
			return decide_by(sweep, matches, n, from, end, sweep->predicate, SPQ_JOIN_TWO_SETS);
	}
}

/*
 * Find the candidates of two buckets in a join whose rows drop out, and
 * prefetch their boxes.
 */
static pg_attribute_always_inline void
find_first(SpqJoinSweep *sweep, const SpqJoinSweepStack *at, uint32 probe_lanes, bool hashed,
		   bool lines)
{
	SpqJoinBucketFrame frame = spq_join_bucket_frame(bounds_of(sweep->directory, at));
	SpqJoinLineFrame line_frame = frame_for_lines(sweep, at, &frame, lines);
	uint32		bucket = sweep->bucket - 1,
				box_lanes = 0;

	sweep->pending_probe = sweep->first[sweep->bucket - 1];
	sweep->pending_build = sweep->directory->first[at->bucket];
	sweep->pending_bucket = sweep->bucket - 1;
	sweep->pending_leaf = at->bucket;
	sweep->dropped = 0;
	for (; probe_lanes != 0; probe_lanes &= probe_lanes - 1)
	{
		int			lane = pg_rightmost_one_pos32(probe_lanes);
		uint32		lanes = find_boxes(sweep, at, &frame, &line_frame, bucket, lane, hashed, lines);

		sweep->pending_lanes[lane] = lanes;
		sweep->pending |= (uint32) (lanes != 0) << lane;
		box_lanes |= lanes;
	}
	for (; box_lanes != 0; box_lanes &= box_lanes - 1)
		fetch_box(sweep, sweep->pending_build + pg_rightmost_one_pos32(box_lanes));
}

/*
 * Decide candidates in a join whose rows drop out: return at most one match of
 * each such row, and keep its other candidates.  Return 0 only if no
 * candidates are left.
 */
static pg_attribute_always_inline uint32
decide_first_by(SpqJoinSweep *sweep, SpqJoinMatch *matches, SpqRelation predicate)
{
	uint32		first_build = sweep->pending_build,
				taken = 0,
				candidates = 0,
				n = 0;

	for (uint32 pending = sweep->pending; pending != 0; pending &= pending - 1)
	{
		int			lane = pg_rightmost_one_pos32(pending);
		uint32		probe = sweep->pending_probe + lane,
					left = sweep->pending_lanes[lane] & ~sweep->dropped,
					lanes = left & ~taken;
		SpqJoinItem item = sweep->probes[probe];

		for (; lanes != 0; lanes &= lanes - 1)
		{
			uint32		bit = lanes & -lanes,
						build = first_build + pg_rightmost_one_pos32(lanes);

			left ^= bit;
			candidates++;
			if (!wanted(sweep, predicate, SPQ_JOIN_TWO_SETS, &item, &sweep->build[build],
						true))
				continue;
			matches[n].probe = probe;
			matches[n].build = build;
			n++;
			if (sweep->first_of_build)
				taken |= bit;
			if (sweep->first_of_probe)
				break;
		}
		sweep->pending_lanes[lane] = left;
		if (left == 0)
			sweep->pending ^= (uint32) 1 << lane;
	}
	sweep->candidates += candidates;
	Assert(n > 0 || sweep->pending == 0);
	return n;
}

static uint32
decide_first(SpqJoinSweep *sweep, SpqJoinMatch *matches)
{
	Assert(sweep->self == SPQ_JOIN_TWO_SETS);
	return sweep->predicate == SPQ_BOX_OVERLAPS ?
		decide_first_by(sweep, matches, SPQ_BOX_OVERLAPS) :
		decide_first_by(sweep, matches, sweep->predicate);
}

/*
 * Accept one of the matches that spq_join_sweep() returned last.  Rows for
 * which one match is enough drop out.
 */
void
spq_join_sweep_accept(SpqJoinSweep *sweep, const SpqJoinMatch *match)
{
	if (sweep->first_of_probe)
	{
		int			lane = match->probe - sweep->pending_probe;

		spq_join_bucket_drop(&sweep->buckets[sweep->pending_bucket], lane);
		sweep->pending &= ~((uint32) 1 << lane);
		sweep->shrunk |= sweep->pending_bucket + 1 == sweep->bucket;
	}
	if (sweep->first_of_build)
	{
		int			lane = match->build - sweep->pending_build;

		spq_join_directory_drop(sweep->directory, sweep->pending_leaf, lane);
		sweep->dropped |= (uint32) 1 << lane;
	}
}

static pg_attribute_always_inline uint32
sweep_for(SpqJoinSweep *sweep, SpqJoinMatch *matches, uint32 room, bool hashed, bool first,
		  bool lines)
{
	uint32		n = 0,			/* matches in the buffer */
				from = 0,		/* undecided candidates: from this to end - 1 */
				end = 0;

	if (first && sweep->shrunk)
	{
		uint32		bucket = sweep->bucket - 1,
					lanes = spq_join_bucket_lanes(&sweep->buckets[bucket]);

		sweep->shrunk = false;
		if (lanes == 0)
			sweep->depth = 0;	/* go on to the next bucket */
		else
			sweep->bounds = spq_join_bucket_bounds(&sweep->boxes[sweep->first[bucket]], lanes);
	}
	for (;;)
	{
		SpqJoinSweepStack at;

		CHECK_FOR_INTERRUPTS();
		if (!first && end + SPQ_JOIN_MAX_BUCKET_PAIRS > room)
		{
			n = decide_candidates(sweep, matches, n, from, end);
			from = end = n;
			if (n + SPQ_JOIN_MAX_BUCKET_PAIRS > room)
				return n;
		}
		if (sweep->depth == 0)
		{
			const SpqJoinDirectory *directory = sweep->directory;
			SpqJoinSweepStack *root = &sweep->stack[0];

			if (sweep->bucket == sweep->nbuckets)
			{
				if (first)
					return decide_first(sweep, matches);
				if (sweep->nleft > 0)
				{
					sweep->nleft--;
					take_oldest(sweep, hashed, lines, matches, &end);
					sweep->oldest = (sweep->oldest + 1) % SPQ_JOIN_HELD;
					continue;
				}
				return decide_candidates(sweep, matches, n, from, end);
			}
			if (hashed)
				sweep->key_range = spq_join_hashes_range(&sweep->keys[sweep->bucket]);
			sweep->bounds = sweep->bucket_bounds[sweep->bucket++];
			sweep->frame = spq_join_bucket_frame(&sweep->bounds);
			root->level = directory->nlevels - 1;
			root->bucket = 0;
			if (lines)
				root->probes = spq_join_first_lanes(sweep->first[sweep->bucket] -
													sweep->first[sweep->bucket - 1]);
			if (hashed)
				root->keys = spq_join_hashes_range(&directory->keys[root->level][0]);
			sweep->depth = 1;
		}

		at = sweep->stack[--sweep->depth];
		if (at.level > 0)
			descend(sweep, at, hashed, lines);
		else
		{
			/* within a large group, do not compare hashes */
			bool		compare_hashes = hashed && !same_hash(sweep, at.keys);
			uint32		probes = find_probes(sweep, &at, compare_hashes, lines);

			/*
			 * candidates are decided only when others are found: the
			 * prefetched boxes get more time
			 */
			if (probes == 0)
				continue;
			if (first)
			{
				n = decide_first(sweep, matches);
				if (n > 0)
				{
					sweep->depth++; /* again after the caller has decided */
					return n;
				}
				find_first(sweep, &at, probes, compare_hashes, lines);
				continue;
			}
			take_oldest(sweep, hashed, lines, matches, &end);
			hold(sweep, &at, probes, compare_hashes);
			sweep->oldest = (sweep->oldest + 1) % SPQ_JOIN_HELD;
		}
	}
}

/*
 * Put matches into a buffer with room for at least SPQ_JOIN_MAX_BUCKET_PAIRS.
 * Return their number, or 0 if there are no more.
 */
uint32
spq_join_sweep(SpqJoinSweep *sweep, SpqJoinMatch *matches, uint32 room)
{
	Assert(room >= SPQ_JOIN_MAX_BUCKET_PAIRS);
	if (sweep->directory->nlevels == 0)
		return 0;

	/* one copy of the code: the lines themselves take most of the time */
	if (sweep->lines)
		return sweep_for(sweep, matches, room, sweep->keys != NULL,
						 sweep->first_of_probe || sweep->first_of_build, true);
	if (sweep->first_of_probe || sweep->first_of_build)
		return sweep->keys != NULL ?
			sweep_for(sweep, matches, room, true, true, false) :
			sweep_for(sweep, matches, room, false, true, false);
	return sweep->keys != NULL ?
		sweep_for(sweep, matches, room, true, false, false) :
		sweep_for(sweep, matches, room, false, false, false);
}
