/*-------------------------------------------------------------------------
 *
 * order.c
 *	  Boxes in the order of a Hilbert curve through their centers.  See order.h.
 *
 * The curve's grid spans the centers of a sample of the boxes, without the
 * outermost ones: a few boxes far away from all others do not make its cells
 * large.  Centers outside the grid are in its outermost cells.  If many boxes
 * are in one cell, like those of a town on the map of a country, they get a
 * grid of their own, and so on.  The order affects the speed of a join, never
 * its answer.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "box/bits.h"
#include "box/box.h"
#include "box/hilbert.h"
#include "nearest_join/order.h"

/* Boxes of the sample, and how many of a hundred are left out on each side. */
#define SAMPLE		1000
#define LEFT_OUT	1

/*
 * Places are sorted by digits of this many bits: at most this many, or as many as
 * boxes need to have places of their own.  With all, the lowest bit is one of the
 * number's, and 0.
 */
#define MOST_DIGITS	3
#define DIGIT_BITS	11
#define SPARE_BITS	2

/*
 * More boxes than this of one place get a grid of their own, down to this many grids within
 * each other.
 */
#define MOST_OF_PLACE	64
#define MOST_GRIDS	16

/* Return the center of a box on an axis; 0 if it is infinite on both sides. */
static inline float8
center_of(const float8 *box, int axis, int axes)
{
	float8		center = spq_box_middle(box[axes + axis], box[axis]);

	return unlikely(isnan(center)) ? 0 : center;
}

/* "places" selects the boxes, or is NULL for the first ones. */
static SpqNearestAxis
fit_axis(const float8 *boxes, const SpqNearestPlace *places, uint32 count, int axis, int axes,
		 float8 cells)
{
	float8		centers[SAMPLE];
	uint32		tried = Min(count, SAMPLE),
				n = 0;
	float8		low,
				high,
				margin;
	SpqNearestAxis result = {0, 0};

	for (uint32 i = 0; i < tried; i++)
	{
		uint64		at = (uint64) i * count / tried;
		float8		center;

		if (places)
			at = spq_nearest_place_index(places[at]);
		center = center_of(boxes + 2 * axes * at, axis, axes);
		if (isfinite(center))
			centers[n++] = center;
	}
	if (n == 0)
		return result;
	qsort(centers, n, sizeof(float8), spq_compare_doubles);
	low = centers[n * LEFT_OUT / 100];
	high = centers[n - 1 - n * LEFT_OUT / 100];
	margin = (high - low) / 8;
	result.low = low - margin;
	result.scale = cells / (high - low + 2 * margin);
	if (!isfinite(result.low) || !isfinite(result.scale))
		result.low = result.scale = 0;
	return result;
}

/* Return the number of a coordinate's cell on an axis. */
static inline uint32
cell_of(const SpqNearestAxis *axis, float8 center, float8 cells)
{
	float8		cell = (center - axis->low) * axis->scale;

	/* false for NaN, of an infinity by a scale of 0 */
	return cell > 0 ? (uint32) Min(cell, cells - 1) : 0;
}

/* Return how many digits distinguish this many boxes. */
static int
digits_for(uint32 count)
{
	int			bits = pg_leftmost_one_pos32(count) + 1 + SPARE_BITS;

	return Min((bits + DIGIT_BITS - 1) / DIGIT_BITS, MOST_DIGITS);
}

/* Return the bits of a place by which this many boxes are sorted. */
static inline uint64
sorted_bits(uint32 count)
{
	return ~UINT64CONST(0) << (64 - DIGIT_BITS * digits_for(count));
}

/* Return the digit of a place that this many are above, and itself. */
static inline uint32
digit_of(SpqNearestPlace place, int digit)
{
	return (uint32) (place >> (64 - DIGIT_BITS * digit)) & ((1 << DIGIT_BITS) - 1);
}

/* Sort places by their digits, from the lowest one up.  There is room for as many. */
static void
sort_places(SpqNearestPlace *places, SpqNearestPlace *room, uint32 count)
{
	uint32		ends[MOST_DIGITS + 1][1 << DIGIT_BITS] = {0};
	int			digits = digits_for(count);
	SpqNearestPlace *from = places,
			   *to = room;

	for (uint32 i = 0; i < count; i++)
		for (int digit = digits; digit > 0; digit--)
			ends[digit][digit_of(places[i], digit)]++;
	for (int digit = digits; digit > 0; digit--)
	{
		uint32		sum = 0;
		SpqNearestPlace *sorted = to;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < 1 << DIGIT_BITS; i++)
		{
			uint32		here = ends[digit][i];

			ends[digit][i] = sum;
			sum += here;
		}
		for (uint32 i = 0; i < count; i++)
			sorted[ends[digit][digit_of(from[i], digit)]++] = from[i];
		to = from;
		from = sorted;
	}
	if (from != places)
		memcpy(places, from, count * sizeof(SpqNearestPlace));
}

