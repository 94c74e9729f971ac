/*-------------------------------------------------------------------------
 *
 * stats_columns.h
 *	  The columns of spqtree_stats, as an array of counts.
 *
 *		walk	the content of the tree: tuples, chains, depth (stats.c)
 *		pages	one after the other: what their bytes are used for
 *				(quadtree_counts.c, rtree_counts.c)
 *
 * Dead bytes are those of entries that are not live, with their line pointers.
 * Bytes that are neither dead nor free are used.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_STATS_COLUMNS_H
#define SPQ_INSPECT_STATS_COLUMNS_H

#include "inspect/inspect.h"

enum
{
	/* the walk; except for the first two, the tree of boxes alone */
	TUPLES,
	NULL_TUPLES,
	OVERSIZE_TUPLES,
	INNER_TUPLES,
	ALL_THE_SAME,				/* of the inner tuples */
	MARKERS,
	LEAF_CHAINS,				/* with a tuple */
	AVERAGE_CHAIN,				/* computed at the end */
	LONGEST_CHAIN,
	AVERAGE_DEPTH,				/* the sum of the depths of tuples until the
								 * end */
	MAX_DEPTH,

	/* the pages */
	PAGES,
	INNER_PAGES,
	LEAF_PAGES,
	EMPTY_PAGES,
	BYTES,						/* computed at the end, as the next */
	USED_BYTES,
	DEAD_BYTES,
	FREE_BYTES,
	DEAD_TUPLES,
	REDIRECTS,
	PLACEHOLDERS,
	N_COLUMNS
};

/* Count the pages.  Damage is raised as an error. */
extern void spq_inspect_count_quadtree(SpqPageReader *reader, int64 *counts);
extern void spq_inspect_count_rtree(SpqTreeReader *reader, int64 *counts);

#endif							/* SPQ_INSPECT_STATS_COLUMNS_H */
