/*-------------------------------------------------------------------------
 *
 * estimate.h
 *	  How many pairs of rows satisfy a spatial condition, from two samples.
 *
 * If each row of a million has one match in another million, 2,000 x 2,000 of
 * them have hardly any matching pair.  So near pairs are counted, each by the
 * chance that it would match if one of its boxes lay anywhere else where it is
 * as near:
 *
 *		+-----------------------+
 *		| window: where b's		|		chance = area where b's center
 *		| center would be near	|			would make a match
 *		|	   +-------+		|
 *		|	   | match |		|			/ area of the window
 *		|	   +-------+		|
 *		+-----------------------+
 *
 * The window extends a reach r beyond the match on each side.  The reach is as
 * small as the number of pairs allows; below it, the data are assumed to be
 * evenly spread.  With r = 0 the matching pairs are counted, without bias.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_PAIRS_ESTIMATE_H
#define SPQ_ESTIMATE_PAIRS_ESTIMATE_H

#include "box/relation.h"
#include "estimate/pairs/near_pairs.h"
#include "estimate/sample/sample.h"

/*
 * Rows of one side, by the chance that a row of the other side matches them:
 * class i has those with a chance of at least 2^(-i-1) and less than 2^-i.
 * The first class also has all higher chances, and the last all lower ones.
 */
#define SPQ_ESTIMATE_CLASSES 32

typedef struct SpqEstimateChances
{
	double		rows;			/* including nulls, which match nothing */
	double		others;			/* rows of the other sample they were compared
								 * with */
	double		count[SPQ_ESTIMATE_CLASSES];
	double		sum[SPQ_ESTIMATE_CLASSES];	/* of their chances */

	/*
	 * the same for rows with a match in the sample, and the number of their
	 * matches
	 */
	double		count_seen[SPQ_ESTIMATE_CLASSES];
	double		sum_seen[SPQ_ESTIMATE_CLASSES];
	double		matches[SPQ_ESTIMATE_CLASSES];
} SpqEstimateChances;

typedef struct SpqEstimate
{
	double		selectivity;	/* without a row's pair with itself, if "same" */
	double		fraction;		/* of the pairs in the relation of boxes,
								 * those that satisfy the operator */
	double		error;			/* approximate relative error of the
								 * selectivity */
	double		matches;		/* matching pairs in the samples */
	bool		few_places;		/* rows of both sides lie together in blocks,
								 * and the pairs are from too few blocks */
	bool		same;			/* both samples are of one relation, and a
								 * row's pair with itself is left out */
	double		self;			/* if "same", the fraction of rows that match
								 * themselves */
	SpqEstimateChances left;
	SpqEstimateChances right;
	SpqEstimateTouched left_touched;	/* of the left side, by scans for
										 * right rows */
	SpqEstimateTouched right_touched;
} SpqEstimate;

/* The condition on a pair of rows. */
typedef struct SpqEstimateQuestion
{
	SpqRelation predicate;		/* of the boxes */
	double		shape;			/* expected fraction of the pairs in this
								 * relation that satisfy the operator */
	bool		lines;			/* one side has lines, the other boxes; a pair
								 * matches if the line meets the box */
	SpqEstimateTrial trial;		/* how to find the true fraction */
	bool		other_rows;		/* no row is joined with itself */
} SpqEstimateQuestion;

extern void spq_estimate_join(const SpqEstimateSample *left, const SpqEstimateSample *right,
							  const SpqEstimateQuestion *question, SpqEstimate *estimate);
extern double spq_estimate_matched(const SpqEstimateChances *chances,
								   double rows, double unseen, double kept);

/* expected_fraction.c */
extern bool spq_estimate_line_meets_box(const SpqSpatialOperator *op);
extern double spq_estimate_expected_fraction(const SpqSpatialOperator *op,
											 const SpqEstimateSample *left,
											 const SpqEstimateSample *right);

#endif							/* SPQ_ESTIMATE_PAIRS_ESTIMATE_H */
