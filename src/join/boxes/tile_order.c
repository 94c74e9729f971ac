/*-------------------------------------------------------------------------
 *
 * tile_order.c
 *	  Puts boxes into the order of the tiles that contain their centers.
 *
 * The grid is fitted to the centers, so its tiles are as fine as 14 bits
 * (in three dimensions, 9) allow.  Where that is too coarse, because of
 * clusters or because of one distant box, a crowded tile gets a grid of its
 * own, fitted to its boxes, and so on:
 *
 *		+-------+-------+-------+		each grid puts its lowest and
 *		|		|		|		|		highest centers into different tiles,
 *		+-------+-+-+-+-+-------+		so every round divides; the rounds
 *		|		+-+-+-+-+		|		end when a tile contains few boxes, or
 *		|		+-+-+-+-+		|		only boxes with the same center
 *		+-------+-+-+-+-+-------+
 *		|		|		|		|
 *		+-------+-------+-------+
 *
 * In a hashed join, codes are sorted twice, by hash and within a group by
 * tile, before any item moves.
 *
 * Large arrays are sorted by counting (radix sort, least significant digit
 * first), in three passes for codes of 30 or 31 bits.  PostgreSQL's sort
 * template sorts small arrays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "box/bits.h"
#include "box/box.h"
#include "join/boxes/bucket.h"
#include "join/boxes/tile_order.h"
#include "prefetch.h"

#define DIGIT_BITS		11
#define DIGITS			(1 << DIGIT_BITS)
#define SMALL_GROUP		SPQ_JOIN_BUCKET_LANES	/* its items are not sorted */
#define MIN_COUNTED_ITEMS		512 /* with fewer, counting does not pay off */
#define CROWDED			(2 * SPQ_JOIN_BUCKET_LANES)
#define GATHER_AHEAD		16	/* items prefetched ahead */
#define MAX_SAMPLE			64	/* boxes sampled for the units of axes */
#define UNITS_ALIKE			4.0
#define SPREAD_SHARE		8
#define SHIFT				(1.0 / 8)	/* shift of the probes' grid, as a
										 * share of the extent */
#define INTERRUPT_STEP			65536	/* between checks for interrupts */

#define ST_SORT sort_few
#define ST_ELEMENT_TYPE SpqJoinTileCode
#define ST_COMPARE(a, b) ((a)->key < (b)->key ? -1 : (a)->key > (b)->key ? 1 : 0)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/*
 * Return half of the middle of a box along one axis.  Differences of middles
 * may overflow, differences of halves do not.  Return NaN between opposite
 * infinities.
 */
static inline double
center(const SpqBox *box, int axis)
{
	return 0.5 * spq_box_middle(spq_box_low(box)[axis], spq_box_high(box)[axis]);
}

/* Convert a coordinate to the grid's unit on that axis. */
static inline double
in_unit(const SpqJoinGrid *grid, double x, int axis)
{
#if SPQ_DIM > 2
	return x * grid->unit[axis];
#else
	return x;
#endif
}

#if SPQ_DIM > 2

/*
 * Choose units in which boxes are about cubes, since tiles are cubes: the axes
 * may be meters and seconds.  Tiles have the fewest neighbors if their sides
 * are in proportion to those of the boxes.  If boxes have no length, their
 * spread counts instead.  (Otherwise spread counts little: a town is wide, but
 * its houses are not.)
 *
 * An axis on which all boxes are the same point does not count, as that of the
 * first bits of addresses in one network.
 *
 * If units differ by a factor of less than UNITS_ALIKE, keep them.  Keep them
 * all if the caller has set the size of tiles.
 */
static void
choose_units(const SpqJoinItem *items, const SpqJoinTileCode *codes, uint32 count,
			 double tile_size, SpqJoinGrid *grid)
{
	double		extent[SPQ_DIM];
	uint32		n = Min(count / SPQ_JOIN_BUCKET_LANES + 1, MAX_SAMPLE);
	int			first = 0;		/* axis on which boxes differ */

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		double		side[MAX_SAMPLE],
					middle[MAX_SAMPLE];
		uint32		finite = 0,
					quarter;
		double		spread = get_float8_infinity();

		grid->unit[axis] = 1;
		for (uint32 i = 0; i < n && i < count; i++)
		{
			uint32		place = (uint64) i * count / n;
			const SpqBox *box = &items[codes ? codes[place].index : place].box;

			side[finite] = fabs(spq_box_high(box)[axis] - spq_box_low(box)[axis]);
			middle[finite] = center(box, axis);
			if (side[finite] <= DBL_MAX && fabs(middle[finite]) <= DBL_MAX)
				finite++;
		}
		extent[axis] = 0;
		if (finite == 0)
			continue;
		qsort(side, finite, sizeof(double), spq_compare_doubles);
		qsort(middle, finite, sizeof(double), spq_compare_doubles);

		/* the shortest interval with a quarter of them: perhaps a cluster */
		quarter = Max(finite / 4, 1);
		for (uint32 i = 0; i + quarter < finite; i++)
			spread = Min(spread, middle[i + quarter] - middle[i]);
		if (spread <= DBL_MAX)
			extent[axis] = side[finite / 2] + spread / (SPREAD_SHARE * cbrt(count));
	}
	while (first < SPQ_DIM - 1 && extent[first] == 0)
		first++;
	for (int axis = first + 1; axis < SPQ_DIM && tile_size == 0; axis++)
	{
		double		unit = extent[first] / extent[axis];

		if (!(unit > 1 / UNITS_ALIKE && unit < UNITS_ALIKE) && unit >= DBL_MIN && unit <= DBL_MAX)
			grid->unit[axis] = unit;
	}
}

