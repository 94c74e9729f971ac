/*-------------------------------------------------------------------------
 *
 * pure_cells.c
 *	  Cells of the box of a large polygon, for many points.
 *
 *		. . . . . .			.  outside
 *		. ? ? ? ? .			#  inside
 *		. ? # # ? ?			?  near an edge: the edges decide
 *		. ? ? # # ?
 *		. . ? ? ? ?
 *
 * A cell is pure if no edge is in it, or near it.  Then all its points have one
 * place, which spq_gis_locate_by_edges() finds for one of them.  README.md says why
 * it would find the same for all.  Between pure cells side by side is no edge, so
 * few points are located.
 *
 * The cells are made when a quarter as many points were located as the polygon has
 * (shape.c).  Usually that costs less than these points did.  Where edges are long, or pure cells
 * are in many pieces, it would cost more: a limit of the work for each point of the
 * polygon ends it.  The memory is part of the shape from the beginning, a quarter of a
 * byte for each point.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "geometry/edges.h"
#include "geometry/pure_cells.h"

/*
 * Limits of the work for each point of the polygon: cells that are marked, which takes
 * some nanoseconds each; and of that part of the points, centers that are located.
 */
#define MOST_MARKS		8
#define PART_LOCATED	4

/*
 * A pure cell is at least this many times as far from the edges as rounding may move
 * a point (locate.c).
 */
#define MARGIN			8

/* The largest margin, in cells.  More would leave few pure cells. */
#define WIDEST_MARGIN	0.25

/* Cells being made. */
typedef struct Work
{
	const SpqGisShape *polygon;
	SpqGisCells *cells;
	int64		marks;			/* that are left */
	int			centers;		/* that are left */
} Work;

/* Cells from "left" to "right" and from "bottom" to "top". */
typedef struct CellRange
{
	int			left,
				right,
				bottom,
				top;
} CellRange;

/*
 * Set the size of the cells and their margin.  Return false if the polygon can have
 * none: its box has no width or no height, or it is so small and far away from the origin
 * that rounding may move a point into another cell.
 */
static bool
fit_cells(SpqGisCells *cells, const SpqGisBox *box)
{
	float8		width = box->xmax - box->xmin,
				height = box->ymax - box->ymin;

	cells->x_scale = cells->side / width;
	cells->y_scale = cells->side / height;
	cells->margin = MARGIN * SPQ_GIS_ROUNDING *
		(Max(fabs(box->xmin), fabs(box->xmax)) + Max(fabs(box->ymin), fabs(box->ymax)) +
		 width + height);
	/* a width of 0 makes the first one infinite or NaN */
	return cells->margin * cells->x_scale < WIDEST_MARGIN &&
		cells->margin * cells->y_scale < WIDEST_MARGIN;
}

static inline void
set_place(SpqGisCells *cells, int cell, SpqGisPlace place)
{
	uint8	   *four = &cells->places[cell / 4];
	int			shift = cell % 4 * 2;

	*four = (*four & ~(3 << shift)) | place << shift;
}

/* Return the cells of a box, and those that are near it. */
static inline CellRange
cells_near(const SpqGisShape *polygon, const SpqGisBox *box)
{
	const SpqGisCells *cells = polygon->cells;
	float8		x = polygon->box.xmin,
				y = polygon->box.ymin;
	CellRange	range = {
		spq_gis_cell_number(box->xmin - cells->margin - x, cells->x_scale, cells->side),
		spq_gis_cell_number(box->xmax + cells->margin - x, cells->x_scale, cells->side),
		spq_gis_cell_number(box->ymin - cells->margin - y, cells->y_scale, cells->side),
		spq_gis_cell_number(box->ymax + cells->margin - y, cells->y_scale, cells->side)
	};

	return range;
}

static inline bool
is_narrow(const CellRange *range)
{
	return range->right - range->left <= 1;
}

static inline bool
is_flat(const CellRange *range)
{
	return range->top - range->bottom <= 1;
}

/* Some of these cells are not pure: take none of them for pure. */
static void
mark(Work *work, const CellRange *range)
{
	for (int row = range->bottom; row <= range->top; row++)
		for (int column = range->left; column <= range->right; column++)
			set_place(work->cells, row * work->cells->side + column, SPQ_GIS_PLACE_UNSURE);
	work->marks -= (range->right - range->left + 1) * (range->top - range->bottom + 1);
}

/*
 * Mark the cells of an edge.  A long one is halved until the boxes of its pieces have
 * few other cells.  A middle is rounded, which moves the piece by less than the margin.
 */
