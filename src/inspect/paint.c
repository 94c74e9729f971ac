/*-------------------------------------------------------------------------
 *
 * paint.c
 *	  The map: cells, lines, boxes, query.
 *
 *		under	what is empty
 *				tiles, the largest first: a small one lies on the large cell
 *				   of boxes that are too big for it
 *				lines between cells, finer the smaller these are
 *				frames of cells that hold boxes for their size
 *				boxes
 *		over	the query
 *
 * Shapes of one cell size and colour make one path: most of what would be
 * written of each shape is the same.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "inspect/paint.h"
#include "inspect/palette.h"

/* A tile is no smaller than this on the paper. */
#define LEAST_TILE		1.6
#define LEAST_OF_FEW	5.0			/* of less than FEW tiles */
#define FEW				50

/* Side of a cell from which on a frame can be seen in it. */
#define LEAST_FRAME		9.0

/* Share of the tiles that may be beyond each end of the scale. */
#define BEYOND_LOW		0.02
#define BEYOND_HIGH		0.002

/* Decades of the scale, at least. */
#define LEAST_SPAN		1.5

/* On the map, all relative to its left upper corner. */
typedef struct Rectangle
{
	float8		x0;
	float8		y0;
	float8		x1;
	float8		y1;
} Rectangle;

/* What tells one path of tiles from the next. */
typedef struct TileKey
{
	int			exp;			/* of the cell */
	bool		oversize;
	bool		visited;
	int			colour;
	int			shape;
} TileKey;

/*
 * Where bounds are on the map.  What is outside ends a little beyond the edge,
 * whatever its numbers.
 */
static Rectangle
on_map(const SpqView *view, const SpqBounds *bounds)
{
	SpqBounds	clipped;
	SpqBounds	wider = view->shown;
	float8		x_more = 4 / view->x_scale;
	float8		y_more = 4 / view->y_scale;
	Rectangle	r;

	wider.xmin -= x_more;
	wider.xmax += x_more;
	wider.ymin -= y_more;
	wider.ymax += y_more;
	clipped.xmin = Max(bounds->xmin, wider.xmin);
	clipped.ymin = Max(bounds->ymin, wider.ymin);
	clipped.xmax = Min(bounds->xmax, wider.xmax);
	clipped.ymax = Min(bounds->ymax, wider.ymax);

	r.x0 = spq_view_x(view, clipped.xmin) - view->left;
	r.x1 = spq_view_x(view, clipped.xmax) - view->left;
	r.y0 = spq_view_y(view, clipped.ymax) - view->top;
	r.y1 = spq_view_y(view, clipped.ymin) - view->top;
	return r;
}

static void
at_least(float8 *low, float8 *high, float8 length)
{
	float8		more = (length - (*high - *low)) / 2;

	if (more > 0)
	{
		*low -= more;
		*high += more;
	}
}

/*
 * One rectangle of a path.  Widths are differences of rounded places, so that
 * neighbours touch.
 */
static void
append_rectangle(StringInfo svg, const Rectangle *r)
{
	float8		x0 = rint(r->x0 * 10) / 10;
	float8		y0 = rint(r->y0 * 10) / 10;
	float8		width = rint(r->x1 * 10) / 10 - x0;
	float8		height = rint(r->y1 * 10) / 10 - y0;

	appendStringInfoChar(svg, 'M');
	spq_append_tenths(svg, x0);
	appendStringInfoChar(svg, ' ');
	spq_append_tenths(svg, y0);
	appendStringInfoChar(svg, 'h');
	spq_append_tenths(svg, width);
	appendStringInfoChar(svg, 'v');
	spq_append_tenths(svg, height);
	appendStringInfoChar(svg, 'h');
	spq_append_tenths(svg, -width);
	appendStringInfoChar(svg, 'z');
}

/* ---- tiles ---- */

/*
 * Logarithm of the density of a tile: boxes for an area of one unit of the
 * plane, as far as the paper can show it.
 */
static float8
density(const SpqPicture *picture, const SpqShape *tile)
{
	const SpqView *view = &picture->view;
	SpqBounds	bounds = spq_cell_bounds(&tile->cell);
	SpqBounds	seen = spq_view_clip(view, &bounds);
	float8		width = Max((seen.xmax - seen.xmin) * view->x_scale, picture->fold);
	float8		height = Max((seen.ymax - seen.ymin) * view->y_scale, picture->fold);

	return log10((double) tile->tuples) - log10(width) - log10(height) +
		log10(view->x_scale) + log10(view->y_scale);
}

static bool
is_drawn(const SpqPicture *picture, const SpqShape *tile)
{
	SpqBounds	bounds = spq_cell_bounds(&tile->cell);

	return tile->tile && tile->tuples > 0 && spq_view_shows(&picture->view, &bounds);
}

