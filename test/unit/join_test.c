/*-------------------------------------------------------------------------
 *
 * join_test.c
 *	  The complete spatial join engine (join/engine/join.h) against the nested
 *	  loop.
 *
 * A run gives rows to the engine, and compares the pairs that it returns with
 * those of spq_box_related().  With the least memory, the build side of a run
 * has many batches, which the test checks.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <float.h>
#include <math.h>

#include "join/engine/join.h"
#include "join/bins/spool.h"
#include "joined.h"
#include "stubs.h"

static const SpqRelation predicates[] = {
	SPQ_BOX_OVERLAPS, SPQ_BOX_CONTAINS, SPQ_BOX_CONTAINED, SPQ_BOX_SAME,
	SPQ_BOX_MEETS, SPQ_BOX_WITHIN
};

#define LEAST_MEMORY	1
#define MUCH_MEMORY		(64 * 1024 * 1024)

typedef enum Kind
{
	UNIFORM,
	CLUSTERED,
	SIZES,						/* of many magnitudes */
	POINTS,						/* on a grid, with duplicates */
	DENSE,						/* hundreds overlap */
	THIN,
	IDENTICAL,
	ONE_OVER_ALL,
	CLOSE,						/* about EPSILON apart */
	ODD,						/* NaN, infinities, denormals, huge */
	SORTED,						/* left to right: early rows are not typical */
	TWO_PLACES,					/* half of them identical */
	KINDS
} Kind;

static const char *const kind_names[] = {
	"uniform", "clustered", "sizes over decades", "points", "dense", "thin",
	"identical", "one over all", "about EPSILON apart", "odd", "sorted",
	"half of them identical"
};

static void
make_boxes(SpqBox *boxes, int count, Kind kind)
{
	for (int i = 0; i < count; i++)
	{
		double		x = drand48() * 1000,
					y = drand48() * 1000,
					width = drand48() * 30,
					height = drand48() * 30,
					z = SPQ_DIM > 2 ? drand48() * 100 : 0,
					depth = SPQ_DIM > 2 ? drand48() * 30 : 0;

		switch (kind)
		{
			case CLUSTERED:
				/* few places, of many sizes */
				{
					double		size = pow(10, -random_int(0, 8));

					x = random_int(0, 3) * 100 + x * size;
					y = random_int(0, 1) * 100 + y * size;
					width *= size;
					height *= size;
					z *= size;
					depth *= size;
				}
				break;
			case SIZES:
				width = exp(drand48() * 25 - 20);
				height = width * drand48();
				depth = height;
				break;
			case POINTS:
				x = random_int(0, 30);
				y = random_int(0, 30);
				width = height = depth = 0;
				z = (int) z % 2;
				break;
			case DENSE:
				width *= 15;
				height *= 15;
				depth *= 15;
				break;
			case THIN:
				*(random_int(0, 1) ? &width : &height) = 0;
				break;
			case IDENTICAL:
				x = y = z = 5;
				width = height = depth = 1;
				break;
			case ONE_OVER_ALL:
				if (i == count / 2)
				{
					x = y = z = -1;
					width = height = depth = 2000;
				}
				break;
			case CLOSE:

				/*
				 * at 1e8, EPSILON is less than a hundred units in the last
				 * place
				 */
				x = random_int(0, 25) + random_int(-5, 5) * EPSILON / 2 +
					(random_int(0, 1) ? 0 : 1e8);
				y = random_int(0, 5) + random_int(-5, 5) * EPSILON / 2;
				width = random_int(0, 1);
				height = random_int(0, 2) + EPSILON;
				z = (int) z % 3 + (int) depth % 5 * EPSILON / 2;
				depth = (int) depth % 2;
				break;
			case SORTED:
				x = i;
				break;
			case TWO_PLACES:
				if (random_int(0, 1))
				{
					x = y = z = 500;
					width = height = depth = 0.1;
				}
				break;
			default:
				break;
		}
		boxes[i] = box_at(x, y, z, width, height, depth);
		if (kind == ODD)
			boxes[i] = odd_box();
	}
}

/*
 * A run: its input, options and results.
 *
 * All rounds of a run have the same build rows; each has its own probes.
 */
typedef struct Run
{
	SpqJoinSpec spec;
	SpqBox	   *build;
	SpqBox	   *probe;
	uint32	   *build_hash;		/* zeros if not hashed */
	uint32	   *probe_hash;
	int			nbuild;
	int			nprobe;
	Kind		kind;
	int			restarts;		/* rounds after the first */
	int			chunk;			/* most probes given at once; 0: random */
	int			accept;			/* percentage of pairs that are accepted */
	int			end_after;		/* end after this many events; -1: never */

	/* results */
	uint64	   *pairs;
	uint64		npairs;
	uint64		capacity;
	uint8	   *build_accepted; /* whether accepted */
	uint8	   *probe_accepted;
	uint8	   *build_unmatched;
	uint8	   *probe_unmatched;
	uint64	   *build_pairs;	/* number of accepted pairs */
	uint64	   *build_counted;	/* the engine's number of them */
	bool	   *build_given;	/* false: the engine rejected it */
	bool	   *probe_given;
	uint64		all_pairs;		/* number in all rounds */
	int			rounds;			/* number of rounds */
	SpqJoinStats stats;
} Run;

static uint64
hash(uint64 x)
{
	x = (x ^ x >> 31) * UINT64CONST(0x9e3779b97f4a7c15);
	return x ^ x >> 29;
}

/* Return whether a pair satisfies the rest of the join condition. */
static bool
acceptable(const Run *run, uint64 build, uint64 probe)
{
	return (int) (hash(build << 32 | probe) % 100) < run->accept;
}

/*
 * Return the length of a row's payload.  A payload starts with the number of
 * the row, which determines the other bytes; that of row 0 is empty.
 */
static Size
payload_length(uint64 row, int side)
{
	if (row == 0)
		return 0;
	return sizeof(uint32) + hash(row * 2 + side) % (row % 50 == 1 ? 3000 : 40);
}

