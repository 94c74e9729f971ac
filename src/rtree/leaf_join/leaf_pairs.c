/*-------------------------------------------------------------------------
 *
 * leaf_pairs.c
 *	  The pairs of rows of two leaves whose boxes are in a relation.
 *
 * The ends of the left leaf's boxes become positions in a frame, a byte each:
 *
 *		lane		0	 1	  2  ...	15 | 16  ...	 rows of the left leaf
 *		low x	[	  |	   |	|	|	   |	|	]
 *		low y	[	  |	   |	|	|	   |	|	]
 *		high x	[	  |	   |	|	|	   |	|	]
 *		high y	[	  |	   |	|	|	   |	|	]
 *				  group 0				   group 1
 *
 * A row of the right leaf is compared with the bounds of sixteen groups at once, then with
 * the rows of those that it meets.  Neighbors in a leaf that was built lie together.
 *
 * Every step is monotone: growing a box, subtracting, scaling, rounding to a float and to a
 * byte.  Both sides take the same steps, and the comparisons that the relation implies
 * (box/relation.h) hold before them, so they hold after them: no pair is missed, whatever
 * the frame is.  The relation decides the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "port/pg_bitutils.h"

#include "rtree/leaf_join/leaf_pairs.h"

#if SPQ_DIM == 3
#define spq_rtree_leaf_pairs_left spq_rtree_leaf_pairs3_left
#define spq_rtree_leaf_pairs_find spq_rtree_leaf_pairs3_find
#define spq_rtree_leaf_pairs_near spq_rtree_leaf_pairs3_near
#endif

#define NUMBERS			(2 * SPQ_DIM)
#define FIRST_SIZE		1024

#if SPQ_DIM == 2
SpqRtreeLeafPairs *
spq_rtree_leaf_pairs_begin(SpqRelation relation)
{
	SpqRtreeLeafPairs *pairs = palloc(sizeof(SpqRtreeLeafPairs));

	pairs->relation = relation;
	pairs->npairs = 0;
	pairs->candidates = 0;
	pairs->steps_size = FIRST_SIZE;
	pairs->step = palloc_array(SpqRtreeLeafPair, FIRST_SIZE);
	pairs->size = FIRST_SIZE;
	pairs->pair = palloc_array(SpqRtreeLeafPair, FIRST_SIZE);
	return pairs;
}

/* The pairs go to the memory of the steps, which are needed no more. */
void
spq_rtree_leaf_pairs_by_left(SpqRtreeLeafPairs *pairs, int nrows)
{
	SpqRtreeLeafPair *pair = pairs->pair,
			   *sorted;
	int			size = pairs->size,
				next[SPQ_RTREE_LEAF_MAX + 1] = {0};

	if (pairs->steps_size < pairs->npairs)
	{
		pairs->steps_size = pairs->npairs;
		pairs->step = repalloc(pairs->step, pairs->steps_size * sizeof(SpqRtreeLeafPair));
	}
	sorted = pairs->step;
	for (int i = 0; i < pairs->npairs; i++)
		next[pair[i].left + 1]++;
	for (int row = 0; row < nrows; row++)
		next[row + 1] += next[row];
	for (int i = 0; i < pairs->npairs; i++)
		sorted[next[pair[i].left]++] = pair[i];

	pairs->pair = sorted;
	pairs->size = pairs->steps_size;
	pairs->step = pair;
	pairs->steps_size = size;
}
#endif

static inline void
empty_hull(float8 *hull)
{
	spq_each_axis(axis)
	{
		hull[axis] = -HUGE_VAL;
		hull[SPQ_DIM + axis] = HUGE_VAL;
	}
}

/* Enlarge "hull" by a box. */
static pg_attribute_always_inline void
add_to_hull(float8 *hull, const float8 *box)
{
	spq_each_axis(axis)
	{
		hull[axis] = Max(hull[axis], box[axis]);
		hull[SPQ_DIM + axis] = Min(hull[SPQ_DIM + axis], box[SPQ_DIM + axis]);
	}
}

/* Set "ordered" to a box with its ends in order, grown on each side. */
static pg_attribute_always_inline void
grow(const float8 *box, float8 slack, float8 *ordered)
{
#if SPQ_DIM == 2
	SpqDoubles	high = spq_doubles_load(box),
				low = spq_doubles_load(box + 2);

	spq_doubles_store(ordered, spq_doubles_max(high, low) + spq_doubles_set(slack));
	spq_doubles_store(ordered + 2, spq_doubles_min(high, low) - spq_doubles_set(slack));
#else
	spq_each_axis(axis)
	{
		ordered[axis] = Max(box[axis], box[SPQ_DIM + axis]) + slack;
		ordered[SPQ_DIM + axis] = Min(box[axis], box[SPQ_DIM + axis]) - slack;
	}
#endif
}

