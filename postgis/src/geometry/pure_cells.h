/*-------------------------------------------------------------------------
 *
 * pure_cells.h
 *	  Whether a point is in a polygon, by cells if it is one of many points.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_PURE_CELLS_H
#define SPQ_GIS_PURE_CELLS_H

#include "geometry/locate.h"

/*
 * Return the number of the column or row of a coordinate, from its distance from the
 * polygon's lower end.  Each step of the computation is monotone, so if a <= b, the
 * number of a is not above that of b.
 */
static inline int
spq_gis_cell_number(float8 distance, float8 scale, int side)
{
	int			number = (int) (distance * scale);

	return Max(Min(number, side - 1), 0);
}

static inline int
spq_gis_cell_of(const SpqGisShape *polygon, const SpqGisPoint *p)
{
	const SpqGisCells *cells = polygon->cells;

	return spq_gis_cell_number(p->y - polygon->box.ymin, cells->y_scale, cells->side) * cells->side +
		spq_gis_cell_number(p->x - polygon->box.xmin, cells->x_scale, cells->side);
}

/*
 * Return the place of all points of a cell, or SPQ_GIS_PLACE_UNSURE if they may have
 * different ones.
 */
static inline SpqGisPlace
spq_gis_cell_place(const SpqGisCells *cells, int cell)
{
	return (cells->places[cell / 4] >> (cell % 4 * 2)) & 3;
}

extern void spq_gis_make_cells(const SpqGisShape *polygon);
extern SpqGisPlace spq_gis_locate(const SpqGisShape *polygon, const SpqGisPoint *p);

#endif							/* SPQ_GIS_PURE_CELLS_H */