static char *
make_payload(uint64 row, int side)
{
	Size		length = payload_length(row, side);
	char	   *data = malloc(length);
	uint32		number = row;

	if (length > 0)
		memcpy(data, &number, sizeof(number));
	for (Size i = sizeof(number); i < length; i++)
		data[i] = (char) (row * 7 + side + i);
	return data;
}

/* Return the row of a reference that the engine returned. */
static uint64
row_of(uint64 ref, bool payload, int side, int count)
{
	const SpqJoinPayload *p;
	uint32		row = 0;

	if (!payload)
	{
		check(ref >> 40 == (uint64) side + 1, "%lx", (long) ref);
		row = (uint32) ref;
	}
	else
	{
		p = spq_join_payload_of(ref);
		if (p->length > 0)
			memcpy(&row, p->data, sizeof(row));
		check(p->length == payload_length(row, side), "row %u", row);
		if (p->length == payload_length(row, side) && p->length > 0)
		{
			char	   *expected = make_payload(row, side);

			check(memcmp(p->data, expected, p->length) == 0, "row %u", row);
			free(expected);
		}
	}
	check(row < (uint32) count, "row %u of %d", row, count);
	return row < (uint32) count ? row : 0;
}

static bool
give(SpqJoin *join, const Run *run, int row, int side)
{
	bool		payload = side ? run->spec.probe_payload : run->spec.build_payload;
	char	   *data = payload ? make_payload(row, side) : NULL;
	uint64		ref = payload ? 12345 : (uint64) (side + 1) << 40 | row;
	Size		length = payload ? payload_length(row, side) : 0;
	bool		result;

	result = side ?
		spq_join_probe(join, &run->probe[row], run->probe_hash[row], ref, data, length) :
		spq_join_build(join, &run->build[row], run->build_hash[row], ref, data, length);
	free(data);
	return result;
}

static void
note_pair(Run *run, uint64 build, uint64 probe)
{
	if (run->npairs == run->capacity)
	{
		run->capacity = Max(1024, run->capacity * 2);
		run->pairs = realloc(run->pairs, run->capacity * sizeof(uint64));
	}
	run->pairs[run->npairs++] = build << 32 | probe;
}

static int
compare_pairs(const void *a, const void *b)
{
	uint64		x = *(const uint64 *) a,
				y = *(const uint64 *) b;

	return x < y ? -1 : x > y ? 1 : 0;
}

/* Say that some rows take much memory of ours. */
static Size
kept_of(const void *payload, const void *argument)
{
	return *(const unsigned char *) payload % 3 * 1000;
}

static void
describe(const Run *run, const char *text, uint64 build, uint64 probe)
{
	printf("# %s: build row %lu of %d, probe %lu of %d, predicate %d, distance %g, "
		   "memory %lu, tile size %g,%s%s%s%s%s%s%s%s%s%s%s round %d, %u batches\n", text,
		   (long) build, run->nbuild, (long) probe, run->nprobe,
		   run->spec.predicate, run->spec.distance,
		   (long) run->spec.memory, run->spec.tile_size,
		   run->spec.self ? " self," : "",
		   run->spec.build_payload ? " build payload," : "",
		   run->spec.kept ? " kept," : "",
		   run->spec.probe_payload ? " probe payload," : "",
		   run->spec.unmatched_build ? " unmatched build," : "",
		   run->spec.unmatched_probes ? " unmatched probes," : "",
		   run->spec.first_of_probe ? " first of probe," : "",
		   run->spec.first_of_build ? " first of build," : "",
		   run->spec.count_build ? " count build," : "",
		   run->spec.accept_all ? " accept all," : "",
		   run->spec.hashed ? " hashed," : "", run->rounds,
		   run->stats.batches);
}

/* Compare the pairs with those of a nested loop. */
static void
compare_with_loop(Run *run)
{
	const SpqJoinSpec *spec = &run->spec;
	uint64		expected = 0;
	uint64		n = 0;
	bool		ok = true;
	int			nprobe = spec->self ? run->nbuild : run->nprobe;
	const SpqBox *probes = spec->self ? run->build : run->probe;
	const uint32 *probe_hash = spec->self ? run->build_hash : run->probe_hash;

	if (spec->self)
	{
		/* the pair may be in either order */
		for (uint64 i = 0; i < run->npairs; i++)
		{
			uint64		a = run->pairs[i] >> 32,
						b = (uint32) run->pairs[i];

			check(a != b, "row %lu with itself", (long) a);
			run->pairs[i] = Min(a, b) << 32 | Max(a, b);
		}
	}
	qsort(run->pairs, run->npairs, sizeof(uint64), compare_pairs);

	for (uint64 build = 0; build < (uint64) run->nbuild && ok; build++)
	{
		if (!spq_box_can_match(spec->predicate, &run->build[build]))
			continue;
		for (uint64 probe = spec->self ? build + 1 : 0; probe < (uint64) nprobe; probe++)
		{
			uint64		pair = build << 32 | probe;

			if (!spq_box_can_match(spec->predicate, &probes[probe]) ||
				!spq_box_related(spec->predicate, spec->distance, &probes[probe],
								 &run->build[build]) ||
				run->build_hash[build] != probe_hash[probe])
				continue;
			expected++;
			if (n < run->npairs && run->pairs[n] == pair)
			{
				n++;
				continue;
			}
			/* the engine omits pairs after an accepted one */
			if ((spec->first_of_probe && run->probe_accepted[probe]) ||
				(spec->first_of_build && run->build_accepted[build]))
				continue;
			describe(run, n < run->npairs && run->pairs[n] < pair ?
					 "a wrong pair, before this" : "a pair is missing", build, probe);
			ok = false;
			break;
		}
	}
	if (ok && n < run->npairs)
	{
		describe(run, "a wrong pair, or one twice",
				 run->pairs[n] >> 32, (uint32) run->pairs[n]);
		ok = false;
	}
	check(ok, "%lu pairs, expected were %lu", (long) run->npairs, (long) expected);
}

