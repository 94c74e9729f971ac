/*-------------------------------------------------------------------------
 *
 * density.c
 *	  Boxes per area of a tile.
 *
 * The boxes of a tile count as spread evenly over it.  In a quadtree, the
 * boxes of a node for boxes too large for sub-cells lie over all sub-cells,
 * and count there too:
 *
 *		+---------+---------+		12 boxes too large for the quarters: 3 in
 *		|	9	  |	   5	|		each of them
 *		|  + 3	  |	 + 3	|
 *		+---------+---------+
 *		|		  |	   1	|		without other boxes, a quarter shows the
 *		|	  3	  |	 + 3	|		color of the whole cell
 *		+---------+---------+
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/model/density.h"

/* Fractions of the tiles that may be beyond the ends of the scale. */
#define BEYOND_LOW		0.02
#define BEYOND_HIGH		0.002

/* Least length of the scale, in decades. */
#define MIN_SPAN		1.5

/*
 * Return the area of a shape on the paper, as far as the paper can show it; in
 * space, its volume.
 */
static float8
area_of(const SpqPicture *picture, const SpqPictureShape *shape)
{
	return spq_picture_area(&picture->view, &shape->bounds, picture->fold);
}

/* Return whether a shape is the top of a subtree for oversize boxes. */
static bool
begins_oversize(const SpqPicture *picture, const SpqPictureShape *shape)
{
	return shape->oversize && shape->parent >= 0 &&
		!picture->shapes[shape->parent].oversize;
}

/*
 * Set the density of the oversize boxes over each shape.
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
 * the plane, or volume of space.  A tile counts as at least as wide as the fold
 * limit.
 */
float8
spq_picture_density(const SpqPicture *picture, const SpqPictureShape *tile)
{
	const SpqPictureView *view = &picture->view;
	float8		density = log10(tile->tuples / area_of(picture, tile) + tile->over) +
		log10(view->x_scale) + log10(view->y_scale);

	return view->depth_scale == 0 ? density : density + log10(view->depth_scale);
}

/*
 * Return a scale from the sparsest to the densest tile, except for a few at
 * both ends.  It has a least length, so that nearly equal densities get nearly
 * the same color.
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
		qsort(densities, n, sizeof(float8), spq_picture_compare_numbers);
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
