/*-------------------------------------------------------------------------
 *
 * joined.h
 *	  Boxes of SPQ_DIM axes for the tests of the join engine.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_JOINED_H
#define SPQ_TEST_JOINED_H

#include "check.h"

#include "box/box.h"

/* Return the corners, to be changed. */
static inline float8 *
low(SpqBox *box)
{
	return (float8 *) box + SPQ_DIM;
}

static inline float8 *
high(SpqBox *box)
{
	return (float8 *) box;
}

/* Return a box with its corners in order, of arbitrary numbers. */
static inline SpqBox
odd_box(void)
{
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		x1 = any_number(),
					x2 = random_int(0, 1) ? any_number() : x1 + drand48() * 10;

		low(&box)[axis] = float8_min(x1, x2);
		high(&box)[axis] = float8_max(x1, x2);
	}
	return box;
}

/*
 * Return a box with this corner and these sides.  In two dimensions, z and
 * depth are ignored.
 */
static inline SpqBox
box_at(double x, double y, double z, double width, double height, double depth)
{
	const double corner[] = {x, y, z},
				side[] = {width, height, depth};
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		low(&box)[axis] = corner[axis];
		high(&box)[axis] = corner[axis] + side[axis];
	}
	return box;
}

#ifdef SPQ_JOIN_BOXES_ITEM_H
/* Make items of a random kind, most of them hard to divide. */
static inline void
make_hard_items(SpqJoinItem *items, uint32 count)
{
	int			kind = random_int(0, 7);
	double		x = random_int(-9, 9),
				size = exp(drand48() * 20 - 15);

	for (uint32 i = 0; i < count; i++)
	{
		SpqBox	   *box = &items[i].box;

		memset(box, 0, sizeof(SpqBox));
		switch (kind)
		{
			case 0:				/* anything */
				*box = odd_box();
				break;
			case 1:				/* all equal */
				low(box)[0] = high(box)[0] = x;
				break;
			case 2:				/* all equal but one */
				low(box)[0] = high(box)[0] = i == count / 2 ? x + 1 : x;
				break;
			case 3:				/* all equal but the first */
				low(box)[0] = high(box)[0] = i == count / 2 ? x - 1 : x;
				break;
			case 4:				/* two sizes */
				high(box)[0] = i % 2 ? 1e-3 : 1e3;
				low(box)[0] = -high(box)[0];
				break;
			case 5:				/* adjacent numbers */
				low(box)[0] = high(box)[0] = random_int(0, 1) ? x : nextafter(x, 100);
				break;
			default:
				for (int axis = 0; axis < SPQ_DIM; axis++)
				{
					low(box)[axis] = drand48();
					high(box)[axis] = low(box)[axis] + drand48() * size;
				}
				break;
		}
		items[i].ref = items[i].tag = i;
	}
}

/* Give them few different hashes. */
static inline void
make_hashes(SpqJoinItem *items, uint32 count)
{
	int			keys = random_int(1, 4) * random_int(1, 4);

	for (uint32 i = 0; i < count; i++)
		items[i].tag = (uint64) (random_int(1, keys) * 99999) << SPQ_JOIN_HASH_SHIFT | i;
}
#endif

#ifdef SPQ_JOIN_BOXES_BUCKET_H
static inline SpqJoinOrigin
odd_origin(void)
{
	SpqJoinOrigin origin = {0};

	for (int axis = 0; axis < SPQ_DIM; axis++)
		origin.at[axis] = odd_number();
	return origin;
}
#endif

#endif							/* SPQ_TEST_JOINED_H */
