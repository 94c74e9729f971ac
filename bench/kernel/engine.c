/*-------------------------------------------------------------------------
 *
 * engine.c
 *	  The join engine without a server, over the arrays of shapes.c.
 *
 *		engine SHAPE SHARE [KEYS [probe | build]]
 *
 * engine3 is the same in three dimensions.
 *
 * If KEYS is given and not 0, this is a hashed join of rows with this number of
 * keys on each side.  With "probe" or "build" it is a semi join: it returns the
 * first pair of each row of that side.
 *
 * The smaller side is the build side, as in spqtree_join().  Prints
 * milliseconds of processor time from the first row given to the last pair
 * taken, the number of pairs, and the number of candidates.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "join/engine/join.h"
#include "shapes.h"

#undef printf
#undef fprintf

#define PAIRS	256				/* taken at a time */

StaticAssertDecl(sizeof(Rect) == sizeof(SpqBox) && offsetof(Rect, lx) == sizeof(SpqBox) / 2,
				 "a Rect is laid out as a box");

/* Return the hash of a row's key, which is practically random. */
static inline uint32
hash(int row, uint32 keys)
{
	return keys == 0 ? 0 : ((uint32) row % keys + 1) * 2654435769u;
}

int
main(int argc, char **argv)
{
	SpqJoinSpec spec = {0};
	SpqJoin    *join;
	SpqJoinPair pair[PAIRS];
	Rects		left,
				right,
				build,
				probe;
	double		start,
				ms;
	int			next = 0;
	uint32		keys;
	uint64		pairs = 0,
				check = 0;

	if (argc < 3 || argc > 5)
	{
		fprintf(stderr, "usage: engine SHAPE SHARE [KEYS [probe | build]]\n");
		return 1;
	}
	keys = argc > 3 ? atoi(argv[3]) : 0;
	spec.first_of_probe = argc > 4 && strcmp(argv[4], "probe") == 0;
	spec.first_of_build = argc > 4 && strcmp(argv[4], "build") == 0;
	make_shape(argv[1], atof(argv[2]), &left, &right);
	build = left.count < right.count ? left : right;
	probe = left.count < right.count ? right : left;

	start = cpu_time();
	spec.predicate = SPQ_BOX_OVERLAPS;
	spec.memory = (Size) 4 << 30;
	spec.hashed = keys > 0;
	join = spq_join_begin(&spec);
	for (int i = 0; i < build.count; i++)
		spq_join_build(join, (const SpqBox *) &build.rect[i], hash(i, keys), i, NULL, 0);
	spq_join_build_done(join);
	for (;;)
	{
		SpqJoinEvent event = spq_join_next(join, &pair[0]);

		if (event == SPQ_JOIN_PAIR)
		{
			uint32		n = 1;

			if (argc > 4)
				spq_join_accept(join);
			else
				n += spq_join_more(join, &pair[1], PAIRS - 1);
			pairs += n;
			for (uint32 i = 0; i < n; i++)
				check += pair[i].build ^ pair[i].probe;
		}
		else if (event == SPQ_JOIN_WANTS_PROBES)
		{
			uint32		room = spq_join_room(join);

			for (; room > 0 && next < probe.count; room--, next++)
				spq_join_probe(join, (const SpqBox *) &probe.rect[next], hash(next, keys), next, NULL, 0);
			if (next == probe.count)
				spq_join_probes_done(join);
		}
		else
			break;
	}
	ms = cpu_time() - start;
	printf("%.3f %llu %llu\n", ms, (unsigned long long) pairs,
		   (unsigned long long) spq_join_stats(join)->candidates);
	if (spq_join_stats(join)->batches != 1)
		fprintf(stderr, "the engine went to disk\n");
	spq_join_end(join);
	/* use the references, so that the compiler keeps them */
	return check == 1 && pairs == 0;
}