/* Is it in full colour? */
static bool
is_visited(const SpqPicture *picture, const SpqShape *shape)
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
		if (is_drawn(picture, &picture->shapes[i]))
			densities[n++] = density(picture, &picture->shapes[i]);
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

	if (x->exp != y->exp)
		return x->exp > y->exp ? -1 : 1;
	if (x->oversize != y->oversize)
		return x->oversize ? -1 : 1;
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

		if (is_drawn(picture, shape))
		{
			TileKey    *key = &keys[(*n)++];

			key->exp = shape->cell.exp;
			key->oversize = shape->oversize;
			key->visited = is_visited(picture, shape);
			key->colour = colour_of(scale, density(picture, shape));
			key->shape = i;
		}
	}
	qsort(keys, *n, sizeof(TileKey), compare_tiles);
	return keys;
}

static void
paint_tiles(StringInfo svg, const SpqPicture *picture, const TileKey *keys, int n)
{
	float8		least = n < FEW ? LEAST_OF_FEW : LEAST_TILE;

	appendStringInfoString(svg, "<g class=\"cells\" shape-rendering=\"crispEdges\">\n");
	for (int i = 0; i < n; i++)
	{
		const TileKey *key = &keys[i];
		const SpqShape *tile = &picture->shapes[key->shape];
		SpqBounds	bounds = spq_cell_bounds(&tile->cell);
		Rectangle	r = on_map(&picture->view, &bounds);
		bool		first = i == 0 || key->exp != keys[i - 1].exp ||
			key->oversize != keys[i - 1].oversize ||
			key->visited != keys[i - 1].visited ||
			key->colour != keys[i - 1].colour;

		if (first)
			appendStringInfo(svg, "%s<path fill=\"%s\" d=\"", i > 0 ? "\"/>\n" : "",
							 key->visited ? spq_colours[key->colour] :
							 spq_greys[key->colour]);
		at_least(&r.x0, &r.x1, least);
		at_least(&r.y0, &r.y1, least);
		append_rectangle(svg, &r);
	}
	appendStringInfoString(svg, n > 0 ? "\"/>\n</g>\n" : "</g>\n");
}

/* ---- lines ---- */

static void
append_line(StringInfo svg, float8 x, float8 y, char direction, float8 length)
{
	appendStringInfoChar(svg, 'M');
	spq_append_tenths(svg, x);
	appendStringInfoChar(svg, ' ');
	spq_append_tenths(svg, y);
	appendStringInfoChar(svg, direction);
	spq_append_tenths(svg, length);
}

/*
 * A cell that is cut in 2^cuts along each axis.  Lines outside of the map are
 * left out.
 */
static void
append_grid(StringInfo svg, const SpqView *view, const SpqCell *cell, int cuts)
{
	SpqBounds	bounds = spq_cell_bounds(cell);
	Rectangle	r = on_map(view, &bounds);
	float8		step = spq_pow2(cell->exp - cuts);

	append_rectangle(svg, &r);
	for (int i = 1; i < 1 << cuts; i++)
	{
		float8		x = (cell->x + i * step - view->shown.xmin) * view->x_scale;
		float8		y = (view->shown.ymax - (cell->y + i * step)) * view->y_scale;

		if (x > r.x0 && x < r.x1)
			append_line(svg, x, r.y0, 'v', r.y1 - r.y0);
		if (y > r.y0 && y < r.y1)
			append_line(svg, r.x0, y, 'h', r.x1 - r.x0);
	}
}

/* A core can be much smaller than its range; then there is no room for lines. */
static void
append_core(StringInfo svg, const SpqPicture *picture, const SpqCell *core, int cuts)
{
	float8		size = spq_shape_size(&picture->view, core);

	if (size >= picture->fold * 0.7 * (1 << cuts))
		append_grid(svg, &picture->view, core, cuts);
	else if (size >= picture->fold)
		append_grid(svg, &picture->view, core, 0);
}

/* Width of the lines that divide a cell of that size on the paper. */
static float8
line_width(float8 size)
{
	return Min(0.1 + size * 0.015, 1.3);
}

static int
compare_ints(const void *a, const void *b)
{
	return *(const int *) b - *(const int *) a;
}

/* The exponents of all grids, each once, the largest first. */
static int *
exponents(const SpqPicture *picture, int *n)
{
	int		   *exps = palloc(Max(picture->n_shapes, 1) * sizeof(int));
	int			all = 0;

	*n = 0;
	for (int i = 0; i < picture->n_shapes; i++)
		if (!picture->shapes[i].tile)
			exps[all++] = picture->shapes[i].cell.exp;
	qsort(exps, all, sizeof(int), compare_ints);
	for (int i = 0; i < all; i++)
		if (*n == 0 || exps[*n - 1] != exps[i])
			exps[(*n)++] = exps[i];
	return exps;
}

static void
paint_lines(StringInfo svg, const SpqPicture *picture, float8 line)
{
	const SpqView *view = &picture->view;
	int			n;
	int		   *exps = exponents(picture, &n);

	appendStringInfo(svg, "<g class=\"lines\" fill=\"none\" stroke=\"%s\">\n", SPQ_LINE);
	for (int e = 0; e < n; e++)
	{
		bool		begun = false;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < picture->n_shapes; i++)
		{
			const SpqShape *shape = &picture->shapes[i];
			SpqCell		core;

			if (shape->tile || shape->oversize || shape->of_one_place ||
				shape->cell.exp != exps[e])
				continue;
			if (!begun)
				appendStringInfo(svg, "<path stroke-width=\"%.2f\" d=\"",
								 line * line_width(spq_shape_size(view, &shape->cell) / line));
			begun = true;
			core = spq_core_cell(&shape->prefix);
			if (shape->prefix.flags & SPQ_HAS_RANGE)
				append_grid(svg, view, &shape->cell, 1);
			append_core(svg, picture, &core, shape->prefix.cuts);
		}
		if (begun)
			appendStringInfoString(svg, "\"/>\n");
	}
	appendStringInfoString(svg, "</g>\n");
	pfree(exps);
}

