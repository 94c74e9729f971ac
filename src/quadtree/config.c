/*-------------------------------------------------------------------------
 *
 * config.c
 *	  SP-GiST config method.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "catalog/pg_type.h"
#include "fmgr.h"

PG_FUNCTION_INFO_V1(spq_box_config);

/*
 * _spqtree_box_config(internal, internal) returns void
 *
 * Prefixes are SpqQuadPrefix structs stored as circles (prefix.h), labels are
 * 64-bit integers (label.h), leaves are the boxes themselves.
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