/* Count the pairs of each build row by a nested loop, as the accepted ones. */
static void
count_by_loop(Run *run)
{
	for (int build = 0; build < run->nbuild; build++)
	{
		for (int probe = 0; probe < run->nprobe; probe++)
			run->build_pairs[build] += spq_box_can_match(run->spec.predicate, &run->build[build]) &&
				spq_box_can_match(run->spec.predicate, &run->probe[probe]) &&
				spq_box_related(run->spec.predicate, run->spec.distance, &run->probe[probe],
								&run->build[build]);
		run->all_pairs += run->build_pairs[build];
		run->build_accepted[build] = run->build_pairs[build] > 0;
	}
}

/* Compare the pairs, or only their numbers, with those of a nested loop. */
static void
compare_counts(Run *run)
{
	if (run->spec.accept_all)
		count_by_loop(run);
	else
		compare_with_loop(run);
	for (int build = 0; build < run->nbuild; build++)
	{
		uint64		expected = run->spec.count_build ? run->build_pairs[build] : 0;

		if (run->build_counted[build] == expected)
			continue;
		describe(run, "a wrong count", build, 0);
		check(false, "counted %lu, expected %lu", (long) run->build_counted[build], (long) expected);
		return;
	}
	check(true, "counts");
}

/* Compare the rows without an accepted pair with the expected ones. */
static void
compare_unmatched(Run *run)
{
	const SpqJoinSpec *spec = &run->spec;
	bool		all_accepted = true;

	for (int build = 0; build < run->nbuild; build++)
	{
		bool		given = spq_box_can_match(spec->predicate, &run->build[build]);

		check(run->build_given[build] == given, "build row %d", build);
		check(run->build_unmatched[build] ==
			  (given && spec->unmatched_build && !run->build_accepted[build]),
			  "build row %d, accepted %d, unmatched %d, %u batches, predicate %d",
			  build, run->build_accepted[build], run->build_unmatched[build],
			  run->stats.batches, spec->predicate);
	}
	if (spec->self)
		return;
	for (int build = 0; build < run->nbuild; build++)
		all_accepted &= run->build_accepted[build] != 0 || !run->build_given[build];
	for (int probe = 0; probe < run->nprobe; probe++)
	{
		bool		given = spq_box_can_match(spec->predicate, &run->probe[probe]);

		/*
		 * the engine need not ask for probes if no build row can match any
		 * more
		 */
		check(run->probe_given[probe] == given ||
			  (!run->probe_given[probe] && !spec->unmatched_probes &&
			   (run->npairs == 0 || (spec->first_of_build && all_accepted))),
			  "probe %d", probe);
		check(run->probe_unmatched[probe] ==
			  (given && spec->unmatched_probes && !run->probe_accepted[probe]),
			  "probe %d, accepted %d, unmatched %d, %u batches, predicate %d",
			  probe, run->probe_accepted[probe], run->probe_unmatched[probe],
			  run->stats.batches, spec->predicate);
	}
}

/* Make the probes of a round. */
static void
make_probes(Run *run)
{
	/* most runs have similar sides, with some probes close to build rows */
	make_boxes(run->probe, run->nprobe, random_int(0, 3) ? run->kind : ONE_OVER_ALL);
	for (int i = 0; i < run->nprobe && run->nbuild > 0; i++)
	{
		if (random_int(0, 3) == 0)
		{
			int			row = random_int(0, run->nbuild - 1);

			run->probe[i] = run->build[row];
			if (random_int(0, 1))
				high(&run->probe[i])[0] += drand48() * 3;
			if (random_int(0, 1))
				low(&run->probe[i])[SPQ_DIM - 1] -= EPSILON;
		}
	}
}

/* Take a pair that the engine has returned; accept it, if that is allowed. */
static void
take_pair(Run *run, SpqJoin *join, const SpqJoinPair *pair, bool accept)
{
	const SpqJoinSpec *spec = &run->spec;
	uint64		build = row_of(pair->build, spec->build_payload, 0, run->nbuild),
				probe;

	/* in a self-join, both sides are build rows */
	probe = spec->self ?
		row_of(pair->probe, spec->build_payload, 0, run->nbuild) :
		row_of(pair->probe, spec->probe_payload, 1, run->nprobe);
	run->all_pairs++;
	check(memcmp(pair->build_box, &run->build[build], sizeof(SpqBox)) == 0 &&
		  memcmp(pair->probe_box, spec->self ? &run->build[probe] : &run->probe[probe],
				 sizeof(SpqBox)) == 0, "the boxes of a pair");

	/*
	 * hashes are stored in fewer bits, so a few pairs of rows with different
	 * hashes are returned; ignore them
	 */
	if (run->build_hash[build] !=
		(spec->self ? run->build_hash : run->probe_hash)[probe])
	{
		check(spec->hashed && (run->build_hash[build] ^ (spec->self ?
														 run->build_hash : run->probe_hash)[probe]) >> 8 == 0,
			  "rows of different keys");
		return;
	}
	note_pair(run, build, probe);
	check(!spec->first_of_probe || run->probe_accepted[probe] == 0,
		  "probe %lu comes after it was accepted", (long) probe);
	check(!spec->first_of_build || run->build_accepted[build] == 0,
		  "build row %lu comes after it was accepted", (long) build);
	if (accept && acceptable(run, build, probe))
	{
		spq_join_accept(join);
		run->build_accepted[build] = 1;
		run->build_pairs[build]++;
		run->probe_accepted[probe] = 1;
	}
}

/*
 * Give probes and take events until the end, or until *events of them if that
 * is not negative.  Return false if the end was not reached.
 */
