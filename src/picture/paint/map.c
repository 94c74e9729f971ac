/*-------------------------------------------------------------------------
 *
 * map.c
 *	  The map: tiles, lines, boxes, query.
 *
 *		bottom	background
 *				tiles (tiles.c)
 *				quadtree: lines between cells, finer for smaller cells, and
 *				frames in cells with boxes too large for sub-cells
 *				R-tree: outlines of inner pages, each level in its color
 *				boxes
 *		top		the query
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "picture/elements/elements.h"
#include "picture/elements/palette.h"
#include "picture/paint/paint.h"

/* Smaller cells have no room for a frame. */
#define MIN_FRAME		9.0

static void
append_line(StringInfo svg, float8 x, float8 y, char direction, float8 length)
{
	appendStringInfoChar(svg, 'M');
	spq_picture_append_tenths(svg, x);
	appendStringInfoChar(svg, ' ');
	spq_picture_append_tenths(svg, y);
	appendStringInfoChar(svg, direction);
	spq_picture_append_tenths(svg, length);
}

/*
 * Append bounds and the lines that cut them in 2^cuts along each axis, as far
 * as they are on the map.
 */
static void
append_grid(StringInfo svg, const SpqPictureView *view, const SpqBoxBounds *bounds, int cuts)
{
	SpqPictureRectangle r = spq_picture_on_map(view, bounds);
	float8		x_step = (bounds->xmax - bounds->xmin) / (1 << cuts);
	float8		y_step = (bounds->ymax - bounds->ymin) / (1 << cuts);

	spq_picture_append_rectangle(svg, &r);
	for (int i = 1; i < 1 << cuts; i++)
	{
		float8		x = (bounds->xmin + i * x_step - view->shown.xmin) * view->x_scale;
		float8		y = (view->shown.ymax - (bounds->ymin + i * y_step)) * view->y_scale;

		if (x > r.x0 && x < r.x1)
			append_line(svg, x, r.y0, 'v', r.y1 - r.y0);
		if (y > r.y0 && y < r.y1)
			append_line(svg, r.x0, y, 'h', r.x1 - r.x0);
	}
}

/*
 * Append the base cell of a grid.  A cell much smaller than the grid has no
 * room for lines, or not even for an outline.
 */
static void
append_base(StringInfo svg, const SpqPicture *picture, const SpqBoxBounds *base, int cuts)
{
	float8		size = spq_picture_size(&picture->view, base);

	if (size >= picture->fold * 0.7 * (1 << cuts))
		append_grid(svg, &picture->view, base, cuts);
	else if (size >= picture->fold)
		append_grid(svg, &picture->view, base, 0);
}

/* Return the width of the lines in a cell of this size. */
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

/* Return the distinct ranks of all grids, the highest first. */
static int *
ranks_of_grids(const SpqPicture *picture, int *n)
{
	int		   *ranks = palloc(Max(picture->n_shapes, 1) * sizeof(int));
	int			all = 0;

	*n = 0;
	for (int i = 0; i < picture->n_shapes; i++)
		if (!picture->shapes[i].tile)
			ranks[all++] = picture->shapes[i].rank;
	qsort(ranks, all, sizeof(int), compare_ints);
	for (int i = 0; i < all; i++)
		if (*n == 0 || ranks[*n - 1] != ranks[i])
			ranks[(*n)++] = ranks[i];
	return ranks;
}

/* Paint the lines of the grids of a quadtree. */
static void
paint_lines(StringInfo svg, const SpqPicture *picture, float8 line)
{
	const SpqPictureView *view = &picture->view;
	int			n;
	int		   *ranks = ranks_of_grids(picture, &n);

	appendStringInfo(svg, "<g class=\"lines\" fill=\"none\" stroke=\"%s\">\n", SPQ_PICTURE_LINE);
	for (int r = 0; r < n; r++)
	{
		bool		begun = false;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < picture->n_shapes; i++)
		{
			const SpqPictureShape *shape = &picture->shapes[i];

			if (shape->tile || shape->oversize || shape->all_the_same ||
				shape->rank != ranks[r])
				continue;
			if (!begun)
				appendStringInfo(svg, "<path stroke-width=\"%.2f\" d=\"",
								 line * line_width(spq_picture_size(view, &shape->bounds.plane) / line));
			begun = true;
			if (shape->halved)
				append_grid(svg, view, &shape->bounds.plane, 1);
			append_base(svg, picture, &shape->base, shape->cuts);
		}
		if (begun)
			appendStringInfoString(svg, "\"/>\n");
	}
	appendStringInfoString(svg, "</g>\n");
	pfree(ranks);
}

/*
 * Paint the outlines of the grids of an R-tree.  Higher levels have thicker
 * lines and are painted first.
 */
