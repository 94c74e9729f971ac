/*-------------------------------------------------------------------------
 *
 * config.c
 *	  SP-GiST config method of spqtree_box_ops.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "catalog/pg_type.h"
#include "fmgr.h"

PG_FUNCTION_INFO_V1(spq_box_config);

/*
 * spqtree_box_config(internal, internal) returns void
 *
 * Prefixes are SpqPrefix structs in the guise of circles (prefix.h), labels
 * are 64-bit integers (bounds.h), leaves are the boxes themselves.
 */
Datum
spq_box_config(PG_FUNCTION_ARGS)
{
	spgConfigOut *out = (spgConfigOut *) PG_GETARG_POINTER(1);

	out->prefixType = CIRCLEOID;
	out->labelType = INT8OID;
	out->leafType = BOXOID;
	out->canReturnData = true;
	out->longValuesOK = false;
	PG_RETURN_VOID();
}
