/*-------------------------------------------------------------------------
 *
 * shared_test.c
 *	  A build side shared by several processes, against the nested loop:
 *	  join/shared/shared.h; and its parts that are independent of processes:
 *	  join/shared/shared_ranges.h.
 *
 * The participants of a run are forked.  Rows of either side go to the first
 * participant that asks for them, as in a parallel scan.  Some participants
 * arrive late, when others have done part or all of the work.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <float.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "join/bins/spool.h"
#include "join/engine/join_state.h"
#include "join/shared/shared.h"
#include "join/shared/shared_ranges.h"
#include "joined.h"
#include "stubs.h"

#define MOST_PARTICIPANTS 4

typedef enum Kind
{
	UNIFORM,
	CLUSTERED,
	SIZES,
	IDENTICAL,
	FAR,						/* one box is far from all others */
	ENDLESS,					/* one box has no end */
	SWAPPED,					/* one has its corners swapped */
	ODD,
	KINDS
} Kind;

static void
make_boxes(SpqBox *boxes, int count, Kind kind)
{
	for (int i = 0; i < count; i++)
	{
		SpqBox	   *box = &boxes[i];
		double		size = kind == SIZES ? exp(drand48() * 12 - 8) : drand48() * 10;

		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			low(box)[axis] = drand48() * 1000;
			if (kind == CLUSTERED)
				low(box)[axis] = random_int(0, axis == 0 ? 3 : 1) * 100 + drand48();
			if (kind == IDENTICAL)
				low(box)[axis] = 1;
		}
		if (kind == CLUSTERED)
			size = drand48() * 0.1;
		if (kind == IDENTICAL)
			size = 1;
		for (int axis = 0; axis < SPQ_DIM && kind == FAR && i == count / 3; axis++)
			low(box)[axis] = 1e9;
		for (int axis = 0; axis < SPQ_DIM; axis++)
			high(box)[axis] = low(box)[axis] + size;
		if (kind == ENDLESS && i == count / 3)
		{
			low(box)[0] = 2000;
			high(box)[0] = HUGE_VAL;
		}
		if (kind == SWAPPED && i == count / 3)
		{
			high(box)[0] = low(box)[0];
			low(box)[0] += 10;
		}
		if (kind == ODD)
			*box = odd_box();
	}
}

/* Make a probe that meets a box, or is beside it. */
static void
make_neighbor(SpqBox *probe, SpqBox *box)
{
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		double		least = Min(low(box)[axis], high(box)[axis]);

		low(probe)[axis] = least - 1 + drand48() * 12;
		high(probe)[axis] = low(probe)[axis] + 2;
	}
}

/* The state that the processes of a run share. */
typedef struct Run
{
	SpqJoinSpec spec;
	int			nparticipants;
	int			nbuild;
	int			nprobe;
	SpqBox	   *build;
	SpqBox	   *probe;
	uint32	   *build_hash;
	uint32	   *probe_hash;
	int			accept;			/* percentage of pairs that are accepted */
	int			delay[MOST_PARTICIPANTS];	/* microseconds before it arrives;
											 * -1: it never does */

	/* results */
	volatile int next_build;
	volatile int next_probe;
	volatile int npairs;
	int			most_pairs;
	uint64	   *pairs;
	uint8	   *probe_accepted;
	uint8	   *probe_unmatched;
	bool		came_late[MOST_PARTICIPANTS];
	bool		wants_tiles[MOST_PARTICIPANTS];
	bool		in_tiles[MOST_PARTICIPANTS];
	SpqJoinStats stats[MOST_PARTICIPANTS];
} Run;

static uint32
mixed(uint32 x)
{
	x = (x ^ x >> 15) * 0x9e3779b9u;
	return (x ^ x >> 13) * 0x85ebca6bu;
}

/*
 * Make the payload of a row: its number, then bytes that depend on it.  Return
 * the length.
 */
static Size
make_payload(char *data, uint32 row)
{
	Size		length = sizeof(row) + mixed(row) % (row % 100 == 7 ? 20000 : 30);

	memcpy(data, &row, sizeof(row));
	memset(data + sizeof(row), (int) (row * 7), length - sizeof(row));
	return length;
}

static uint32
row_of(uint64 ref, bool payload)
{
	static char expected[32768];
	const SpqJoinPayload *p;
	uint32		row;

	if (!payload)
		return (uint32) ref;
	p = spq_join_payload_of(ref);
	memcpy(&row, p->data, sizeof(row));
	check(p->length == make_payload(expected, row) &&
		  memcmp(p->data, expected, p->length) == 0, "row %u", row);
	return row;
}

