/*-------------------------------------------------------------------------
 *
 * pair_set.h
 *	  The difference between two sets of pairs, within a limit of memory.
 *
 * A caller uses a set like this:
 *
 *		set = spq_pair_set_begin(memory);
 *		for each pair that held before
 *			spq_pair_set_hold(set, spq_pair_set_hash(set, a, b));
 *		for each pair that holds now
 *			if (spq_pair_set_find(set, spq_pair_set_hash(set, a, b), true))
 *				the pair is new
 *		while (spq_pair_set_next(set, &a, &b, &entered))
 *			the pair is new, or no longer holds
 *		spq_pair_set_end(set);
 *
 * Each pair of the difference is reported once.  A caller that hashes some
 * pairs before it passes the first one does not wait for memory at each of
 * them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUERY_JOIN_PAIR_SET_H
#define SPQ_QUERY_JOIN_PAIR_SET_H

typedef struct SpqPairSet SpqPairSet;

/* A pair with its hash. */
typedef struct SpqHashedPair
{
	int64		a;
	int64		b;
	uint32		hash;
} SpqHashedPair;

extern SpqPairSet *spq_pair_set_begin(Size memory);
extern SpqHashedPair spq_pair_set_hash(const SpqPairSet *set, int64 a, int64 b);
extern void spq_pair_set_hold(SpqPairSet *set, SpqHashedPair pair);
extern bool spq_pair_set_find(SpqPairSet *set, SpqHashedPair pair, bool may_enter);
extern bool spq_pair_set_next(SpqPairSet *set, int64 *a, int64 *b, bool *entered);
extern void spq_pair_set_end(SpqPairSet *set);

#endif							/* SPQ_QUERY_JOIN_PAIR_SET_H */
