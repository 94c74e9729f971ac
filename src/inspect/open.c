/*-------------------------------------------------------------------------
 *
 * open.c
 *	  Opening an index for inspection: who may do so.
 *
 * The tree shows values of the indexed column, and which rows are in it shows
 * whether they satisfy its predicate.  So the caller needs the right to read
 * what the index is made from, and row security must not apply to him.  Members
 * of pg_stat_scan_tables may inspect every index, as with pgstattuple.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/pg_authid_d.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/rls.h"

#include "inspect/inspect.h"
#include "quadtree_pages/open_index.h"
#include "rtree/keys/code.h"
#include "rtree/rtree.h"

/* Return the number of the column of an index that is shown. */
static int
spatial_column(Relation index)
{
	return spq_rtree_is(index) ? spq_rtree_box_column(index) : 1;
}

/*
 * Return whether the caller may read what the index is made from.  The column of
 * its key is enough; for an expression or a predicate it takes the whole table,
 * as where PostgreSQL shows the key of a duplicate.
 */
static bool
may_read_sources(Relation heap, Relation index)
{
	AttrNumber	column = index->rd_index->indkey.values[spatial_column(index) - 1];

	if (pg_class_aclcheck(RelationGetRelid(heap), GetUserId(), ACL_SELECT) == ACLCHECK_OK)
		return true;
	return AttributeNumberIsValid(column) &&
		RelationGetIndexPredicate(index) == NIL &&
		pg_attribute_aclcheck(RelationGetRelid(heap), column, GetUserId(),
							  ACL_SELECT) == ACLCHECK_OK;
}

static void
check_rights(Relation heap, Relation index)
{
	bool		hidden;

	if (has_privs_of_role(GetUserId(), ROLE_PG_STAT_SCAN_TABLES))
		return;
	hidden = check_enable_rls(RelationGetRelid(heap), InvalidOid, true) == RLS_ENABLED;
	if (hidden || !may_read_sources(heap, index))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for index \"%s\"",
						RelationGetRelationName(index)),
				 hidden ?
				 errdetail("Row-level security of table \"%s\" applies to you, but the index shows values of all rows.",
						   RelationGetRelationName(heap)) :
				 errdetail("The index shows values of table \"%s\", which you may not read.",
						   RelationGetRelationName(heap)),
				 errhint("Ask for the privileges of role pg_stat_scan_tables%s.",
						 hidden ? "" : ", or for SELECT on the table")));
}

/*
 * Open an index and its table, or raise an error.  "call" is what the hint for
 * partitioned indexes says to call, with a column relid.
 */
void
spq_inspect_open(SpqInspectIndex *inspected, Oid index_id, const char *call)
{
	SpqPagePurpose purpose = {"inspect", call, NULL};
	Oid			heap_id = spq_page_table_of_index(index_id);
	Relation	index;

	inspected->heap = table_open(heap_id, AccessShareLock);
	index = spq_page_open_index(index_id, heap_id, &purpose);
	check_rights(inspected->heap, index);
	inspected->index = index;
	inspected->is_tree = spq_rtree_is(index);
	if (inspected->is_tree)
		spq_tree_reader_begin(&inspected->tree, index);
	else
		spq_page_reader_begin(&inspected->reader, index);
}

void
spq_inspect_close(SpqInspectIndex *inspected)
{
	if (inspected->is_tree)
		spq_tree_reader_end(&inspected->tree);
	else
		spq_page_reader_end(&inspected->reader);
	index_close(inspected->index, AccessShareLock);
	table_close(inspected->heap, AccessShareLock);
}
