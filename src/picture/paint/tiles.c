/*-------------------------------------------------------------------------
 *
 * tiles.c
 *	  Tiles: shapes filled with the color of their density.
 *
 * Tiles of the same rank and color share a path, which makes the picture much
 * shorter.  Tiles of boxes too large for sub-cells are painted first, since
 * the sub-cells lie on them.  Ranks descend.  Within a rank, tiles that a scan
 * for the query visits cover others, and denser tiles cover sparser ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/elements/elements.h"
#include "picture/elements/palette.h"
#include "picture/paint/paint.h"

/* Smaller tiles are widened to this size on the paper. */
#define MIN_TILE		1.6
#define MIN_SPARSE_TILE	5.0		/* with fewer than MIN_TILES tiles */
#define MIN_TILES				50

/* Width of the outlines of an R-tree's tiles. */
#define OUTLINE			0.3

/* Tiles that differ only in the last field share a path. */
typedef struct PathTile
{
	int			rank;
	bool		oversize;
	bool		visited;
	int			color;
	int			shape;
} PathTile;

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
	const PathTile *x = (const PathTile *) a;
	const PathTile *y = (const PathTile *) b;

	if (x->oversize != y->oversize)
		return x->oversize ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->visited != y->visited)
		return x->visited ? 1 : -1;
	if (x->color != y->color)
		return x->color - y->color;
	return x->shape - y->shape;
}

static PathTile *
tiles_in_order(const SpqPicture *picture, const SpqPictureScale *scale, int *n)
{
	PathTile   *keys = palloc(Max(picture->n_shapes, 1) * sizeof(PathTile));

	*n = 0;
	for (int i = 0; i < picture->n_shapes; i++)
	{
		const SpqPictureShape *shape = &picture->shapes[i];

		if (spq_picture_is_drawn(picture, shape))
		{
			PathTile   *key = &keys[(*n)++];

			key->rank = shape->rank;
			key->oversize = shape->oversize;
			key->visited = spq_picture_is_visited(picture, shape);
			key->color = color_of(scale, spq_picture_density(picture, shape));
			key->shape = i;
		}
	}
	qsort(keys, *n, sizeof(PathTile), compare_tiles);
	return keys;
}

void
spq_picture_paint_tiles(StringInfo svg, const SpqPicture *picture, const SpqPictureScale *scale,
						float8 line)
{
	int			n;
	PathTile   *keys = tiles_in_order(picture, scale, &n);
	float8		least = n < MIN_TILES ? MIN_SPARSE_TILE : MIN_TILE;

	appendStringInfoString(svg, "<g class=\"cells\"");
	if (picture->outlined)
		appendStringInfo(svg, " stroke=\"%s\" stroke-width=\"%.2f\">\n", SPQ_PICTURE_LINE, OUTLINE * line);
	else
		appendStringInfoString(svg, " shape-rendering=\"crispEdges\">\n");
	for (int i = 0; i < n; i++)
	{
		const PathTile *key = &keys[i];
		const SpqPictureShape *tile = &picture->shapes[key->shape];
		SpqPictureRectangle r = spq_picture_on_map(&picture->view, &tile->bounds.plane);
		bool		first = i == 0 || key->rank != keys[i - 1].rank ||
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
