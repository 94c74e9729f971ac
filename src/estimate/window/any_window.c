/*-------------------------------------------------------------------------
 *
 * any_window.c
 *	  How many rows are in at least one of several windows, from a sample.
 *
 *		+------+			rows in each window, added up; and how much the
 *		|	 +-+-----+		windows overlap, from the rows of the sample: in
 *		+----+-+	 |		any of them, and in each, added up
 *			 +-------+
 *
 * If windows lie at random, a row is in an expected number of x of them, and in
 * at least one with probability 1 - exp(-x): the overlap of more windows than
 * were compared follows from that of those.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "estimate/window/window.h"

/*
 * Windows in which the rows around them count, too, if there are few rows in all
 * of them; the others have their own rows alone.  It takes as long for one as
 * comparing all rows with ten; with a shape other than a line, some milliseconds.
 */
#define SHRUNK_WINDOWS	16
#define SHRUNK_SHAPES	6

/* The weight of what is expected from the rows around them, in rows of the sample. */
#define WEIGHT_OF_EXPECTED	4

/* Return the part of the rows that is left if windows overlap: (1 - exp(-x)) / x. */
static double
left_by_overlap(double x)
{
	return x > 0 ? -expm1(-x) / x : 1;
}

/* Return the x for which left_by_overlap() returns this part. */
static double
overlap_of(double part)
{
	double		low = 0,
				high = 1 / part;

	for (int i = 0; i < 40; i++)
	{
		double		middle = (low + high) / 2;

		if (left_by_overlap(middle) > part)
			low = middle;
		else
			high = middle;
	}
	return part < 1 ? low : 0;
}

/* Return the distance between windows that are shrunk; the first is half of it. */
static int
step_of(const SpqEstimateWindow *windows, int count)
{
	const int	most = windows[0].shapes > 0 && !spq_estimate_shape_is_line(&windows[0].shape[0]) ?
		SHRUNK_SHAPES : SHRUNK_WINDOWS;

	return (count + most - 1) / most;
}

/*
 * Return the sum of the fractions of the rows that are in each window, if few rows of
 * the sample are in any: "seen" is their sum, and in[] their numbers.  is_in[] says
 * which are in each window that is shrunk, one after the other.
 *
 * An estimate from the rows around a window expects rows in an empty one, too, which
 * adds up.  So it counts as if as many rows had been seen as WEIGHT_OF_EXPECTED, in a
 * part of the windows that is expected to have them.
 */
static double
rows_of_few(const SpqEstimateWindow *windows, int count, double seen, const int *in,
			const SpqEstimateSample *sample, const bool *is_in)
{
	const int	step = step_of(windows, count);
	double		sum = 0,
				expected;
	int			shrunk = 0;

	for (int w = step / 2; w < count; w += step, shrunk++)
	{
		sum += spq_estimate_around_window(&windows[w], sample, is_in, in[w]);
		is_in += sample->count;
	}
	/* a few windows may be larger than these, and have most of the rows */
	expected = Max(sum * count / shrunk, seen) * sample->rows;
	if (windows[0].same || !(expected > 0))
		return expected / sample->rows;
	return (seen * sample->rows + WEIGHT_OF_EXPECTED) / (WEIGHT_OF_EXPECTED / expected + 1) /
		sample->rows;
}

/*
 * Return the fraction of a relation's rows that is in at least one of "all"
 * windows, of which some are given.  Set how many rows of the sample are in each of
 * these, and the sum of the fractions that are in each.
 */
double
spq_estimate_in_any_window(const SpqEstimateWindow *windows, int count, double all,
						   const SpqEstimateSample *sample, double tuples, int *in, double *sum)
{
	MemoryContext context,
				old;
	bool	   *in_shrunk,
			   *is_in,
			   *in_any;
	int			step;
	double		rows = 0,
				seen = 0,
				any = 0,
				result;
	bool		enough;

	*sum = 0;
	memset(in, 0, sizeof(int) * count);
	if (sample->count == 0 || count == 0)
		return 0;
	context = AllocSetContextCreate(CurrentMemoryContext, "spatial windows",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	step = step_of(windows, count);
	is_in = in_shrunk = palloc(sizeof(bool) * sample->count * (SHRUNK_WINDOWS + 1));
	in_any = palloc0(sizeof(bool) * sample->count);
	for (int w = 0; w < count; w++)
	{
		in[w] = spq_estimate_rows_in_window(&windows[w], sample, is_in);
		rows += windows[w].fraction * in[w] / sample->rows;
		seen += in[w];
		if (in[w] > 0)
			for (int i = 0; i < sample->count; i++)
				in_any[i] |= is_in[i];
		if (w % step == step / 2)
			is_in += sample->count;
	}
	for (int i = 0; i < sample->count; i++)
		any += in_any[i];
	enough = sample->complete || spq_estimate_enough_blocks(sample, in_any);
	if (!enough)
		rows = rows_of_few(windows, count, rows, in, sample, in_shrunk);
	*sum = rows;
	rows *= all / count;
	result = rows * left_by_overlap(overlap_of((any + 1) / (seen + 1)) * all / count);
	if (!enough && !windows[0].same)
		result = Max(result, spq_estimate_least(sample, tuples));
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return Min(result, (double) sample->count / sample->rows);
}
