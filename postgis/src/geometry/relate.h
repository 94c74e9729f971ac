/*-------------------------------------------------------------------------
 *
 * relate.h
 *	  Predicates of two shapes, as far as they are certain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_RELATE_H
#define SPQ_GIS_RELATE_H

#include "geometry/shape.h"

typedef enum SpqGisAnswer
{
	SPQ_GIS_NO,
	SPQ_GIS_YES,
	SPQ_GIS_ASK					/* call PostGIS */
} SpqGisAnswer;

typedef SpqGisAnswer (*SpqGisRelation) (const SpqGisShape *a, const SpqGisShape *b);

extern SpqGisAnswer spq_gis_some_inside(const SpqGisShape *a, const SpqGisShape *b);
extern SpqGisAnswer spq_gis_intersects(const SpqGisShape *a, const SpqGisShape *b);
extern SpqGisAnswer spq_gis_crosses(const SpqGisShape *a, const SpqGisShape *b);
extern SpqGisAnswer spq_gis_touches(const SpqGisShape *a, const SpqGisShape *b);
extern SpqGisAnswer spq_gis_overlaps(const SpqGisShape *a, const SpqGisShape *b);
extern SpqGisAnswer spq_gis_contains(const SpqGisShape *a, const SpqGisShape *b);

#endif							/* SPQ_GIS_RELATE_H */
