/*-------------------------------------------------------------------------
 *
 * join.h
 *	  The spatial join engine: boxes and references in, pairs out.
 *
 * A caller drives the engine like this:
 *
 *		join = spq_join_begin(&spec);
 *		for each row of the build side
 *			spq_join_build(join, ...);
 *		spq_join_build_done(join);
 *		for (;;)
 *			switch (spq_join_next(join, &pair))
 *				SPQ_JOIN_PAIR:	use the pair
 *				SPQ_JOIN_WANTS_PROBES:	spq_join_probe() at most
 *					spq_join_room() times; spq_join_probes_done() at the end
 *				SPQ_JOIN_END:  break out
 *		spq_join_end(join);
 *
 * A call for each pair takes longer than to find it, where there are many.  So
 * a caller that accepts no pairs (see below) may call spq_join_more() after each
 * pair, which returns those found at the same time.  One that only counts may
 * call spq_join_skip(), which returns their number.
 *
 * The engine does not use the executor, SPI or the function manager.  Its
 * memory is in a context below the one that is current at spq_join_begin().
 * Its files belong to the resource owner that is current when they are made.
 * So an error may interrupt it anywhere.
 *
 * For outer, semi and anti joins the engine marks rows.  The caller calls
 * spq_join_accept() for each pair that it accepts.  If the specification asks
 * for unmatched rows, the engine finally returns the rows without an accepted
 * pair.
 *
 * For counts, the engine counts the accepted pairs of each build row, and
 * returns the rows that have some, with their number.
 *
 * In a hashed join each row has a hash of the values that the equality
 * conditions compare.  The engine returns all pairs with the same hash, and
 * some with different hashes: it uses only the upper 24 bits, which should be
 * well mixed.  The caller evaluates the equality.  In other joins the hash is
 * 0.
 *
 * spq_join_restart() lets the caller pass other probes for the same build
 * side, for a rescan.  It works only while the build side is in memory.  If it
 * returns false, begin a new join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_JOIN_H
#define SPQ_JOIN_ENGINE_JOIN_H

#include "box/relation.h"
#include "join/boxes/dimension.h"

/*
 * Bytes of a row without its payload, for cost estimates: in a temporary file,
 * and in memory at the peak.
 */
#define SPQ_JOIN_FILE_BYTES		(16 * SPQ_DIM + 16)
#define SPQ_JOIN_MEMORY_BYTES	(2 * SPQ_JOIN_FILE_BYTES + 8)

/*
 * Return how many bytes the caller will keep of a build row's payload, in memory
 * of its own, while it decides pairs of the row: bytes that it makes again if
 * pairs of too many other rows come between.
 */
typedef Size (*SpqJoinKept) (const void *payload, const void *argument);

typedef struct SpqJoinSpec
{
	SpqRelation predicate;		/* operands: probe, build row */
	double		distance;		/* for SPQ_BOX_WITHIN: finite, more than 0 */
	bool		hashed;			/* only rows with the same hash can match */
	double		tile_size;		/* least side of a tile; 0: from the data */
	Size		memory;			/* limit in bytes, approximately */
	bool		self;			/* join the build side with itself, without
								 * probes; return each pair once */
	bool		build_payload;	/* rows have payloads, which the engine
								 * copies; "ref" then points to the copy */
	bool		probe_payload;
	bool		unmatched_build;	/* return rows without an accepted pair */
	bool		unmatched_probes;
	bool		first_of_probe; /* return no more pairs of a probe after one
								 * was accepted */
	bool		first_of_build; /* the same for build rows */
	bool		count_build;	/* count the accepted pairs of each build row */
	bool		accept_all;		/* with count_build: all pairs are accepted,
								 * and none is returned */
	bool		probe_lines;	/* payloads of probes end with a SpqLine,
								 * aligned, on which a match lies */
	bool		sorted;			/* pairs come in tile order: do not use tiles
								 * in place of it */
	SpqJoinKept kept;			/* NULL: nothing */
	const void *kept_argument;
	double		expected_build; /* number of build rows, or 0 */
	double		expected_probes;	/* number of probes that this process may
									 * get, if other processes take some, too;
									 * else 0 */
} SpqJoinSpec;

typedef enum SpqJoinEvent
{
	SPQ_JOIN_PAIR,
	SPQ_JOIN_UNMATCHED_BUILD,	/* pair->build only */
	SPQ_JOIN_UNMATCHED_PROBE,	/* pair->probe only */
	SPQ_JOIN_COUNTED_BUILD,		/* pair->build, and in pair->probe the number
								 * of its accepted pairs, if it has any */
	SPQ_JOIN_WANTS_PROBES,
	SPQ_JOIN_END
} SpqJoinEvent;