/*
 * Set the frame to where most boxes lie: the hull of their centers, since a few large boxes
 * should not make it coarse for all others.
 */
static void
set_frame(SpqRtreeLeafFrame *frame, const float8 *centers)
{
	spq_each_axis(axis)
	{
		float8		low = Max(Min(centers[SPQ_DIM + axis], DBL_MAX), -DBL_MAX),
					scale = SPQ_RTREE_LAST_POSITION / (centers[axis] - low);

		frame->from[axis] = low;
		frame->scale[axis] = scale > 0 ? Min(scale, FLT_MAX) : FLT_MIN;
	}
}

/* Return the positions of a box with its ends in order, at the front. */
static pg_attribute_always_inline SpqBytes
positions_of(const SpqRtreeLeafFrame *frame, const float8 *box)
{
	const SpqFloats last = spq_floats_set(SPQ_RTREE_LAST_POSITION);
#if SPQ_DIM == 2
	SpqDoubles	from = spq_doubles_load(frame->from),
				scale = spq_doubles_load(frame->scale);
	SpqFloats	at = spq_floats_of_doubles((spq_doubles_load(box) - from) * scale,
										   (spq_doubles_load(box + 2) - from) * scale);

	return spq_bytes_of_floats(spq_floats_min(at, last), spq_floats_min(at, last));
#else
	SpqFloats	high = {0},
				low = {0};

	spq_each_axis(axis)
	{
		high[axis] = (float4) ((box[axis] - frame->from[axis]) * frame->scale[axis]);
		low[axis] = (float4) ((box[SPQ_DIM + axis] - frame->from[axis]) * frame->scale[axis]);
	}
	return spq_bytes_of_floats(spq_floats_min(high, last), spq_floats_min(low, last));
#endif
}

/* The place of the low ends in these bytes. */
#define LOW_BYTES	(SPQ_DIM == 2 ? 2 : 4)

/*
 * Return the cell of a box in Z-order, from the highest bits of its middle on each axis, so
 * that neighbors get neighboring lanes.
 */
static pg_attribute_always_inline uint32
cell_of(const uint8 *bytes)
{
#if SPQ_DIM == 2
	static const uint8 spread[16] = {
		0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
		0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55
	};
	const int	bits = 4;
#else
	static const uint8 spread[8] = {0x00, 0x01, 0x08, 0x09, 0x40, 0x41, 0x48, 0x49};
	const int	bits = 3;
#endif
	uint32		cell = 0;

	spq_each_axis(axis)
		cell |= (uint32) spread[(bytes[axis] + bytes[LOW_BYTES + axis]) >> (9 - bits)] << axis;
	return cell;
}

#define CELLS	(SPQ_DIM == 2 ? 256 : 512)

/* Set the lanes of rows: rows in the order of their cells. */
static void
order_rows(SpqRtreeLeafPairs *pairs, int nrows, const uint16 *cells)
{
	uint16		next[CELLS + 1] = {0};

	for (int row = 0; row < nrows; row++)
		next[cells[row] + 1]++;
	for (int cell = 0; cell < CELLS; cell++)
		next[cell + 1] += next[cell];
	for (int row = 0; row < nrows; row++)
	{
		int			lane = next[cells[row]]++;

		pairs->row_of[lane] = row;
		pairs->lane_of[row] = lane;
	}
}

/* Fill the lanes of the left leaf, and those of its groups' bounds. */
static void
set_lanes(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *left)
{
	const float8 slack = spq_box_slack(pairs->relation, 0);
	int			nlanes = TYPEALIGN(SPQ_BYTES, left->nrows);
	uint8		bytes[SPQ_RTREE_LEAF_MAX][SPQ_BYTES / 2];
	uint16		cells[SPQ_RTREE_LEAF_MAX];

	pairs->ngroups = nlanes / SPQ_BYTES;
	spq_each_axis(axis)
	{
		memset(pairs->high[axis] + left->nrows, 0, nlanes - left->nrows);
		memset(pairs->low[axis] + left->nrows, SPQ_RTREE_NO_LOW_END, nlanes - left->nrows);
		memset(pairs->group_high[axis], 0, SPQ_RTREE_LEAF_GROUPS);
		memset(pairs->group_low[axis], SPQ_RTREE_NO_LOW_END, SPQ_RTREE_LEAF_GROUPS);
	}
	for (int row = 0; row < left->nrows; row++)
	{
		const float8 *box = spq_rtree_leaf_copy_box(left, row);
		float8		grown[NUMBERS];

		grow(box, slack, grown);
		spq_bytes_store_half(bytes[row], positions_of(&pairs->frame, grown));
		cells[row] = cell_of(bytes[row]);
	}
	order_rows(pairs, left->nrows, cells);
	for (int lane = 0; lane < left->nrows; lane++)
	{
		int			row = pairs->row_of[lane],
					group = lane / SPQ_BYTES;

		if (unlikely(left->has_nan) &&
			spq_box_has_nan((const SpqBox *) spq_rtree_leaf_copy_box(left, row)))
		{
			spq_rtree_leaf_pairs_drop(pairs, row);
			continue;
		}
		spq_each_axis(axis)
		{
			uint8		high = bytes[row][axis],
						low = bytes[row][LOW_BYTES + axis];

			pairs->high[axis][lane] = high;
			pairs->low[axis][lane] = low;
			pairs->group_high[axis][group] = Max(pairs->group_high[axis][group], high);
			pairs->group_low[axis][group] = Min(pairs->group_low[axis][group], low);
		}
	}
}

