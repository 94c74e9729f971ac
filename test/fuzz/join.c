/*-------------------------------------------------------------------------
 *
 * join.c
 *	  Fuzzer of the join engine: tile order, directory, sweep, partitions and
 *	  batches, against the nested loop.
 *
 * Bytes make a specification and some boxes.  The boxes are repeated, each time
 * slightly moved, so that few bytes make enough rows for batches.  The engine
 * must return each pair that satisfies the predicate once, and no other pair;
 * each row without an accepted pair once; and leave nothing in memory or files.
 *
 *-------------------------------------------------------------------------
 */
#include "fuzz.h"

#include "join/engine/join.h"
#include "stubs.h"

#define MAX_BOXES	48			/* of a side, before repetition */
#define MAX_ROWS	2400		/* of a side, after repetition */
#define MAX_PAIRS	120000		/* of the nested loop */

typedef struct Side
{
	int			n;
	BOX			box[MAX_ROWS];
	uint32		hash[MAX_ROWS];
	uint8		accepted[MAX_ROWS];
	uint8		unmatched[MAX_ROWS];
} Side;

static Side build,
			probe;
static uint8 seen[MAX_PAIRS];

static void
take_side(Input *input, Side *side, bool hashed, int most)
{
	int			n = take_int(input, 0, MAX_BOXES);
	int			times = take_int(input, 1, 64);
	float8		step = take_number(input);

	if (n > most)
		n = most;
	for (int i = 0; i < n; i++)
	{
		side->box[i] = take_box(input);
		side->hash[i] = hashed ? take_byte(input) * 0x01010101 : 0;
	}
	side->n = Min(n * times, most);
	for (int i = n; i < side->n; i++)
	{
		BOX			box = side->box[i - n];
		float8		low = box.low.x + step,
					high = box.high.x + step;

		box.low.x = float8_min(low, high);
		box.high.x = float8_max(low, high);
		side->box[i] = box;
		side->hash[i] = side->hash[i - n];
	}
	memset(side->accepted, 0, sizeof(side->accepted));
	memset(side->unmatched, 0, sizeof(side->unmatched));
}

static bool
acceptable(int b, int p, int share)
{
	return (b * 31 + p * 17) % 8 < share;
}

/* Run one round of probes and pairs.  Return false if it ended early. */
static bool
drive(SpqJoin *join, const SpqJoinSpec *spec, int share, int *events)
{
	const Side *other = spec->self ? &build : &probe;
	int			row = 0;
	bool		done = false;
	SpqJoinPair pair;

	for (;;)
	{
		int			b,
					p;

		if (*events >= 0 && (*events)-- == 0)
			return false;
		switch (spq_join_next(join, &pair))
		{
			case SPQ_JOIN_END:
				return true;
			case SPQ_JOIN_PAIR:
				b = (int) pair.build;
				p = (int) pair.probe;
				require(b < build.n && p < other->n, "rows %d, %d", b, p);
				if (spec->self && p < b)
				{
					b = (int) pair.probe;
					p = (int) pair.build;
				}
				if (build.hash[b] != other->hash[p])
				{
					require(spec->hashed, "rows of different keys");
					break;
				}
				require(spq_box_related(spec->predicate, spec->distance,
										&other->box[pair.probe],
										&build.box[pair.build]),
						"rows %d, %d do not match", b, p);
				require(seen[b * other->n + p]++ == 0, "rows %d, %d again", b, p);
				require(!spec->first_of_probe || !probe.accepted[pair.probe],
						"probe %d after it was accepted", p);
				require(!spec->first_of_build || !build.accepted[pair.build],
						"build row %d after it was accepted", b);
				if (acceptable(b, p, share))
				{
					spq_join_accept(join);
					build.accepted[pair.build] = 1;
					probe.accepted[pair.probe] = 1;
				}
				break;
			case SPQ_JOIN_UNMATCHED_BUILD:
				require(spec->unmatched_build && pair.build < (uint64) build.n,
						"build row %lu", (long) pair.build);
				require(build.unmatched[pair.build]++ == 0, "build row %lu again",
						(long) pair.build);
				break;
			case SPQ_JOIN_UNMATCHED_PROBE:
				require(spec->unmatched_probes && pair.probe < (uint64) probe.n,
						"probe %lu", (long) pair.probe);
				require(probe.unmatched[pair.probe]++ == 0, "probe %lu again",
						(long) pair.probe);
				break;
			case SPQ_JOIN_COUNTED_BUILD:
				require(false, "no counts are wanted");
				break;
			case SPQ_JOIN_WANTS_PROBES:
				require(!done && !spec->self && spq_join_room(join) > 0, "probes");
				for (; row < probe.n && spq_join_room(join) > 0; row++)
					(void) spq_join_probe(join, &probe.box[row], probe.hash[row],
										  row, NULL, 0);
				if (row == probe.n)
				{
					spq_join_probes_done(join);
					done = true;
				}
				break;
		}
	}
}

