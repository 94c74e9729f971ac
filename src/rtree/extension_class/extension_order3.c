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
 * _spqtree_bounds3_order(internal, internal) returns void
 */
Datum
spq_rtree_extension_order3(PG_FUNCTION_ARGS)
{
	static const float8 same = 1;
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);

	set_order(spq_rtree_extension_type(fcinfo->flinfo, key->sk_subtype, key->sk_subtype, true), key, &same,
			  (SpqRtreeOrder *) PG_GETARG_POINTER(1));
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
	static const float8 radius = LEAST_MEAN_RADIUS;
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);

	set_order(spq_rtree_extension_type(fcinfo->flinfo, key->sk_subtype, key->sk_subtype, false), key, &radius,
			  (SpqRtreeOrder *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}
