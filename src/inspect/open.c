/*-------------------------------------------------------------------------
 *
 * open.c
 *	  Open an index for inspection, if the caller may.
 *
 * The tree shows values of the indexed column, and the rows in it show whether
 * they satisfy the index's predicate.  So the caller needs the right to read
 * the sources of the index, and row-level security must not apply to the
 * caller.  Members of pg_stat_scan_tables may inspect every index, as with
 * pgstattuple.
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
#include "rtree/class/class.h"
#include "rtree/rtree.h"

/*
 * Return whether the caller may read the sources of the index.  SELECT on the
 * key column is enough.  An expression or a predicate requires SELECT on the
 * table, as where PostgreSQL shows the key of a duplicate.
 */
static bool
may_read_sources(const SpqInspectIndex *inspected)
{
	Oid			heap_id = RelationGetRelid(inspected->heap);
	AttrNumber	column = inspected->index->rd_index->indkey.values[inspected->column - 1];

	if (pg_class_aclcheck(heap_id, GetUserId(), ACL_SELECT) == ACLCHECK_OK)
		return true;
	return AttributeNumberIsValid(column) &&
		RelationGetIndexPredicate(inspected->index) == NIL &&
		pg_attribute_aclcheck(heap_id, column, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

static void
check_rights(const SpqInspectIndex *inspected)
{
	Relation	heap = inspected->heap;
	bool		hidden;

	if (has_privs_of_role(GetUserId(), ROLE_PG_STAT_SCAN_TABLES))
		return;
	hidden = check_enable_rls(RelationGetRelid(heap), InvalidOid, true) == RLS_ENABLED;
	if (hidden || !may_read_sources(inspected))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for index \"%s\"",
						RelationGetRelationName(inspected->index)),
				 hidden ?
				 errdetail("Row-level security of table \"%s\" applies to you, but the index shows values of all rows.",
						   RelationGetRelationName(heap)) :
				 errdetail("The index shows values of table \"%s\", which you may not read.",
						   RelationGetRelationName(heap)),
				 errhint("Ask for the privileges of role pg_stat_scan_tables%s.",
						 hidden ? "" : ", or for SELECT on the table")));
}

/*
 * Open an index and its table, or raise an error.  "call" is the call that the
 * hint for partitioned indexes shows, with a column relid.
 */
void
spq_inspect_open(SpqInspectIndex *inspected, Oid index_id, const char *call)
{
	SpqPagePurpose purpose = {"inspect", call, NULL};
	Oid			heap_id = spq_page_table_of_index(index_id);
	Relation	index;

	inspected->heap = table_open(heap_id, AccessShareLock);
	index = spq_page_open_index(index_id, heap_id, &purpose);
	inspected->index = index;
	inspected->is_rtree = spq_rtree_is(index);
	inspected->column = inspected->is_rtree ? spq_rtree_box_column(index) : 1;
	inspected->axes = inspected->is_rtree ? spq_rtree_axes(index) : 2;
	check_rights(inspected);
	if (inspected->is_rtree)
		spq_tree_reader_begin(&inspected->rtree, index);
	else
		spq_page_reader_begin(&inspected->quadtree, index);
}

void
spq_inspect_close(SpqInspectIndex *inspected)
{
	if (inspected->is_rtree)
		spq_tree_reader_end(&inspected->rtree);
	else
		spq_page_reader_end(&inspected->quadtree);
	index_close(inspected->index, AccessShareLock);
	table_close(inspected->heap, AccessShareLock);
}

/* Walk over the tree of an index of either kind. */
void
spq_inspect_walk(SpqInspectIndex *inspected, const SpqInspectVisitor *visitor)
{
	if (inspected->is_rtree)
		spq_inspect_walk_rtree(&inspected->rtree, visitor);
	else
		spq_inspect_walk_quadtree(&inspected->quadtree, visitor);
}
