/*-------------------------------------------------------------------------
 *
 * search.h
 *	  The boxes of a packed tree that are nearest to others.
 *
 * The distance of two boxes is that of their closest points, 0 if they meet.
 * Boxes at the same distance come in the order of their ids, so the answer does
 * not depend on the order of rows or searches.
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

typedef struct SpqNearestSearch SpqNearestSearch;

/*
 * Return the distance of two boxes.  Gaps on several axes are combined by
 * hypot(), in the order of axes.
 */
extern float8 spq_nearest_distance(const float8 *a, const float8 *b, int axes);

/* Begin searches of a tree for k boxes each, at most this far away. */
extern SpqNearestSearch *spq_nearest_search_begin(const SpqPackedTree *tree, uint32 k,
												  float8 max_distance);

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
