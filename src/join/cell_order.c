/*-------------------------------------------------------------------------
 *
 * cell_order.c
 *	  Puts boxes into the order of the cells that hold their centres.
 *
 * The lattice is fitted to the centres found, so that its cells are as fine as
 * 14 bits allow.  Where that is too coarse, because of clusters or because of
 * one box far away, a crowded cell gets a lattice of its own, fitted to what
 * it holds, and so on:
 *
 *		+-------+-------+-------+		each lattice puts the least and the
 *		|		|		|		|		largest of its centres into different
 *		+-------+-+-+-+-+-------+		cells, so every round divides; it ends
 *		|		+-+-+-+-+		|		when a cell holds few boxes, or only
 *		|		+-+-+-+-+		|		boxes with the same centre
 *		+-------+-+-+-+-+-------+
 *		|		|		|		|
 *		+-------+-------+-------+
 *
 * With keys, the keys of a group's items are sorted twice, by group and in it by
 * cell, before any item is moved.
 *
 * Sorting is by counting (radix sort, least significant digit first), which
 * for keys of 31 bits takes three passes; small cells are sorted by the
 * server's own sort template.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "box/bits.h"
#include "box/box.h"
#include "join/bucket.h"
#include "join/cell_order.h"

#define DIGIT_BITS		11
#define DIGITS			(1 << DIGIT_BITS)
#define CELL_KEY_BITS	31
#define SMALL_GROUP		SPQ_BUCKET_LANES	/* needs no order in itself */
#define FEW_ITEMS		512		/* counting does not pay below */
#define CROWDED			(2 * SPQ_BUCKET_LANES)
#define OFTEN			65536	/* steps between two looks at interrupts */

#define ST_SORT sort_few
#define ST_ELEMENT_TYPE SpqCellKey
#define ST_COMPARE(a, b) ((a)->key < (b)->key ? -1 : (a)->key > (b)->key ? 1 : 0)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/*
 * Half of the middle between two numbers: unlike the middle's, differences of
 * such halves do not overflow.  NaN between opposite infinities.
 */
static inline double
centre(double low, double high)
{
	return 0.5 * spq_box_middle(low, high);
}

/*
 * The lattice that fits the centres of items[], or of those that keys[] point
 * to if it is not NULL.
 */
static inline SpqCellLattice
fit_lattice(const SpqJoinItem *items, const SpqCellKey *keys, uint32 count,
			double cell_size)
{
	SpqCellLattice lattice;
	double		xmin = get_float8_infinity(),
				ymin = xmin,
				xmax = -xmin,
				ymax = -xmin,
				extent;

	for (uint32 i = 0; i < count; i++)
	{
		const BOX  *box = keys ? &items[keys[i].index].box : &items[i].box;
		double		x,
					y;

		if (i % OFTEN == 0)
			CHECK_FOR_INTERRUPTS();
		x = centre(box->low.x, box->high.x);
		y = centre(box->low.y, box->high.y);

		/* what is not finite has no say, and goes to the border */
		if (fabs(x) <= DBL_MAX)
		{
			xmin = Min(xmin, x);
			xmax = Max(xmax, x);
		}
		if (fabs(y) <= DBL_MAX)
		{
			ymin = Min(ymin, y);
			ymax = Max(ymax, y);
		}
	}

	lattice.x = xmin <= xmax ? xmin : 0;
	lattice.y = ymin <= ymax ? ymin : 0;
	extent = Max(xmax - xmin, ymax - ymin);
	if (extent > 0)
	{
		double		cell = extent / ((1 << SPQ_CELL_BITS) - 1);

		lattice.scale = 1 / Max(cell, cell_size / 2);
		if (lattice.scale > DBL_MAX)
			lattice.scale = 0;	/* no room between denormals */
	}
	else
	{
		extent = 0;
		lattice.scale = 0;
	}
	lattice.exponent =
		spq_box_exponent(2 * extent * sqrt((double) SPQ_BUCKET_LANES / (count + 1)));
	return lattice;
}

/*
 * The lattice that fits the centres.  cell_size, if not 0, is the least side
 * of a cell.
 *
 * Level 0 has the boxes that are no larger than the cell which a bucket of
 * boxes has on average.
 */
