/*-------------------------------------------------------------------------
 *
 * row_identity.c
 *	  The columns by which a change finds the rows of an inherited target.
 *
 * UPDATE, DELETE and MERGE of a partitioned table need each row's address
 * (ctid) and table.  Above the partitions, these are variables of no relation
 * (ROWID_VAR), which nodes find in the target lists below them.  In
 * PostgreSQL's own joins, references to children replace these variables
 * before anything asks what they are.  In the scan tuple of a custom scan they
 * stay, since the scan tuple defines what each column is; and EXPLAIN asks.
 *
 * So a plan has two names for each of these columns:
 *
 *		Append			ROWID_VAR 1			for the nodes above
 *		   |
 *		CustomScan		lp_1.ctid			in target list and scan tuple
 *
 * An Append refers to its columns by position.  With one child it costs
 * nothing, and PostgreSQL removes it at the end of planning.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/placeholder.h"

#include "join_node/planner/planner.h"

/* Return the number of the row identity column that an expression is, or 0. */
static AttrNumber
row_identity_number(const void *node)
{
	if (IsA(node, Var) && ((const Var *) node)->varno == ROWID_VAR)
		return ((const Var *) node)->varattno;
	return 0;
}

static bool
has_row_identity(const List *exprs)
{
	const ListCell *lc;

	foreach(lc, exprs)
	{
		if (row_identity_number(lfirst(lc)) != 0)
			return true;
	}
	return false;
}

/*
 * Return the path to pass to add_path(): with an Append above, if there are
 * row identity columns.
 */
Path *
spq_node_hide_row_identity(CustomPath *path)
{
	AppendPath *append;

	if (!has_row_identity(path->path.pathtarget->exprs))
		return &path->path;
	append = makeNode(AppendPath);
	append->path = path->path;
	append->path.type = T_AppendPath;
	append->path.pathtype = T_Append;
	append->subpaths = list_make1(path);
	append->first_partial_path = 1;
	append->limit_tuples = -1;
	return &append->path;
}

/*
 * Return a name for a row identity column: that of the first relation that has
 * it, as EXPLAIN shows for other joins.  Two columns may then be the same
 * variable, although they differ for other relations.  So wrap each in a
 * placeholder of its own.
 */
static Expr *
make_name(PlannerInfo *root, AttrNumber number)
{
	RowIdentityVarInfo *info = list_nth_node(RowIdentityVarInfo,
											 root->row_identity_vars, number - 1);
	int			relid = bms_next_member(info->rowidrels, -1);
	Var		   *var = copyObject(info->rowidvar);

	var->varno = relid;
	var->varnosyn = 0;
	var->varattnosyn = 0;
	return (Expr *) make_placeholder_expr(root, (Expr *) var, bms_make_singleton(relid));
}

/*
 * Name the row identity columns of a scan tuple, and the references to them in
 * the target list, where each is a whole entry.
 */
void
spq_node_name_row_identity(PlannerInfo *root, List *columns, List *tlist)
{
	ListCell   *lc1,
			   *lc2;

	foreach(lc1, columns)
	{
		TargetEntry *column = lfirst_node(TargetEntry, lc1);
		AttrNumber	number = row_identity_number(column->expr);

		if (number == 0)
			continue;
		column->expr = make_name(root, number);
		foreach(lc2, tlist)
		{
			TargetEntry *entry = lfirst_node(TargetEntry, lc2);

			if (row_identity_number(entry->expr) == number)
				entry->expr = copyObject(column->expr);
		}
	}
}
