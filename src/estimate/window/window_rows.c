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

/* Return the fraction of a relation's rows that satisfy the conditions. */
double
spq_estimate_in_window(const SpqEstimateWindow *window, const SpqEstimateSample *sample,
					   double tuples)
{
	MemoryContext context,
				old;
	bool	   *is_in;
	double		result,
				least;
	int			in = 0,
				blocks = 0,
				last_block = -1;

	if (window->nothing || sample->count == 0)
		return 0;
	context = AllocSetContextCreate(CurrentMemoryContext, "spatial window",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	is_in = palloc0(sizeof(bool) * sample->count);
	for (int i = 0; i < sample->count; i++)
		if (is_in_window(window, sample, i))
		{
			is_in[i] = true;
			in++;
			blocks += sample->row[i].block != last_block;
			last_block = sample->row[i].block;
		}
	result = window->fraction * in / sample->rows;
	if (!sample->complete && blocks < ENOUGH_BLOCKS)
	{
		double		left;

		if (window->same)
			result = Max(in > 1 ? result : 0, window->fraction * chance_of_same(sample));
		else
		{
			left = spq_estimate_shrink(window, sample, is_in);
			if (left >= 0)
				result = window->fraction * left * sample->count / sample->rows;

			/*
			 * A sample cannot tell one row from none.  Expect at least half
			 * of the geometric mean of one row and of the number of rows that
			 * a row of the sample stands for.
			 */
			least = sqrt(Max(tuples / sample->rows, 1)) / 2;
			result = Min(Max(result, least / Max(tuples, 1)), 1);
		}
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}
