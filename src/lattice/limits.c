/*-------------------------------------------------------------------------
 *
 * limits.c
 *	  What a node's bounds must be for it to hold an answer of a query.
 *	  See limits.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lattice/limits.h"
#include "quadtree/strategy.h"

/*
 * How a bound compares with a query's coordinate.  The operators' macros
 * (FPle and so on) are not symmetric when sums are rounded, so each is kept
 * as it is written in the operator.
 */
typedef enum Comparison
{
	EXACT,						/* <=, >= */
	FUZZY,						/* FPle, FPge */
	FUZZY_STRICT,				/* FPlt, FPgt */
	SAME						/* FPeq, seen from one side */
} Comparison;

/* Is it low enough? */
static inline bool
low_passes(Comparison comparison, float8 bound, float8 q)
{
	switch (comparison)
	{
		case EXACT:
			return bound <= q;
		case FUZZY:
			return FPle(bound, q);
		case FUZZY_STRICT:
			return FPlt(bound, q);
		case SAME:
			return bound <= q || bound - q <= EPSILON;
	}
	return true;
}

/* Is it high enough? */
static inline bool
high_passes(Comparison comparison, float8 bound, float8 q)
{
	switch (comparison)
	{
		case EXACT:
			return bound >= q;
		case FUZZY:
			return FPge(bound, q);
		case FUZZY_STRICT:
			return FPgt(bound, q);
		case SAME:
			return bound >= q || q - bound <= EPSILON;
	}
	return true;
}

/*
 * A number near the point at which the comparison changes.
 */
static inline float8
low_guess(Comparison comparison, float8 q)
{
	return comparison == EXACT ? q :
		comparison == FUZZY_STRICT ? q - EPSILON : q + EPSILON;
}

static inline float8
high_guess(Comparison comparison, float8 q)
{
	return comparison == EXACT ? q :
		comparison == FUZZY_STRICT ? q + EPSILON : q - EPSILON;
}

/*
 * Largest code that is low enough; below all codes if there is none.
 *
 * The guess is a step or two off unless a side is so small, compared with
 * the corner, that many codes decode to one number; so a few steps and then
 * bisection.
 */
static int
low_limit(Comparison comparison, float8 q, float8 corner,
		  const SpqFrame *frame)
{
	int			pass = -SPQ_CODE_NONE;	/* taken as passing: none is so low */
	int			fail = SPQ_CODE_NONE;	/* taken as failing: none is so high */
	int			code;

	if (isnan(q))
		return -SPQ_CODE_NONE;

	code = spq_code_near(low_guess(comparison, q), corner, frame->per_side);
	for (int tries = 0; fail - pass > 1; tries++)
	{
		if (low_passes(comparison, spq_decode(code, corner, frame->side), q))
			pass = code++;
		else
			fail = code--;
		if (tries > 2 || code <= pass || code >= fail)
			code = pass + (fail - pass) / 2;
	}
	return pass;
}

/*
 * Smallest code that is high enough; above all codes if there is none.
 */
static int
high_limit(Comparison comparison, float8 q, float8 corner,
		   const SpqFrame *frame)
{
	int			pass = SPQ_CODE_NONE;
	int			fail = -SPQ_CODE_NONE;
	int			code;

	if (isnan(q))
		return SPQ_CODE_NONE;

	code = spq_code_near(high_guess(comparison, q), corner, frame->per_side);
	for (int tries = 0; pass - fail > 1; tries++)
	{
		if (high_passes(comparison, spq_decode(code, corner, frame->side), q))
			pass = code--;
		else
			fail = code++;
		if (tries > 2 || code <= fail || code >= pass)
			code = fail + (pass - fail) / 2;
	}
	return pass;
}

SpqLimits
spq_no_limits(void)
{
	SpqLimits	limits;

	limits.xmin = limits.ymin = SPQ_CODE_NONE;
	limits.xmax = limits.ymax = -SPQ_CODE_NONE;
	return limits;
}

static inline void
limit_xmin(SpqLimits *limits, Comparison comparison, float8 q,
		   const SpqFrame *frame)
{
	int			limit = low_limit(comparison, q, frame->x, frame);

	limits->xmin = Min(limits->xmin, limit);
}

static inline void
limit_ymin(SpqLimits *limits, Comparison comparison, float8 q,
		   const SpqFrame *frame)
{
	int			limit = low_limit(comparison, q, frame->y, frame);

	limits->ymin = Min(limits->ymin, limit);
}

