/*-------------------------------------------------------------------------
 *
 * kept.h
 *	  Shapes that are kept from one call to the next.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_KEPT_H
#define SPQ_GIS_KEPT_H

#include "geometry/shape.h"

typedef struct SpqGisKept SpqGisKept;

/*
 * Make something of the bytes of a geometry, in one chunk of the current memory
 * context, and set its size.  Return NULL if there is nothing to make.
 */
typedef void *(*SpqGisMake) (const char *bytes, Size length, Size *size);

extern SpqGisKept *spq_gis_kept_get(MemoryContext parent, bool at_second_use, SpqGisMake make);
extern void spq_gis_kept_trim(SpqGisKept *kept);
extern const void *spq_gis_kept_value(SpqGisKept *kept, Datum geometry);
extern void *spq_gis_make_kept_shape(const char *bytes, Size length, Size *size);
extern const SpqGisShape *spq_gis_kept_shape(SpqGisKept *kept, Datum geometry,
											 SpqGisSmallShape *room);

#endif							/* SPQ_GIS_KEPT_H */