/* Do the work of a participant, from start to end. */
static void
participate(Run *run, SpqSharedBuild *shared, dsa_area *area, int number)
{
	static char data[32768];
	const SpqJoinSpec *spec = &run->spec;
	SpqJoin    *join;
	SpqJoinPair pair;
	SpqJoinEvent event;

	if (run->delay[number] > 0)
		usleep(run->delay[number]);
	join = spq_join_begin_shared(spec, shared, area, number);
	run->came_late[number] = !spq_join_wants_build(join);
	if (spq_join_wants_build(join))
	{
		int			row;

		while ((row = __sync_fetch_and_add(&run->next_build, 1)) < run->nbuild)
		{
			Size		length = spec->build_payload ? make_payload(data, row) : 0;

			spq_join_build(join, &run->build[row], run->build_hash[row], row, data, length);
		}
	}
	spq_join_build_done(join);
	run->wants_tiles[number] = spq_join_wants_tiles(join);
	run->in_tiles[number] = join->build_is_shared && spq_join_in_tiles(join);

	while ((event = spq_join_next(join, &pair)) != SPQ_JOIN_END)
	{
		if (event == SPQ_JOIN_WANTS_PROBES)
		{
			int			n = random_int(1, 300);

			while (n-- > 0 && spq_join_room(join) > 0)
			{
				int			row = __sync_fetch_and_add(&run->next_probe, 1);
				Size		length;

				if (row >= run->nprobe)
				{
					spq_join_probes_done(join);
					break;
				}
				length = spec->probe_payload ? make_payload(data, row) : 0;
				spq_join_probe(join, &run->probe[row], run->probe_hash[row], row, data, length);
			}
		}
		else if (event == SPQ_JOIN_PAIR)
		{
			uint64		build = row_of(pair.build, spec->build_payload),
						probe = row_of(pair.probe, spec->probe_payload);
			int			n;

			if (run->build_hash[build] != run->probe_hash[probe])
				continue;
			check(!spec->first_of_probe || !run->probe_accepted[probe], "probe again");
			n = __sync_fetch_and_add(&run->npairs, 1);
			if (n < run->most_pairs)
				run->pairs[n] = build << 32 | probe;
			if ((int) (mixed(build * 31 + probe) % 100) < run->accept)
			{
				run->probe_accepted[probe] = 1;
				spq_join_accept(join);
			}
		}
		else
		{
			check(event == SPQ_JOIN_UNMATCHED_PROBE && spec->unmatched_probes, "event");
			run->probe_unmatched[row_of(pair.probe, spec->probe_payload)]++;
		}
	}
	run->stats[number] = *spq_join_stats(join);
	spq_join_end(join);
	check(stub_chunks == 0 && stub_contexts == 0 && stub_files == 0,
		  "left: %ld chunks, %ld contexts, %ld files",
		  stub_chunks, stub_contexts, stub_files);
}

static int
compare_pairs(const void *a, const void *b)
{
	uint64		x = *(const uint64 *) a,
				y = *(const uint64 *) b;

	return x < y ? -1 : x > y ? 1 : 0;
}

static void
compare_with_loop(Run *run)
{
	const SpqJoinSpec *spec = &run->spec;
	int			n = 0;

	check(run->npairs <= run->most_pairs, "%d pairs", run->npairs);
	run->npairs = Min(run->npairs, run->most_pairs);
	qsort(run->pairs, run->npairs, sizeof(uint64), compare_pairs);
	for (uint64 build = 0; build < (uint64) run->nbuild; build++)
	{
		for (uint64 probe = 0; probe < (uint64) run->nprobe; probe++)
		{
			uint64		pair = build << 32 | probe;

			if (run->build_hash[build] != run->probe_hash[probe] ||
				!spq_box_related(spec->predicate, spec->distance, &run->probe[probe],
								 &run->build[build]) ||
				!spq_box_can_match(spec->predicate, &run->probe[probe]) ||
				!spq_box_can_match(spec->predicate, &run->build[build]))
				continue;
			if (n < run->npairs && run->pairs[n] == pair)
				n++;
			else if (!spec->first_of_probe || !run->probe_accepted[probe])
			{
				check(false, "%d build rows, %d probes, predicate %d, memory %ld: "
					  "missing is %d %d, or there is one too many before it",
					  run->nbuild, run->nprobe, spec->predicate, (long) spec->memory,
					  (int) build, (int) probe);
				return;
			}
		}
	}
	check(n == run->npairs, "%d pairs of %d", n, run->npairs);
	for (int probe = 0; probe < run->nprobe; probe++)
		check(run->probe_unmatched[probe] ==
			  (spec->unmatched_probes && !run->probe_accepted[probe] &&
			   spq_box_can_match(spec->predicate, &run->probe[probe])),
			  "probe %d, unmatched %d", probe, run->probe_unmatched[probe]);
}

