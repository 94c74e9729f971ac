/*-------------------------------------------------------------------------
 *
 * window_rows.c
 *	  How many rows satisfy conditions with constants, from a sample.
 *
 * If the rows of the sample in the window come from many blocks, they are
 * counted.  Otherwise shrink_window.c estimates from the rows around it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/memutils.h"

#include "estimate/window/window.h"

/* Count the rows in the window if they come from this many blocks. */
#define ENOUGH_BLOCKS 64

/* Rows whose values are compared to find how often values repeat. */
#define REPEAT_ROWS 1024
#define REPEAT_SLOTS 4096

static pg_attribute_always_inline bool
is_within_limits(const SpqEstimateWindow *window, const float8 *ends, int axes)
{
	const float8 *high = ends,
			   *low = ends + axes;
	bool		in = true;

	_Pragma("GCC unroll 3") for (int axis = 0; axis < axes; axis++)
		in &= (low[axis] >= window->low_min[axis]) & (low[axis] <= window->low_max[axis]) &
			(high[axis] >= window->high_min[axis]) & (high[axis] <= window->high_max[axis]);
	return in;
}

static bool
is_in_window(const SpqEstimateWindow *window, const SpqEstimateSample *sample, int i)
{
	const float8 *ends = spq_estimate_high(sample, i);
	bool		in;

	if (window->axes == 2)
		return is_within_limits(window, ends, 2);
	in = is_within_limits(window, ends, 3);
	for (int k = 0; k < window->shapes && in; k++)
		in = spq_estimate_shape_fits(&window->shape[k], ends);
	return in;
}

/*
 * Return the chance that two rows have the same value.  A sample does not show
 * how many different values there are, but it shows how often they repeat.
 */
static double
chance_of_same(const SpqEstimateSample *sample)
{
	int			rows = Min(sample->count, REPEAT_ROWS);
	struct
	{
		const float8 *box;
		int			count;
	}		   *slot = palloc0(sizeof(*slot) * REPEAT_SLOTS);
	const int	length = (int) sizeof(float8) * 2 * sample->axes;
	double		pairs = 0;

	for (int i = 0; i < rows; i++)
	{
		const float8 *box = spq_estimate_high(sample, (int) ((int64) i * sample->count / rows));
		uint32		place = hash_bytes((const unsigned char *) box, length) % REPEAT_SLOTS;

		while (slot[place].box && memcmp(slot[place].box, box, length) != 0)
			place = (place + 1) % REPEAT_SLOTS;
		slot[place].box = box;
		pairs += slot[place].count++;
	}
	pfree(slot);
	return rows > 1 ? pairs * 2 / ((double) rows * (rows - 1)) : 0;
}

/* Set which boxes of a sample are in a window.  Return their number. */
int
spq_estimate_rows_in_window(const SpqEstimateWindow *window, const SpqEstimateSample *sample,
							bool *is_in)
{
	int			in = 0;

	for (int i = 0; i < sample->count; i++)
	{
		is_in[i] = !window->nothing && is_in_window(window, sample, i);
		in += is_in[i];
	}
	return in;
}

/* Return whether some rows of a sample come from enough blocks to be counted. */
bool
spq_estimate_enough_blocks(const SpqEstimateSample *sample, const bool *is_in)
{
	int			blocks = 0,
				last_block = -1;

	for (int i = 0; i < sample->count; i++)
		if (is_in[i])
		{
			blocks += sample->row[i].block != last_block;
			last_block = sample->row[i].block;
		}
	return blocks >= ENOUGH_BLOCKS;
}

/*
 * Return the fraction of a relation's rows that satisfy the conditions, if these
 * rows of the sample do, and are too few to be counted alone.
 */
double
spq_estimate_around_window(const SpqEstimateWindow *window, const SpqEstimateSample *sample,
						   const bool *is_in, int in)
{
	double		result = window->fraction * in / sample->rows,
				left;

	if (window->nothing)
		return 0;
	if (window->same)
		return Max(in > 1 ? result : 0, window->fraction * chance_of_same(sample));
	left = spq_estimate_shrink(window, sample, is_in);
	return left >= 0 ? window->fraction * left * sample->count / sample->rows : result;
}

/*
 * Return the least fraction to expect.  A sample cannot tell one row from none, so
 * that is half of the geometric mean of one row and of the number of rows that a row
 * of the sample stands for.
 */
double
spq_estimate_least(const SpqEstimateSample *sample, double tuples)
{
	return sqrt(Max(tuples / Max(sample->rows, 1), 1)) / 2 / Max(tuples, 1);
}

/* Return the fraction of a relation's rows that satisfy the conditions. */
double
spq_estimate_in_window(const SpqEstimateWindow *window, const SpqEstimateSample *sample,
					   double tuples)
{
	MemoryContext context,
				old;
	bool	   *is_in;
	double		result;
	int			in;

	if (window->nothing || sample->count == 0)
		return 0;
	context = AllocSetContextCreate(CurrentMemoryContext, "spatial window",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	is_in = palloc(sizeof(bool) * sample->count);
	in = spq_estimate_rows_in_window(window, sample, is_in);
	if (sample->complete || spq_estimate_enough_blocks(sample, is_in))
		result = window->fraction * in / sample->rows;
	else
	{
		result = spq_estimate_around_window(window, sample, is_in, in);
		if (!window->same)
			result = Min(Max(result, spq_estimate_least(sample, tuples)), 1);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}
