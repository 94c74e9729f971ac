/*-------------------------------------------------------------------------
 *
 * search.h
 *	  The boxes of a packed tree that are nearest to others.
 *
 * The distance of two boxes is that of their closest points, 0 if they meet.
 * Boxes at the same distance come in the order of their ids, so the answer does
 * not depend on the order of rows or searches.
 *
 * The boxes may be bounds of values, whose distances the caller computes.  Then
 * the values that are nearest are found, and the boxes only tell which distances
 * need not be computed.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_JOIN_SEARCH_H
#define SPQ_NEAREST_JOIN_SEARCH_H

#include "nearest_join/packed_tree.h"

/* A box found. */
typedef struct SpqNearestHit
{
	float8		distance;
	int64		id;
} SpqNearestHit;

/*
 * How to compute distances of values.  Each is at least "unit" times the distance
 * of the boxes.
 */
typedef struct SpqNearestValues
{
	/*
	 * Set the distances of hits, whose ids may change as well.  They are no
	 * NaN. Leave out hits that are not wanted, and return how many are left.
	 */
	uint32		(*measure) (void *argument, SpqNearestHit *hits, uint32 count);
	void	   *argument;
	float8		unit;
} SpqNearestValues;

typedef struct SpqNearestSearch SpqNearestSearch;

/*
 * Return the distance of two boxes: the root of the sum of the squares of gaps.  If
 * that would overflow or underflow, gaps are combined by hypot().
 */
extern float8 spq_nearest_distance(const float8 *a, const float8 *b, int axes);

/* Begin searches of a tree for k boxes each, at most this far away. */
extern SpqNearestSearch *spq_nearest_search_begin(const SpqPackedTree *tree, uint32 k,
												  float8 max_distance);

/*
 * Find values in the searches that follow.  Hits that a search begins with are of
 * no use then.
 */
extern void spq_nearest_search_values(SpqNearestSearch *search, const SpqNearestValues *values);

/* Search for another number of boxes from now on. */
extern void spq_nearest_search_set_k(SpqNearestSearch *search, uint32 k);

/* Leave out boxes farther away than this, from now on. */
extern void spq_nearest_search_within(SpqNearestSearch *search, float8 max_distance);

/* Return how many boxes or values were measured, or left out by measuring. */
extern uint64 spq_nearest_search_candidates(const SpqNearestSearch *search);

/*
 * Find the boxes nearest to one.  "hits", which has room for k, begins with
 * nfound that are already known, in order.  Return the number of hits; they are
 * in order of distance, then of id.  A search is faster if the one before was
 * for a box near by.
 */
extern uint32 spq_nearest_search(SpqNearestSearch *search, const float8 *box,
								 SpqNearestHit *hits, uint32 nfound);

extern void spq_nearest_search_end(SpqNearestSearch *search);

#endif							/* SPQ_NEAREST_JOIN_SEARCH_H */
