/*-------------------------------------------------------------------------
 *
 * target.c
 *	  Decides whether the node may join rows that a query changes.
 *
 * Extensions that store tables in a form of their own search the plan below an
 * UPDATE, DELETE or MERGE, to find out which rows it needs.  They know
 * PostgreSQL's three joins, but no others.  For a DELETE with this node in its
 * plan, TimescaleDB takes the scan of a compressed chunk below the node for a
 * DELETE without a condition, and removes all rows of the chunk.  So if an
 * extension may store the target of a change, only PostgreSQL's own nodes join
 * it.  These are the signs of that:
 *
 *		an access method other than heap
 *		inheritance, as parent or child, except partitions
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "parser/parsetree.h"
#include "utils/syscache.h"

#include "join_node/planner/planner.h"

/* Return whether a relation shows no sign that an extension stores it. */
static bool
is_plain(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Form_pg_class form;
	bool		table,
				heap,
				partition,
				parent;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", relid);
	form = (Form_pg_class) GETSTRUCT(tuple);
	table = form->relkind == RELKIND_RELATION;
	heap = form->relam == HEAP_TABLE_AM_OID;
	partition = form->relispartition;
	parent = form->relhassubclass && form->relkind != RELKIND_PARTITIONED_TABLE;
	ReleaseSysCache(tuple);

	return (!table || heap) && !parent && (partition || !has_superclass(relid));
}

/*
 * Return false for a join of the query's target if an extension may store the
 * target.
 */
bool
spq_node_may_join_target(PlannerInfo *root, RelOptInfo *joinrel)
{
	Relids		relids = IS_OTHER_REL(joinrel) ? joinrel->top_parent_relids : joinrel->relids,
				targets;
	int			target = -1;

	if (!bms_is_member(root->parse->resultRelation, relids))
		return true;

	/*
	 * a join of a leaf changes only the leaf; others also change relations
	 * below
	 */
	targets = bms_intersect(joinrel->relids, root->leaf_result_relids);
	if (bms_is_empty(targets))
		targets = root->all_result_relids;
	while ((target = bms_next_member(targets, target)) >= 0)
	{
		if (!is_plain(planner_rt_fetch(target, root)->relid))
			return false;
	}
	return true;
}
