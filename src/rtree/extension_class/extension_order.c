/*-------------------------------------------------------------------------
 *
 * extension_order.c
 *	  The order by distance for types of other extensions, by bounds of type
 *	  box.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/extension_class/extension_order.h"

PG_FUNCTION_INFO_V1(spq_rtree_extension_order);

/*
 * _spqtree_bounds_order(internal, internal) returns void
 */
Datum
spq_rtree_extension_order(PG_FUNCTION_ARGS)
{
	static const Scale same = {1, MARGIN};

	set_order(fcinfo, &same);
	PG_RETURN_VOID();
}