SpqCellLattice
spq_fit_lattice(const SpqJoinItem *items, uint32 count, double cell_size)
{
	return fit_lattice(items, NULL, count, cell_size);
}

/* Number of a cell along one axis; NaN is in the first. */
static inline uint32
cell_number(double position)
{
	const uint32 last = (1 << SPQ_CELL_BITS) - 1;

	return position > 0 ? position < last ? (uint32) position : last : 0;
}

uint32
spq_cell_key(const SpqCellLattice *lattice, const BOX *box)
{
	double		width = box->high.x - box->low.x,
				height = box->high.y - box->low.y;
	int			excess = spq_box_exponent(Max(width, height)) - lattice->exponent;
	uint32		level = excess <= 0 ? 0 :
		Min((excess + SPQ_LEVEL_STEP - 1) / SPQ_LEVEL_STEP, SPQ_LEVELS - 1);
	uint32		x,
				y;

	x = cell_number((centre(box->low.x, box->high.x) - lattice->x) * lattice->scale);
	y = cell_number((centre(box->low.y, box->high.y) - lattice->y) * lattice->scale);
	return level << (2 * SPQ_CELL_BITS) | (uint32) (spq_box_spread(y) << 1 | spq_box_spread(x));
}

/* Sorts keys of so many bits.  Stable, if there are many. */
static void
sort_keys(SpqCellKey *keys, uint32 count, int bits, SpqCellKey *workspace)
{
	SpqCellKey *from = keys,
			   *to = workspace;

	if (count < FEW_ITEMS)
	{
		sort_few(keys, count);
		return;
	}

	for (int shift = 0; shift < bits; shift += DIGIT_BITS)
	{
		uint32		start[DIGITS] = {0};
		uint32		sum = 0;
		SpqCellKey *swap;

		for (uint32 i = 0; i < count; i++)
		{
			if (i % OFTEN == 0)
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
			if (i % OFTEN == 0)
				CHECK_FOR_INTERRUPTS();
			to[start[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
		}
		swap = from;
		from = to;
		to = swap;
	}
	if (from != keys)
		memcpy(keys, from, count * sizeof(SpqCellKey));
}

/* Puts items where the order of their keys says. */
static void
gather(const SpqJoinItem *items, SpqJoinItem *sorted, uint32 count,
	   const SpqCellKey *keys)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % OFTEN == 0)
			CHECK_FOR_INTERRUPTS();
		sorted[i] = items[keys[i].index];
	}
}

/* Gives crowded cells a lattice of their own. */
static void
refine_crowded(SpqJoinItem *items, SpqJoinItem *spare, uint32 count,
			   double cell_size, SpqCellKey *keys, SpqCellKey *workspace)
{
	uint32		end;

	check_stack_depth();
	for (uint32 start = 0; start < count; start = end)
	{
		SpqCellLattice lattice;

		for (end = start + 1; end < count && keys[end].key == keys[start].key;)
			end++;
		if (end - start <= CROWDED)
			continue;

		lattice = spq_fit_lattice(items + start, end - start, cell_size);
		if (lattice.scale == 0 ||
			(end - start == count && cell_size > 0 &&
			 lattice.scale * (cell_size / 2) > 0.999))
			continue;			/* the same centre, or as fine as wanted */
		spq_cell_order(items + start, spare + start, end - start, &lattice,
					   cell_size, keys + start, workspace + start);
		memcpy(items + start, spare + start, (end - start) * sizeof(SpqJoinItem));
	}
}

/*
 * Puts items into "sorted", in the order of their cells; what they leave behind
 * is scratch.  On return, keys has their keys: of equal boxes equal keys, within
 * a crowded cell those of that cell's own lattice.
 *
 * Items are gathered rather than exchanged in place, which would save memory:
 * in a cycle of exchanges each step has to wait for the memory of the one
 * before.  That took 28 % of the time of a join, gathering takes 6 %.
 */
void
spq_cell_order(SpqJoinItem *items, SpqJoinItem *sorted, uint32 count,
			   const SpqCellLattice *lattice, double cell_size,
			   SpqCellKey *keys, SpqCellKey *workspace)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % OFTEN == 0)
			CHECK_FOR_INTERRUPTS();
		keys[i].key = spq_cell_key(lattice, &items[i].box);
		keys[i].index = i;
	}
	sort_keys(keys, count, CELL_KEY_BITS, workspace);
	gather(items, sorted, count, keys);
	refine_crowded(sorted, items, count, cell_size, keys, workspace);
}