#endif

/*
 * Return the side of a tile that contains as many boxes as a bucket, if a tile
 * of side 1 contains n.
 */
static inline double
bucket_side(double n)
{
#if SPQ_DIM == 2
	return sqrt(SPQ_JOIN_BUCKET_LANES / n);
#else
	return pow(SPQ_JOIN_BUCKET_LANES / n, 1.0 / SPQ_DIM);
#endif
}

/* Spread the bits of a tile's number to every SPQ_DIM-th position. */
static inline uint32
spread(uint32 bits)
{
#if SPQ_DIM == 2
	return (uint32) spq_box_spread(bits);
#else
	bits = (bits | bits << 16) & 0x030000ff;
	bits = (bits | bits << 8) & 0x0300f00f;
	bits = (bits | bits << 4) & 0x030c30c3;
	return (bits | bits << 2) & 0x09249249;
#endif
}

/*
 * Extend an interval by a middle.  Ignore infinities and NaN; such boxes get a
 * tile at the border.
 */
static inline void
include(double *low, double *high, double middle)
{
	if (fabs(middle) <= DBL_MAX)
	{
		*low = Min(*low, middle);
		*high = Max(*high, middle);
	}
}

/*
 * Return the grid that fits the centers of items[] or, if codes[] is not
 * NULL, of the items to which codes[] refers.
 */
static pg_attribute_always_inline SpqJoinGrid
fit_grid(const SpqJoinItem *items, const SpqJoinTileCode *codes, uint32 count,
		 double tile_size)
{
	SpqJoinGrid grid = {0};
	double		low[SPQ_DIM],
				high[SPQ_DIM],
				extent = -get_float8_infinity();

#if SPQ_DIM > 2
	choose_units(items, codes, count, tile_size, &grid);
#endif
	spq_each_axis(axis)
	{
		low[axis] = get_float8_infinity();
		high[axis] = -get_float8_infinity();
	}
	for (uint32 i = 0; i < count; i++)
	{
		const SpqBox *box = codes ? &items[codes[i].index].box : &items[i].box;

		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		spq_each_axis(axis)
			include(&low[axis], &high[axis], in_unit(&grid, center(box, axis), axis));
	}

	spq_each_axis(axis)
	{
		grid.low[axis] = low[axis] <= high[axis] ? low[axis] : 0;
		extent = Max(extent, high[axis] - low[axis]);
	}
	if (extent > 0)
	{
		double		tile = extent / ((1 << SPQ_JOIN_TILE_BITS) - 1);

		grid.scale = 1 / Max(tile, tile_size / 2);
		if (grid.scale > DBL_MAX)
			grid.scale = 0;		/* no room between denormals */
	}
	else
	{
		extent = 0;
		grid.scale = 0;
	}
	grid.exponent =
		spq_box_exponent(2 * extent * bucket_side(count + 1.0));
	return grid;
}

/*
 * Return the grid that fits the centers of items.  tile_size, if not 0, is
 * the minimum side of a tile.
 *
 * Size class 0 has the boxes that are no larger than a tile with as many boxes
 * as a bucket, on average.
 */
SpqJoinGrid
spq_join_fit_grid(const SpqJoinItem *items, uint32 count, double tile_size)
{
	return fit_grid(items, NULL, count, tile_size);
}

/*
 * Shift the grid of the probes, so that its tiles do not end where those of
 * the build side end.  Otherwise a tile meets itself and all its neighbors, 27
 * tiles, as boxes reach over the borders.  A tile that is shifted by half its
 * side meets 8.  In two dimensions these are 9 and 4, and the shift gains next
 * to nothing.
 */
static void
shift_grid(SpqJoinGrid *grid)
{
	double		extent = ((1 << SPQ_JOIN_TILE_BITS) - 1) / grid->scale;

	if (SPQ_DIM == 2 || !(extent <= DBL_MAX))
		return;
	spq_each_axis(axis)
		grid->low[axis] -= SHIFT * extent;
	grid->scale /= 1 + 2 * SHIFT;
}

