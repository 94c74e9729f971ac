/*-------------------------------------------------------------------------
 *
 * references.c
 *	  References to the scan tuple, as references to a row of a child.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"

#include "nearest_node/executor/state.h"

static Node *
as_child_references(Node *expr, void *context)
{
	if (expr == NULL)
		return NULL;
	if (IsA(expr, Var) && ((Var *) expr)->varno == INDEX_VAR)
	{
		Var		   *var = copyObject((Var *) expr);

		var->varno = OUTER_VAR;
		return (Node *) var;
	}
	return expression_tree_mutator(expr, as_child_references, context);
}

Node *
spq_nearest_child_references(Node *expr)
{
	return as_child_references(expr, NULL);
}
