/*-------------------------------------------------------------------------
 *
 * within.h
 *	  Whether two shapes are within a distance, as far as that is certain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_WITHIN_H
#define SPQ_GIS_WITHIN_H

#include "geometry/relate.h"

extern SpqGisAnswer spq_gis_within(const SpqGisShape *a, const SpqGisShape *b, float8 distance);

#endif							/* SPQ_GIS_WITHIN_H */