/* A box with a NaN meets nothing. */
void
spq_rtree_leaf_pairs_left(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *left)
{
	const float8 slack = spq_box_slack(pairs->relation, 0);
	float8		centers[NUMBERS];

	empty_hull(pairs->hull);
	empty_hull(centers);
	for (int row = 0; row < left->nrows; row++)
	{
		const float8 *box = spq_rtree_leaf_copy_box(left, row);
		float8		grown[NUMBERS];

		if (unlikely(left->has_nan) && spq_box_has_nan((const SpqBox *) box))
			continue;
		grow(box, slack, grown);
		add_to_hull(pairs->hull, grown);
		spq_each_axis(axis)
		{
			float8		center = 0.5 * grown[axis] + 0.5 * grown[SPQ_DIM + axis];

			centers[axis] = Max(centers[axis], center);
			centers[SPQ_DIM + axis] = Min(centers[SPQ_DIM + axis], center);
		}
	}
	set_frame(&pairs->frame, centers);
	set_lanes(pairs, left);
}

/* Return which of sixteen lanes meet a box, given its ends in all lanes. */
static pg_attribute_always_inline uint32
lanes_that_meet(const uint8 (*highs)[SPQ_RTREE_LEAF_LANES], const uint8 (*lows)[SPQ_RTREE_LEAF_LANES],
				int first, const SpqBytes *high, const SpqBytes *low)
{
	SpqBytes	apart = {0};

	spq_each_axis(axis)
	{
		apart |= spq_bytes_excess(low[axis], spq_bytes_load(highs[axis] + first));
		apart |= spq_bytes_excess(spq_bytes_load(lows[axis] + first), high[axis]);
	}
	return spq_bytes_zero_bits(apart);
}

/* The same for groups. */
static pg_attribute_always_inline uint32
groups_that_meet(const SpqRtreeLeafPairs *pairs, const SpqBytes *high, const SpqBytes *low)
{
	uint32		groups = 0;

	for (int first = 0; first < pairs->ngroups; first += SPQ_BYTES)
	{
		SpqBytes	apart = {0};

		spq_each_axis(axis)
		{
			apart |= spq_bytes_excess(low[axis], spq_bytes_load(pairs->group_high[axis] + first));
			apart |= spq_bytes_excess(spq_bytes_load(pairs->group_low[axis] + first), high[axis]);
		}
		groups |= spq_bytes_zero_bits(apart) << first;
	}
	return groups;
}

/* The hull of a leaf with long boxes along both axes is much larger than they are. */
bool
spq_rtree_leaf_pairs_near(const void *argument, const SpqRtreeBounds *bounds)
{
	const SpqRtreeLeafPairs *pairs = argument;
	float8		box[NUMBERS];
	SpqBytes	each[SPQ_BYTES / 2];

	spq_each_axis(axis)
	{
		box[axis] = bounds->high[axis];
		box[SPQ_DIM + axis] = bounds->low[axis];
	}
	spq_bytes_spread(positions_of(&pairs->frame, box), each);
	for (uint32 groups = groups_that_meet(pairs, each, each + LOW_BYTES); groups != 0;
		 groups &= groups - 1)
		if (lanes_that_meet(pairs->high, pairs->low, pg_rightmost_one_pos32(groups) * SPQ_BYTES,
							each, each + LOW_BYTES) != 0)
			return true;
	return false;
}

/* Room that each bit of a mask may take. */
#define MASK_ROOM	32

static pg_noinline void
enlarge(SpqRtreeLeafPair **list, int *size)
{
	*size *= 2;
	*list = repalloc(*list, *size * sizeof(SpqRtreeLeafPair));
}