static bool
drive_probes(Run *run, SpqJoin *join, int *events)
{
	const SpqJoinSpec *spec = &run->spec;
	SpqJoinPair pair;
	SpqJoinEvent event;
	int			row = 0;
	bool		done = false;
	int			nprobe = spec->self ? run->nbuild : run->nprobe;

	/* if nothing depends on what is accepted, take several pairs at a time */
	const bool	several = !spec->unmatched_build && !spec->unmatched_probes &&
		!spec->first_of_probe && !spec->first_of_build && !spec->count_build && random_int(0, 1);

	for (;;)
	{
		uint64		build = 0,
					probe = 0;

		if (*events >= 0 && (*events)-- == 0)
			return false;
		event = spq_join_next(join, &pair);
		if (event == SPQ_JOIN_END)
			break;
		switch (event)
		{
			case SPQ_JOIN_PAIR:
				check(!spec->accept_all, "all pairs are accepted");
				take_pair(run, join, &pair, !several);
				if (several && random_int(0, 3))
				{
					SpqJoinPair more[300];
					uint32		room = random_int(0, 1) ? 300 : random_int(0, 3),
								n = spq_join_more(join, more, room);

					check(n <= room, "%u pairs for a room of %u", n, room);
					for (uint32 i = 0; i < n; i++)
						take_pair(run, join, &more[i], false);
				}
				break;
			case SPQ_JOIN_UNMATCHED_BUILD:
				build = row_of(pair.build, spec->build_payload, 0, run->nbuild);
				check(spec->unmatched_build, "nobody asked");
				check(run->build_unmatched[build]++ == 0, "row %lu again", (long) build);
				break;
			case SPQ_JOIN_COUNTED_BUILD:
				build = row_of(pair.build, spec->build_payload, 0, run->nbuild);
				check(spec->count_build, "nobody asked");
				check(pair.probe > 0 && run->build_counted[build] == 0, "row %lu again", (long) build);
				run->build_counted[build] = pair.probe;
				break;
			case SPQ_JOIN_UNMATCHED_PROBE:
				probe = row_of(pair.probe, spec->probe_payload, 1, nprobe);
				check(spec->unmatched_probes, "nobody asked");
				check(run->probe_unmatched[probe]++ == 0, "row %lu again", (long) probe);
				break;
			case SPQ_JOIN_WANTS_PROBES:
				check(!done && !spec->self, "there are no probes");
				check(spq_join_room(join) > 0, "no room");
				/* the first block is small, also after a restart */
				check(row > 0 || spq_join_room(join) <= 1024, "room for %u",
					  spq_join_room(join));
				for (int n = run->chunk ? run->chunk : random_int(0, 700);
					 n > 0 && row < run->nprobe && spq_join_room(join) > 0; n--)
				{
					run->probe_given[row] = give(join, run, row, 1);
					row++;
				}
				/* say so with the last rows, or when next asked */
				if (row == run->nprobe && random_int(0, 1))
				{
					spq_join_probes_done(join);
					done = true;
				}
				break;
			default:
				check(false, "event %d", event);
				break;
		}
	}
	check(spq_join_next(join, &pair) == SPQ_JOIN_END, "the end is no end");
	return true;
}

/* Discard the results of a round, and make new probes. */
static void
new_round(Run *run)
{
	run->npairs = 0;
	memset(run->build_accepted, 0, run->nbuild);
	memset(run->build_unmatched, 0, run->nbuild);
	memset(run->build_pairs, 0, run->nbuild * sizeof(uint64));
	memset(run->build_counted, 0, run->nbuild * sizeof(uint64));
	memset(run->probe_accepted, 0, run->nprobe);
	memset(run->probe_unmatched, 0, run->nprobe);
	memset(run->probe_given, 0, run->nprobe * sizeof(bool));
	make_probes(run);
}

/*
 * Drive the engine.  Return false if the run ended early; otherwise the caller
 * compares the results of the last round.
 */
static bool
drive(Run *run)
{
	SpqJoin    *join = spq_join_begin(&run->spec);
	int			events = run->end_after;
	bool		ended = false;

	for (int i = 0; i < run->nbuild; i++)
	{
		if (run->end_after >= 0 && events-- == 0)
		{
			ended = true;
			break;
		}
		run->build_given[i] = give(join, run, i, 0);
	}
	if (!ended)
	{
		spq_join_build_done(join);
		run->rounds = 1;
		for (; run->restarts > 0; run->restarts--)
		{
			/* leave some rounds unfinished, or not even begun */
			int			few = random_int(0, 1) ? -1 : random_int(0, 2) * random_int(0, 2000);

			if (drive_probes(run, join, &few))
			{
				compare_counts(run);
				compare_unmatched(run);
			}
			check(spq_join_restart(join) == (spq_join_stats(join)->batches == 1),
				  "%u batches", spq_join_stats(join)->batches);
			if (spq_join_stats(join)->batches > 1)
			{
				ended = true;
				break;
			}
			run->rounds++;
			new_round(run);
		}
	}
	if (!ended)
		ended = !drive_probes(run, join, &events);
	run->stats = *spq_join_stats(join);
	spq_join_end(join);
	check(stub_chunks == 0 && stub_contexts == 0 && stub_files == 0,
		  "left: %ld chunks, %ld contexts, %ld files",
		  stub_chunks, stub_contexts, stub_files);
	return !ended;
}