/* Compare with the nested loop. */
static void
compare(const SpqJoinSpec *spec)
{
	const Side *other = spec->self ? &build : &probe;

	for (int b = 0; b < build.n; b++)
	{
		for (int p = spec->self ? b + 1 : 0; p < other->n; p++)
		{
			if (!spq_box_can_match(spec->predicate, &build.box[b]) ||
				!spq_box_can_match(spec->predicate, &other->box[p]) ||
				build.hash[b] != other->hash[p] ||
				!spq_box_related(spec->predicate, spec->distance,
								 &other->box[p], &build.box[b]))
				continue;
			require(seen[b * other->n + p] == 1 ||
					(spec->first_of_probe && probe.accepted[p]) ||
					(spec->first_of_build && build.accepted[b]),
					"build row %d and probe %d are missing", b, p);
		}
		require(build.unmatched[b] ==
				(spec->unmatched_build && !build.accepted[b] &&
				 spq_box_can_match(spec->predicate, &build.box[b])),
				"build row %d is unmatched, or not", b);
	}
	for (int p = 0; p < probe.n && !spec->self; p++)
		require(probe.unmatched[p] ==
				(spec->unmatched_probes && !probe.accepted[p] &&
				 spq_box_can_match(spec->predicate, &probe.box[p])),
				"probe %d is unmatched, or not", p);
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	static const SpqRelation predicates[] = {
		SPQ_BOX_OVERLAPS, SPQ_BOX_CONTAINS, SPQ_BOX_CONTAINED,
		SPQ_BOX_SAME, SPQ_BOX_MEETS, SPQ_BOX_WITHIN
	};
	Input		input = {data, size, 0.0};
	SpqJoinSpec spec = {0};
	SpqJoin    *join;
	uint8		flags = take_byte(&input);
	int			share = take_int(&input, 0, 8);
	int			rounds = take_int(&input, 1, 2);
	int			events = take_byte(&input);

	spec.predicate = predicates[take_int(&input, 0, lengthof(predicates) - 1)];
	spec.memory = flags & 1 ? 64 * 1024 * 1024 : 1;
	spec.hashed = (flags & 2) != 0;
	/* a self-join returns pairs in one order: only for symmetric conditions */
	spec.self = (flags & 4) != 0 && (spec.predicate == SPQ_BOX_OVERLAPS ||
									 spec.predicate == SPQ_BOX_WITHIN);
	spec.unmatched_build = (flags & 8) != 0 && !spec.self;
	spec.unmatched_probes = (flags & 16) != 0 && !spec.self;
	spec.first_of_probe = (flags & 32) != 0 && !spec.self;
	spec.first_of_build = (flags & 64) != 0 && !spec.self;
	if (spec.predicate == SPQ_BOX_WITHIN)
	{
		spec.distance = fabs(take_number(&input));
		if (!(spec.distance > 0 && isfinite(spec.distance)))
			spec.distance = 1.0;
	}
	/* 0 lets the engine choose it from the data */
	spec.tile_size = fabs(take_number(&input));
	if (!(spec.tile_size > 0 && isfinite(spec.tile_size)))
		spec.tile_size = 0;
	if (!(flags & 128) || events > 200)
		events = -1;

	take_side(&input, &build, spec.hashed, spec.self ? 340 : MAX_ROWS);
	take_side(&input, &probe, spec.hashed,
			  spec.self ? 0 : Min(MAX_ROWS, MAX_PAIRS / Max(build.n, 1)));

	join = spq_join_begin(&spec);
	for (int i = 0; i < build.n; i++)
		(void) spq_join_build(join, &build.box[i], build.hash[i], i, NULL, 0);
	spq_join_build_done(join);
	for (int round = 0; round < rounds; round++)
	{
		memset(seen, 0, (size_t) build.n * (spec.self ? build.n : probe.n));
		memset(build.accepted, 0, sizeof(build.accepted));
		memset(probe.accepted, 0, sizeof(probe.accepted));
		memset(build.unmatched, 0, sizeof(build.unmatched));
		memset(probe.unmatched, 0, sizeof(probe.unmatched));
		if (!drive(join, &spec, share, &events))
			break;
		compare(&spec);
		if (spec.self || round + 1 == rounds || !spq_join_restart(join))
			break;
	}
	spq_join_end(join);
	require(stub_contexts == 0 && stub_chunks == 0 && stub_files == 0,
			"%ld contexts, %ld chunks, %ld files are left", stub_contexts,
			stub_chunks, stub_files);
	return 0;
}
