/*-------------------------------------------------------------------------
 *
 * distance.h
 *	  The distances that nearest-neighbour scans order by.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DISTANCE_H
#define SPQ_DISTANCE_H

#include "lattice/bounds.h"

extern float8 spq_point_distance(const BOX *box, const Point *point);
extern float8 spq_centre_distance(const BOX *box, const BOX *query);
extern float8 spq_least_distance(const SpqBounds *bounds, const Point *point);
extern Point spq_box_centre(const BOX *box);

#endif							/* SPQ_DISTANCE_H */
