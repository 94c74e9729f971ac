/*-------------------------------------------------------------------------
 *
 * pair_selectivity.c
 *	  How many pairs of rows satisfy a spatial clause of a join.
 *
 *		shapes whose bounds tell little	estimated from some of them (shape_pairs.c)
 *		both sides have samples			estimated from them
 *		... and a side has a window		... from the rows in it or near it
 *		a side has no sample			a match for each row of the larger side
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "estimate/cache/cache.h"
#include "estimate/join/selectivity.h"
#include "estimate/pairs/estimate.h"
#include "spatial/extension/member.h"

/*
 * Return the fraction of the rows of a side that have a match among "other".
 * If this side's sample is complete, the matches with seen rows are known.
 */
static double
matched_fraction(const SpqEstimateChances *chances, const SpqEstimateSide *side,
				 const SpqEstimateSide *other)
{
	double		seen = chances->others,
				rows = other->sample->complete ? other->sample->rows : other->tuples,
				unseen = Max(rows - seen, 0);

	return spq_estimate_matched(chances, side->sample->complete ? unseen : seen + unseen,
								unseen, Min(other->rows / other->tuples, 1));
}

/*
 * Return whether an operator is never true for a value and itself: <, > or <>.
 */
static bool
is_irreflexive(Oid opno, Oid type)
{
	const TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR |
													TYPECACHE_GT_OPR);

	return OidIsValid(opno) &&
		(opno == entry->lt_opr || opno == entry->gt_opr ||
		 (OidIsValid(entry->eq_opr) && opno == get_negator(entry->eq_opr)));
}

/*
 * Return whether a clause between two relations, which are the same table, excludes
 * each row's pair with itself, whatever the column is:
 *
 *		a.b && b.b AND a.id < b.id		or a.id <> b.id
 */
static bool
other_rows_only(RelOptInfo *left, RelOptInfo *right)
{
	ListCell   *lc;

	foreach(lc, left->joininfo)
	{
		const RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);
		const OpExpr *op = (const OpExpr *) rinfo->clause;
		const Var  *a,
				   *b;

		if (!IsA(op, OpExpr) || list_length(op->args) != 2 ||
			!IsA(linitial(op->args), Var) || !IsA(lsecond(op->args), Var))
			continue;
		a = linitial(op->args);
		b = lsecond(op->args);
		if (a->varattno == b->varattno && a->varattno > 0 &&
			(((Index) a->varno == left->relid && (Index) b->varno == right->relid) ||
			 ((Index) a->varno == right->relid && (Index) b->varno == left->relid)) &&
			is_irreflexive(op->opno, a->vartype))
			return true;
	}
	return false;
}

/* Return the question to ask about a pair of rows of both sides. */
static SpqEstimateQuestion
question_of(const SpqSpatialOperator *op, const SpqEstimateSide *left,
			const SpqEstimateSide *right)
{
	SpqEstimateQuestion question = {.predicate = op->relation};

	question.shape = spq_estimate_expected_fraction(op, left->sample, right->sample);
	question.lines = spq_estimate_line_meets_box(op);
	question.trial.function = OidIsValid(op->condition) ? spq_spatial_tried(op->condition) :
		InvalidOid;
	question.trial.exchanged = op->exchanged;
	question.other_rows = left->sample->source == right->sample->source &&
		(op->proper || other_rows_only(left->rel, right->rel));
	return question;
}

/*
 * Take samples of more blocks if the present ones have too few for this join,
 * because the rows of a block lie together.
 */
static void
sample_enough_blocks(PlannerInfo *root, const SpqEstimateQuestion *question,
					 SpqEstimateSide *left, SpqEstimateSide *right)
{
	if (spq_estimate_of_samples(left->sample, right->sample, question)->few_places)
		spq_estimate_sample_more_blocks(root, left, right);
}

/*
 * Return the selectivity of a join with a window on one side: a mean of that
 * of all rows and that of rows in the window.  The larger the error of the
 * latter, the more the former counts.
 */
static double
between_all_and_window(double all, double in_window, double error)
{
	double		weight = 1 / (1 + 4 * error * error);

	return all > 0 && in_window > 0 ? pow(all, 1 - weight) * pow(in_window, weight) : in_window;
}

/*
 * Return the fraction of the pairs whose boxes are in the relation that a join
 * searches for.
 */
static double
candidates(const SpqSpatialOperator *op, const SpqEstimateQuestion *question,
		   const SpqEstimateSide *left, const SpqEstimateSide *right)
{
	const SpqEstimateQuestion boxes = {.predicate = op->predicate,.shape = 1,
		.other_rows = question->other_rows
	};
	const SpqEstimate *estimate;

	if (question->lines || op->relation != op->predicate)
		return spq_estimate_of_samples(left->sample, right->sample, &boxes)->selectivity;
	estimate = spq_estimate_of_samples(left->sample, right->sample, question);
	return estimate->selectivity / Max(estimate->fraction, DBL_EPSILON);
}

