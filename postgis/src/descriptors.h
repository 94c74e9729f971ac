/*-------------------------------------------------------------------------
 *
 * descriptors.h
 *	  The boxes of the types that descriptors.c describes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_DESCRIPTORS_H
#define SPQ_GIS_DESCRIPTORS_H

#include "types/type.h"

/* bounds.c */
extern void spq_gis_geometry_box(const SpqTypeBoxOf *how, Datum geometry, float8 *numbers);
extern void spq_gis_geometry_box3(const SpqTypeBoxOf *how, Datum geometry, float8 *numbers);

/* geography_index.c */
extern void spq_gis_geography_box(const SpqTypeBoxOf *how, Datum geography, float8 *numbers);

#endif							/* SPQ_GIS_DESCRIPTORS_H */
