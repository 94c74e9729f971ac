/*-------------------------------------------------------------------------
 *
 * estimate.h
 *	  How many pairs of rows satisfy a spatial condition, from two samples.
 *
 * If each row of a million has one match in another million, 2,000 x 2,000 of
 * them have hardly any matching pair.  So near pairs are counted, and each
 * counts by the chance that it would match if one of its boxes lay anywhere
 * else where it is as near:
 *
 *		+-----------------------+
 *		| window: where b's		|		chance = area where b's center
 *		| center would be near	|			would make a match
 *		|	   +-------+		|
 *		|	   | match |		|			/ area of the window
 *		|	   +-------+		|
 *		+-----------------------+
 *
 * The window is wider than the match by a reach r on each side, which is as
 * small as the number of pairs allows.  Below that scale the data count as
 * evenly spread.  With r = 0 the pairs that match are counted, without bias.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_ESTIMATE_H
#define SPQ_ESTIMATE_PAIRS_ESTIMATE_H

#include "box/relation.h"
#include "estimate/pairs/touched.h"
#include "estimate/pairs/tried_pairs.h"
#include "estimate/sample/sample.h"

/*
 * Rows of one side, by how likely one of the other side's rows matches them:
 * class i has those with a chance of 2^-i to 2^(1-i), the last also all that
 * are less.
 */
#define SPQ_ESTIMATE_CLASSES 32

typedef struct SpqEstimateChances
{
	double		rows;			/* with nulls, which match nothing */
	double		count[SPQ_ESTIMATE_CLASSES];
	double		sum[SPQ_ESTIMATE_CLASSES];	/* of their chances */
	/* the same of rows of which a match has been seen, and those matches */
	double		count_seen[SPQ_ESTIMATE_CLASSES];
	double		sum_seen[SPQ_ESTIMATE_CLASSES];
	double		matches[SPQ_ESTIMATE_CLASSES];
} SpqEstimateChances;

typedef struct SpqEstimate
{
	double		selectivity;	/* a row's pair with itself left out, if both
								 * samples are of one relation */
	double		error;			/* of it, as a part of it, about */
	double		matches;		/* that were seen */
	bool		few_places;		/* rows of both sides lie together in blocks,
								 * and pairs of too few blocks have been seen */
	bool		same;			/* both samples are of one relation */
	double		self;			/* then, the fraction of rows that match
								 * themselves */
	SpqEstimateChances left;
	SpqEstimateChances right;
	SpqEstimateTouched left_touched;	/* of the left side, by scans for
										 * right rows */
	SpqEstimateTouched right_touched;
} SpqEstimate;

/* What is asked of a pair of rows. */
typedef struct SpqEstimateQuestion
{
	SpqRelation predicate;		/* of the boxes */
	double		shape;			/* expected fraction of such pairs that
								 * satisfy the operator */
	SpqEstimateTrial trial;		/* what tells the true one */
	bool		other_rows;		/* no row is joined with itself */
} SpqEstimateQuestion;

extern void spq_estimate_join(const SpqEstimateSample *left, const SpqEstimateSample *right,
							  const SpqEstimateQuestion *question, SpqEstimate *estimate);
extern double spq_estimate_matched(const SpqEstimateChances *chances,
								   double rows, double unseen, double kept);

#endif							/* SPQ_ESTIMATE_PAIRS_ESTIMATE_H */
