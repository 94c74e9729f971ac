/*-------------------------------------------------------------------------
 *
 * open.c
 *	  Opening an index for inspection: who may look into it.
 *
 * Its tree shows values of the indexed column, and which rows are in it tells
 * whether they satisfy its condition.  So that takes the right to read what the
 * index is made from, and no row security that applies to the caller.  Members of pg_stat_scan_tables may look
 * into every index, as they may with the functions of pgstattuple.
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

#include "pages/open_index.h"
#include "inspect/tree.h"

/*
 * May the caller read what the index is made from?  The column of its key is
 * enough; of an expression or a condition, the whole table, as where core shows
 * the key of a duplicate.
 */
static bool
may_read_sources(Relation heap, Relation index)
{
	AttrNumber	column = index->rd_index->indkey.values[0];

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
				 errdetail("Row security of table \"%s\" applies to you, and the index shows values of all rows.",
						   RelationGetRelationName(heap)) :
				 errdetail("The index shows values of table \"%s\", which you may not read.",
						   RelationGetRelationName(heap)),
				 errhint("Ask for the privileges of role pg_stat_scan_tables%s.",
						 hidden ? "" : ", or for SELECT on the table")));
}

/*
 * Open an index and its table, or say why not.  "call" is what the hint for
 * partitioned indexes calls, of a column relid.
 */
void
spq_inspect_open(SpqInspectIndex *inspected, Oid index_id, const char *call)
{
	SpqPagePurpose	purpose = {"inspect", call, NULL};
	Oid			heap_id = spq_page_table_of_index(index_id);

	inspected->heap = table_open(heap_id, AccessShareLock);
	inspected->index = spq_page_open_index(index_id, heap_id, &purpose);
	check_rights(inspected->heap, inspected->index);
	spq_page_reader_begin(&inspected->reader, inspected->index);
}

void
spq_inspect_close(SpqInspectIndex *inspected)
{
	spq_page_reader_end(&inspected->reader);
	index_close(inspected->index, AccessShareLock);
	table_close(inspected->heap, AccessShareLock);
}
