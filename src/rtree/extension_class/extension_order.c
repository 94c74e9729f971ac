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
	static const float8 same = 1;
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);

	set_order(spq_rtree_extension_type(fcinfo->flinfo, key->sk_subtype, key->sk_subtype, false), key, &same,
			  (SpqRtreeOrder *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}