static inline void
limit_xmax(SpqLimits *limits, Comparison comparison, float8 q,
		   const SpqFrame *frame)
{
	int			limit = high_limit(comparison, q, frame->x, frame);

	limits->xmax = Max(limits->xmax, limit);
}

static inline void
limit_ymax(SpqLimits *limits, Comparison comparison, float8 q,
		   const SpqFrame *frame)
{
	int			limit = high_limit(comparison, q, frame->y, frame);

	limits->ymax = Max(limits->ymax, limit);
}

/*
 * Add what an operator with a box on its right asks for.
 *
 * The operator is quoted in each case, with b for the indexed box and q for
 * the query.
 */
void
spq_limit_by_box(SpqLimits *limits, int strategy, const BOX *query,
				 const SpqFrame *frame)
{
	switch (strategy)
	{
		case RTLeftStrategyNumber:
			/* FPlt(b.high.x, q.low.x) */
			limit_xmin(limits, FUZZY_STRICT, query->low.x, frame);
			break;
		case RTOverLeftStrategyNumber:
			/* FPle(b.high.x, q.high.x) */
			limit_xmin(limits, FUZZY, query->high.x, frame);
			break;
		case RTRightStrategyNumber:
			/* FPgt(b.low.x, q.high.x) */
			limit_xmax(limits, FUZZY_STRICT, query->high.x, frame);
			break;
		case RTOverRightStrategyNumber:
			/* FPge(b.low.x, q.low.x) */
			limit_xmax(limits, FUZZY, query->low.x, frame);
			break;
		case RTBelowStrategyNumber:
			/* FPlt(b.high.y, q.low.y) */
			limit_ymin(limits, FUZZY_STRICT, query->low.y, frame);
			break;
		case RTOverBelowStrategyNumber:
			/* FPle(b.high.y, q.high.y) */
			limit_ymin(limits, FUZZY, query->high.y, frame);
			break;
		case RTAboveStrategyNumber:
			/* FPgt(b.low.y, q.high.y) */
			limit_ymax(limits, FUZZY_STRICT, query->high.y, frame);
			break;
		case RTOverAboveStrategyNumber:
			/* FPge(b.low.y, q.low.y) */
			limit_ymax(limits, FUZZY, query->low.y, frame);
			break;
		case RTOverlapStrategyNumber:
			/* FPle(b.low.x, q.high.x), FPle(q.low.x, b.high.x), same for y */
		case RTContainedByStrategyNumber:
			/* FPge(q.high.x, b.high.x), FPle(q.low.x, b.low.x), same for y */
			limit_xmin(limits, FUZZY, query->high.x, frame);
			limit_ymin(limits, FUZZY, query->high.y, frame);
			limit_xmax(limits, FUZZY, query->low.x, frame);
			limit_ymax(limits, FUZZY, query->low.y, frame);
			break;
		case RTContainsStrategyNumber:
			/* FPge(b.high.x, q.high.x), FPle(b.low.x, q.low.x), same for y */
			limit_xmin(limits, FUZZY, query->low.x, frame);
			limit_ymin(limits, FUZZY, query->low.y, frame);
			limit_xmax(limits, FUZZY, query->high.x, frame);
			limit_ymax(limits, FUZZY, query->high.y, frame);
			break;
		case RTSameStrategyNumber:

			/*
			 * FPeq(b.high.x, q.high.x), FPeq(b.low.x, q.low.x), same for y.
			 * NaN is the same as NaN here, and a box with a NaN is not
			 * bounded on that axis.
			 */
			if (!isnan(query->low.x))
				limit_xmin(limits, SAME, query->low.x, frame);
			if (!isnan(query->low.y))
				limit_ymin(limits, SAME, query->low.y, frame);
			if (!isnan(query->high.x))
				limit_xmax(limits, SAME, query->high.x, frame);
			if (!isnan(query->high.y))
				limit_ymax(limits, SAME, query->high.y, frame);
			break;
		default:
			elog(ERROR, "unrecognized strategy number: %d", strategy);
	}
}

/*
 * Add what b @> point asks for: b.high.x >= q.x, b.low.x <= q.x, and the
 * same for y, without fuzziness.
 */
void
spq_limit_by_point(SpqLimits *limits, const Point *query,
				   const SpqFrame *frame)
{
	limit_xmin(limits, EXACT, query->x, frame);
	limit_ymin(limits, EXACT, query->y, frame);
	limit_xmax(limits, EXACT, query->x, frame);
	limit_ymax(limits, EXACT, query->y, frame);
}
