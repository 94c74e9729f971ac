/*-------------------------------------------------------------------------
 *
 * row_condition.c
 *	  The selectivity of a condition on two columns of one row.
 *
 *		WHERE t.a && t.b		or spqtree_dwithin(t.a, t.b, 5), ST_Intersects()
 *
 *		sample of t.a	r1	r2	-	r4	...		the same rows, as the choice of
 *		sample of t.b	r1	-	r3	r4	...		rows does not depend on the column
 *						^			^
 *						both are known: does the relation hold?
 *
 * A row of which one value is null is missing in that sample.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "estimate/cache/cache.h"
#include "estimate/pairs/estimate.h"
#include "estimate/pairs/near_pairs.h"
#include "estimate/pairs/related.h"
#include "estimate/scan/scan_condition.h"
#include "spatial/extension/member.h"

/*
 * Set the samples of both columns.  A table that has grown since one of them was
 * taken would be read in other blocks for the other one; then both are taken
 * again.  Return false if there are none.
 */
static bool
sample_columns(PlannerInfo *root, const SpqEstimateExpression *left,
			   const SpqEstimateExpression *right, const SpqEstimateSample **of_left,
			   const SpqEstimateSample **of_right, double *tuples)
{
	for (int attempt = 0; attempt < 2; attempt++)
	{
		*of_left = spq_estimate_column_sample(root, left, SPQ_ESTIMATE_SCAN_BLOCK_ROWS, tuples);
		*of_right = spq_estimate_column_sample(root, right, SPQ_ESTIMATE_SCAN_BLOCK_ROWS, tuples);
		if (!*of_left || !*of_right || (*of_left)->source != (*of_right)->source)
			return false;
		if ((*of_left)->pages == (*of_right)->pages)
			return true;
		spq_estimate_forget_sample((*of_left)->id);
		spq_estimate_forget_sample((*of_right)->id);
	}
	return false;
}

/*
 * Set the pairs of boxes of one row, in the order of the rows.  Both samples have
 * the blocks in the same order.
 */
static void
pair_rows(SpqEstimatePairs *rows)
{
	const SpqEstimateSample *left = rows->left,
			   *right = rows->right;
	int			first = 0;		/* the first row of the block */

	rows->pair = palloc(sizeof(SpqEstimatePair) * Max(left->count, 1));
	for (int i = 0, next = 0; i < left->count; i++)
	{
		const SpqEstimateRow *row = &left->row[i];

		while (first < right->count && right->row[first].block < row->block)
			first++;
		/* mostly the row that follows the one found before */
		if (next >= right->count || right->row[next].number != row->number)
			for (next = first; next < right->count && right->row[next].block == row->block &&
				 right->row[next].number != row->number;)
				next++;
		if (next < right->count && right->row[next].number == row->number)
			rows->pair[rows->pairs++] = (SpqEstimatePair)
		{
			.left = i,.right = next++
		};
	}
}

/* Return whether the boxes of a row are in the relation. */
static bool
is_match(const SpqEstimatePairs *rows, const SpqEstimatePair *pair)
{
	const float8 *a = spq_estimate_high(rows->left, pair->left),
			   *b = spq_estimate_high(rows->right, pair->right);

	if (rows->lines)
		return rows->left->lines ? spq_estimate_line_meets(a, b, rows->axes, pair->left) :
			spq_estimate_line_meets(b, a, rows->axes, pair->right);
	if (rows->axes == 3)
		return spq_estimate_related3(rows->predicate, a, b);
	return spq_box_related(rows->predicate, 0, (const SpqBox *) a, (const SpqBox *) b);
}

/*
 * Return the fraction of the rows in both samples that satisfy a condition, times
 * their number, and set that number.
 */
static double
count_matches(const SpqSpatialOperator *op, const SpqEstimateTrial *trial,
			  SpqEstimatePairs *rows)
{
	int			matches = 0;

	pair_rows(rows);
	for (int i = 0; i < rows->pairs; i++)
	{
		rows->pair[i].match = is_match(rows, &rows->pair[i]);
		matches += rows->pair[i].match;
	}
	if (rows->lines || matches == 0)
		return matches;
	return matches *
		spq_estimate_tried_fraction(rows, trial,
									spq_estimate_expected_fraction(op, rows->left, rows->right));
}

/* The latest counts, for queries that are repeated. */
#define REMEMBERED 16

static struct
{
	uint64		left;			/* ids of the samples */
	uint64		right;
	SpqRelation relation;
	Oid			condition;
	SpqEstimateTrial trial;
	double		expected;		/* fraction of the matching boxes */
	int			pairs;
	double		matches;
}			remembered[REMEMBERED];
static int	next_remembered = 0;

/*
 * Estimate the selectivity of a condition on two columns of one row, and the
 * fraction of the rows in which both are not null.  Return false if it is unknown.
 */
bool
spq_estimate_row_condition(PlannerInfo *root, const SpqEstimateCondition *condition,
						   double *selectivity, double *not_null)
{
	const SpqSpatialOperator *op = &condition->op;
	const SpqEstimateTrial trial = {
		.function = OidIsValid(op->condition) ? spq_spatial_tried(op->condition) : InvalidOid,
		.exchanged = op->exchanged
	};
	SpqEstimatePairs rows = {.predicate = op->relation,.axes = op->axes,
		.lines = spq_estimate_line_meets_box(op)
	};
	const SpqEstimateExpression *left = condition->column_is_left ? &condition->column :
		&condition->other,
			   *right = condition->column_is_left ? &condition->other : &condition->column;
	double		tuples,
				read;
	int			known = 0;

	if (!sample_columns(root, left, right, &rows.left, &rows.right, &tuples))
		return false;
	while (known < REMEMBERED &&
		   (remembered[known].left != rows.left->id || remembered[known].right != rows.right->id ||
			remembered[known].relation != op->relation ||
			remembered[known].condition != op->condition ||
			remembered[known].trial.function != trial.function ||
			remembered[known].trial.exchanged != trial.exchanged ||
			remembered[known].expected != op->fraction))
		known++;
	if (known == REMEMBERED)
	{
		double		matches = count_matches(op, &trial, &rows);

		known = next_remembered;
		next_remembered = (next_remembered + 1) % REMEMBERED;
		remembered[known].left = rows.left->id;
		remembered[known].right = rows.right->id;
		remembered[known].relation = op->relation;
		remembered[known].condition = op->condition;
		remembered[known].trial = trial;
		remembered[known].expected = op->fraction;
		remembered[known].pairs = rows.pairs;
		remembered[known].matches = matches;
	}

	/* reading may have ended earlier for one column */
	read = Max(Min(rows.left->rows, rows.right->rows), 1);
	*not_null = remembered[known].pairs / read;
	*selectivity = remembered[known].matches / read;
	if (!rows.left->complete || !rows.right->complete)
		*selectivity = Max(*selectivity, spq_estimate_least(rows.left, tuples));
	*selectivity = Min(*selectivity, 1);
	return true;
}
