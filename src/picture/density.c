/*-------------------------------------------------------------------------
 *
 * density.c
 *	  Boxes per area of a tile.
 *
 * The boxes of a tile are spread evenly over it.  In a quadtree, those of a node for
 * boxes too large for sub-cells lie over all the sub-cells, and count there as
 * well:
 *
 *		+---------+---------+		12 boxes too large for the quarters: 3 in
 *		|	9	  |	   5	|		each of them
 *		|  + 3	  |	 + 3	|
 *		+---------+---------+
 *		|		  |	   1	|		where there are no others, the color of the
 *		|	  3	  |	 + 3	|		whole cell is seen
 *		+---------+---------+
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/density.h"

/* Fraction of the tiles that may be beyond each end of the scale. */
#define BEYOND_LOW		0.02
#define BEYOND_HIGH		0.002

/* Smallest length of the scale, in decades. */
#define MIN_SPAN		1.5

/*
 * Return the area on the paper that the boxes of a shape are spread over; in space,
 * its volume, which is the same however it is seen.
 */
static float8
area_of(const SpqPicture *picture, const SpqPictureShape *shape)
{
	const SpqPictureView *view = &picture->view;
	SpqBoxBounds seen = spq_picture_view_clip(view, &shape->bounds.plane);
	float8		area = Max((seen.xmax - seen.xmin) * view->x_scale, picture->fold) *
		Max((seen.ymax - seen.ymin) * view->y_scale, picture->fold);

	if (view->depth_scale == 0)
		return area;
	return area * Max(spq_picture_view_depth(view, shape->bounds.depth), picture->fold);
}

/* Return whether a shape is the top of a subtree for oversize boxes. */
static bool
begins_oversize(const SpqPicture *picture, const SpqPictureShape *shape)
{
	return shape->oversize && shape->parent >= 0 &&
		!picture->shapes[shape->parent].oversize;
}

/*
 * Set the density of the oversize boxes over each shape.  Parents come before
 * their children.
 */
void
spq_picture_spread_oversize(SpqPicture *picture)
{
	int			n = picture->n_shapes;
	SpqPictureShape *shapes = picture->shapes;
	int64	   *below = palloc(Max(n, 1) * sizeof(int64));
	float8	   *over = palloc0(Max(n, 1) * sizeof(float8));

	for (int i = 0; i < n; i++)
		below[i] = shapes[i].tuples;
	for (int i = n - 1; i >= 0; i--)
	{
		const SpqPictureShape *shape = &shapes[i];

		if (begins_oversize(picture, shape))
			over[shape->parent] += below[i] /
				area_of(picture, &shapes[shape->parent]);
		else if (shape->parent >= 0)
			below[shape->parent] += below[i];
	}
	for (int i = 0; i < n; i++)
	{
		SpqPictureShape *shape = &shapes[i];

		if (shape->parent < 0)
			shape->over = 0;
		else if (begins_oversize(picture, shape))
			shape->over = shapes[shape->parent].over;
		else
			shape->over = shapes[shape->parent].over + over[shape->parent];
	}
	pfree(below);
	pfree(over);
}

/*
 * Return the decimal logarithm of the density of a tile: boxes per unit area of
 * the plane, or volume of space, as far as the paper can show it.
 */
float8
spq_picture_density(const SpqPicture *picture, const SpqPictureShape *tile)
{
	const SpqPictureView *view = &picture->view;
	float8		density = log10(tile->tuples / area_of(picture, tile) + tile->over) +
		log10(view->x_scale) + log10(view->y_scale);

	return view->depth_scale == 0 ? density : density + log10(view->depth_scale);
}

static int
compare_float8(const void *a, const void *b)
{
	float8		x = *(const float8 *) a;
	float8		y = *(const float8 *) b;

	return (x > y) - (x < y);
}

/*
 * Return a scale from the sparsest to the densest tiles, except for a few at both
 * ends.  It has a minimum length, so that nearly equal densities get nearly the
 * same color.
 */
SpqPictureScale
spq_picture_density_scale(const SpqPicture *picture)
{
	SpqPictureScale scale = {0};
	float8	   *densities = palloc(Max(picture->n_shapes, 1) * sizeof(float8));
	int			n = 0;

	for (int i = 0; i < picture->n_shapes; i++)
		if (spq_picture_is_drawn(picture, &picture->shapes[i]))
			densities[n++] = spq_picture_density(picture, &picture->shapes[i]);
	if (n > 0)
	{
		qsort(densities, n, sizeof(float8), compare_float8);
		scale.used = true;
		scale.low = densities[(int) (n * BEYOND_LOW)];
		scale.high = densities[n - 1 - (int) (n * BEYOND_HIGH)];
		if (scale.high - scale.low < MIN_SPAN)
		{
			float8		middle = (scale.low + scale.high) / 2;

			scale.low = middle - 0.6 * MIN_SPAN;
			scale.high = middle + 0.4 * MIN_SPAN;
		}
	}
	pfree(densities);
	return scale;
}