static void
paint_outlines(StringInfo svg, const SpqPicture *picture, float8 line)
{
	int			n;
	int		   *ranks = ranks_of_grids(picture, &n);

	appendStringInfoString(svg, "<g class=\"lines\" fill=\"none\">\n");
	for (int path = 0; path < 2 * n; path++)
	{
		int			rank = ranks[path / 2];
		bool		visited = path % 2;
		bool		begun = false;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < picture->n_shapes; i++)
		{
			const SpqPictureShape *shape = &picture->shapes[i];
			SpqPictureRectangle r;

			if (shape->tile || shape->rank != rank ||
				spq_picture_is_visited(picture, shape) != visited)
				continue;
			if (!begun)
				appendStringInfo(svg, "<path stroke=\"%s\" stroke-width=\"%.2f\" stroke-opacity=\"%s\" d=\"",
								 spq_picture_outline(rank), (0.2 + 0.8 * rank) * line,
								 visited ? ".9" : ".3");
			begun = true;
			r = spq_picture_on_map(&picture->view, &shape->bounds.plane);
			spq_picture_append_rectangle(svg, &r);
		}
		if (begun)
			appendStringInfoString(svg, "\"/>\n");
	}
	appendStringInfoString(svg, "</g>\n");
	pfree(ranks);
}

/*
 * Paint frames into the cells with boxes too large for sub-cells.
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
			const SpqPictureShape *shape = &picture->shapes[i];
			SpqPictureRectangle r;

			if (!shape->oversize || !spq_picture_is_drawn(picture, shape) ||
				spq_picture_is_visited(picture, shape) != visited ||
				spq_picture_size(&picture->view, &shape->bounds.plane) < MIN_FRAME * line)
				continue;
			if (!begun)
				appendStringInfo(svg, "<path class=\"oversize\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" stroke-opacity=\"%s\" d=\"",
								 SPQ_PICTURE_OVERSIZE, 0.7 * line, visited ? ".8" : ".35");
			begun = true;
			r = spq_picture_on_map(&picture->view, &shape->bounds.plane);
			r.x0 += inset;
			r.y0 += inset;
			r.x1 -= inset;
			r.y1 -= inset;
			spq_picture_append_rectangle(svg, &r);
		}
		if (begun)
			appendStringInfoString(svg, "\"/>\n");
	}
}

/* ---- boxes, query ---- */

static void
paint_boxes(StringInfo svg, const SpqPicture *picture, float8 line)
{
	if (picture->boxes.n == 0)
		return;
	appendStringInfo(svg, "<path class=\"boxes\" fill=\"%s\" fill-opacity=\"%s\" stroke=\"%s\" stroke-width=\"%.2f\" stroke-opacity=\"%s\" d=\"",
					 SPQ_PICTURE_BOX, picture->boxes.n < 500 ? ".12" : ".05", SPQ_PICTURE_BOX, 0.6 * line,
					 picture->boxes.n < 500 ? ".8" : ".5");
	for (int i = 0; i < picture->boxes.n; i++)
	{
		SpqBoxBounds bounds = spq_box_bounds(&picture->boxes.boxes[i].plane);
		SpqPictureRectangle r = spq_picture_on_map(&picture->view, &bounds);

		/* a box of zero size would be invisible */
		spq_picture_widen(&r.x0, &r.x1, picture->boxes.n < 200 ? 2 * line : 0.2);
		spq_picture_widen(&r.y0, &r.y1, picture->boxes.n < 200 ? 2 * line : 0.2);
		spq_picture_append_rectangle(svg, &r);
	}
	appendStringInfoString(svg, "\"/>\n");
}

static void
paint_query(StringInfo svg, const SpqPicture *picture, float8 line)
{
	SpqBoxBounds bounds;
	SpqPictureRectangle r;

	if (picture->query == NULL || !spq_picture_query_on_map(picture))
		return;
	bounds = spq_box_bounds(&picture->query->box.plane);
	r = spq_picture_on_map(&picture->view, &bounds);
	spq_picture_widen(&r.x0, &r.x1, 3 * line);
	spq_picture_widen(&r.y0, &r.y1, 3 * line);
	for (int i = 0; i < 2; i++)
	{
		appendStringInfo(svg, "<path class=\"query\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" d=\"",
						 i == 0 ? SPQ_PICTURE_PAPER : SPQ_PICTURE_QUERY, (i == 0 ? 4 : 1.8) * line);
		spq_picture_append_rectangle(svg, &r);
		appendStringInfoString(svg, "\"/>\n");
	}
}

/*
 * Paint the map in an svg element of its own, which clips at its edges.
 * "line" is the width of a normal line in a picture of this size.
 */
void
spq_picture_paint_map(StringInfo svg, const SpqPicture *picture, const SpqPictureScale *scale,
					  float8 line)
{
	const SpqPictureView *view = &picture->view;

	appendStringInfo(svg, "<svg x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\">\n"
					 "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
					 view->left, view->top, view->width, view->height, SPQ_PICTURE_EMPTY);
	spq_picture_paint_tiles(svg, picture, scale, line);
	if (picture->outlined)
		paint_outlines(svg, picture, line);
	else
		paint_lines(svg, picture, line);
	paint_oversize(svg, picture, line);
	paint_boxes(svg, picture, line);
	paint_query(svg, picture, line);
	appendStringInfoString(svg, "</svg>\n");
}