/* Return the number of a tile along one axis.  NaN is in the first tile. */
static inline uint32
tile_number(double position)
{
	const uint32 last = (1 << SPQ_JOIN_TILE_BITS) - 1;

	return position > 0 ? position < last ? (uint32) position : last : 0;
}

uint32
spq_join_tile_code(const SpqJoinGrid *grid, const SpqBox *box)
{
	double		side = in_unit(grid, spq_box_high(box)[0] - spq_box_low(box)[0], 0);
	int			excess;
	uint32		code;

	for (int axis = 1; axis < SPQ_DIM; axis++)
		side = Max(side, in_unit(grid, spq_box_high(box)[axis] - spq_box_low(box)[axis], axis));
	excess = spq_box_exponent(side) - grid->exponent;
	code = excess <= 0 ? 0 :
		Min((excess + SPQ_JOIN_SIZE_CLASS_STEP - 1) / SPQ_JOIN_SIZE_CLASS_STEP, SPQ_JOIN_SIZE_CLASSES - 1);
	code <<= SPQ_DIM * SPQ_JOIN_TILE_BITS;
	spq_each_axis(axis)
	{
		uint32		tile = tile_number((in_unit(grid, center(box, axis), axis) -
										grid->low[axis]) * grid->scale);

		code |= spread(tile) << axis;
	}
	return code;
}

/* Sort codes of this number of bits.  Stable for MIN_COUNTED_ITEMS or more. */
static void
sort_codes(SpqJoinTileCode *codes, uint32 count, int bits, SpqJoinTileCode *workspace)
{
	SpqJoinTileCode *from = codes,
			   *to = workspace;

	if (count < MIN_COUNTED_ITEMS)
	{
		sort_few(codes, count);
		return;
	}

	for (int shift = 0; shift < bits; shift += DIGIT_BITS)
	{
		uint32		start[DIGITS] = {0};
		uint32		sum = 0;
		SpqJoinTileCode *swap;

		for (uint32 i = 0; i < count; i++)
		{
			if (i % INTERRUPT_STEP == 0)
				CHECK_FOR_INTERRUPTS();
			start[from[i].key >> shift & (DIGITS - 1)]++;
		}
		for (int digit = 0; digit < DIGITS; digit++)
		{
			uint32		n = start[digit];

			start[digit] = sum;
			sum += n;
		}
		for (uint32 i = 0; i < count; i++)
		{
			if (i % INTERRUPT_STEP == 0)
				CHECK_FOR_INTERRUPTS();
			to[start[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
		}
		swap = from;
		from = to;
		to = swap;
	}
	if (from != codes)
		memcpy(codes, from, count * sizeof(SpqJoinTileCode));
}

/* Copy items into "sorted" in the order of codes[]. */
static void
gather(const SpqJoinItem *items, SpqJoinItem *sorted, uint32 count,
	   const SpqJoinTileCode *codes)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		if (i + GATHER_AHEAD < count)
			spq_prefetch(&items[codes[i + GATHER_AHEAD].index]);
		sorted[i] = items[codes[i].index];
	}
}

/* Sort the items of each crowded tile by a grid of their own. */
static void
refine_crowded(SpqJoinItem *items, SpqJoinItem *spare, uint32 count,
			   double tile_size, SpqJoinTileCode *codes, SpqJoinTileCode *workspace)
{
	uint32		end;

	check_stack_depth();
	for (uint32 start = 0; start < count; start = end)
	{
		SpqJoinGrid grid;

		for (end = start + 1; end < count && codes[end].key == codes[start].key;)
			end++;
		if (end - start <= CROWDED)
			continue;

		grid = spq_join_fit_grid(items + start, end - start, tile_size);
		if (grid.scale == 0 ||
			(end - start == count && tile_size > 0 &&
			 grid.scale * (tile_size / 2) > 0.999))
			continue;			/* equal centers, or the least tile size */
		spq_join_tile_order(items + start, spare + start, end - start, &grid,
							tile_size, codes + start, workspace + start);
		memcpy(items + start, spare + start, (end - start) * sizeof(SpqJoinItem));
	}
}

/*
 * Put items into "sorted" in the order of their tiles; items[] becomes scratch
 * space.  On return, codes[] has their codes.  Equal boxes have equal codes.
 * Within a crowded tile, the codes are those of its own grid.
 *
 * Items are copied rather than exchanged in place.  Exchanging would save
 * memory, but each step of a cycle waits for the memory access of the step
 * before.  That took 28 % of the time of a join; copying takes 6 %
 * (docs/notes/join.md).
 */
