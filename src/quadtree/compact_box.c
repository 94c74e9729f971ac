/*-------------------------------------------------------------------------
 *
 * compact_box.c
 *	  The SQL type spqtree_compact_box, which spqtree_box_compact_ops stores,
 *	  and the compress method that makes its values.  See compact_box.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "quadtree/compact_box.h"

PG_FUNCTION_INFO_V1(spq_compact_box_in);
PG_FUNCTION_INFO_V1(spq_compact_box_out);
PG_FUNCTION_INFO_V1(spq_box_compact_compress);

static Datum
compact_box_datum(const BOX *box)
{
	SpqQuadCompactBox *compact = palloc(sizeof(SpqQuadCompactBox));

	*compact = spq_quad_compact(box);
	return PointerGetDatum(compact);
}

/*
 * spqtree_compact_box_in(cstring) returns spqtree_compact_box
 *
 * Whatever is a box, rounded outward.  Nothing comes back of an input that was
 * found wrong where the caller wants no error.
 */
Datum
spq_compact_box_in(PG_FUNCTION_ARGS)
{
	Datum		box = box_in(fcinfo);

	if (DatumGetPointer(box) == NULL)
		return box;
	return compact_box_datum(DatumGetBoxP(box));
}

/*
 * spqtree_compact_box_out(spqtree_compact_box) returns cstring
 *
 * As the box that it is, with as many digits as extra_float_digits says:
 * by default, reading it gives the same.
 */
Datum
spq_compact_box_out(PG_FUNCTION_ARGS)
{
	BOX			box = spq_quad_outer_box(DatumGetSpqQuadCompactBox(PG_GETARG_DATUM(0)));

	return DirectFunctionCall1(box_out, BoxPGetDatum(&box));
}

/*
 * spqtree_box_compact_compress(box) returns spqtree_compact_box
 */
Datum
spq_box_compact_compress(PG_FUNCTION_ARGS)
{
	return compact_box_datum(PG_GETARG_BOX_P(0));
}