/* Defined if coverage is measured. */
extern void __gcov_dump(void) __attribute__((weak));

/* Run all participants, each in a process. */
static void
run_participants(Run *run, SpqSharedBuild *shared, dsa_area *area)
{
	uint64		build_rows = 0;

	run->next_build = run->next_probe = run->npairs = 0;
	memset(run->probe_accepted, 0, run->nprobe);
	memset(run->probe_unmatched, 0, run->nprobe);
	memset(run->stats, 0, sizeof(run->stats));
	fflush(stdout);
	for (int i = 0; i < run->nparticipants; i++)
	{
		if (run->delay[i] >= 0 && fork() == 0)
		{
			srand48(seed * 100 + i);
			participate(run, shared, area, i);
			fflush(stdout);
			if (__gcov_dump)
				__gcov_dump();	/* _exit() would not write the counts */
			_exit(checks_failed > 0);
		}
	}
	for (int i = 0; i < run->nparticipants; i++)
	{
		int			status = -1;

		if (run->delay[i] < 0)
			continue;
		wait(&status);
		check(status == 0, "a participant ended with %x", status);
	}
	for (int i = 0; i < run->nparticipants; i++)
		build_rows += run->stats[i].build_rows;
	check(build_rows == (uint64) run->nbuild, "%lu rows", (long) build_rows);
	compare_with_loop(run);
}

static Run *
new_run(dsa_area *area, Kind kind, int nbuild, int nprobe, Size memory)
{
	static const SpqRelation predicates[] = {
		SPQ_BOX_OVERLAPS, SPQ_BOX_CONTAINS, SPQ_BOX_SAME, SPQ_BOX_MEETS, SPQ_BOX_WITHIN
	};
	Run		   *run = stub_area_alloc(area, sizeof(Run));

	run->spec.predicate = predicates[random_int(0, lengthof(predicates) - 1)];
	run->spec.distance = run->spec.predicate == SPQ_BOX_WITHIN ? 1 : 0;
	run->spec.memory = memory;
	run->nparticipants = random_int(1, MOST_PARTICIPANTS);
	run->nbuild = nbuild;
	run->nprobe = nprobe;
	run->accept = random_int(0, 2) * 50;
	run->build = stub_area_alloc(area, nbuild * sizeof(SpqBox));
	run->probe = stub_area_alloc(area, nprobe * sizeof(SpqBox));
	run->build_hash = stub_area_alloc(area, nbuild * sizeof(uint32));
	run->probe_hash = stub_area_alloc(area, nprobe * sizeof(uint32));
	make_boxes(run->build, nbuild, kind);
	make_boxes(run->probe, nprobe, kind);
	for (int i = 0; i < nprobe && nbuild > 0; i++)
	{
		if (random_int(0, 1))
			run->probe[i] = run->build[random_int(0, nbuild - 1)];
		else if ((kind == ENDLESS || kind == SWAPPED) && random_int(0, 1))
			make_neighbor(&run->probe[i], &run->build[nbuild / 3]);
	}
	run->probe_accepted = stub_area_alloc(area, nprobe);
	run->probe_unmatched = stub_area_alloc(area, nprobe);
	run->most_pairs = 4 * 1000 * 1000;
	run->pairs = stub_area_alloc(area, run->most_pairs * sizeof(uint64));
	for (int i = 1; i < run->nparticipants; i++)
		run->delay[i] = random_int(0, 3) == 0 ? -1 :
			random_int(0, 1) * (1 << random_int(0, 16));
	return run;
}

static void
make_keys(Run *run)
{
	int			keys = 1 << random_int(0, 14);

	run->spec.hashed = true;
	for (int i = 0; i < run->nbuild; i++)
		run->build_hash[i] = mixed(random_int(0, keys));
	for (int i = 0; i < run->nprobe; i++)
		run->probe_hash[i] = mixed(random_int(0, keys));
}

