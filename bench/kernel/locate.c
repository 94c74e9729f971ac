/*-------------------------------------------------------------------------
 *
 * locate.c
 *	  Points in a huge polygon in plain C, as a lower bound: cells of equal size.
 *
 *		locate VERTICES POINTS
 *
 * Prints what locate_engine prints.
 *
 * A cell knows whether its center is in the polygon, and the edges that may be in
 * it.  The line from a point to the center of its cell stays in the cell, so it
 * crosses only edges of the cell's list.  If it crosses an odd number of them,
 * the point is not where the center is.
 *
 * Rounding is not considered.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "coasts.h"
#include "shapes.h"

#define EDGES_PER_CELL	4

typedef struct Cells
{
	const Coast *coast;
	int			side;			/* cells along each axis */
	double		x_scale,
				y_scale;		/* cells in a unit */
	bool	   *center_inside;	/* of each cell */
	uint32_t   *first;			/* of each cell in "edge", and the end */
	uint32_t   *edge;			/* first vertex */
} Cells;

typedef struct Range
{
	int			left,
				right,
				bottom,
				top;
} Range;

static inline int
number(double distance, double scale, int side)
{
	int			cell = distance * scale;

	return cell < 0 ? 0 : cell >= side ? side - 1 : cell;
}

static inline int
column(const Cells *cells, double x)
{
	return number(x - cells->coast->low.x, cells->x_scale, cells->side);
}

static inline int
row(const Cells *cells, double y)
{
	return number(y - cells->coast->low.y, cells->y_scale, cells->side);
}

static inline Place
center(const Cells *cells, int x, int y)
{
	Place		c = {cells->coast->low.x + (x + 0.5) / cells->x_scale,
	cells->coast->low.y + (y + 0.5) / cells->y_scale};

	return c;
}

/* Return the cells of the box of an edge: edges are short. */
static inline Range
cells_of(const Cells *cells, uint32_t edge)
{
	const Place *a = &cells->coast->place[edge],
			   *b = a + 1;

	Range		range = {column(cells, fmin(a->x, b->x)), column(cells, fmax(a->x, b->x)),
	row(cells, fmin(a->y, b->y)), row(cells, fmax(a->y, b->y))};

	return range;
}

/* Return whether c is to the left of the line from a to b. */
static inline bool
is_left(const Place *a, const Place *b, const Place *c)
{
	return (a->x - c->x) * (b->y - c->y) > (a->y - c->y) * (b->x - c->x);
}

/* Find out which centers of cells are inside: those with an odd number of edges to their left. */
static void
locate_centers(Cells *cells)
{
	const Place *place = cells->coast->place;

	for (int i = 0; i < cells->coast->vertices; i++)
	{
		const Place *a = &place[i],
				   *b = a + 1;
		Range		range = cells_of(cells, i);

		for (int y = range.bottom; y <= range.top; y++)
		{
			Place		at = center(cells, 0, y);
			int			x;

			if ((a->y > at.y) == (b->y > at.y))
				continue;
			x = ceil((a->x + (at.y - a->y) * (b->x - a->x) / (b->y - a->y) - at.x) *
					 cells->x_scale);
			if (x < cells->side)
				cells->center_inside[y * cells->side + x] ^= true;
		}
	}
	for (int i = 0; i < cells->side * cells->side; i++)
		if (i % cells->side > 0)
			cells->center_inside[i] ^= cells->center_inside[i - 1];
}

/* List the edges of each cell. */
static void
list_edges(Cells *cells)
{
	int			count = cells->side * cells->side;

	for (int i = 0; i < cells->coast->vertices; i++)
	{
		Range		range = cells_of(cells, i);

		for (int y = range.bottom; y <= range.top; y++)
			for (int x = range.left; x <= range.right; x++)
				cells->first[y * cells->side + x]++;
	}
	for (int i = 1; i <= count; i++)
		cells->first[i] += cells->first[i - 1];
	cells->edge = malloc((cells->first[count] + 1) * sizeof(uint32_t));
	for (int i = 0; i < cells->coast->vertices; i++)
	{
		Range		range = cells_of(cells, i);

		for (int y = range.bottom; y <= range.top; y++)
			for (int x = range.left; x <= range.right; x++)
				cells->edge[--cells->first[y * cells->side + x]] = i;
	}
}

static Cells
make_cells(const Coast *coast)
{
	Cells		cells = {.coast = coast,.side = sqrt(coast->vertices / EDGES_PER_CELL) + 1};
	int			count = cells.side * cells.side;

	cells.x_scale = cells.side / (coast->high.x - coast->low.x);
	cells.y_scale = cells.side / (coast->high.y - coast->low.y);
	cells.center_inside = calloc(count, sizeof(bool));
	cells.first = calloc(count + 1, sizeof(uint32_t));
	locate_centers(&cells);
	list_edges(&cells);
	return cells;
}

static bool
is_inside(const Cells *cells, const Place *p)
{
	int			x = column(cells, p->x),
				y = row(cells, p->y),
				cell = y * cells->side + x;
	bool		inside = cells->center_inside[cell];
	Place		c = center(cells, x, y);

	for (uint32_t i = cells->first[cell]; i < cells->first[cell + 1]; i++)
	{
		const Place *a = &cells->coast->place[cells->edge[i]],
				   *b = a + 1;

		inside ^= is_left(p, &c, a) != is_left(p, &c, b) && is_left(a, b, p) != is_left(a, b, &c);
	}
	return inside;
}

static long
locate(const Cells *cells, const Place *places, int count, double *milliseconds)
{
	double		start = cpu_time();
	long		inside = 0;

	for (int i = 0; i < count; i++)
		inside += is_inside(cells, &places[i]);
	*milliseconds = cpu_time() - start;
	return inside;
}

int
main(int argc, char **argv)
{
	Coast		coast;
	Place	   *places;
	Cells		cells;
	int			count;
	double		made,
				first,
				later;
	long		of_first,
				of_later;

	if (argc != 3)
	{
		fprintf(stderr, "usage: locate VERTICES POINTS\n");
		return 1;
	}
	coast = make_coast(atoi(argv[1]));
	count = atoi(argv[2]);
	places = make_places(&coast, 2 * count);
	made = cpu_time();
	cells = make_cells(&coast);
	made = cpu_time() - made;
	of_first = locate(&cells, places, count, &first);
	of_later = locate(&cells, places + count, count, &later);
	printf("%.4f %.4f %.4f %ld %ld\n", made, first, later, of_first, of_later);
	return 0;
}