void
spq_join_tile_order(SpqJoinItem *items, SpqJoinItem *sorted, uint32 count,
					const SpqJoinGrid *grid, double tile_size,
					SpqJoinTileCode *codes, SpqJoinTileCode *workspace)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		codes[i].key = spq_join_tile_code(grid, &items[i].box);
		codes[i].index = i;
	}
	sort_codes(codes, count, SPQ_JOIN_CODE_BITS, workspace);
	gather(items, sorted, count, codes);
	refine_crowded(sorted, items, count, tile_size, codes, workspace);
}

/* Return the end of the group of equal hashes that begins at "start". */
static uint32
group_end(const SpqJoinTileCode *codes, uint32 start, uint32 count)
{
	uint32		end = start + 1;

	while (end < count && codes[end].key == codes[start].key)
		end++;
	return end;
}

/*
 * Put the codes of a group, which refer to its items, into tile order.  Return
 * the number of its size classes.
 */
static int
order_group(const SpqJoinItem *items, uint32 count, const SpqJoinGrid *grid,
			SpqJoinTileCode *codes, SpqJoinTileCode *workspace)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		codes[i].key = spq_join_tile_code(grid, &items[codes[i].index].box);
	}
	sort_codes(codes, count, SPQ_JOIN_CODE_BITS, workspace);
	return spq_join_code_size_class(codes[count - 1].key) + 1;
}

/*
 * Like spq_join_tile_order(), but for a hashed join: sort by hash, then by
 * tile.  "grid" becomes that of the largest group.  Return the largest
 * number of size classes of any group.
 *
 * Small groups are not sorted by tile.  The items of a large group are read
 * through codes[] in the order of memory, since sorting many codes is stable.
 */
int
spq_join_hashed_order(SpqJoinItem *items, SpqJoinItem *sorted, uint32 count,
					  double tile_size, SpqJoinTileCode *codes, SpqJoinTileCode *workspace,
					  SpqJoinGrid *grid)
{
	uint32		largest = 0,
				group_bit = 0,
				end;
	int			size_classes = 1;

	for (uint32 i = 0; i < count; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		codes[i].key = spq_join_item_hash(&items[i]);
		codes[i].index = i;
	}
	sort_codes(codes, count, SPQ_JOIN_HASH_BITS, workspace);

	/*
	 * the group bit separates neighboring groups, whose tile codes may be
	 * equal
	 */
	memset(grid, 0, sizeof(SpqJoinGrid));
#if SPQ_DIM > 2
	spq_each_axis(axis)
		grid->unit[axis] = 1;
#endif
	for (uint32 start = 0; start < count; start = end)
	{
		uint32		n;

		CHECK_FOR_INTERRUPTS();
		end = group_end(codes, start, count);
		n = end - start;
		if (n > SMALL_GROUP)
		{
			SpqJoinGrid own = fit_grid(items, codes + start, n, tile_size);
			int			own_classes = order_group(items, n, &own, codes + start, workspace);

			size_classes = Max(size_classes, own_classes);
			if (n > largest)
				*grid = own;
			largest = Max(largest, n);
		}
		for (uint32 i = start; i < end; i++)
			codes[i].key = (n > SMALL_GROUP ? codes[i].key : 0) | group_bit;
		group_bit ^= SPQ_JOIN_GROUP_BIT;
	}

	gather(items, sorted, count, codes);
	for (uint32 start = 0; start < count; start = end)
	{
		group_bit = codes[start].key & SPQ_JOIN_GROUP_BIT;
		for (end = start; end < count && (codes[end].key & SPQ_JOIN_GROUP_BIT) == group_bit;)
			codes[end++].key &= ~SPQ_JOIN_GROUP_BIT;
		if (end - start > CROWDED)
			refine_crowded(sorted + start, items + start, end - start, tile_size,
						   codes + start, workspace + start);
		for (uint32 i = start; i < end; i++)
			codes[i].key |= group_bit;
	}
	return size_classes;
}

/*
 * Sort items by a grid that fits them, or in a hashed join by those of
 * their groups.  "probes" says that these are probes, whose grid is
 * shifted.  Return the number of size classes.
 */
int
spq_join_order_items(SpqJoinItem *items, SpqJoinItem *sorted, uint32 count,
					 double tile_size, bool hashed, bool probes, SpqJoinTileCode *codes,
					 SpqJoinTileCode *workspace, SpqJoinGrid *grid)
{
	if (hashed)
		return spq_join_hashed_order(items, sorted, count, tile_size, codes, workspace,
									 grid);
	*grid = spq_join_fit_grid(items, count, tile_size);
	if (probes)
		shift_grid(grid);
	spq_join_tile_order(items, sorted, count, grid, tile_size, codes, workspace);
	return count == 0 ? 0 :
		spq_join_code_size_class(spq_join_tile_code(grid, &sorted[count - 1].box)) + 1;
}