/* Write a pair, by one store: the two numbers are read together soon. */
static pg_attribute_always_inline void
put_pair(SpqRtreeLeafPair *place, uint32 left, uint32 right)
{
	uint32		both = left | right << 16;

	memcpy(place, &both, sizeof(SpqRtreeLeafPair));
}

/*
 * Append a pair for each bit of a mask.  Most masks have few bits, and no processor can
 * predict how many; so the first ones are written in any case.
 */
static pg_attribute_always_inline int
append_bits(SpqRtreeLeafPair *list, int n, uint32 mask, uint32 first, uint32 right, int usual)
{
	int			count = pg_number_of_ones[mask & 0xff] + pg_number_of_ones[mask >> 8 & 0xff] +
		pg_number_of_ones[mask >> 16];

	_Pragma("GCC unroll 4")
		for (int i = 0; i < usual; i++)
	{
		put_pair(&list[n + i], first + __builtin_ctz(mask | 0x80000000), right);
		mask &= mask - 1;
	}
	for (int i = usual; unlikely(mask != 0); i++, mask &= mask - 1)
		put_pair(&list[n + i], first + pg_rightmost_one_pos32(mask), right);
	return n + count;
}

/* Find the groups near each row of the right leaf. */
static void
find_groups(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *right)
{
	const SpqRtreeLeafFrame frame = pairs->frame;
	int			n = 0;

	for (int row = 0; row < right->nrows; row++)
	{
		float8		ordered[NUMBERS];
		SpqBytes	each[SPQ_BYTES / 2],
					positions;

		if (unlikely(n + MASK_ROOM > pairs->steps_size))
			enlarge(&pairs->step, &pairs->steps_size);
		grow(spq_rtree_leaf_copy_box(right, row), 0, ordered);
		positions = positions_of(&frame, ordered);
		spq_bytes_store_half(pairs->positions[row], positions);
		spq_bytes_spread(positions, each);
		n = append_bits(pairs->step, n, groups_that_meet(pairs, each, each + LOW_BYTES), 0, row, 4);
	}
	pairs->nsteps = n;
}

/* Find the rows of these groups that may be in a pair. */
static void
find_candidates(SpqRtreeLeafPairs *pairs)
{
	int			n = 0;

	for (int i = 0; i < pairs->nsteps; i++)
	{
		int			first = pairs->step[i].left * SPQ_BYTES,
					row = pairs->step[i].right;
		SpqBytes	each[SPQ_BYTES / 2];

		if (unlikely(n + MASK_ROOM > pairs->size))
			enlarge(&pairs->pair, &pairs->size);
		spq_bytes_spread(spq_bytes_load_half(pairs->positions[row]), each);
		n = append_bits(pairs->pair, n,
						lanes_that_meet(pairs->high, pairs->low, first, each, each + LOW_BYTES),
						first, row, 2);
	}
	pairs->npairs = n;
	pairs->candidates += n;
}

/* Keep the candidates that are in the relation. */
static pg_attribute_always_inline void
decide(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *left, const SpqRtreeLeafCopy *right,
	   SpqRelation relation)
{
	const float8 *left_boxes = left->boxes,
			   *right_boxes = right->boxes;
	int			n = 0;

	for (int i = 0; i < pairs->npairs; i++)
	{
		SpqRtreeLeafPair pair = {pairs->row_of[pairs->pair[i].left], pairs->pair[i].right};
		const SpqBox *a = (const SpqBox *) (left_boxes + pair.left * NUMBERS),
				   *b = (const SpqBox *) (right_boxes + pair.right * NUMBERS);

		pairs->pair[n] = pair;
		n += spq_box_conjunction(relation, spq_box_corners(a), spq_box_corners(b));
	}
	pairs->npairs = n;
}

void
spq_rtree_leaf_pairs_find(SpqRtreeLeafPairs *pairs, const SpqRtreeLeafCopy *left,
						  const SpqRtreeLeafCopy *right)
{
	find_groups(pairs, right);
	find_candidates(pairs);
	switch (pairs->relation)
	{
		case SPQ_BOX_OVERLAPS:
			decide(pairs, left, right, SPQ_BOX_OVERLAPS);
			break;
		case SPQ_BOX_MEETS:
			decide(pairs, left, right, SPQ_BOX_MEETS);
			break;
		case SPQ_BOX_CONTAINS:
			decide(pairs, left, right, SPQ_BOX_CONTAINS);
			break;
		case SPQ_BOX_CONTAINED:
			decide(pairs, left, right, SPQ_BOX_CONTAINED);
			break;
		default:
			elog(ERROR, "leaves cannot be joined by relation %d", pairs->relation);
	}
}
