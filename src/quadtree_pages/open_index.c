/*-------------------------------------------------------------------------
 *
 * open_index.c
 *	  Opening an index to read its pages.  See open_index.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relation.h"
#include "access/spgist.h"
#include "access/xlog.h"
#include "catalog/index.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class_d.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "quadtree_pages/open_index.h"
#include "rtree/rtree.h"

/* quadtree/config.c */
extern PGDLLEXPORT Datum spq_box_config(PG_FUNCTION_ARGS);

/*
 * Return the table of an index, which is not locked yet and may be dropped.
 * Raise an error if this is not an index.
 */
Oid
spq_page_table_of_index(Oid index_id)
{
	Oid			heap_id = IndexGetRelation(index_id, true);
	char	   *name;

	if (OidIsValid(heap_id))
		return heap_id;
	name = get_rel_name(index_id);
	ereport(ERROR,
			(errcode(name ? ERRCODE_WRONG_OBJECT_TYPE : ERRCODE_UNDEFINED_OBJECT),
			 name ? errmsg("\"%s\" is not an index", name) :
			 errmsg("index with OID %u does not exist", index_id)));
	return InvalidOid;
}

/*
 * Return whether an index is a quadtree.  Decide by the config method, to
 * recognize operator classes that others define for their own types.
 */
static bool
is_quadtree(Relation index)
{
	return index->rd_rel->relkind == RELKIND_INDEX &&
		index->rd_rel->relam == SPGIST_AM_OID &&
		index_getprocinfo(index, 1, SPGIST_CONFIG_PROC)->fn_addr == spq_box_config;
}

/* Raise an error if the pages of an index cannot be read. */
static void
expect_kind(Relation rel, const SpqPagePurpose *purpose)
{
	if (rel->rd_rel->relkind == RELKIND_PARTITIONED_INDEX)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is a partitioned index", RelationGetRelationName(rel)),
				 errdetail("It holds no rows itself."),
				 errhint("Run it on each partition's index: SELECT relid, %s FROM pg_partition_tree(%s) WHERE isleaf.",
						 purpose->call,
						 quote_literal_cstr(quote_qualified_identifier(get_namespace_name(RelationGetNamespace(rel)),
																	   RelationGetRelationName(rel))))));
	if (!spq_rtree_is(rel) && !is_quadtree(rel))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is neither an index of access method spqtree nor of operator class spqtree_box_ops",
						RelationGetRelationName(rel)),
				 purpose->elsewhere ? errhint("%s", purpose->elsewhere) : 0));
	if (RELATION_IS_OTHER_TEMP(rel))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot %s an index of another session's temporary table",
						purpose->verb)));
	if (!rel->rd_index->indisvalid)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("index \"%s\" is not valid", RelationGetRelationName(rel)),
				 errdetail("It is being built, or CREATE INDEX CONCURRENTLY has failed; queries do not use it."),
				 errhint("Unless it is being built, drop it or REINDEX it.")));

	/* the files of an unlogged index are empty until recovery ends */
	if (rel->rd_rel->relpersistence == RELPERSISTENCE_UNLOGGED &&
		RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot %s unlogged index \"%s\" during recovery",
						purpose->verb, RelationGetRelationName(rel)),
				 errdetail("Unlogged indexes are empty until recovery ends.")));
}

/*
 * Open one of our indexes, whose table is locked, and lock it.  Raise an error
 * if it cannot be read.
 */
Relation
spq_page_open_index(Oid index_id, Oid heap_id, const SpqPagePurpose *purpose)
{
	Relation	index = try_relation_open(index_id, AccessShareLock);

	/* both may have been dropped while waiting for the locks */
	if (index == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("index with OID %u does not exist", index_id),
				 errdetail("It has been dropped concurrently.")));
	if (heap_id != IndexGetRelation(index_id, false))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("could not open the table of index \"%s\"",
						RelationGetRelationName(index))));
	expect_kind(index, purpose);
	return index;
}
