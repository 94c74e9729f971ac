/*-------------------------------------------------------------------------
 *
 * near_pairs.h
 *	  Pairs of boxes of two samples that are near each other.
 *
 *		+-------+  gap	 +----+
 *		|	a	|<------>| b  |		near, if the gap is at most the reach
 *		+-------+		 +----+		on each axis
 *
 * A reach of 1 is the length over which half of the data spread.  It differs
 * between axes, because axes need not have the same unit.  A pair with gap 0
 * touches.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_NEAR_PAIRS_H
#define SPQ_ESTIMATE_PAIRS_NEAR_PAIRS_H

#include "box/relation.h"
#include "estimate/sample/sample.h"

typedef struct SpqEstimatePair
{
	int			left;			/* numbers in the samples */
	int			right;
	float		gap;
	bool		match;			/* the condition is true */
} SpqEstimatePair;

typedef struct SpqEstimatePairs
{
	const SpqEstimateSample *left;
	const SpqEstimateSample *right;
	SpqRelation predicate;
	bool		same;			/* samples of one relation, and a row's pair
								 * with itself is left out */
	int			self_matches;	/* rows that match themselves */
	int			nleft;			/* boxes used; may be fewer than all */
	int			nright;
	int			axes;			/* of the boxes */
	bool		lines;			/* as in the question (estimate.h) */
	float8	   *lends;			/* the boxes without infinities */
	float8	   *rends;
	double		scale[SPQ_ESTIMATE_MAX_AXES];	/* length of reach 1 */
	double		per_scale[SPQ_ESTIMATE_MAX_AXES];	/* their inverses */
	bool		flat[SPQ_ESTIMATE_MAX_AXES];	/* half of the data or more
												 * are at one place of the
												 * axis */
	double		step[SPQ_ESTIMATE_MAX_AXES];	/* boxes of a sample differ by
												 * multiples of this, as
												 * integers do; 0 if not */
	double		reach;
	SpqEstimatePair *pair;
	int			pairs;
	int			room;			/* in pair[] */
} SpqEstimatePairs;

/* Return a box of a pair, without infinities. */
static inline const float8 *
spq_estimate_left_ends(const SpqEstimatePairs *near, int left)
{
	return &near->lends[2 * near->axes * left];
}

static inline const float8 *
spq_estimate_right_ends(const SpqEstimatePairs *near, int right)
{
	return &near->rends[2 * near->axes * right];
}

/*
 * Return whether this is a row's pair with itself.  Call it only for samples
 * of one relation.
 */
static inline bool
spq_estimate_same_row(const SpqEstimatePairs *near, const SpqEstimatePair *pair)
{
	return near->left->row[pair->left].number == near->right->row[pair->right].number;
}

/* Return whether samples of one relation have both rows in one block. */
static inline bool
spq_estimate_same_block(const SpqEstimatePairs *near, const SpqEstimatePair *pair)
{
	return near->same &&
		near->left->row[pair->left].block == near->right->row[pair->right].block;
}

extern void spq_estimate_near_pairs_init(SpqEstimatePairs *near, const SpqEstimateSample *left,
										 const SpqEstimateSample *right,
										 SpqRelation predicate, bool other_rows,
										 bool lines);
extern void spq_estimate_near_pairs_find(SpqEstimatePairs *near);

/*
 * tried_pairs.c
 *
 * A box says little about a line: of lines whose boxes meet, one pair in
 * thirty crosses.  So the condition is tried on some pairs of the samples, by
 * a function that raises no error (spq_spatial_tried):
 *
 *		pairs that match	 p0 p1 p2 p3 p4 p5 p6 p7 ...	of all samples' rows
 *		tried				 |		 |		 |				a few, spread evenly
 *							yes		 no		 ?				? is not counted
 *
 * Each row is read again by its TID, and no value is kept.
 */

/* The function that decides a pair. */
typedef struct SpqEstimateTrial
{
	Oid			function;		/* InvalidOid if nothing can be tried */
	bool		exchanged;		/* its first argument is from the right side */
} SpqEstimateTrial;

extern double spq_estimate_tried_fraction(const SpqEstimatePairs *near,
										  const SpqEstimateTrial *trial, double expected);

/*
 * touched.c
 *
 * An index keeps neighbors on one page.  Likewise, a sample of the inner
 * relation is divided by halves into cells of neighbors with their bounds:
 *
 *		+----+ +-----+
 *		|    | | o o |  <- outer rows touch one of three cells: one third of
 *		+----+ | o   |	   the index is read, again and again
 *		+----+ +-----+
 *		|    |		 o  <- outside of all cells: the scan ends near the root
 *		+----+
 */

typedef struct SpqEstimateTouched
{
	double		part;			/* fraction of the inner relation, in the
								 * order of an index */
	double		inside;			/* fraction of outer rows that touch it */
} SpqEstimateTouched;

extern SpqEstimateTouched spq_estimate_touched(const SpqEstimateSample *outer,
											   const SpqEstimateSample *inner);

#endif							/* SPQ_ESTIMATE_PAIRS_NEAR_PAIRS_H */