/*
 * Set which parts of the relations index scans reach.  An estimate is of the samples
 * of the sides, which may be restricted to windows; "all_left" and "all_right" are not.
 */
static void
set_touched(SpqEstimateSelectivity *result, const SpqEstimate *estimate,
			const SpqEstimateSide *left, const SpqEstimateSide *right,
			const SpqEstimateSample *all_left, const SpqEstimateSample *all_right)
{
	result->left_touched = left->sample == all_left ? estimate->left_touched :
		spq_estimate_touched(right->sample, all_left);
	result->right_touched = right->sample == all_right ? estimate->right_touched :
		spq_estimate_touched(left->sample, all_right);
}

/*
 * Of a clause whose pairs are known, estimate those whose boxes are in the relation
 * that a join searches for.
 */
static void
estimate_candidates(SpqEstimateSelectivity *result, const SpqSpatialOperator *op,
					SpqEstimateSide *left, SpqEstimateSide *right)
{
	const SpqEstimateQuestion boxes = {.predicate = op->predicate,.shape = 1};
	const SpqEstimateSample *all_left = left->sample,
			   *all_right = right->sample;
	double		in_windows = spq_estimate_restrict_sides(left, right);
	const SpqEstimate *estimate = spq_estimate_of_samples(left->sample, right->sample, &boxes);

	result->candidates = estimate->selectivity * in_windows;
	set_touched(result, estimate, left, right, all_left, all_right);
}

static void
estimate_from_samples(SpqEstimateSelectivity *result, const SpqSpatialOperator *op,
					  const SpqEstimateQuestion *question,
					  SpqEstimateSide *left, SpqEstimateSide *right)
{
	const SpqEstimateSample *all_left = left->sample,
			   *all_right = right->sample;
	const SpqEstimate *estimate;
	bool		one_window = left->window_known != right->window_known;
	double		all = one_window ?
		spq_estimate_of_samples(all_left, all_right, question)->selectivity : 0,
				in_windows = spq_estimate_restrict_sides(left, right),
				lboxes = left->sample->count / Max(left->sample->rows, 1.0),
				rboxes = right->sample->count / Max(right->sample->rows, 1.0);

	result->candidates = candidates(op, question, left, right) * in_windows;
	estimate = spq_estimate_of_samples(left->sample, right->sample, question);
	result->inner = estimate->selectivity * in_windows;
	if (one_window)
		result->inner = between_all_and_window(all, result->inner, estimate->error);
	set_touched(result, estimate, left, right, all_left, all_right);
	result->left_fraction = matched_fraction(&estimate->left, left, right);
	result->right_fraction = matched_fraction(&estimate->right, right, left);

	/* if matches are few, equal values are as rare as if all differed */
	if (op->relation == SPQ_BOX_SAME && question->other_rows && !left->sample->complete)
		result->inner = Max(result->inner, sqrt(left->tuples) / (left->tuples * right->tuples));
	else if (op->relation == SPQ_BOX_SAME && !estimate->same &&
			 !(left->sample->complete && right->sample->complete))
	{
		if (estimate->matches < 8)
			result->inner = lboxes * rboxes / Max(left->tuples, right->tuples);
		result->left_fraction = Max(result->left_fraction,
									Min(lboxes, result->inner * right->rows));
		result->right_fraction = Max(result->right_fraction,
									 Min(rboxes, result->inner * left->rows));
	}

	/* add each row's pair with itself, which was left out */
	if (estimate->same && !question->other_rows)
	{
		double		self = estimate->self,
					kept = Min(right->rows / right->tuples, 1);

		result->inner += self / Max(left->tuples, right->tuples) * in_windows;
		result->left_fraction += Max(self - result->left_fraction, 0) * kept;
		kept = Min(left->rows / left->tuples, 1);
		result->right_fraction += Max(self - result->right_fraction, 0) * kept;
	}
}

/* Everything that an estimate of a join with windows depends on. */
typedef struct WindowJoin
{
	uint64		left;			/* ids of the samples */
	uint64		right;
	SpqEstimateWindow windows[2];
	double		sizes[6];
	SpqRelation predicate;
	SpqRelation searched;		/* by the join */
	double		shape;
	Oid			function;
	bool		flags[5];
} WindowJoin;

#define REMEMBERED 16

/*
 * The latest estimates: planning needs each several times, and queries are
 * repeated.
 */
static struct
{
	WindowJoin	join;
	SpqEstimateSelectivity result;
}		   *remembered;
static int	next_remembered = 0;

