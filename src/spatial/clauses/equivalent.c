/*-------------------------------------------------------------------------
 *
 * equivalent.c
 *	  Functions that are faster than those of another extension.
 *
 * A function f(a, b, ...) of an extension whose type takes part in joins
 * (foreign_clause.c) may have an equivalent: spqtree_f with the same arguments, in C,
 * which returns the same and is faster where it is called for many pairs of the same
 * values.  The join node calls it in place of f, and its cost is the node's; and so do
 * conditions elsewhere in a plan (equivalent_plan.c).
 *
 * Beside it there may be spqtree_try_f, which returns NULL in place of an error.
 * Estimates call it on rows that the query may never see.
 *
 * It has to be the extension's f: a function of a user that has the same name is
 * another one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "settings.h"
#include "spatial/clauses/equivalent.h"
#include "spatial/clauses/foreign_clause.h"

#define PREFIX			"spqtree_"
#define TRIED_PREFIX	"spqtree_try_"

/* What has been found for a function and a user, until any function or role changes. */
typedef struct KnownKey
{
	Oid			function;
	Oid			user;
} KnownKey;

typedef struct Known
{
	KnownKey	key;
	Oid			equivalent;		/* or InvalidOid */
	Oid			tried;			/* for estimates, or InvalidOid */
} Known;

static HTAB *known_functions;

static void
forget(Datum arg, int cacheid, uint32 hashvalue)
{
	if (known_functions)
		hash_destroy(known_functions);
	known_functions = NULL;
}

static void
start_cache(void)
{
	static bool registered = false;
	HASHCTL		control = {.keysize = sizeof(KnownKey),.entrysize = sizeof(Known)};

	if (!registered)
	{
		CacheRegisterSyscacheCallback(PROCOID, forget, (Datum) 0);

		/* what a user may call */
		CacheRegisterSyscacheCallback(AUTHMEMROLEMEM, forget, (Datum) 0);
		CacheRegisterSyscacheCallback(AUTHOID, forget, (Datum) 0);
	}
	registered = true;
	known_functions = hash_create("spqtree equivalents", 16, &control, HASH_ELEM | HASH_BLOBS);
}

/*
 * Return the function that has this prefix, and else a function's name and arguments;
 * InvalidOid if there is none.
 */
static Oid
find_equivalent(Oid function, const char *prefix)
{
	char	   *name = get_func_name(function);
	Oid		   *types,
				result_type,
				extension;
	int			nargs;

	if (name == NULL)
		return InvalidOid;
	result_type = get_func_signature(function, &types, &nargs);
	if (nargs < 2 || !OidIsValid(spq_spatial_bounds_function(types[0], false)))
		return InvalidOid;
	extension = getExtensionOfObject(ProcedureRelationId, function);
	if (!OidIsValid(extension) ||
		extension != getExtensionOfObject(TypeRelationId, types[0]))
		return InvalidOid;
	return spq_spatial_trusted_function(psprintf("%s%s", prefix, name), nargs, types, result_type);
}

/* Find what there is for a function, and the user may call. */
static Known
find_known(Oid function)
{
	Known		found = {.key = {function, GetUserId()}};
	Known	   *known;

	if (function < FirstNormalObjectId)
		return found;
	if (known_functions == NULL)
		start_cache();
	known = hash_search(known_functions, &found.key, HASH_FIND, NULL);
	if (known)
		return *known;
	found.equivalent = find_equivalent(function, PREFIX);
	found.tried = find_equivalent(function, TRIED_PREFIX);
	if (known_functions == NULL)
		start_cache();			/* invalidated meanwhile */
	known = hash_search(known_functions, &found.key, HASH_ENTER, NULL);
	*known = found;
	return found;
}

/* Return a function's equivalent that the user may call, or InvalidOid. */
Oid
spq_spatial_equivalent(Oid function)
{
	return find_known(function).equivalent;
}

/*
 * Return the function that says what another one returns, without raising an error, NULL
 * if it does not know; or InvalidOid.
 */
Oid
spq_spatial_tried(Oid function)
{
	return find_known(function).tried;
}

static Node *
use_equivalents(Node *node, void *context)
{
	if (node == NULL)
		return NULL;
	node = expression_tree_mutator(node, use_equivalents, context);
	if (IsA(node, FuncExpr))
	{
		Oid			equivalent = spq_spatial_equivalent(((FuncExpr *) node)->funcid);

		if (OidIsValid(equivalent))
			((FuncExpr *) node)->funcid = equivalent;
	}
	return node;
}

static bool
has_equivalent(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr) && OidIsValid(spq_spatial_equivalent(((FuncExpr *) node)->funcid)))
		return true;
	return expression_tree_walker(node, has_equivalent, context);
}

/* Return expressions in which functions are replaced by their equivalents. */
List *
spq_spatial_use_equivalents(List *clauses)
{
	return spq_enable_equivalents && has_equivalent((Node *) clauses, NULL) ?
		(List *) use_equivalents((Node *) clauses, NULL) : clauses;
}

/*
 * Let a clause cost what its equivalents do, in whichever path it is.  PostgreSQL keeps the
 * costs in it, from when they are first asked for.
 */
void
spq_spatial_cost_equivalents(PlannerInfo *root, RestrictInfo *rinfo)
{
	if (spq_enable_equivalents && has_equivalent((Node *) rinfo->clause, NULL))
		cost_qual_eval(&rinfo->eval_cost,
					   spq_spatial_use_equivalents(list_make1(rinfo->clause)), root);
}
