/*-------------------------------------------------------------------------
 *
 * locate.h
 *	  Whether a point is in a polygon, by its edges, as far as that is certain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_LOCATE_H
#define SPQ_GIS_LOCATE_H

#include "geometry/shape.h"

typedef enum SpqGisPlace
{
	SPQ_GIS_OUTSIDE,
	SPQ_GIS_INSIDE,
	SPQ_GIS_PLACE_UNSURE		/* may be on an edge */
} SpqGisPlace;

extern SpqGisPlace spq_gis_locate_by_edges(const SpqGisShape *polygon, const SpqGisPoint *p);
extern bool spq_gis_is_vertex(const SpqGisShape *polygon, const SpqGisPoint *p);

#endif							/* SPQ_GIS_LOCATE_H */