static void
new_run(Run *run, Kind kind, SpqRelation predicate, int nbuild, int nprobe,
		Size memory)
{
	memset(run, 0, sizeof(Run));
	run->spec.predicate = predicate;
	run->kind = kind;
	if (predicate == SPQ_BOX_WITHIN)
	{
		const double distances[] = {1, 5, 5, 0.1, 1e-7, 5e-324, 30};

		run->spec.distance = distances[random_int(0, lengthof(distances) - 1)];
		if (kind == ODD && random_int(0, 1))
			run->spec.distance = random_int(0, 1) ? 1e300 : DBL_MAX;
	}
	run->spec.tile_size = random_int(0, 2) == 0 ? exp(drand48() * 10 - 5) : 0;
	run->spec.memory = memory;
	run->nbuild = nbuild;
	run->nprobe = nprobe;
	run->accept = 50;
	run->end_after = -1;
	run->build = malloc(nbuild * sizeof(SpqBox));
	run->probe = malloc(nprobe * sizeof(SpqBox));
	make_boxes(run->build, nbuild, kind);
	make_probes(run);
	run->build_hash = calloc(nbuild, sizeof(uint32));
	run->probe_hash = calloc(nprobe, sizeof(uint32));
	run->build_accepted = calloc(nbuild, 1);
	run->build_unmatched = calloc(nbuild, 1);
	run->build_pairs = calloc(nbuild, sizeof(uint64));
	run->build_counted = calloc(nbuild, sizeof(uint64));
	run->build_given = calloc(nbuild, sizeof(bool));
	/* in a self-join, the probes' arrays are indexed by build rows */
	nprobe = Max(nprobe, nbuild);
	run->probe_accepted = calloc(nprobe, 1);
	run->probe_unmatched = calloc(nprobe, 1);
	run->probe_given = calloc(nprobe, sizeof(bool));
}

/*
 * Make a run a hashed join: with few keys or many, whose hashes are well mixed
 * or adjacent.  Some probes have a hash that no build row has.
 */
static void
make_keys(Run *run)
{
	static const int most[] = {1, 2, 5, 30, 200, 1000, 100000};
	int			keys = most[random_int(0, lengthof(most) - 1)];
	bool		mixed = random_int(0, 1);
	int			skew = random_int(0, 2);

	run->spec.hashed = true;
	for (int side = 0; side < 2; side++)
	{
		uint32	   *hashes = side ? run->probe_hash : run->build_hash;
		int			count = side ? run->nprobe : run->nbuild;

		for (int i = 0; i < count; i++)
		{
			uint32		key = random_int(0, keys - 1);

			/* most rows have the same key */
			if (skew == 0 && random_int(0, 3))
				key = keys / 2;
			hashes[i] = mixed ? (uint32) (hash(key) >> 7) : PG_UINT32_MAX - 57 * key;
		}
	}
}

static void
free_run(Run *run)
{
	free(run->build);
	free(run->probe);
	free(run->build_hash);
	free(run->probe_hash);
	free(run->build_accepted);
	free(run->build_unmatched);
	free(run->build_pairs);
	free(run->build_counted);
	free(run->build_given);
	free(run->probe_accepted);
	free(run->probe_unmatched);
	free(run->probe_given);
	free(run->pairs);
}

/* Drive the engine; check the results and statistics.  Free the run. */
static void
finish_run(Run *run)
{
	if (drive(run))
	{
		uint64		npairs;

		compare_counts(run);
		compare_unmatched(run);
		npairs = run->all_pairs;

		/* an unfinished round may have matches that were not returned */
		check(run->rounds > 1 ? run->stats.matches >= npairs :
			  run->stats.matches == npairs, "%lu pairs, but %lu matches",
			  (long) npairs, (long) run->stats.matches);
		check(run->stats.candidates >= run->stats.matches, "%lu candidates",
			  (long) run->stats.candidates);
		check(run->stats.build_rows == (uint64) run->nbuild, "%lu build rows",
			  (long) run->stats.build_rows);
	}
	free_run(run);
}

static void
test_pairs(void)
{
	static const int sizes[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 64, 100, 600};
	Run			run;

	for (int i = 0; i < cases(700); i++)
	{
		new_run(&run, random_int(0, KINDS - 1), predicates[random_int(0, 4)],
				sizes[random_int(0, lengthof(sizes) - 1)],
				sizes[random_int(0, lengthof(sizes) - 1)],
				MUCH_MEMORY);
		run.chunk = random_int(0, 2) * 50;
		finish_run(&run);
		check(run.stats.batches == 1, "%u batches", run.stats.batches);
	}
	finish_test("small joins of all sizes");

	for (Kind kind = 0; kind < KINDS; kind++)
	{
		char		name[100];

		for (int i = 0; i < (int) lengthof(predicates); i++)
		{
			/* identical boxes give many pairs */
			int			most = kind == IDENTICAL || kind == TWO_PLACES ||
				kind == DENSE ? 300 : 900;

			new_run(&run, kind, predicates[i], most, most, MUCH_MEMORY);
			run.chunk = i % 2 ? 100000 : 0;
			finish_run(&run);
			check(run.stats.batches == 1, "%u batches", run.stats.batches);
			check(run.npairs > 0, "no pairs");
		}
		snprintf(name, sizeof(name), "pairs, in memory: %s", kind_names[kind]);
		finish_test(name);
	}

	/* several blocks of probes, and buffers of matches */
	new_run(&run, CLUSTERED, SPQ_BOX_OVERLAPS, 800, 7000, MUCH_MEMORY);
	finish_run(&run);
	new_run(&run, UNIFORM, SPQ_BOX_WITHIN, 7000, 800, MUCH_MEMORY);
	run.spec.distance = 20;
	finish_run(&run);
	finish_test("pairs, in memory: a large side");
}

