/*-------------------------------------------------------------------------
 *
 * nearest_join.h
 *	  For each row of one side, the k nearest rows of the other.
 *
 * A caller drives a join like this:
 *
 *		join = spq_nearest_join_begin(&spec);
 *		for each row of the right side
 *			spq_nearest_join_right(join, id, box);
 *		spq_nearest_join_right_done(join);
 *		for (;;)
 *			switch (spq_nearest_join_next(join, &pair))
 *				SPQ_NEAREST_PAIR: use the pair
 *				SPQ_NEAREST_WANTS_LEFT: pass up to spq_nearest_join_room() rows by
 *					spq_nearest_join_left(), and if there are no more,
 *					spq_nearest_join_left_done()
 *				SPQ_NEAREST_END: no more pairs
 *		spq_nearest_join_end(join);
 *
 * Pairs of a row of the left side follow each other, in order of distance,
 * then of the right id.  A box consists of its high ends, then its low ends.
 * A box with a NaN has no distance and is in no pair; if the ends of a box are
 * swapped, they are put in order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_JOIN_NEAREST_JOIN_H
#define SPQ_NEAREST_JOIN_NEAREST_JOIN_H

typedef struct SpqNearestSpec
{
	int			axes;
	uint32		k;
	float8		max_distance;	/* or infinity */
	Size		memory;
} SpqNearestSpec;

typedef struct SpqNearestPair
{
	int64		left;
	int64		right;
	float8		distance;
} SpqNearestPair;

typedef enum SpqNearestEvent
{
	SPQ_NEAREST_PAIR,
	SPQ_NEAREST_WANTS_LEFT,
	SPQ_NEAREST_END
} SpqNearestEvent;

typedef struct SpqNearestJoin SpqNearestJoin;

extern SpqNearestJoin *spq_nearest_join_begin(const SpqNearestSpec *spec);
extern void spq_nearest_join_right(SpqNearestJoin *join, int64 id, const float8 *box);
extern void spq_nearest_join_right_done(SpqNearestJoin *join);
extern uint64 spq_nearest_join_room(const SpqNearestJoin *join);
extern void spq_nearest_join_left(SpqNearestJoin *join, int64 id, const float8 *box);
extern void spq_nearest_join_left_done(SpqNearestJoin *join);
extern SpqNearestEvent spq_nearest_join_next(SpqNearestJoin *join, SpqNearestPair *pair);
extern void spq_nearest_join_end(SpqNearestJoin *join);

#endif							/* SPQ_NEAREST_JOIN_NEAREST_JOIN_H */
