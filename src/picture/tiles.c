/*-------------------------------------------------------------------------
 *
 * tiles.c
 *	  Tiles: cells filled with the color of their density.
 *
 * Tiles of one cell size and color make one path: most of what would be
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
#define MIN_TILE		1.6
#define MIN_TILE_OF_FEW	5.0		/* of less than FEW_TILES tiles */
#define FEW_TILES				50

/* Share of the tiles that may be beyond each end of the scale. */
#define BEYOND_LOW		0.02
#define BEYOND_HIGH		0.002

/* Decades of the scale, at least. */
#define MIN_SPAN		1.5

/* What tells one path of tiles from the next. */
typedef struct TileKey
{
	int			exp;			/* of the cell */
	bool		oversize;
	bool		visited;
	int			color;
	int			shape;
} TileKey;

/* Is it a tile with boxes, and on the map? */
bool
spq_picture_is_drawn(const SpqPicture *picture, const SpqPictureShape *tile)
{
	SpqBounds	bounds = spq_picture_cell_bounds(&tile->cell);

	return tile->tile && tile->tuples > 0 && spq_picture_view_shows(&picture->view, &bounds);
}

/* Is it in full color? */
bool
spq_picture_is_visited(const SpqPicture *picture, const SpqPictureShape *shape)
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
 * too short, or even what is all but equal would have all the colors.
 */
SpqPictureScale
spq_picture_density_scale(const SpqPicture *picture)
{
	SpqPictureScale	scale = {0};
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

static int
color_of(const SpqPictureScale *scale, float8 value)
{
	float8		part = (value - scale->low) / (scale->high - scale->low);

	part = Min(Max(part, 0), 1);
	return Min((int) (part * SPQ_PICTURE_COLORS), SPQ_PICTURE_COLORS - 1);
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
	if (x->color != y->color)
		return x->color - y->color;
	return x->shape - y->shape;
}

static TileKey *
tiles_in_order(const SpqPicture *picture, const SpqPictureScale *scale, int *n)
{
	TileKey    *keys = palloc(Max(picture->n_shapes, 1) * sizeof(TileKey));

	*n = 0;
	for (int i = 0; i < picture->n_shapes; i++)
	{
		const SpqPictureShape *shape = &picture->shapes[i];

		if (spq_picture_is_drawn(picture, shape))
		{
			TileKey    *key = &keys[(*n)++];

			key->exp = shape->cell.exp;
			key->oversize = shape->oversize;
			key->visited = spq_picture_is_visited(picture, shape);
			key->color = color_of(scale, spq_picture_density(picture, shape));
			key->shape = i;
		}
	}
	qsort(keys, *n, sizeof(TileKey), compare_tiles);
	return keys;
}

void
spq_picture_paint_tiles(StringInfo svg, const SpqPicture *picture, const SpqPictureScale *scale)
{
	int			n;
	TileKey    *keys = tiles_in_order(picture, scale, &n);
	float8		least = n < FEW_TILES ? MIN_TILE_OF_FEW : MIN_TILE;

	appendStringInfoString(svg, "<g class=\"cells\" shape-rendering=\"crispEdges\">\n");
	for (int i = 0; i < n; i++)
	{
		const TileKey *key = &keys[i];
		const SpqPictureShape *tile = &picture->shapes[key->shape];
		SpqBounds	bounds = spq_picture_cell_bounds(&tile->cell);
		SpqPictureRectangle	r = spq_picture_on_map(&picture->view, &bounds);
		bool		first = i == 0 || key->exp != keys[i - 1].exp ||
			key->oversize != keys[i - 1].oversize ||
			key->visited != keys[i - 1].visited ||
			key->color != keys[i - 1].color;

		if (first)
			appendStringInfo(svg, "%s<path fill=\"%s\" d=\"", i > 0 ? "\"/>\n" : "",
							 key->visited ? spq_picture_colors[key->color] :
							 spq_picture_grays[key->color]);
		spq_picture_widen(&r.x0, &r.x1, least);
		spq_picture_widen(&r.y0, &r.y1, least);
		spq_picture_append_rectangle(svg, &r);
	}
	appendStringInfoString(svg, n > 0 ? "\"/>\n</g>\n" : "</g>\n");
	pfree(keys);
}
