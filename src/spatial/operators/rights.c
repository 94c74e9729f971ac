/*-------------------------------------------------------------------------
 *
 * rights.c
 *	  Whether the user may execute what we add to a plan.
 *
 * A query must not fail because its plan calls a function that the query does not
 * name, such as spqtree_bounds().  So each expression that we add to a plan passes
 * this test: the key of a join, conditions for an index, bounds in a search for
 * nearest rows.
 *
 * A generic plan is used by whoever executes the statement, so PostgreSQL is told
 * that it depends on the role.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/acl.h"

#include "compat.h"
#include "spatial/operators/rights.h"

static bool
is_forbidden(Oid function, void *context)
{
	return spq_function_aclcheck(function, GetUserId()) != ACLCHECK_OK;
}

static bool
has_forbidden(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return check_functions_in_node(node, is_forbidden, context) ||
		expression_tree_walker(node, has_forbidden, context);
}

bool
spq_spatial_may_execute(PlannerInfo *root, Node *expr)
{
	root->glob->dependsOnRole = true;
	return !has_forbidden(expr, NULL);
}
