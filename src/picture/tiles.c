/*-------------------------------------------------------------------------
 *
 * tiles.c
 *	  Tiles: cells filled with the colour of their density.
 *
 * Tiles of one cell size and colour make one path: most of what would be
 * written of each is the same.  Those of boxes too large for sub-cells come first, as
 * the sub-cells lie on them, and large ones before small ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/paint.h"
#include "picture/palette.h"

/* A tile is no smaller than this on the paper. */
#define LEAST_TILE		1.6
#define LEAST_OF_FEW	5.0		/* of less than FEW tiles */
#define FEW				50

/* Share of the tiles that may be beyond each end of the scale. */
#define BEYOND_LOW		0.02
#define BEYOND_HIGH		0.002

/* Decades of the scale, at least. */
#define LEAST_SPAN		1.5

/* What tells one path of tiles from the next. */
typedef struct TileKey
{
	int			exp;			/* of the cell */
	bool		oversize;
	bool		visited;
	int			colour;
	int			shape;
} TileKey;

/* Is it a tile with boxes, and on the map? */
bool
spq_is_drawn(const SpqPicture *picture, const SpqShape *tile)
{
	SpqBounds	bounds = spq_cell_bounds(&tile->cell);

	return tile->tile && tile->tuples > 0 && spq_view_shows(&picture->view, &bounds);
}

/* Is it in full colour? */
bool
spq_is_visited(const SpqPicture *picture, const SpqShape *shape)
{
	return shape->visited || picture->query == NULL;
}

static int
compare_float8(const void *a, const void *b)
{
	float8		x = *(const float8 *) a;
	float8		y = *(const float8 *) b;

	return (x > y) - (x < y);
}

/*
 * From the thinnest to the densest tiles, a few at both ends left out; not
 * too short, or even what is all but equal would have all the colours.
 */
SpqScale
spq_density_scale(const SpqPicture *picture)
{
	SpqScale	scale = {0};
	float8	   *densities = palloc(Max(picture->n_shapes, 1) * sizeof(float8));
	int			n = 0;

	for (int i = 0; i < picture->n_shapes; i++)
		if (spq_is_drawn(picture, &picture->shapes[i]))
			densities[n++] = spq_density(picture, &picture->shapes[i]);
	if (n > 0)
	{
		qsort(densities, n, sizeof(float8), compare_float8);
		scale.used = true;
		scale.low = densities[(int) (n * BEYOND_LOW)];
		scale.high = densities[n - 1 - (int) (n * BEYOND_HIGH)];
		if (scale.high - scale.low < LEAST_SPAN)
		{
			float8		middle = (scale.low + scale.high) / 2;

			scale.low = middle - 0.6 * LEAST_SPAN;
			scale.high = middle + 0.4 * LEAST_SPAN;
		}
	}
	pfree(densities);
	return scale;
}

static int
colour_of(const SpqScale *scale, float8 value)
{
	float8		part = (value - scale->low) / (scale->high - scale->low);

	part = Min(Max(part, 0), 1);
	return Min((int) (part * SPQ_COLOURS), SPQ_COLOURS - 1);
}

static int
compare_tiles(const void *a, const void *b)
{
	const TileKey *x = (const TileKey *) a;
	const TileKey *y = (const TileKey *) b;

	if (x->oversize != y->oversize)
		return x->oversize ? -1 : 1;
	if (x->exp != y->exp)
		return x->exp > y->exp ? -1 : 1;
	if (x->visited != y->visited)
		return x->visited ? 1 : -1;
	if (x->colour != y->colour)
		return x->colour - y->colour;
	return x->shape - y->shape;
}

static TileKey *
tiles_in_order(const SpqPicture *picture, const SpqScale *scale, int *n)
{
	TileKey    *keys = palloc(Max(picture->n_shapes, 1) * sizeof(TileKey));

	*n = 0;
	for (int i = 0; i < picture->n_shapes; i++)
	{
		const SpqShape *shape = &picture->shapes[i];

		if (spq_is_drawn(picture, shape))
		{
			TileKey    *key = &keys[(*n)++];

			key->exp = shape->cell.exp;
			key->oversize = shape->oversize;
			key->visited = spq_is_visited(picture, shape);
			key->colour = colour_of(scale, spq_density(picture, shape));
			key->shape = i;
		}
	}
	qsort(keys, *n, sizeof(TileKey), compare_tiles);
	return keys;
}

void
spq_paint_tiles(StringInfo svg, const SpqPicture *picture, const SpqScale *scale)
{
	int			n;
	TileKey    *keys = tiles_in_order(picture, scale, &n);
	float8		least = n < FEW ? LEAST_OF_FEW : LEAST_TILE;

	appendStringInfoString(svg, "<g class=\"cells\" shape-rendering=\"crispEdges\">\n");
	for (int i = 0; i < n; i++)
	{
		const TileKey *key = &keys[i];
		const SpqShape *tile = &picture->shapes[key->shape];
		SpqBounds	bounds = spq_cell_bounds(&tile->cell);
		SpqRectangle	r = spq_on_map(&picture->view, &bounds);
		bool		first = i == 0 || key->exp != keys[i - 1].exp ||
			key->oversize != keys[i - 1].oversize ||
			key->visited != keys[i - 1].visited ||
			key->colour != keys[i - 1].colour;

		if (first)
			appendStringInfo(svg, "%s<path fill=\"%s\" d=\"", i > 0 ? "\"/>\n" : "",
							 key->visited ? spq_colours[key->colour] :
							 spq_greys[key->colour]);
		spq_at_least(&r.x0, &r.x1, least);
		spq_at_least(&r.y0, &r.y1, least);
		spq_append_rectangle(svg, &r);
	}
	appendStringInfoString(svg, n > 0 ? "\"/>\n</g>\n" : "</g>\n");
	pfree(keys);
}