static void
test_spilled_pairs(void)
{
	Run			run;

	for (Kind kind = 0; kind < KINDS; kind++)
	{
		char		name[100];

		for (int i = 0; i < (int) lengthof(predicates); i++)
		{
			int			nbuild = kind == IDENTICAL ? 600 : 1400,
						nprobe = kind == IDENTICAL ? 200 : 500;

			new_run(&run, kind, predicates[i], nbuild, nprobe, LEAST_MEMORY);
			run.spec.tile_size = 0;
			finish_run(&run);
			check(run.stats.batches > (kind == IDENTICAL ? 1 : 2), "%u batches",
				  run.stats.batches);
			check(run.npairs > 0, "no pairs");
		}
		snprintf(name, sizeof(name), "pairs, in batches: %s", kind_names[kind]);
		finish_test(name);
	}

	/* later rows are elsewhere, so bins must be divided again */
	new_run(&run, SORTED, SPQ_BOX_OVERLAPS, 12000, 300, LEAST_MEMORY);
	run.spec.tile_size = 0;
	finish_run(&run);
	check(run.stats.bins > 32 && run.stats.batches > 8, "%u bins, %u batches",
		  run.stats.bins, run.stats.batches);
	finish_test("pairs, in batches: bins divided again");

	/*
	 * files have buffers, so their number stays small even with little memory
	 */
	new_run(&run, UNIFORM, SPQ_BOX_OVERLAPS, 40000, 300, LEAST_MEMORY);
	run.spec.tile_size = 0;
	finish_run(&run);
	check(run.stats.bins < 100 && run.stats.batches > 8, "%u bins, %u batches",
		  run.stats.bins, run.stats.batches);
	finish_test("pairs, in batches: few files for little memory");

	/* tiles so large that nothing can be divided */
	new_run(&run, UNIFORM, SPQ_BOX_OVERLAPS, 1500, 1500, LEAST_MEMORY);
	run.spec.tile_size = 1e6;
	finish_run(&run);
	check(run.stats.batches > 1, "%u batches", run.stats.batches);
	finish_test("pairs, in batches: one tile");

	/* intermediate amounts of memory */
	for (int i = 0; i < cases(40); i++)
	{
		Kind		kind = random_int(0, KINDS - 1);

		new_run(&run, kind == IDENTICAL ? UNIFORM : kind, predicates[random_int(0, 4)],
				random_int(0, 1500), random_int(0, 500), 1 << random_int(10, 20));
		run.chunk = random_int(0, 2) * 77;
		finish_run(&run);
	}
	finish_test("pairs, any memory");
}

static void
test_self(void)
{
	static const SpqRelation symmetric[] = {
		SPQ_BOX_OVERLAPS, SPQ_BOX_SAME, SPQ_BOX_MEETS, SPQ_BOX_WITHIN
	};
	Run			run;

	for (int spilled = 0; spilled <= 1; spilled++)
	{
		for (Kind kind = 0; kind < KINDS; kind++)
		{
			for (int i = 0; i < (int) lengthof(symmetric); i++)
			{
				int			count = kind == IDENTICAL ? 600 : 1300;

				if (random_int(0, 3) == 0 && !spilled)
					count = random_int(0, 100);
				new_run(&run, kind, symmetric[i], count, 0,
						spilled ? LEAST_MEMORY : MUCH_MEMORY);
				run.spec.self = true;
				if (spilled)
					run.spec.tile_size = 0;
				run.spec.build_payload = random_int(0, 1);
				finish_run(&run);
				check(spilled ? run.stats.batches > 1 : run.stats.batches == 1,
					  "%u batches", run.stats.batches);
			}
		}
		if (!spilled)
		{
			/* more than the first block */
			new_run(&run, CLUSTERED, SPQ_BOX_OVERLAPS, 3000, 0, MUCH_MEMORY);
			run.spec.self = true;
			finish_run(&run);
		}
		finish_test(spilled ? "join with itself, in batches" :
					"join with itself, in memory");
	}
}

/* Test payloads and marks, in all combinations. */
static void
test_options(void)
{
	Run			run;

	for (int spilled = 0; spilled <= 1; spilled++)
	{
		int			many_batches = 0;

		for (int options = 0; options < 64 * 4; options++)
		{
			Kind		kind = random_int(0, KINDS - 1);
			bool		alike = kind == IDENTICAL;

			new_run(&run, kind, predicates[random_int(0, 4)],
					spilled ? (alike ? 600 : 1200) : random_int(0, 400),
					random_int(0, alike ? 100 : 400),
					spilled ? LEAST_MEMORY : MUCH_MEMORY);
			run.spec.build_payload = options & 1;
			run.spec.probe_payload = (options & 2) != 0;
			run.spec.unmatched_build = (options & 4) != 0;
			run.spec.unmatched_probes = (options & 8) != 0;
			run.spec.first_of_probe = (options & 16) != 0;
			run.spec.first_of_build = (options & 32) != 0;
			if (run.spec.build_payload && random_int(0, 1))
				run.spec.kept = kept_of;
			run.accept = random_int(0, 3) ? random_int(1, 100) : 100 * random_int(0, 1);
			run.chunk = random_int(0, 2) * 30;
			finish_run(&run);
			if (run.stats.batches > 2)
				many_batches++;
		}
		check(spilled ? many_batches > 64 : many_batches == 0, "%d", many_batches);
		finish_test(spilled ? "payloads, unmatched rows, first accepted, in batches" :
					"payloads, unmatched rows, first accepted, in memory");
	}

	/* one side or both are empty */
	for (int options = 0; options < 64; options++)
	{
		for (int side = 0; side < 3; side++)
		{
			new_run(&run, UNIFORM, predicates[random_int(0, 4)],
					side == 0 ? 0 : side == 1 ? 50 : 1000, side == 0 ? 3000 : 0,
					LEAST_MEMORY);
			run.spec.build_payload = options & 1;
			run.spec.probe_payload = (options & 2) != 0;
			run.spec.unmatched_build = (options & 4) != 0;
			run.spec.unmatched_probes = (options & 8) != 0;
			run.spec.first_of_probe = (options & 16) != 0;
			run.spec.first_of_build = (options & 32) != 0;
			finish_run(&run);
		}
	}
	finish_test("one side empty");
}

/* Let the engine count pairs, those that are accepted or all. */
static void
choose_counts(Run *run, int options)
{
	run->spec.build_payload = options & 1;
	run->spec.probe_payload = (options & 2) != 0;
	run->spec.unmatched_build = (options & 4) != 0;
	run->spec.count_build = true;
	if (options & 8)
		run->spec.accept_all = true;
	else if (random_int(0, 1))
		make_keys(run);
	run->accept = random_int(0, 3) ? random_int(1, 100) : 100 * random_int(0, 1);
}