/*
 * Frames inside of the cells that hold boxes because these are too large for
 * sub-cells.
 */
static void
paint_oversize(StringInfo svg, const SpqPicture *picture, float8 line)
{
	float8		inset = 1.5 * line;

	for (int visited = 0; visited < 2; visited++)
	{
		bool		begun = false;

		for (int i = 0; i < picture->n_shapes; i++)
		{
			const SpqShape *shape = &picture->shapes[i];
			SpqBounds	bounds;
			Rectangle	r;

			if (!shape->oversize || !is_drawn(picture, shape) ||
				is_visited(picture, shape) != visited ||
				spq_shape_size(&picture->view, &shape->cell) < LEAST_FRAME * line)
				continue;
			if (!begun)
				appendStringInfo(svg, "<path class=\"oversize\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" stroke-opacity=\"%s\" d=\"",
								 SPQ_OVERSIZE, 0.7 * line, visited ? ".5" : ".15");
			begun = true;
			bounds = spq_cell_bounds(&shape->cell);
			r = on_map(&picture->view, &bounds);
			r.x0 += inset;
			r.y0 += inset;
			r.x1 -= inset;
			r.y1 -= inset;
			append_rectangle(svg, &r);
		}
		if (begun)
			appendStringInfoString(svg, "\"/>\n");
	}
}

/* ---- boxes, query ---- */

static void
paint_boxes(StringInfo svg, const SpqPicture *picture, float8 line)
{
	if (picture->n_boxes == 0)
		return;
	appendStringInfo(svg, "<path class=\"boxes\" fill=\"%s\" fill-opacity=\"%s\" stroke=\"%s\" stroke-width=\"%.2f\" stroke-opacity=\"%s\" d=\"",
					 SPQ_BOX, picture->n_boxes < 500 ? ".12" : ".05", SPQ_BOX, 0.6 * line,
					 picture->n_boxes < 500 ? ".8" : ".5");
	for (int i = 0; i < picture->n_boxes; i++)
	{
		SpqBounds	bounds = spq_bounds_of_box(&picture->boxes[i]);
		Rectangle	r = on_map(&picture->view, &bounds);

		/* of nothing at all nothing would be drawn */
		at_least(&r.x0, &r.x1, picture->n_boxes < 200 ? 2 * line : 0.2);
		at_least(&r.y0, &r.y1, picture->n_boxes < 200 ? 2 * line : 0.2);
		append_rectangle(svg, &r);
	}
	appendStringInfoString(svg, "\"/>\n");
}

/* A query with a NaN is nowhere. */
bool
spq_query_on_map(const SpqPicture *picture)
{
	const BOX  *query = picture->query;
	SpqBounds	bounds = spq_bounds_of_box(query);

	return !isnan(query->low.x) && !isnan(query->low.y) &&
		!isnan(query->high.x) && !isnan(query->high.y) &&
		spq_view_shows(&picture->view, &bounds);
}

static void
paint_query(StringInfo svg, const SpqPicture *picture, float8 line)
{
	SpqBounds	bounds;
	Rectangle	r;

	if (picture->query == NULL || !spq_query_on_map(picture))
		return;
	bounds = spq_bounds_of_box(picture->query);
	r = on_map(&picture->view, &bounds);
	at_least(&r.x0, &r.x1, 3 * line);
	at_least(&r.y0, &r.y1, 3 * line);
	for (int i = 0; i < 2; i++)
	{
		appendStringInfo(svg, "<path class=\"query\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" d=\"",
						 i == 0 ? SPQ_PAPER : SPQ_QUERY, (i == 0 ? 4 : 1.8) * line);
		append_rectangle(svg, &r);
		appendStringInfoString(svg, "\"/>\n");
	}
}

/*
 * The map, in an svg element of its own: that cuts off what is beyond its
 * edges.  "line" is the width of a line for a picture of this size.
 */
void
spq_paint_map(StringInfo svg, const SpqPicture *picture, const SpqScale *scale,
			  float8 line)
{
	const SpqView *view = &picture->view;
	TileKey    *keys;
	int			n;

	appendStringInfo(svg, "<svg x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\">\n"
					 "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
					 view->left, view->top, view->width, view->height, SPQ_EMPTY);
	keys = tiles_in_order(picture, scale, &n);
	paint_tiles(svg, picture, keys, n);
	paint_lines(svg, picture, line);
	paint_oversize(svg, picture, line);
	paint_boxes(svg, picture, line);
	paint_query(svg, picture, line);
	appendStringInfoString(svg, "</svg>\n");
	pfree(keys);
}