static void
describe_window_join(WindowJoin *join, const SpqSpatialOperator *op,
					 const SpqEstimateQuestion *question, const SpqEstimateSide *left, const SpqEstimateSide *right)
{
	const SpqEstimateSide *const sides[] = {left, right};

	memset(join, 0, sizeof(*join));
	join->left = left->sample->id;
	join->right = right->sample->id;
	for (int side = 0; side < 2; side++)
	{
		memcpy(&join->windows[side], &sides[side]->window, sizeof(SpqEstimateWindow));
		join->sizes[3 * side] = sides[side]->tuples;
		join->sizes[3 * side + 1] = sides[side]->rows;
		join->sizes[3 * side + 2] = sides[side]->in_window;
		join->flags[side] = sides[side]->window_known;
	}
	join->predicate = question->predicate;
	join->searched = op->predicate;
	join->shape = question->shape;
	join->function = question->trial.function;
	join->flags[2] = question->trial.exchanged;
	join->flags[3] = question->other_rows;
	join->flags[4] = question->lines;
}

/*
 * As estimate_from_samples(), for a join with a window; the result is
 * remembered.
 */
static void
estimate_window_join(SpqEstimateSelectivity *result, const SpqSpatialOperator *op,
					 const SpqEstimateQuestion *question,
					 SpqEstimateSide *left, SpqEstimateSide *right)
{
	WindowJoin	join;

	if (!remembered)
		remembered = MemoryContextAllocZero(TopMemoryContext, sizeof(*remembered) * REMEMBERED);
	describe_window_join(&join, op, question, left, right);
	for (int i = 0; i < REMEMBERED; i++)
		if (memcmp(&remembered[i].join, &join, sizeof(join)) == 0)
		{
			*result = remembered[i].result;
			return;
		}
	estimate_from_samples(result, op, question, left, right);
	remembered[next_remembered].join = join;
	remembered[next_remembered].result = *result;
	next_remembered = (next_remembered + 1) % REMEMBERED;
}

/*
 * Estimate a clause of which one side or both cannot be sampled.  Assume that
 * the other side is like the known one, and that each row of the larger side
 * has at least one match.  "known" is a previous estimate, or negative; it is
 * used if a side is not a single relation.
 */
static void
estimate_unknown(SpqEstimateSelectivity *result, const SpqSpatialOperator *op, double known,
				 const SpqEstimateSide *left, const SpqEstimateSide *right)
{
	const SpqEstimateSample *sample = left->sample ? left->sample : right->sample;

	result->inner = Min(SPQ_DEFAULT_SELECTIVITY, 1 / Min(left->tuples, right->tuples));
	if (known >= 0 && (!left->rel || !right->rel))
		result->inner = sample ? Max(result->inner, known) : known;
	else if (sample)
	{
		const SpqEstimateQuestion question = {.predicate = SPQ_BOX_OVERLAPS,.shape = 1};

		result->inner = Max(result->inner,
							spq_estimate_of_samples(sample, sample, &question)->selectivity);
	}
	result->candidates = result->inner / op->fraction;
	result->left_fraction = result->right_fraction = 0.5;
}

/* Return the selectivity of a clause found by spq_spatial_join_clause(). */
const SpqEstimateSelectivity *
spq_estimate_clause(PlannerInfo *root, RestrictInfo *rinfo,
					const SpqSpatialOperator *op)
{
	SpqEstimateSelectivity *result = palloc0(sizeof(SpqEstimateSelectivity));
	SpqEstimateSide left,
				right;
	double		pairs,
				lrows,
				rrows;

	spq_estimate_sample_sides(root, rinfo, op, &left, &right);
	pairs = left.tuples * right.tuples;
	lrows = left.rows;
	rrows = right.rows;
	result->left_touched = result->right_touched = (SpqEstimateTouched)
	{
		1, 1
	};
	if (spq_estimate_shape_pairs(root, castNode(OpExpr, rinfo->clause), op, &left, &right, result))
	{
		if (left.sample && right.sample)
			estimate_candidates(result, op, &left, &right);
	}
	else if (left.sample && right.sample)
	{
		const SpqEstimateQuestion question = question_of(op, &left, &right);

		result->sampled = true;
		if (left.window_known || right.window_known)
			estimate_window_join(result, op, &question, &left, &right);
		else
		{
			sample_enough_blocks(root, &question, &left, &right);
			estimate_from_samples(result, op, &question, &left, &right);
		}
	}
	else
		estimate_unknown(result, op, rinfo->norm_selec, &left, &right);

	/* at least one pair, and a row of each side */
	result->inner = Max(result->inner, 1 / pairs);
	result->inner = Min(result->inner, 1);
	result->candidates = Min(Max(result->candidates, result->inner), 1);

	/*
	 * No more rows have a match than there are pairs.  If a side was
	 * restricted to rows near the other side's window, its fraction is of
	 * these rows only.
	 */
	result->left_fraction = Min(result->left_fraction, result->inner * Max(rrows, 1));
	result->right_fraction = Min(result->right_fraction, result->inner * Max(lrows, 1));
	result->left_fraction = Min(Max(result->left_fraction, 1 / left.tuples), 1);
	result->right_fraction = Min(Max(result->right_fraction, 1 / right.tuples), 1);
	return result;
}