/*
 * References as they were passed, or pointers to payloads, and the boxes of a
 * pair.  Valid until the next call of spq_join_next().
 */
typedef struct SpqJoinPair
{
	uint64		build;
	uint64		probe;
	const float8 *build_box;
	const float8 *probe_box;
} SpqJoinPair;

/* Counts of a join, for tests and for EXPLAIN. */
typedef struct SpqJoinStats
{
	uint64		build_rows;		/* of a shared build side: from this process */
	uint64		probe_rows;
	uint64		probe_copies;	/* a probe may have copies in several batches */
	uint64		candidates;		/* pairs given to the predicate */
	uint64		matches;		/* candidates that satisfy the predicate */
	uint32		batches;
	uint32		bins;			/* into which the build side was divided */
	int			size_classes;	/* in use: the most of any batch, or of any
								 * group of equal hashes */
	double		tile_size;		/* of the first batch, or of its largest group
								 * of equal hashes; of a shared build side, of
								 * a range that this process sorted; 0: at
								 * most one tile */
	Size		memory;			/* peak of this process's own memory */
	Size		shared_memory;	/* of a shared build side; the same in all
								 * participants */

	/* of a join of two indexes (src/join_node/indexes) */
	uint64		leaves;			/* of the probe's index */
	uint64		leaf_pairs;		/* each of them with leaves of the other */
	uint64		fetches;		/* rows of the tables */
} SpqJoinStats;

typedef struct SpqJoin SpqJoin;

extern SpqJoin *spq_join_begin(const SpqJoinSpec *spec);
extern bool spq_join_build(SpqJoin *join, const SpqBox *box, uint32 hash,
						   uint64 ref, const void *payload, Size length);
extern void spq_join_build_done(SpqJoin *join);
extern uint32 spq_join_room(const SpqJoin *join);
extern bool spq_join_probe(SpqJoin *join, const SpqBox *box, uint32 hash,
						   uint64 ref, const void *payload, Size length);
extern void spq_join_probes_done(SpqJoin *join);
extern SpqJoinEvent spq_join_next(SpqJoin *join, SpqJoinPair *pair);
extern uint32 spq_join_more(SpqJoin *join, SpqJoinPair *pairs, uint32 room);
extern uint32 spq_join_skip(SpqJoin *join, bool of_probe);
extern void spq_join_accept(SpqJoin *join);
extern bool spq_join_restart(SpqJoin *join);
extern const SpqJoinStats *spq_join_stats(SpqJoin *join);
extern void spq_join_end(SpqJoin *join);

/*
 * engine.c
 *
 * For callers that learn only at run time whether boxes have two or three
 * axes.  A box is an array of its numbers, like SpqBox: the high ends on all
 * axes, then the low ends.  Specifications, pairs and counts are the same for
 * both.
 */

#define SPQ_JOIN_MAX_AXES	3

typedef struct SpqJoinEngine
{
	int			axes;
	Size		memory_bytes;	/* SPQ_JOIN_MEMORY_BYTES */
	Size		file_bytes;		/* SPQ_JOIN_FILE_BYTES */

	/* Return whether two boxes are related, as spq_box_related() does. */
	bool		(*related) (SpqRelation relation, double distance,
							const float8 *a, const float8 *b);

	/* the functions of join.h, without "spq_join_" */
	SpqJoin    *(*begin) (const SpqJoinSpec *spec);
	bool		(*build) (SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
						  const void *payload, Size length);
	void		(*build_done) (SpqJoin *join);
	uint32		(*room) (const SpqJoin *join);
	bool		(*probe) (SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
						  const void *payload, Size length);
	void		(*probes_done) (SpqJoin *join);
	SpqJoinEvent (*next) (SpqJoin *join, SpqJoinPair *pair);
	uint32		(*more) (SpqJoin *join, SpqJoinPair *pairs, uint32 room);
	uint32		(*skip) (SpqJoin *join, bool of_probe);
	void		(*accept) (SpqJoin *join);
	bool		(*restart) (SpqJoin *join);
	const SpqJoinStats *(*stats) (SpqJoin *join);
	void		(*end) (SpqJoin *join);
} SpqJoinEngine;

extern const SpqJoinEngine spq_join2_engine;
extern const SpqJoinEngine spq_join3_engine;

/* Return the engine for boxes of two or of three axes. */
static inline const SpqJoinEngine *
spq_join_engine(int axes)
{
	return axes == 2 ? &spq_join2_engine : &spq_join3_engine;
}

#endif							/* SPQ_JOIN_ENGINE_JOIN_H */
