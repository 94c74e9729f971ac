/*-------------------------------------------------------------------------
 *
 * linear_frame.c
 *	  From coordinates to the cells of a linear quadtree, and back.
 *
 * An axis of the frame has 2^31 places, the columns or rows of the deepest
 * level.  Place i begins at
 *
 *		border(i) = low + (high - low) * (i / 2^31)
 *
 * and ends before border(i + 1).  i / 2^31 is exact, and the other operations
 * are rounded.  So borders do not decrease as i increases, and the borders of
 * a level are among those of the next level.  The last place ends at high,
 * which belongs to it.
 *
 * The place of a coordinate is the last one that does not begin behind it, by
 * comparison with the borders as computed.  So the box of a cell, which
 * consists of borders, contains every box in the cell, to the last bit; and
 * places do not decrease as coordinates increase, as linear_ranges.c requires.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "divide/linear_frame.h"

#define PLACES	((float8) (UINT64CONST(1) << SPQ_LINEAR_MAX_LEVEL))

static inline float8
border(float8 low, float8 high, uint64 place)
{
	return place == UINT64CONST(1) << SPQ_LINEAR_MAX_LEVEL ? high :
		low + (high - low) * ((float8) place / PLACES);
}

/*
 * Return whether a box can be a frame: it and its sides are finite, and no
 * side is 0.
 */
bool
spq_linear_frame_valid(const BOX *frame)
{
	float8		width = frame->high.x - frame->low.x,
				height = frame->high.y - frame->low.y;

	return fabs(frame->low.x) <= DBL_MAX && fabs(frame->low.y) <= DBL_MAX &&
		width > 0 && width <= DBL_MAX && height > 0 && height <= DBL_MAX;
}

/* Return the place of a coordinate, which must be between low and high. */
uint32
spq_linear_place(float8 low, float8 high, float8 x)
{
	uint32		place = 0;
	float8		guess = (x - low) / (high - low) * PLACES;

	/* The guess is nearly always right. */
	if (guess < PLACES)
	{
		place = (uint32) guess;
		if (border(low, high, place) <= x && x < border(low, high, (uint64) place + 1))
			return place;
	}

	place = 0;
	for (int bit = SPQ_LINEAR_MAX_LEVEL - 1; bit >= 0; bit--)
	{
		uint32		next = place | (uint32) 1 << bit;

		if (border(low, high, next) <= x)
			place = next;
	}
	return place;
}

/*
 * Return the smallest cell, no deeper than max_level, that contains a box: the
 * last cell common to the paths to both corners.  The root also contains boxes
 * that are not within the frame, or have a NaN.
 */
SpqLinearCell
spq_linear_smallest_cell(const BOX *box, const BOX *frame, int max_level)
{
	SpqLinearCell cell = {0, 0, 0};
	uint32		column,
				row,
				differ;

	/* false for NaN */
	if (!(box->low.x >= frame->low.x && box->high.x <= frame->high.x &&
		  box->low.y >= frame->low.y && box->high.y <= frame->high.y &&
		  box->low.x <= box->high.x && box->low.y <= box->high.y))
		return cell;

	column = spq_linear_place(frame->low.x, frame->high.x, box->low.x);
	row = spq_linear_place(frame->low.y, frame->high.y, box->low.y);
	differ = (column ^ spq_linear_place(frame->low.x, frame->high.x, box->high.x)) |
		(row ^ spq_linear_place(frame->low.y, frame->high.y, box->high.y));

	/*
	 * The highest bit in which the codes differ is the highest one in which
	 * their columns or their rows differ.
	 */
	cell.level = SPQ_LINEAR_MAX_LEVEL;
	if (differ != 0)
		cell.level -= pg_leftmost_one_pos32(differ) + 1;
	cell.level = Min(cell.level, max_level);
	cell.column = column >> (SPQ_LINEAR_MAX_LEVEL - cell.level);
	cell.row = row >> (SPQ_LINEAR_MAX_LEVEL - cell.level);
	return cell;
}

BOX
spq_linear_cell_box(SpqLinearCell cell, const BOX *frame)
{
	int			shift = SPQ_LINEAR_MAX_LEVEL - cell.level;
	BOX			box;

	box.low.x = border(frame->low.x, frame->high.x, (uint64) cell.column << shift);
	box.high.x = border(frame->low.x, frame->high.x, ((uint64) cell.column + 1) << shift);
	box.low.y = border(frame->low.y, frame->high.y, (uint64) cell.row << shift);
	box.high.y = border(frame->low.y, frame->high.y, ((uint64) cell.row + 1) << shift);
	return box;
}
