/*-------------------------------------------------------------------------
 *
 * quiet.h
 *	  PostgreSQL's operators of points and other shapes, without errors.
 *
 * Many operators of geo_ops.c raise an error if a step overflows or
 * underflows.  But an index has entries for rows that the query must not see:
 * dead rows, rows of transactions in progress, rows hidden by row security.
 * An error must not reveal them.  So these functions return what the operators
 * return, to the last bit, or report that the operator would raise an error.
 * They need no server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SHAPES_GEOMETRY_QUIET_H
#define SPQ_SHAPES_GEOMETRY_QUIET_H

#include "box/box.h"

/* conditions; if the operator raises an error, they set "raises" instead */
extern bool spq_quiet_in_circle(const Point *point, const CIRCLE *circle, bool *raises);
extern bool spq_quiet_in_polygon(const Point *point, const POLYGON *polygon, bool *raises);
extern bool spq_quiet_on_segment(const Point *point, const LSEG *segment, bool *raises);
extern bool spq_quiet_on_path(const Point *point, const PATH *path, bool *raises);
extern bool spq_quiet_box_meets_segment(const BOX *box, const LSEG *segment, bool *raises);

/* distances; infinity if the operator raises an error */
extern float8 spq_quiet_circle_distance(const Point *point, const CIRCLE *circle);
extern float8 spq_quiet_polygon_distance(const Point *point, const POLYGON *polygon);
extern float8 spq_quiet_segment_distance(const Point *point, const LSEG *segment);
extern float8 spq_quiet_path_distance(const Point *point, const PATH *path);

#endif							/* SPQ_SHAPES_GEOMETRY_QUIET_H */
