/*-------------------------------------------------------------------------
 *
 * cuts.h
 *	  Divides rows into bins by cuts of space, each of one axis.
 *
 * A bin is what a tree of cuts leaves.  A box is in exactly one bin, because
 * each cut puts it, by its center, on one side:
 *
 *			+-------+-----------+
 *			|		|	  3		|				 x < 8
 *			|	1	|-----------|  y = 6	   /	   \
 *			|		|			|		   y < 4	   y < 6
 *			|-------|	  2		|		   /   \	   /   \
 *			|	0	|			|		  0		1	  2		3
 *			+-------+-----------+
 *				   x = 8
 *
 * A cut may also divide by size: large boxes, which reach into many bins, are better
 * in a few bins of their own.  In a hashed join, the first cuts divide by hash.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BINS_CUTS_H
#define SPQ_JOIN_BINS_CUTS_H

#include "join/boxes/item.h"

#define SPQ_JOIN_MAX_BINS	32	/* of a tree of cuts */

/* What a cut compares, if not the center on an axis. */
#define SPQ_JOIN_CUT_BY_SIZE	SPQ_DIM
#define SPQ_JOIN_CUT_BY_HASH	(SPQ_DIM + 1)

typedef struct SpqJoinCut
{
	double		at;				/* rows below it are on the left */
	int			by;				/* axis, SPQ_JOIN_CUT_BY_SIZE or _HASH */
	int			left,			/* number of a cut, or ~number of a bin */
				right;
} SpqJoinCut;

typedef struct SpqJoinCuts
{
	int			nbins;			/* one more than cuts; the first cut is that
								 * of all rows */
	SpqJoinCut	cut[SPQ_JOIN_MAX_BINS - 1];
} SpqJoinCuts;

/*
 * Choose cuts into at most "most" bins that have about equal numbers of rows,
 * judging by a sample.  Return false if all rows of the sample are alike; then there
 * is one bin.  After true, each bin has a row of the sample.
 */
extern bool spq_join_choose_cuts(SpqJoinCuts *cuts, const SpqJoinItem *sample, uint32 count,
								 int most, bool hashed);

/* Return the bin of a row. */
extern int	spq_join_bin_of(const SpqJoinCuts *cuts, const SpqJoinItem *item);

#endif							/* SPQ_JOIN_BINS_CUTS_H */
