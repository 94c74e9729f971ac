/*-------------------------------------------------------------------------
 *
 * kept.h
 *	  Shapes that are kept from one call to the next.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_KEPT_H
#define SPQ_GIS_KEPT_H

#include "shape.h"

typedef struct SpqGisKept SpqGisKept;

extern SpqGisKept *spq_gis_kept_create(MemoryContext parent, bool at_second_use);
extern void spq_gis_kept_trim(SpqGisKept *kept);
extern const SpqGisShape *spq_gis_kept_shape(SpqGisKept *kept, Datum geometry,
											 SpqGisSmallShape *room);

#endif							/* SPQ_GIS_KEPT_H */
