/*-------------------------------------------------------------------------
 *
 * limits.c
 *	  The bounds that a node must have to hold an answer of a query.
 *	  See limits.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lattice/limits.h"

/*
 * Return a number near the one at which the result of the comparison changes.
 */
static inline float8
low_guess(SpqBoxComparison comparison, float8 q)
{
	return comparison == SPQ_BOX_COMPARE_EXACT ? q :
		comparison == SPQ_BOX_COMPARE_FUZZY_STRICT ? q - EPSILON : q + EPSILON;
}

static inline float8
high_guess(SpqBoxComparison comparison, float8 q)
{
	return comparison == SPQ_BOX_COMPARE_EXACT ? q :
		comparison == SPQ_BOX_COMPARE_FUZZY_STRICT ? q + EPSILON : q - EPSILON;
}

/*
 * Return the largest code whose value is low enough, or, if there is none, a
 * number below all codes.
 *
 * The guess is a step or two off, unless the side is so small, compared with
 * the corner, that many codes decode to the same number.  So try a few steps,
 * then bisect.
 */
static int
low_limit(SpqBoxComparison comparison, float8 q, float8 corner,
		  const SpqLabelFrame *frame)
{
	int			pass = -SPQ_LABEL_CODE_NONE;	/* below all codes: passes */
	int			fail = SPQ_LABEL_CODE_NONE; /* above all codes: fails */
	int			code;

	if (isnan(q))
		return -SPQ_LABEL_CODE_NONE;

	code = spq_label_code_near(low_guess(comparison, q), corner, frame->per_side);
	for (int tries = 0; fail - pass > 1; tries++)
	{
		if (spq_box_compare(comparison, spq_label_decode_code(code, corner, frame->side), q))
			pass = code++;
		else
			fail = code--;
		if (tries > 2 || code <= pass || code >= fail)
			code = pass + (fail - pass) / 2;
	}
	return pass;
}

/*
 * Return the smallest code whose value is high enough, or, if there is none, a
 * number above all codes.
 */
static int
high_limit(SpqBoxComparison comparison, float8 q, float8 corner,
		   const SpqLabelFrame *frame)
{
	int			pass = SPQ_LABEL_CODE_NONE;
	int			fail = -SPQ_LABEL_CODE_NONE;
	int			code;

	if (isnan(q))
		return SPQ_LABEL_CODE_NONE;

	code = spq_label_code_near(high_guess(comparison, q), corner, frame->per_side);
	for (int tries = 0; pass - fail > 1; tries++)
	{
		if (spq_box_compare(comparison, q, spq_label_decode_code(code, corner, frame->side)))
			pass = code--;
		else
			fail = code++;
		if (tries > 2 || code <= fail || code >= pass)
			code = fail + (pass - fail) / 2;
	}
	return pass;
}

/* Return the limits that every label passes. */
SpqLabelLimits
spq_label_no_limits(void)
{
	SpqLabelLimits limits;

	limits.xmin = limits.ymin = SPQ_LABEL_CODE_NONE;
	limits.xmax = limits.ymax = -SPQ_LABEL_CODE_NONE;
	return limits;
}

/*
 * Tighten limits to nodes that may hold a box in this relation to the query.
 *
 * For SAME, NaN equals NaN, and a box with a NaN has infinite bounds on that
 * axis; so a NaN in the query sets no limit.  For the other relations, no
 * bound is low or high enough for NaN.
 */
void
spq_label_limit(SpqLabelLimits *limits, SpqRelation relation, SpqBoxCorners query,
				const SpqLabelFrame *frame)
{
	const SpqBoxRule *rule = spq_box_rule(relation);
	const float8 *low_q = spq_box_end(query, rule->low_b);
	const float8 *high_q = spq_box_end(query, rule->high_b);

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		corner = axis == 0 ? frame->x : frame->y;
		int		   *low = axis == 0 ? &limits->xmin : &limits->ymin;
		int		   *high = axis == 0 ? &limits->xmax : &limits->ymax;

		if (spq_box_is_axial(relation) && spq_box_axis(relation) != axis)
			continue;
		if (rule->low_a != SPQ_BOX_NO_END &&
			!(relation == SPQ_BOX_SAME && isnan(low_q[axis])))
		{
			int			limit = low_limit(rule->comparison, low_q[axis], corner, frame);

			*low = Min(*low, limit);
		}
		if (rule->high_a != SPQ_BOX_NO_END &&
			!(relation == SPQ_BOX_SAME && isnan(high_q[axis])))
		{
			int			limit = high_limit(rule->comparison, high_q[axis], corner, frame);

			*high = Max(*high, limit);
		}
	}
}
