/*-------------------------------------------------------------------------
 *
 * hostile_boxes.h
 *	  Arrays of boxes that are likely to make trouble for a join in tiles.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_HOSTILE_BOXES_H
#define SPQ_TEST_HOSTILE_BOXES_H

#include "check.h"

#include <float.h>
#include <math.h>

#include "box/relation.h"

#include "../../bench/kernel/shapes.h"

StaticAssertDecl(sizeof(Rect) == sizeof(SpqBox) && offsetof(Rect, lx) == sizeof(SpqBox) / 2,
				 "a Rect is laid out as a box");

static inline Rects
make(int count)
{
	Rects		rects = {malloc(sizeof(Rect) * Max(count, 1)), count};

	return rects;
}

static inline double
between(double low, double high)
{
	return low + (high - low) * drand48();
}

/*
 * A number that is likely to make trouble, on a lattice of this step, or, if
 * "special_too", anywhere.
 */
static inline double
hostile(double step, bool special_too)
{
	static const double special[] = {
		0, -0.0, DBL_MIN, -4.9e-324, DBL_MAX, -DBL_MAX, 1e300, -1e300, 1e15, HUGE_VAL, -HUGE_VAL, NAN
	};
	double		x = step * random_int(0, 20 - 1);

	if (special_too && random_int(0, 39) == 0)
		return special[random_int(0, lengthof(special) - 1)];
	if (random_int(0, 3 - 1) == 0)
		x += (random_int(0, 9 - 1) - 4) * SPQ_BOX_EPSILON / 2;
	if (random_int(0, 5 - 1) == 0)
		x = nextafter(x, random_int(0, 2 - 1) == 0 ? -HUGE_VAL : HUGE_VAL);
	return x;
}

static inline Rects
hostile_boxes(int count, double step, bool ordered, bool special_too)
{
	Rects		rects = make(count);

	for (int i = 0; i < count; i++)
	{
		double		x[2] = {hostile(step, special_too), hostile(step, special_too)},
					y[2] = {hostile(step, special_too), hostile(step, special_too)};
		bool		swap = !ordered && random_int(0, 50 - 1) == 0;
		Rect		r = {Max(x[0], x[1]), Max(y[0], y[1]), Min(x[0], x[1]), Min(y[0], y[1])};

		if (swap)
		{
			r.lx = Max(x[0], x[1]);
			r.hx = Min(x[0], x[1]);
		}
		rects.rect[i] = r;
	}
	return rects;
}

/* Boxes in an ever smaller place, and some over all of it. */
static inline Rects
crowded_boxes(int count, double at, double size, double spread)
{
	Rects		rects = make(count);

	for (int i = 0; i < count; i++)
	{
		double		x = at + spread * pow(between(-1, 1), 9),
					y = at + spread * pow(between(-1, 1), 9),
					side = random_int(0, 20 - 1) == 0 ? spread * drand48() : size * drand48();
		Rect		r = {x + side, y + side, x, y};

		rects.rect[i] = r;
	}
	return rects;
}

static inline void
free_both(Rects left, Rects right)
{
	free(left.rect);
	free(right.rect);
}

#endif							/* SPQ_TEST_HOSTILE_BOXES_H */
