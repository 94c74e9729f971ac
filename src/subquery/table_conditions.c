/*-------------------------------------------------------------------------
 *
 * table_conditions.c
 *	  The conditions on a table of a subquery: those that depend on the values
 *	  passed to it, and those that hold for all of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "subquery/subquery.h"

bool
spq_subquery_is_table(PlannerInfo *root, RelOptInfo *rel)
{
	return root->parent_root != NULL &&
		rel->reloptkind == RELOPT_BASEREL && rel->rtekind == RTE_RELATION && !IS_DUMMY_REL(rel) &&
		bms_is_empty(rel->lateral_relids) && rel->fdwroutine == NULL &&
		planner_rt_fetch(rel->relid, root)->tablesample == NULL &&
		!spq_other_scan_is_wanted(root, rel);
}

/*
 * Divide the conditions on the table into those that the reading path checks, and
 * those that depend on the value.  Return false if that would change their order
 * where it matters for security, or there are others.
 */
bool
spq_subquery_divide_conditions(PlannerInfo *root, RelOptInfo *rel, List **for_all, List **for_value)
{
	ListCell   *lc;

	*for_all = *for_value = NIL;
	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, lc);

		if (rinfo->pseudoconstant || contain_volatile_functions((Node *) rinfo->clause) ||
			contain_subplans((Node *) rinfo->clause))
			return false;
		if (!spq_subquery_depends(root, (Node *) rinfo->clause))
			*for_all = lappend(*for_all, rinfo);
		else if (rinfo->security_level < root->qual_security_level)
			return false;
		else
			*for_value = lappend(*for_value, rinfo);
	}
	return true;
}