static void
test_counts(void)
{
	Run			run;

	for (int i = 0; i < cases(16 * 8); i++)
	{
		Kind		kind = random_int(0, KINDS - 1);
		bool		alike = kind == IDENTICAL,
					spilled = i / 16 % 2;

		new_run(&run, kind, predicates[random_int(0, 4)],
				spilled ? (alike ? 600 : 1200) : random_int(0, 400), random_int(0, alike ? 100 : 700),
				spilled ? LEAST_MEMORY : MUCH_MEMORY);
		choose_counts(&run, i);
		run.restarts = spilled ? 0 : random_int(0, 2);
		run.chunk = random_int(0, 2) * 30;
		finish_run(&run);
	}
	finish_test("counts of build rows");
}

/* Test several sets of probes with the same build side. */
static void
test_restart(void)
{
	Run			run;

	for (int options = 0; options < 64 * 3; options++)
	{
		new_run(&run, random_int(0, KINDS - 1), predicates[random_int(0, 4)],
				random_int(0, 300), random_int(0, options % 16 ? 500 : 3000), MUCH_MEMORY);
		run.spec.build_payload = options & 1;
		run.spec.probe_payload = (options & 2) != 0;
		run.spec.unmatched_build = (options & 4) != 0;
		run.spec.unmatched_probes = (options & 8) != 0;
		run.spec.first_of_probe = (options & 16) != 0;
		run.spec.first_of_build = (options & 32) != 0;
		run.restarts = random_int(1, 4);
		if (random_int(0, 1))
			make_keys(&run);
		finish_run(&run);
		check(run.rounds > 1, "%d rounds", run.rounds);
	}
	/* a build side in batches cannot be restarted */
	for (int i = 0; i < 10; i++)
	{
		new_run(&run, UNIFORM, SPQ_BOX_OVERLAPS, 1000, 300, LEAST_MEMORY);
		run.restarts = 1;
		finish_run(&run);
		check(run.rounds == 1 && run.stats.batches > 1, "%d rounds", run.rounds);
	}
	finish_test("restart: other probes, same build side");
}

static void
test_keyed(void)
{
	Run			run;

	for (int i = 0; i < cases(500); i++)
	{
		new_run(&run, random_int(0, KINDS - 1), predicates[random_int(0, 4)],
				random_int(0, 800), random_int(0, 800), MUCH_MEMORY);
		make_keys(&run);
		run.chunk = random_int(0, 2) * 50;
		finish_run(&run);
	}
	finish_test("hashed, in memory");

	for (int i = 0; i < 20; i++)
	{
		/* groups large enough for tiles and directory levels of their own */
		new_run(&run, i % 2 ? CLUSTERED : UNIFORM, predicates[i / 2 % 5], 9000, 300,
				MUCH_MEMORY);
		make_keys(&run);
		finish_run(&run);
	}
	finish_test("hashed, in memory: a large side");

	for (int i = 0; i < 100; i++)
	{
		Kind		kind = random_int(0, KINDS - 1);

		new_run(&run, kind, predicates[random_int(0, 4)], 1200, 400, LEAST_MEMORY);
		make_keys(&run);
		run.spec.unmatched_build = random_int(0, 1);
		run.spec.unmatched_probes = random_int(0, 1);
		run.spec.probe_payload = random_int(0, 1);
		finish_run(&run);
		check(run.stats.batches > 1, "%u batches", run.stats.batches);
	}
	finish_test("hashed, in batches");

	/* all boxes are equal, so only the hash divides them */
	for (int i = 0; i < 5; i++)
	{
		new_run(&run, IDENTICAL, SPQ_BOX_OVERLAPS, 3000, 300, LEAST_MEMORY);
		run.spec.hashed = true;
		for (int row = 0; row < 3000; row++)
			run.build_hash[row] = (uint32) hash(row % 1000);
		for (int row = 0; row < 300; row++)
		{
			run.probe[row] = run.build[0];
			run.probe_hash[row] = (uint32) hash(row * 2);
		}
		finish_run(&run);
		check(run.npairs == 900, "%lu pairs", (long) run.npairs);
		check(run.stats.bins > 8 && run.stats.probe_copies < 400,
			  "%u bins, %lu copies", run.stats.bins, (long) run.stats.probe_copies);
		/* the sweep compares only pairs of equal hashes */
		check(run.stats.candidates < 1000, "%lu candidates", (long) run.stats.candidates);
	}
	finish_test("hashed, all boxes in one place");

	for (int i = 0; i < cases(60); i++)
	{
		new_run(&run, random_int(0, KINDS - 1), i % 3 ? SPQ_BOX_OVERLAPS : SPQ_BOX_SAME,
				i % 2 ? 1200 : random_int(0, 1200), 0, i % 2 ? LEAST_MEMORY : MUCH_MEMORY);
		run.spec.self = true;
		run.spec.build_payload = random_int(0, 1);
		make_keys(&run);
		finish_run(&run);
	}
	finish_test("hashed, join with itself");
}

/*
 * Test marks in joins with more rows than a block of probes: batches joined in
 * pieces, and probes that occur in several blocks and batches, must keep their
 * marks.
 */
static void
test_marks(void)
{
	for (int i = 0; i < 24; i++)
	{
		Run			run;

		new_run(&run, i % 3 == 0 ? TWO_PLACES : i % 3 == 1 ? IDENTICAL : UNIFORM,
				i % 2 ? SPQ_BOX_WITHIN : SPQ_BOX_OVERLAPS, 1000,
				i % 3 == 1 ? 100 : 600, LEAST_MEMORY);
		if (i % 3 == 2 && i % 2)
			run.spec.distance = 200;
		run.spec.unmatched_build = run.spec.unmatched_probes = true;
		run.spec.first_of_probe = i >= 12;

		/*
		 * accept so few that most probes match only in a late batch, or never
		 */
		run.accept = i / 3 % 2;
		run.spec.probe_payload = random_int(0, 1);
		finish_run(&run);
		check(run.stats.batches > 1, "%u batches", run.stats.batches);
		check(run.stats.probe_copies > run.stats.probe_rows, "%lu copies of %lu probes",
			  (long) run.stats.probe_copies, (long) run.stats.probe_rows);
	}
	finish_test("marks last from batch to batch");
}