/*
 * Return little memory, in which the build side just fits, or fits easily.
 */
static Size
little_memory(const Run *run)
{
	double		needed = (double) run->nbuild * SPQ_JOIN_ITEM_BYTES / run->nparticipants;

	return (Size) (needed * (1.15 + drand48() * 0.4) + 65536);
}

static void
test_shared(bool spilled)
{
	long		pairs = 0,
				late = 0,
				tiled = 0,
				late_tiled = 0,
				not_tiled = 0;

	for (int i = 0; i < cases(60); i++)
	{
		dsa_area   *area = stub_area_begin();
		bool		crowded = !spilled && i % 6 == 5;	/* tiles do not suit */
		Kind		kind = crowded ? FAR : random_int(0, KINDS - 1);
		bool		alike = kind == IDENTICAL;
		int			nbuild = spilled ? random_int(2000, 6000) :
			crowded ? random_int(10000, 40000) :
			i % 4 == 0 ? random_int(0, 100) : random_int(100, alike ? 20000 : 40000);
		Run		   *run = new_run(area, kind, nbuild, random_int(0, alike ? 30 : 400),
								  spilled ? 100 : 64 * 1024 * 1024);
		SpqSharedBuild *shared =
			stub_area_alloc(area, spq_shared_size(run->nparticipants));

		run->spec.build_payload = random_int(0, 1);
		run->spec.probe_payload = random_int(0, 1);
		run->spec.unmatched_probes = random_int(0, 1);
		run->spec.first_of_probe = !crowded && random_int(0, 1);
		if (kind == ENDLESS || kind == SWAPPED)
		{
			/* one box may change what is certain for all */
			run->spec.predicate = random_int(0, 1) ? SPQ_BOX_OVERLAPS : SPQ_BOX_MEETS;
			run->spec.distance = 0;
			run->spec.first_of_probe = false;
			run->delay[0] = random_int(0, 4000);
		}
		else if (!crowded && random_int(0, 1))
			make_keys(run);
		if (!spilled && !run->spec.build_payload && random_int(0, 1))
			run->spec.memory = little_memory(run);
		spq_shared_init(shared, run->nparticipants, (dsm_segment *) area);
		for (int round = 0; round < 2; round++)
		{
			run_participants(run, shared, area);
			pairs += run->npairs;
			check((stub_area_files(area) > 0) == spilled, "%ld files",
				  stub_area_files(area));
			for (int j = 0; j < run->nparticipants; j++)
			{
				if (run->delay[j] < 0)
					continue;
				late += run->came_late[j];
				check(run->in_tiles[j] == run->in_tiles[0], "tiles: %d, %d", run->in_tiles[j],
					  run->in_tiles[0]);
				tiled += run->in_tiles[j];
				/* while tiles are filled, there are two arrays of rows */
				check(!run->in_tiles[j] || run->stats[j].shared_memory + nbuild * sizeof(SpqJoinItem) <=
					  (run->spec.memory / 8 * 7 + 1000) * run->nparticipants, "%lu bytes of %lu",
					  (long) run->stats[j].shared_memory, (long) run->spec.memory);
				late_tiled += run->in_tiles[j] && run->came_late[j];
				not_tiled += run->wants_tiles[j] && !run->in_tiles[j];
				check(spilled ? run->stats[j].batches > 1 : run->stats[j].batches == 1,
					  "%u batches", run->stats[j].batches);

				/*
				 * a participant that learns that there are too many rows does
				 * not keep its own
				 */
				check(!spilled || run->stats[j].memory < 300 * 1024, "%lu bytes",
					  (long) run->stats[j].memory);
				check((run->stats[j].shared_memory > 0) == (!spilled && nbuild > 0) ||
					  run->spec.predicate != SPQ_BOX_SAME, "%lu bytes",
					  (long) run->stats[j].shared_memory);
			}

			/*
			 * after the next round's start, and so at the end, nothing is
			 * left
			 */
			spq_shared_reinit(shared, area);
			check(stub_area_chunks(area) == 0 && stub_area_files(area) == 0,
				  "%ld chunks, %ld files", stub_area_chunks(area), stub_area_files(area));
		}
	}
	check(pairs > 1000 && late >= cases(4), "%ld pairs, %ld late", pairs, late);
	if (SPQ_DIM == 2 && !spilled)
		check(tiled >= cases(10) && (late_tiled > 0 || cases(60) < 60) && not_tiled >= cases(4),
			  "%ld in tiles, %ld of these late, %ld not in tiles", tiled, late_tiled, not_tiled);
	finish_test(spilled ? "shared by processes, too large for memory" :
				"shared by processes");
}

