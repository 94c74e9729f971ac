/*-------------------------------------------------------------------------
 *
 * inner_format.h
 *	  The format of an inner tuple of our operator classes.
 *
 *		+--------+-----------------------+--------+-----
 *		| header | prefix: SpqQuadPrefix | node 0 | ...		tree of boxes
 *		+--------+--------+--------+-----+--------+-----
 *		| header | node 0 | node 1 | ...					tree of nulls
 *		+--------+--------+--------+-----
 *
 * spq_page_inner_problem() trusts nothing in the tuple.  The other functions
 * require a tuple in which it has found no problem.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_INNER_FORMAT_H
#define SPQ_QUADTREE_PAGES_INNER_FORMAT_H

#include "access/spgist_private.h"

#include "quadtree/prefix.h"

/* A node of an inner tuple, unpacked. */
typedef struct SpqPageNode
{
	uint64		label;			/* 0 in the tree of nulls */
	BlockNumber block;			/* target of the downlink */
	OffsetNumber offset;		/* invalid if there is no downlink; scans test
								 * the offset, not the block */
} SpqPageNode;

extern char *spq_page_inner_problem(SpGistInnerTuple tuple, Size length,
									bool of_nulls);
extern int	spq_page_read_nodes(SpGistInnerTuple tuple, SpqPageNode *nodes);
extern uint64 spq_page_valid_label(const SpqPageNode *nodes, int n_nodes,
								   int node, bool all_the_same,
								   const SpqQuadPrefix *prefix);

/* The prefix of an inner tuple of the tree of boxes. */
static inline const SpqQuadPrefix *
spq_page_inner_prefix(SpGistInnerTuple tuple)
{
	return (const SpqQuadPrefix *) _SGITDATA(tuple);
}

#endif							/* SPQ_QUADTREE_PAGES_INNER_FORMAT_H */
