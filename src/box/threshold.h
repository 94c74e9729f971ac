/*-------------------------------------------------------------------------
 *
 * threshold.h
 *	  Comparisons with EPSILON as plain comparisons with another number.
 *
 * For a given q, spq_box_compare(comparison, x, q), "x is low enough for q", is
 * equivalent to
 *
 *		x <= spq_box_greatest_low(comparison, q)
 *
 * and spq_box_compare(comparison, q, x), "x is high enough for q", to
 *
 *		x >= spq_box_least_high(comparison, q)
 *
 * for every x, including infinities, zeros of both signs, and NaN.
 *
 * Proof: The comparisons are monotonic in x, because rounding is.  (The only
 * difference that is not a number, that of equal infinities, is not computed:
 * SAME tests <= first.)  So if x is low enough for q, each lower number is,
 * too: the numbers that are low enough are all those from -infinity up to some
 * number, the threshold.  If no number is low enough, the threshold is NaN,
 * and no comparison with it is true.  If q is NaN, no number is low enough.
 * If x is NaN, both comparisons are false.  Zeros of both signs compare alike.
 * The argument for numbers that are high enough is the same, from the other
 * end.
 *
 * The threshold is found by bisection between a number that is low enough and
 * one that is not, over the bits of doubles, whose order as integers is that of
 * the numbers.  The search for these two numbers starts at a guess, with steps
 * that double.  Usually the guess is close, and a few steps are enough.  A bad
 * guess costs more steps and does not change the result.
 *
 * These functions need no server and are tested without one
 * (test/unit/threshold_test.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_THRESHOLD_H
#define SPQ_BOX_THRESHOLD_H

#include "box/bits.h"
#include "box/relation.h"

/*
 * Return the place of a number in the order of all numbers.  Adjacent numbers
 * have adjacent places, and so do -0 and 0.  The number must not be NaN.
 */
static inline int64
spq_box_place(float8 value)
{
	int64		bits = (int64) spq_box_bits(value);

	return bits >= 0 ? bits : ~(bits & PG_INT64_MAX);
}

static inline float8
spq_box_at_place(int64 place)
{
	return spq_box_from_bits(place >= 0 ? (uint64) place :
							 (uint64) ~place | UINT64CONST(0x8000000000000000));
}

/*
 * Return the greatest number that is low enough for q (is_low), or the least
 * that is high enough; NaN if there is none.
 */
static inline float8
spq_box_threshold(SpqBoxComparison comparison, float8 q, bool is_low)
{
	const float8 infinity = get_float8_infinity();
	const float8 easiest = is_low ? -infinity : infinity;
	float8		guess = q;
	const int64 longest = INT64CONST(1) << 60;	/* no sum of places overflows */
	int64		holds,			/* the place of a number that is low (high)
								 * enough */
				fails,			/* of one that is not */
				step = 1;

#define SPQ_BOX_HOLDS(x) \
	(is_low ? spq_box_compare(comparison, (x), q) : spq_box_compare(comparison, q, (x)))

	if (!SPQ_BOX_HOLDS(easiest))
		return get_float8_nan();
	if (SPQ_BOX_HOLDS(-easiest))
		return -easiest;

	/* Here q is not NaN, so the guess is not NaN either. */
	if (comparison == SPQ_BOX_COMPARE_FUZZY || comparison == SPQ_BOX_COMPARE_SAME)
		guess = is_low ? q + SPQ_BOX_EPSILON : q - SPQ_BOX_EPSILON;
	else if (comparison == SPQ_BOX_COMPARE_FUZZY_STRICT)
		guess = is_low ? q - SPQ_BOX_EPSILON : q + SPQ_BOX_EPSILON;

	/* Search for both numbers around the guess, up to the infinities. */
	holds = fails = spq_box_place(guess);
	if (SPQ_BOX_HOLDS(guess))
	{
		const int64 last = spq_box_place(-easiest);

		do
		{
			holds = fails;
			if (is_low)
				fails = holds < last - step ? holds + step : last;
			else
				fails = holds > last + step ? holds - step : last;
			step = Min(step * 2, longest);
		} while (SPQ_BOX_HOLDS(spq_box_at_place(fails)));
	}
	else
	{
		const int64 first = spq_box_place(easiest);

		do
		{
			fails = holds;
			if (is_low)
				holds = fails > first + step ? fails - step : first;
			else
				holds = fails < first - step ? fails + step : first;
			step = Min(step * 2, longest);
		} while (!SPQ_BOX_HOLDS(spq_box_at_place(holds)));
	}

	/* Bisect the numbers between the two. */
	while (is_low ? fails - holds > 1 : holds - fails > 1)
	{
		int64		middle = holds + (fails - holds) / 2;

		if (SPQ_BOX_HOLDS(spq_box_at_place(middle)))
			holds = middle;
		else
			fails = middle;
	}
	return spq_box_at_place(holds);
#undef SPQ_BOX_HOLDS
}

/* Return n such that x is low enough for q exactly if x <= n. */
static inline float8
spq_box_greatest_low(SpqBoxComparison comparison, float8 q)
{
	return spq_box_threshold(comparison, q, true);
}

/* Return n such that x is high enough for q exactly if x >= n. */
static inline float8
spq_box_least_high(SpqBoxComparison comparison, float8 q)
{
	return spq_box_threshold(comparison, q, false);
}

#endif							/* SPQ_BOX_THRESHOLD_H */
