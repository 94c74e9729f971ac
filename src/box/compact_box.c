/*-------------------------------------------------------------------------
 *
 * compact_box.c
 *	  The SQL type spqtree_compact_box, and the compress method of
 *	  spqtree_box_compact_ops, which stores it.  See compact_box.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "box/compact_box.h"

PG_FUNCTION_INFO_V1(spq_compact_box_in);
PG_FUNCTION_INFO_V1(spq_compact_box_out);
PG_FUNCTION_INFO_V1(spq_box_compact_compress);

static Datum
compact_box_datum(const BOX *box)
{
	SpqCompactBox *compact = palloc(sizeof(SpqCompactBox));

	*compact = spq_compact_box(box);
	return PointerGetDatum(compact);
}

/*
 * _spqtree_compact_box_in(cstring) returns spqtree_compact_box
 *
 * Accepts any box literal and rounds it outward.  Returns NULL on a soft error.
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
 * _spqtree_compact_box_out(spqtree_compact_box) returns cstring
 *
 * Prints it as a box, with the number of digits that extra_float_digits
 * requests.  By default the output reads back as the same value.
 */
Datum
spq_compact_box_out(PG_FUNCTION_ARGS)
{
	BOX			box = spq_compact_outer_box(DatumGetSpqCompactBox(PG_GETARG_DATUM(0)));

	return DirectFunctionCall1(box_out, BoxPGetDatum(&box));
}

/*
 * _spqtree_box_compact_compress(box) returns spqtree_compact_box
 */
Datum
spq_box_compact_compress(PG_FUNCTION_ARGS)
{
	return compact_box_datum(PG_GETARG_BOX_P(0));
}