/* Scatter and sort the rows of several participants in one process. */
static void
test_division(void)
{
	long		divided = 0,
				undivided = 0;

	for (int i = 0; i < 4000; i++)
	{
		uint32		count = random_int(0, 3) ? random_int(0, 300) : random_int(0, 5);
		SpqJoinItem *items = malloc(count * sizeof(SpqJoinItem));
		double		tile_size = random_int(0, 2) ? 0 : exp(drand48() * 10 - 8);
		bool		hashed = random_int(0, 1);
		SpqSharedDivision division;
		uint32		in_range[SPQ_SHARED_MAX_RANGES] = {0};
		int			filled = 0;

		make_hard_items(items, count);
		if (hashed)
			make_hashes(items, count);
		if (spq_shared_choose_ranges(&division, items, count, random_int(2, SPQ_SHARED_MAX_RANGES), tile_size,
									 hashed))
		{
			divided++;
			check(division.nranges > 1 && division.nranges <= SPQ_SHARED_MAX_RANGES,
				  "%d ranges", division.nranges);
			check(division.first_code[0] == 0, "%lu", (long) division.first_code[0]);
			for (int range = 1; range < division.nranges; range++)
				check(division.first_code[range - 1] < division.first_code[range],
					  "range %d", range);
			for (uint32 j = 0; j < count; j++)
			{
				uint64		key = spq_join_tile_code(&division.grid, &items[j].box);
				int			range = spq_shared_range_of(&division, &items[j]);

				if (hashed)
					key |= (uint64) spq_join_item_hash(&items[j]) << 32;

				check(range >= 0 && range < division.nranges, "%d", range);
				check(division.first_code[range] <= key &&
					  (range + 1 == division.nranges || key < division.first_code[range + 1]),
					  "key %lx, range %d", (long) key, range);
				if (in_range[range]++ == 0)
					filled++;
			}
			check(filled >= 2, "%u rows, %d ranges, %d have rows", count,
				  division.nranges, filled);
			/* boxes outside of the sample belong to a range, too */
			for (int j = 0; j < 20; j++)
			{
				SpqJoinItem item = {.box = odd_box()};
				int			range = spq_shared_range_of(&division, &item);

				check(range >= 0 && range < division.nranges, "%d", range);
			}
		}
		else
		{
			SpqJoinGrid grid = spq_join_fit_grid(items, count, tile_size);

			undivided++;
			for (uint32 j = 1; j < count; j++)
				check(spq_join_tile_code(&grid, &items[j].box) ==
					  spq_join_tile_code(&grid, &items[0].box) &&
					  spq_join_item_hash(&items[j]) == spq_join_item_hash(&items[0]),
					  "could be divided");
		}
		free(items);
	}
	check(divided > 100 && undivided > 100, "%ld %ld", divided, undivided);
	check(stub_chunks == 0, "%ld chunks of memory are left", stub_chunks);
	finish_test("a division has each box in one range, and at least two ranges");

	/* evenly spread rows give even ranges */
	for (int i = 0; i < 20; i++)
	{
		SpqJoinItem items[3200];
		SpqSharedDivision division;
		int			in_range[32] = {0};

		for (int j = 0; j < (int) lengthof(items); j++)
		{
			items[j].box = box_at(drand48(), drand48(), SPQ_DIM > 2 ? drand48() : 0, 0, 0, 0);
		}
		check(spq_shared_choose_ranges(&division, items, lengthof(items), 32, 0,
									   false), "not divided");
		check(division.nranges == 32, "%d ranges", division.nranges);
		for (int j = 0; j < (int) lengthof(items); j++)
			in_range[spq_shared_range_of(&division, &items[j])]++;
		for (int j = 0; j < division.nranges; j++)
			check(in_range[j] >= 90 && in_range[j] <= 110, "range %d: %d rows", j, in_range[j]);
	}
	finish_test("ranges have about the same number of rows");
}

