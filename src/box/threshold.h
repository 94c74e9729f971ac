/*-------------------------------------------------------------------------
 *
 * threshold.h
 *	  Comparisons with EPSILON as plain comparisons with another number.
 *
 * spq_box_compare(comparison, x, q) says whether x is low enough for q.  For a
 * given q this is the same as
 *
 *		x <= spq_box_greatest_low(comparison, q)
 *
 * and spq_box_compare(comparison, q, x), that x is high enough for q, as
 *
 *		x >= spq_box_least_high(comparison, q)
 *
 * for every x: infinities, zeros of both signs, NaN.
 *
 * Why.  Rounding is monotonic, so x + EPSILON, y + EPSILON, x - y and y - x, as
 * computed, do not fall or do not rise when x does.  So if x is low enough
 * for q, then so is each lower number: of the numbers in their order, -infinity
 * to infinity, those low enough are a first part, perhaps empty, perhaps all.  Its
 * last number is the threshold, and if it is empty, NaN, which nothing is at most.
 * (The one difference that is not a number, of equal infinities, is never asked
 * for: SAME compares first.  So it is monotonic there, too.)  A NaN is never low
 * enough, nor at most any number.  If q is a NaN, nothing is low enough.  Zeros of
 * both signs compare equally on both sides.  The same from the other end for
 * numbers that are high enough.
 *
 * The last number is found by bisection between a number that is low enough and
 * one that is not, over the bits of doubles, whose order as integers is that
 * of the numbers.  It starts at a guess, and steps that double find the
 * two: near the guess, so in a few steps, as a rule.  Should the guess be wrong, it
 * takes longer; the result is the same.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_THRESHOLD_H
#define SPQ_BOX_THRESHOLD_H

#include "box/bits.h"
#include "box/relation.h"

/*
 * Return the place of a number other than NaN in the order of all: adjacent
 * numbers have adjacent places, and so have the zeros.
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
 * Return the last number that is low enough (is_low), or the first that is high
 * enough.
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

	/* so q is not NaN, and these are not NaN either */
	if (comparison == SPQ_BOX_COMPARE_FUZZY || comparison == SPQ_BOX_COMPARE_SAME)
		guess = is_low ? q + SPQ_BOX_EPSILON : q - SPQ_BOX_EPSILON;
	else if (comparison == SPQ_BOX_COMPARE_FUZZY_STRICT)
		guess = is_low ? q - SPQ_BOX_EPSILON : q + SPQ_BOX_EPSILON;

	/* Look around for both, but not beyond the infinities. */
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

	/* The numbers between the two. */
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

/* x is low enough for q exactly if it is at most this. */
static inline float8
spq_box_greatest_low(SpqBoxComparison comparison, float8 q)
{
	return spq_box_threshold(comparison, q, true);
}

/* x is high enough for q exactly if it is at least this. */
static inline float8
spq_box_least_high(SpqBoxComparison comparison, float8 q)
{
	return spq_box_threshold(comparison, q, false);
}

#endif							/* SPQ_BOX_THRESHOLD_H */