/*
 * Test rows with hundreds of matches of which one is enough.  The others are
 * not even candidates: the number of candidates grows with that of rows, not of
 * pairs.
 */
static void
test_dense(void)
{
	for (int i = 0; i < 3 * 3 * 2 * 2; i++)
	{
		Kind		kind = i % 2 ? DENSE : IDENTICAL;
		int			first = i / 2 % 3;
		Size		memory = i / 6 % 3 == 0 ? MUCH_MEMORY :
			i / 6 % 3 == 1 ? LEAST_MEMORY : 128 * 1024;
		int			nbuild = i / 18 ? 1500 : 500,
					nprobe = i / 18 ? 500 : 1500;
		uint64		rows = nbuild + nprobe,
					pairs = 0;
		Run			run;

		for (int accept = 100; accept >= 50; accept -= 50)
		{
			new_run(&run, kind, SPQ_BOX_OVERLAPS, nbuild, nprobe, memory);
			make_boxes(run.probe, nprobe, kind);
			run.spec.tile_size = 0;
			run.spec.first_of_probe = first != 1;
			run.spec.first_of_build = first != 0;
			run.spec.unmatched_build = first == 1 && random_int(0, 1);
			run.spec.unmatched_probes = first == 0 && random_int(0, 1);
			run.spec.build_payload = random_int(0, 1);
			run.spec.probe_payload = random_int(0, 1);
			run.accept = accept;
			finish_run(&run);
			pairs = kind == IDENTICAL ? (uint64) nbuild * nprobe : 0;

			/*
			 * if half of the pairs are accepted, a row needs a few candidates
			 */
			check(run.stats.candidates <= (accept == 100 ? 1 : 4) * rows,
				  "%s: %lu candidates of %d and %d rows, first %d",
				  kind_names[kind], (long) run.stats.candidates, nbuild, nprobe, first);
			check(pairs == 0 || run.stats.candidates < pairs / 50, "%lu candidates",
				  (long) run.stats.candidates);
			check(memory != LEAST_MEMORY || run.stats.batches > 1, "%u batches",
				  run.stats.batches);
			/* a matched probe is not copied to another batch or piece */
			if (kind == IDENTICAL && first == 0 && accept == 100)
				check(run.stats.probe_copies == (uint64) nprobe, "%lu copies",
					  (long) run.stats.probe_copies);

			/*
			 * once all build rows are matched, the engine wants no more
			 * probes
			 */
			if (kind == IDENTICAL && first == 1)
				check(run.stats.probe_rows <= (memory == LEAST_MEMORY ? 256 : 1024),
					  "%lu probes", (long) run.stats.probe_rows);
		}
	}
	finish_test("rows drop out with their first match");
}

static void
test_early_end(void)
{
	for (int i = 0; i < cases(200); i++)
	{
		Run			run;
		bool		self = random_int(0, 3) == 0;
		bool		spilled = random_int(0, 3) != 0;

		new_run(&run, random_int(0, 1) ? TWO_PLACES : UNIFORM, SPQ_BOX_OVERLAPS,
				spilled ? 1000 : 100, self ? 0 : 300, LEAST_MEMORY);
		run.spec.self = self;
		run.spec.build_payload = random_int(0, 1);
		run.spec.probe_payload = random_int(0, 1);
		if (!self)
			run.spec.unmatched_build = run.spec.unmatched_probes = random_int(0, 1);
		/* while rows are given, just after, or while pairs are returned */
		run.end_after = random_int(0, 1) ? random_int(0, 1100) :
			1000 + (1 << random_int(0, 14));
		finish_run(&run);
	}
	check(stub_files_made > 1000, "only %ld files", stub_files_made);
	finish_test("an end at any time leaves nothing behind");
}

/*
 * Test that the memory in use stays near the limit, whatever the input size.
 */
static void
test_memory(void)
{
	for (int i = 0; i < 12; i++)
	{
		const Size	memory = 512 * 1024;
		Run			run;
		long		before = stub_peak_bytes;

		/* points far apart, so few pairs */
		new_run(&run, UNIFORM, SPQ_BOX_SAME, 30000, 0, memory);
		free(run.probe);
		run.nprobe = i % 3 == 0 ? 0 : run.nbuild;
		run.probe = malloc(run.nprobe * sizeof(SpqBox));
		free(run.probe_hash);
		run.probe_hash = calloc(run.nprobe, sizeof(uint32));
		run.spec.hashed = i >= 6;
		for (int row = 0; run.spec.hashed && row < run.nbuild; row++)
		{
			run.build_hash[row] = (uint32) hash(row % 7000);
			if (row < run.nprobe)
				run.probe_hash[row] = run.build_hash[row];
		}
		memcpy(run.probe, run.build, run.nprobe * sizeof(SpqBox));
		run.spec.self = i % 3 == 0;
		run.spec.tile_size = 0;
		run.spec.build_payload = i % 2 || run.spec.self;
		run.spec.probe_payload = i % 2;
		run.spec.unmatched_build = i % 3 == 2;
		stub_peak_bytes = stub_bytes;
		check(drive(&run), "not at the end");
		check(run.stats.batches > 2, "%u batches", run.stats.batches);
		check(run.npairs >= (uint64) run.nprobe, "%lu pairs", (long) run.npairs);
		/* the samples of bins and the buffer of matches have a fixed size */
		check(stub_peak_bytes < (long) (2 * memory + 256 * 1024),
			  "run %d: %ld bytes, allowed are about %ld", i, stub_peak_bytes,
			  (long) memory);
		stub_peak_bytes = before;
		free_run(&run);
	}
	finish_test("memory is about what is allowed");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_pairs();
	test_spilled_pairs();
	test_self();
	test_options();
	test_marks();
	test_counts();
	test_restart();
	test_keyed();
	test_dense();
	test_early_end();
	test_memory();
	return tests_failed > 0;
}