static void
test_ranges(void)
{
	for (int i = 0; i < cases(30); i++)
	{
		int			nparticipants = random_int(1, 4),
					total = 0;
		bool		hashed = random_int(0, 1);
		SpqJoinItem *items[4],
				   *array,
				   *sample = malloc(4 * SPQ_SHARED_SAMPLE * sizeof(SpqJoinItem));
		int			count[4];
		uint8	   *range_of[4];
		uint32		in_range[4][SPQ_SHARED_MAX_RANGES];
		uint32		nsampled = 0,
					start = 0,
					buckets = 0;
		SpqSharedDivision division;
		SpqSharedSortSpace space = {0};
		SpqJoinOrigin origin;
		bool	   *seen;

		for (int p = 0; p < nparticipants; p++)
		{
			SpqBox	   *boxes;

			count[p] = random_int(0, 3) ? random_int(0, 20000) : 0;
			items[p] = malloc(count[p] * sizeof(SpqJoinItem));
			range_of[p] = malloc(count[p]);
			boxes = malloc(count[p] * sizeof(SpqBox));
			make_boxes(boxes, count[p], i % KINDS);
			for (int j = 0; j < count[p]; j++)
			{
				items[p][j].box = boxes[j];
				items[p][j].ref = total + j;
				items[p][j].tag = hashed ? (uint64) random_int(0, 100) << SPQ_JOIN_HASH_SHIFT : 0;
			}
			free(boxes);
			nsampled += spq_shared_take_sample(items[p], count[p], sample + nsampled);
			total += count[p];
		}
		spq_shared_divide(&division, sample, nsampled, total, 0, hashed, false, &origin);
		check(isfinite(origin.at[0]) && isfinite(origin.at[1]), "origin");

		/*
		 * one range for each SPQ_SHARED_RANGE_ROWS rows, unless centers
		 * coincide
		 */
		check(i % KINDS != UNIFORM || division.nranges ==
			  Max(1, total / SPQ_SHARED_RANGE_ROWS), "%d ranges", division.nranges);
		array = malloc(total * sizeof(SpqJoinItem));
		seen = calloc(total, sizeof(bool));
		for (int p = 0; p < nparticipants; p++)
			spq_shared_count_ranges(&division, items[p], count[p], range_of[p], in_range[p]);
		for (int p = 0; p < nparticipants; p++)
		{
			uint32		place[SPQ_SHARED_MAX_RANGES];

			spq_shared_find_places(&in_range[0][0], sizeof(in_range[0]), nparticipants,
								   division.nranges, p, place);
			spq_shared_scatter(items[p], count[p], range_of[p], place, array);
		}

		/* each row occurs once, in its range, and ranges are sorted */
		for (int range = 0; range < division.nranges; range++)
		{
			uint32		n = 0,
						nbuckets;
			SpqJoinGrid lattice;
			int			levels;

			for (int p = 0; p < nparticipants; p++)
				n += in_range[p][range];
			nbuckets = spq_shared_sort_range(array + start, n, 0, hashed, &space, &lattice,
											 &levels);
			check(n == 0 || (levels >= 1 && levels <= SPQ_JOIN_SIZE_CLASSES), "%d levels", levels);
			for (uint32 j = start; j < start + n; j++)
			{
				check(array[j].ref < (uint64) total && !seen[array[j].ref], "twice");
				seen[array[j].ref % total] = true;
				check(division.nranges == 1 || spq_shared_range_of(&division, &array[j]) == range,
					  "range %d", range);
				check(j == start || spq_join_item_hash(&array[j - 1]) <= spq_join_item_hash(&array[j]),
					  "keys");
			}
			for (uint32 b = 0; b < nbuckets; b++)
				check(space.first[b] < space.first[b + 1] &&
					  space.first[b + 1] - space.first[b] <= SPQ_JOIN_BUCKET_LANES, "bucket");
			check(nbuckets == 0 || (space.first[0] == 0 && space.first[nbuckets] == n),
				  "%u buckets", nbuckets);
			start += n;
			buckets += nbuckets;
		}
		check(start == (uint32) total, "%u of %d", start, total);
		check(buckets <= spq_shared_max_buckets(total, division.nranges), "%u buckets",
			  buckets);
		if (space.capacity > 0)
		{
			pfree(space.spare);
			pfree(space.keys);
			pfree(space.workspace);
			pfree(space.first);
		}
		for (int p = 0; p < nparticipants; p++)
		{
			free(items[p]);
			free(range_of[p]);
		}
		free(sample);
		free(array);
		free(seen);
	}
	finish_test("ranges: each row in its place, once");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_division();
	test_ranges();
	test_shared(false);
	test_shared(true);
	return tests_failed > 0;
}
