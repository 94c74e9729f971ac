/*-------------------------------------------------------------------------
 *
 * distance.h
 *	  The distances that nearest-neighbor scans order by.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_DISTANCE_H
#define SPQ_BOX_DISTANCE_H

#include "box/bounds.h"

extern float8 spq_point_distance(const Point *a, const Point *b);
extern float8 spq_box_point_distance(const BOX *box, const Point *point);
extern float8 spq_box_center_distance(const BOX *box, const BOX *query);
extern float8 spq_box_min_distance(const SpqBoxBounds *bounds, const Point *point);
extern Point spq_box_center(const BOX *box);

#endif							/* SPQ_BOX_DISTANCE_H */
