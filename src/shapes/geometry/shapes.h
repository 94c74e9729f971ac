/*-------------------------------------------------------------------------
 *
 * shapes.h
 *	  Boxes and other shapes: overlap, containment, distance.
 *
 * PostgreSQL has no operator for a box and a circle or a polygon, and no
 * condition with a distance that an index can use.  src/shapes/README.md defines
 * ours.  Each condition begins by comparing the box with a window, the enlarged
 * bounds of the shape:
 *
 *		overlaps, within	box.low <= window.high	and	 box.high >= window.low
 *		is in				box.low >= window.low	and	 box.high <= window.high
 *
 * on all axes, without tolerance.  So an index that makes these comparisons
 * finds all rows for which the condition is true, whatever is rounded later.
 *
 * These functions raise no errors, except that tests of polygons can be
 * canceled.  They need no server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SHAPES_GEOMETRY_SHAPES_H
#define SPQ_SHAPES_GEOMETRY_SHAPES_H

#include "box/box.h"

/* set the window; false if no box satisfies the condition */
extern float8 spq_shape_outward(float8 end, float8 distance, float8 sign);
extern bool spq_shape_grown(const BOX *box, float8 distance, BOX *window);
extern bool spq_shape_circle_window(const CIRCLE *circle, BOX *window);
extern bool spq_shape_polygon_window(const POLYGON *polygon, BOX *window);
extern BOX	spq_shape_segment_bounds(const LSEG *segment);

/* false only if no box within bounds satisfies the condition */
extern bool spq_shape_circle_reaches(const CIRCLE *circle, const BOX *bounds);
extern bool spq_shape_polygon_reaches(const POLYGON *polygon, const BOX *bounds);
extern bool spq_shape_segment_reaches(const LSEG *segment, const BOX *bounds);

/* set a polygon or bounds with a margin; false if numbers are too large */
extern bool spq_shape_around_segment(const LSEG *segment, float8 distance, Point *corner);
extern bool spq_shape_with_margin(const BOX *bounds, float8 margin, float8 magnitude, BOX *larger);

/* conditions */
extern bool spq_shape_overlaps_circle(const BOX *box, const CIRCLE *circle);
extern bool spq_shape_is_in_circle(const BOX *box, const CIRCLE *circle);
extern bool spq_shape_overlaps_polygon(const BOX *box, const POLYGON *polygon);
extern bool spq_shape_winds_around(const POLYGON *polygon, Point point);
extern bool spq_shape_is_in_polygon(const BOX *box, const POLYGON *polygon);
extern bool spq_shape_within_of_box(const BOX *box, const BOX *other, float8 distance);
extern bool spq_shape_within_of_segment(const BOX *box, const LSEG *segment,
										float8 distance);

/* Return whether a box meets a window, without tolerance. */
static inline bool
spq_shape_meets_window(const BOX *box, const BOX *window)
{
	return box->low.x <= window->high.x && box->high.x >= window->low.x &&
		box->low.y <= window->high.y && box->high.y >= window->low.y;
}

/* Return whether a box is in a window, without tolerance. */
static inline bool
spq_shape_is_in_window(const BOX *box, const BOX *window)
{
	return box->low.x >= window->low.x && box->high.x <= window->high.x &&
		box->low.y >= window->low.y && box->high.y <= window->high.y;
}

#endif							/* SPQ_SHAPES_GEOMETRY_SHAPES_H */
