/*-------------------------------------------------------------------------
 *
 * arcs_within.h
 *	  Whether PostGIS finds two geographies within a distance, as far as that is
 *	  certain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_ARCS_WITHIN_H
#define SPQ_GIS_ARCS_WITHIN_H

#include "geometry/arcs.h"
#include "geometry/relate.h"

/*
 * Least and largest length on the spheroid of the image of an arc of one radian:
 * WGS 84's radii of curvature, 6,335,439.3 m to 6,399,593.6 m, and more than
 * 1e-5 of them, by which the direction of a short arc changes PostGIS' result.
 * PostGIS' sphere has a radius of 6,371,008.8 m.
 */
#define SPQ_GIS_LEAST_RADIUS	6335300.0
#define SPQ_GIS_MOST_RADIUS		6399700.0

extern SpqGisAnswer spq_gis_arcs_within(const SpqGisArcs *a, const SpqGisArcs *b, float8 distance);

#endif							/* SPQ_GIS_ARCS_WITHIN_H */