static void
mark_edge(Work *work, SpqGisPoint a, SpqGisPoint b)
{
	const SpqGisBox box = {Min(a.x, b.x), Max(a.x, b.x), Min(a.y, b.y), Max(a.y, b.y)};
	CellRange	range = cells_near(work->polygon, &box);

	if (is_narrow(&range) || is_flat(&range))
		mark(work, &range);
	else
	{
		SpqGisPoint middle = {(a.x + b.x) / 2, (a.y + b.y) / 2};

		mark_edge(work, a, middle);
		mark_edge(work, middle, b);
	}
}

/* Mark the cells of a run, by its box if that has few cells. */
static void
mark_run(Work *work, const SpqGisRun *run)
{
	CellRange	range = cells_near(work->polygon, &run->box);

	if (is_narrow(&range) && is_flat(&range))
		mark(work, &range);
	else
		for (int i = run->first; i < run->last; i++)
			mark_edge(work, work->polygon->points[i], work->polygon->points[i + 1]);
}

/* Take all cells for pure but those of edges.  Return false if that takes too long. */
static bool
mark_edges(Work *work)
{
	const SpqGisShape *polygon = work->polygon;

	memset(work->cells->places, 0, spq_gis_places_size(work->cells->side));
	for (int i = 0; i < polygon->nruns && work->marks >= 0; i++)
	{
		CHECK_FOR_INTERRUPTS();
		mark_run(work, &polygon->runs[i]);
	}
	return work->marks >= 0;
}

/* Return the place of a pure cell, from its center; unsure if no more may be located. */
static SpqGisPlace
place_of_center(Work *work, int row, int column)
{
	const SpqGisShape *polygon = work->polygon;
	const SpqGisCells *cells = work->cells;
	SpqGisPoint center = {
		polygon->box.xmin + (column + 0.5) / cells->x_scale,
		polygon->box.ymin + (row + 0.5) / cells->y_scale
	};

	CHECK_FOR_INTERRUPTS();
	/* rounding may put the center into another cell */
	if (work->centers == 0 ||
		spq_gis_cell_of(polygon, &center) != row * cells->side + column)
		return SPQ_GIS_PLACE_UNSURE;
	work->centers--;
	return spq_gis_locate_by_edges(polygon, &center);
}

/*
 * Set the places of pure cells.  No edge is between two of them that are side by side,
 * so they have one place.
 */
static void
set_places(Work *work)
{
	SpqGisCells *cells = work->cells;

	for (int row = 0, cell = 0; row < cells->side; row++)
	{
		SpqGisPlace place = SPQ_GIS_PLACE_UNSURE;

		for (int column = 0; column < cells->side; column++, cell++)
		{
			if (spq_gis_cell_place(cells, cell) == SPQ_GIS_PLACE_UNSURE)
			{
				place = SPQ_GIS_PLACE_UNSURE;
				continue;
			}
			if (place == SPQ_GIS_PLACE_UNSURE && row > 0)
				place = spq_gis_cell_place(cells, cell - cells->side);
			if (place == SPQ_GIS_PLACE_UNSURE)
				place = place_of_center(work, row, column);
			set_place(cells, cell, place);
		}
	}
}

/*
 * Make the cells.  If they do not fit the polygon, or that takes too long, it has none any
 * more.  After an error they are not made, and the next call begins again.
 */
void
spq_gis_make_cells(const SpqGisShape *polygon)
{
	SpqGisCells *cells = polygon->cells;
	Work		work = {
		polygon, cells, (int64) polygon->npoints * MOST_MARKS, polygon->npoints / PART_LOCATED
	};

	if (!fit_cells(cells, &polygon->box) || !mark_edges(&work))
	{
		unconstify(SpqGisShape *, polygon)->cells = NULL;
		return;
	}
	set_places(&work);
	cells->made = true;
}

/* Return the place of a point by the cell that it is in; unsure if that does not decide. */
static SpqGisPlace
locate_by_cell(const SpqGisShape *polygon, const SpqGisPoint *p)
{
	SpqGisCells *cells = polygon->cells;

	if (!cells->made)
	{
		if (cells->awaited > 0)
		{
			cells->awaited--;
			return SPQ_GIS_PLACE_UNSURE;
		}
		spq_gis_make_cells(polygon);
		if (!polygon->cells)
			return SPQ_GIS_PLACE_UNSURE;
	}
	return spq_gis_cell_place(cells, spq_gis_cell_of(polygon, p));
}

/* Return where a point is relative to a polygon. */
SpqGisPlace
spq_gis_locate(const SpqGisShape *polygon, const SpqGisPoint *p)
{
	SpqGisPlace place = SPQ_GIS_PLACE_UNSURE;

	if (polygon->cells && spq_gis_box_has(&polygon->box, p))
		place = locate_by_cell(polygon, p);
	return place != SPQ_GIS_PLACE_UNSURE ? place : spq_gis_locate_by_edges(polygon, p);
}