/* Where the group of equal keys ends that starts at "start". */
static uint32
group_end(const SpqCellKey *keys, uint32 start, uint32 count)
{
	uint32		end = start + 1;

	while (end < count && keys[end].key == keys[start].key)
		end++;
	return end;
}

/*
 * Puts the keys of a group, which know their items, into cell order.  Returns
 * how many levels it has.
 */
static int
order_group(const SpqJoinItem *items, uint32 count, const SpqCellLattice *lattice,
			SpqCellKey *keys, SpqCellKey *workspace)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % OFTEN == 0)
			CHECK_FOR_INTERRUPTS();
		keys[i].key = spq_cell_key(lattice, &items[keys[i].index].box);
	}
	sort_keys(keys, count, CELL_KEY_BITS, workspace);
	return spq_key_level(keys[count - 1].key) + 1;
}

/*
 * The same for a keyed join: by key, then by cell.  "lattice" becomes that of
 * the largest group; returned is the number of levels, most of any group.
 *
 * A group of few rows stays as it is.  Those of large groups go through memory
 * in order when they are looked at by way of keys[], as sorting many keys is
 * stable.
 */
int
spq_keyed_order(SpqJoinItem *items, SpqJoinItem *sorted, uint32 count,
				double cell_size, SpqCellKey *keys, SpqCellKey *workspace,
				SpqCellLattice *lattice)
{
	uint32		largest = 0,
				group_bit = 0,
				end;
	int			levels = 1;

	for (uint32 i = 0; i < count; i++)
	{
		if (i % OFTEN == 0)
			CHECK_FOR_INTERRUPTS();
		keys[i].key = spq_item_key(&items[i]);
		keys[i].index = i;
	}
	sort_keys(keys, count, SPQ_KEY_BITS, workspace);

	/* the group bit tells groups apart where neither key nor cell does */
	memset(lattice, 0, sizeof(SpqCellLattice));
	for (uint32 start = 0; start < count; start = end)
	{
		uint32		n;

		CHECK_FOR_INTERRUPTS();
		end = group_end(keys, start, count);
		n = end - start;
		if (n > SMALL_GROUP)
		{
			SpqCellLattice own = fit_lattice(items, keys + start, n, cell_size);
			int			own_levels = order_group(items, n, &own, keys + start, workspace);

			levels = Max(levels, own_levels);
			if (n > largest)
				*lattice = own;
			largest = Max(largest, n);
		}
		for (uint32 i = start; i < end; i++)
			keys[i].key = (n > SMALL_GROUP ? keys[i].key : 0) | group_bit;
		group_bit ^= SPQ_GROUP_BIT;
	}

	gather(items, sorted, count, keys);
	for (uint32 start = 0; start < count; start = end)
	{
		group_bit = keys[start].key & SPQ_GROUP_BIT;
		for (end = start; end < count && (keys[end].key & SPQ_GROUP_BIT) == group_bit;)
			keys[end++].key &= ~SPQ_GROUP_BIT;
		if (end - start > CROWDED)
			refine_crowded(sorted + start, items + start, end - start, cell_size,
						   keys + start, workspace + start);
		for (uint32 i = start; i < end; i++)
			keys[i].key |= group_bit;
	}
	return levels;
}

/*
 * Puts items in order by a lattice that fits them, or by those of their groups.
 * Returns the number of levels.
 */
int
spq_order_items(SpqJoinItem *items, SpqJoinItem *sorted, uint32 count,
				double cell_size, bool keyed, SpqCellKey *keys,
				SpqCellKey *workspace, SpqCellLattice *lattice)
{
	if (keyed)
		return spq_keyed_order(items, sorted, count, cell_size, keys, workspace,
							   lattice);
	*lattice = spq_fit_lattice(items, count, cell_size);
	spq_cell_order(items, sorted, count, lattice, cell_size, keys, workspace);
	return count == 0 ? 0 :
		spq_key_level(spq_cell_key(lattice, &sorted[count - 1].box)) + 1;
}
