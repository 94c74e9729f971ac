/*-------------------------------------------------------------------------
 *
 * equivalent.c
 *	  Functions that are faster than those of another extension.
 *
 * A function f(a, b, ...) of an extension whose type takes part in joins
 * (extension_clause.c) may have an equivalent: _spqtree_f with the same
 * arguments, in C, which returns the same result and is faster if it is called
 * for many pairs with the same values.  Conditions in a plan call it in place
 * of f (equivalent_plan.c), and the planner charges its cost.
 *
 * There may also be _spqtree_try_f, which returns NULL where f might raise an
 * error.  Estimates call it on rows that the query may never see.
 *
 * Only functions of the type's own extension have equivalents: a user's
 * function of the same name is a different function.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "spatial/extension/catalog_version.h"
#include "spatial/extension/equivalent.h"
#include "spatial/extension/extension_clause.h"

#define PREFIX			"_spqtree_"
#define TRIED_PREFIX	"_spqtree_try_"

/*
 * The functions found for a function and a user, cached until functions or roles
 * change (catalog_version.h).
 */
typedef struct KnownKey
{
	Oid			function;
	Oid			user;
} KnownKey;

typedef struct Known
{
	KnownKey	key;
	Oid			equivalent;		/* or InvalidOid */
	Oid			tried;			/* for estimates; or InvalidOid */
} Known;

static HTAB *known_functions;
static uint64 known_version;

/* Create the cache if there is none, and empty it if it may no longer be true. */
static void
refresh_cache(void)
{
	uint64		version = spq_spatial_catalog_version();
	HASHCTL		control = {.keysize = sizeof(KnownKey),.entrysize = sizeof(Known)};

	if (known_functions && known_version == version)
		return;
	if (known_functions)
		hash_destroy(known_functions);
	known_functions = NULL;		/* if the next step raises an error */
	known_functions = hash_create("spqtree equivalents", 16, &control, HASH_ELEM | HASH_BLOBS);
	known_version = version;
}

/*
 * Return the function whose name is a function's name with a prefix, and whose
 * arguments and result are the same.  Return InvalidOid if there is none, or the
 * user may not call both functions.
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
	if (nargs < 2 || !OidIsValid(spq_spatial_bounds_function(types[0], false)) ||
		spq_function_aclcheck(function, GetUserId()) != ACLCHECK_OK)
		return InvalidOid;
	extension = getExtensionOfObject(ProcedureRelationId, function);
	if (!OidIsValid(extension) ||
		extension != getExtensionOfObject(TypeRelationId, types[0]))
		return InvalidOid;
	return spq_spatial_trusted_function(psprintf("%s%s", prefix, name), nargs, types, result_type);
}

/* Find the equivalents of a function that the user may call. */
static Known
find_known(Oid function)
{
	Known		found = {.key = {function, GetUserId()}};
	Known	   *known;

	if (function < FirstNormalObjectId)
		return found;
	refresh_cache();
	known = hash_search(known_functions, &found.key, HASH_FIND, NULL);
	if (known)
		return *known;
	found.equivalent = find_equivalent(function, PREFIX);
	found.tried = find_equivalent(function, TRIED_PREFIX);
	refresh_cache();			/* the catalog may have changed while it was
								 * read */
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
 * Return the function that returns the same result as another one, but NULL
 * instead of an error; or InvalidOid.
 */
Oid
spq_spatial_tried(Oid function)
{
	return find_known(function).tried;
}
