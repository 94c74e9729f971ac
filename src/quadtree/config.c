/*-------------------------------------------------------------------------
 *
 * config.c
 *	  SP-GiST config methods of both operator classes, and the test of which
 *	  class an index uses.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "access/genam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class_d.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/rel.h"

#include "quadtree/leaf.h"

PG_FUNCTION_INFO_V1(spq_box_config);
PG_FUNCTION_INFO_V1(spq_box_compact_config);

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

/*
 * _spqtree_box_compact_config(internal, internal) returns void
 *
 * The leaf type is the STORAGE type of the class, whose OID varies: PostgreSQL
 * takes it from the class if it is not set here.
 */
Datum
spq_box_compact_config(PG_FUNCTION_ARGS)
{
	spgConfigOut *out = (spgConfigOut *) PG_GETARG_POINTER(1);

	out->prefixType = CIRCLEOID;
	out->labelType = INT8OID;
	out->leafType = InvalidOid;
	out->canReturnData = false;
	out->longValuesOK = false;
	PG_RETURN_VOID();
}

/*
 * Return which kind of leaves an index has.  Decide by the config method, to
 * recognize operator classes that others define for their own types.
 */
SpqQuadLeafKind
spq_quad_leaf_kind(Relation index)
{
	PGFunction	config;

	if (index->rd_rel->relkind != RELKIND_INDEX ||
		index->rd_rel->relam != SPGIST_AM_OID)
		return SPQ_QUAD_LEAF_OTHER;
	config = index_getprocinfo(index, 1, SPGIST_CONFIG_PROC)->fn_addr;
	return config == spq_box_config ? SPQ_QUAD_LEAF_BOX :
		config == spq_box_compact_config ? SPQ_QUAD_LEAF_COMPACT : SPQ_QUAD_LEAF_OTHER;
}
