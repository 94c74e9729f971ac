/*-------------------------------------------------------------------------
 *
 * sphere.h
 *	  Places on a sphere of radius 1.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_SPHERE_H
#define SPQ_GIS_SPHERE_H

#include <math.h>

/*
 * Less than the least radius of curvature of all spheroids used for the Earth,
 * in meters.
 */
#define SPQ_GIS_LEAST_RADIUS	6.3e6

/*
 * Set the point of the unit sphere at a longitude and latitude, stored in
 * degrees.  The products are those of PostGIS, in the same order.
 */
static inline void
spq_gis_place_on_sphere(const char *stored, float8 *x)
{
	float8		angles[2],
				lon,
				lat;

	memcpy(angles, stored, sizeof(angles));
	lon = M_PI * angles[0] / 180;
	lat = M_PI * angles[1] / 180;
	x[0] = cos(lat) * cos(lon);
	x[1] = cos(lat) * sin(lon);
	x[2] = sin(lat);
}

#endif							/* SPQ_GIS_SPHERE_H */