/* Return the number of cells on an axis. */
static inline float8
cells_of(int axes)
{
	return ldexp(1, axes == 2 ? SPQ_HILBERT_PLANE_BITS : SPQ_HILBERT_SPACE_BITS);
}

void
spq_nearest_fit_grid(const float8 *boxes, uint32 count, int axes, SpqNearestAxis *grid)
{
	for (int axis = 0; axis < axes; axis++)
		grid[axis] = fit_axis(boxes, NULL, count, axis, axes, cells_of(axes));
}

uint64
spq_nearest_place(const SpqNearestAxis *grid, const float8 *box, int axes)
{
	uint32		x[SPQ_NEAREST_AXES];

	for (int axis = 0; axis < axes; axis++)
		x[axis] = cell_of(&grid[axis], center_of(box, axis, axes), cells_of(axes));
	return axes == 2 ? spq_hilbert_plane(x) : spq_hilbert_space(x) << 1;
}

/* Set the places of four boxes in the plane. */
static inline void
place_four(const SpqNearestAxis *grid, const float8 *boxes, uint32 first, SpqNearestPlace *places)
{
	float8		cells = cells_of(2);
	SpqWords	x,
				y,
				position;

	for (int i = 0; i < SPQ_WORDS; i++)
	{
		x[i] = cell_of(&grid[0], center_of(boxes + 4 * i, 0, 2), cells);
		y[i] = cell_of(&grid[1], center_of(boxes + 4 * i, 1, 2), cells);
	}
	position = spq_hilbert_planes(x, y);
	for (int i = 0; i < SPQ_WORDS; i++)
		places[i] = (SpqNearestPlace) position[i] << 32 | (first + i);
}

static inline SpqNearestPlace
place_of(const SpqNearestAxis *grid, const float8 *boxes, uint32 index, int axes)
{
	return (spq_nearest_place(grid, boxes + 2 * axes * (uint64) index, axes) &
			~(uint64) PG_UINT32_MAX) | index;
}

static void order_within(const float8 *boxes, int axes, SpqNearestPlace *places,
						 SpqNearestPlace *room, uint32 count, int ngrids);

/* Order boxes by a grid that is fitted to them. */
static void
order_by_own_grid(const float8 *boxes, int axes, SpqNearestPlace *places, SpqNearestPlace *room,
				  uint32 count, int ngrids)
{
	SpqNearestAxis grid[SPQ_NEAREST_AXES];

	for (int axis = 0; axis < axes; axis++)
		grid[axis] = fit_axis(boxes, places, count, axis, axes, cells_of(axes));
	for (uint32 i = 0; i < count; i++)
		places[i] = place_of(grid, boxes, spq_nearest_place_index(places[i]), axes);
	sort_places(places, room, count);
	order_within(boxes, axes, places, room, count, ngrids + 1);
}

/*
 * Order boxes that have the same place, if they are many.  If all are in one place, their own
 * grid would not tell them apart either.
 */
static void
order_within(const float8 *boxes, int axes, SpqNearestPlace *places, SpqNearestPlace *room,
			 uint32 count, int ngrids)
{
	uint64		bits = sorted_bits(count);
	uint32		first = 0;

	for (uint32 i = 1; i <= count; i++)
	{
		if (i < count && ((places[i] ^ places[first]) & bits) == 0)
			continue;
		if (i - first > MOST_OF_PLACE && i - first < count && ngrids < MOST_GRIDS)
			order_by_own_grid(boxes, axes, places + first, room, i - first, ngrids);
		first = i;
	}
}

void
spq_nearest_order(const float8 *boxes, uint32 count, int axes, SpqNearestPlace *places)
{
	SpqNearestAxis grid[SPQ_NEAREST_AXES];
	uint32		i = 0;

	if (count == 0)
		return;
	spq_nearest_fit_grid(boxes, count, axes, grid);
	for (; axes == 2 && i + SPQ_WORDS <= count; i += SPQ_WORDS)
		place_four(grid, boxes + 4 * (uint64) i, i, places + i);
	for (; i < count; i++)
		places[i] = place_of(grid, boxes, i, axes);
	sort_places(places, places + count, count);
	order_within(boxes, axes, places, places + count, count, 1);
}
