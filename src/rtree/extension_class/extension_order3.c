/*-------------------------------------------------------------------------
 *
 * extension_order3.c
 *	  The orders by distance for types of other extensions, by bounds of type
 *	  box3.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/solid.h"

#include "rtree/extension_class/extension_order.h"

PG_FUNCTION_INFO_V1(spq_rtree_extension_order3);
PG_FUNCTION_INFO_V1(spq_rtree_extension_earth_order);

/* Less than the mean radius of any spheroid used for the Earth, in meters. */
#define LEAST_MEAN_RADIUS	6.37e6

/*
 * PostGIS takes geographies for the same place if they are at most 0.00001 m
 * apart.  This is more, on a sphere of radius 1.
 */
#define EARTH_MARGIN	1e-10

/*
 * _spqtree_bounds3_order(internal, internal) returns void
 */
Datum
spq_rtree_extension_order3(PG_FUNCTION_ARGS)
{
	static const Scale same = {1, MARGIN};

	set_order(fcinfo, &same);
	PG_RETURN_VOID();
}

/*
 * _spqtree_earth_order(internal, internal) returns void
 *
 * Bounds enclose the value on a sphere of radius 1.  Distances are in meters
 * along the Earth, taken as a sphere: at least the length of the chord.
 */
Datum
spq_rtree_extension_earth_order(PG_FUNCTION_ARGS)
{
	static const Scale earth = {LEAST_MEAN_RADIUS, EARTH_MARGIN};

	set_order(fcinfo, &earth);
	PG_RETURN_VOID();
}
