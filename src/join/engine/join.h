/*-------------------------------------------------------------------------
 *
 * join.h
 *	  The spatial join engine: boxes and references in, pairs out.
 *
 * A caller drives it like this:
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
 * It knows nothing of executor, SPI and function calls.  All its memory is in
 * a context below the one that is current at spq_join_begin().  Its files belong
 * to the resource owner that is current when they are made.  So an error may end
 * it anywhere.
 *
 * For outer, semi and anti joins, rows are marked.  A caller that accepts a pair
 * calls spq_join_accept(); in the end the engine returns rows without an accepted
 * pair as well, if the specification asks for them.
 *
 * In a hashed join each row has a hash of what an equality condition compares.
 * All pairs with the same hash are returned, and some with different ones: the
 * engine uses the upper 24 bits, which should be well mixed.  The caller
 * evaluates the equality.  In other joins the hash is 0.
 *
 * spq_join_restart() takes other probes for the same build side, which a rescan
 * of a plan needs.  It works only while the build side is in memory; if it
 * returns false, begin a new join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ENGINE_JOIN_H
#define SPQ_JOIN_ENGINE_JOIN_H

#include "box/relation.h"
#include "join/boxes/dimension.h"

/*
 * Bytes of a row without its payload, for cost estimates: in memory, at the peak,
 * and in a temporary file.
 */
#define SPQ_JOIN_FILE_BYTES		(16 * SPQ_DIM + 16)
#define SPQ_JOIN_MEMORY_BYTES	(2 * SPQ_JOIN_FILE_BYTES + 8)

typedef struct SpqJoinSpec
{
	SpqRelation predicate;		/* of probe and build */
	double		distance;		/* for SPQ_BOX_WITHIN: finite, more than 0 */
	bool		hashed;			/* only rows with the same hash can match */
	double		tile_size;		/* least side of tiles; 0: from the data */
	Size		memory;			/* about how many bytes may be used */
	bool		self;			/* join the build side with itself, each pair
								 * of rows once; there are no probes to give */
	bool		build_payload;	/* rows come with bytes of their own, which
								 * the engine copies; "ref" then points to
								 * them */
	bool		probe_payload;
	bool		unmatched_build;	/* return rows without an accepted pair */
	bool		unmatched_probes;
	bool		first_of_probe; /* no more pairs of a probe after one was
								 * accepted */
	bool		first_of_build; /* the same of a build row */
	double		expected_probes;	/* if other processes take probes as well,
									 * how many this one may get; else 0 */
} SpqJoinSpec;

typedef enum SpqJoinEvent
{
	SPQ_JOIN_PAIR,
	SPQ_JOIN_UNMATCHED_BUILD,	/* pair->build only */
	SPQ_JOIN_UNMATCHED_PROBE,	/* pair->probe only */
	SPQ_JOIN_WANTS_PROBES,
	SPQ_JOIN_END
} SpqJoinEvent;

/*
 * References as they were given, or pointers to payloads; and the boxes of a pair.
 * They last until the next call of spq_join_next().
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
	uint64		probe_copies;	/* a probe may be needed in several batches */
	uint64		candidates;		/* pairs given to the predicate */
	uint64		matches;		/* of them, those that satisfy the predicate */
	uint32		batches;
	uint32		parts;			/* that the build side was divided into */
	int			size_classes;	/* in use: most of any batch, or of any group
								 * of a hash */
	double		tile_size;		/* of the first batch, or of its largest group
								 * of a hash; of a shared build side, of a
								 * range that this process sorted; 0: at most
								 * one tile */
	Size		memory;			/* peak, of what this process has to itself */
	Size		shared_memory;	/* of a shared build side: the same number in
								 * all participants */
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
extern void spq_join_accept(SpqJoin *join);
extern bool spq_join_restart(SpqJoin *join);
extern const SpqJoinStats *spq_join_stats(SpqJoin *join);
extern void spq_join_end(SpqJoin *join);

#endif							/* SPQ_JOIN_ENGINE_JOIN_H */
