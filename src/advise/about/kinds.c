/*-------------------------------------------------------------------------
 *
 * kinds.c
 *	  Which expressions have extent, or would if an extension were there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "utils/lsyscache.h"

#include "advise/about/lines.h"
#include "types/registry.h"

/* Extensions whose types need one of ours. */
static const struct
{
	const char *extension;
	const char *companion;
}			companions[] = {
	{"postgis", "spqtree_postgis"},
	{"cube", "spqtree_cube"},
	{"ip4r", "spqtree_ip4r"},
	{"seg", "spqtree_seg"}
};

/* Return the name of the extension that has a type, or NULL. */
const char *
spq_advise_extension(Oid type)
{
	Oid			extension;

	if (type < FirstNormalObjectId)
		return NULL;
	extension = getExtensionOfObject(TypeRelationId, type);
	return OidIsValid(extension) ? get_extension_name(extension) : NULL;
}

/* Return the extension that is missing for a type to be joined, or NULL. */
static const char *
missing_companion(Oid type)
{
	const char *name = spq_advise_extension(type);

	for (int i = 0; name && i < (int) lengthof(companions); i++)
	{
		if (strcmp(name, companions[i].extension) == 0 &&
			!OidIsValid(get_extension_oid(companions[i].companion, true)))
			return companions[i].companion;
	}
	return NULL;
}

static bool
has_extent(Oid type)
{
	type = getBaseType(type);
	return type_is_range(type) || type_is_multirange(type) || spq_type_of(type) != NULL ||
		missing_companion(type) != NULL;
}

static bool
find_spatial(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (!IsA(node, List) && !IsA(node, SubPlan) && has_extent(exprType(node)))
		return true;
	return expression_tree_walker(node, find_spatial, context);
}

/* Return whether an expression, or one in it, has a type with extent. */
bool
spq_advise_is_spatial(Node *expr)
{
	return find_spatial(expr, NULL);
}

static bool
find_missing(Node *node, void *context)
{
	char	  **name = context;
	const char *missing;

	if (node == NULL)
		return false;
	missing = IsA(node, List) ? NULL : missing_companion(getBaseType(exprType(node)));
	if (missing)
	{
		*name = pstrdup(missing);
		return true;
	}
	return expression_tree_walker(node, find_missing, context);
}

/* Return the extension that is missing for an expression to be recognized, or NULL. */
char *
spq_advise_companion(Node *expr)
{
	char	   *name = NULL;

	(void) find_missing(expr, &name);
	return name;
}
