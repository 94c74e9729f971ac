/*-------------------------------------------------------------------------
 *
 * beside_type.c
 *	  Functions that belong to the extension of a type, or to an extension that
 *	  requires it.
 *
 * A function that is looked up by name must do more than its signature says.
 * Others may have used the same name for a function that does something else,
 * even in C.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/dependency.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/hsearch.h"

#include "dependency.h"
#include "spatial/extension/beside_type.h"
#include "spatial/extension/catalog_version.h"

/*
 * Functions found to be beside the type of their first argument, cached
 * because planning asks often.  Negative results are not cached, since a change
 * of an extension's members sends no invalidation.
 */
static HTAB *known_functions;
static uint64 known_version;

/* Empty the cache if its content may no longer be true. */
static void
forget_old(void)
{
	uint64		version = spq_spatial_catalog_version();

	if (known_functions && known_version != version)
	{
		hash_destroy(known_functions);
		known_functions = NULL;
	}
	known_version = version;
}

static void
remember(Oid function)
{
	HASHCTL		control = {.keysize = sizeof(Oid),.entrysize = sizeof(Oid)};

	forget_old();
	if (known_functions == NULL)
		known_functions = hash_create("spqtree functions beside types", 16, &control,
									  HASH_ELEM | HASH_BLOBS);
	(void) hash_search(known_functions, &function, HASH_ENTER, NULL);
}

static bool
is_required(Form_pg_depend dependency, const void *arg)
{
	return dependency->refclassid == ExtensionRelationId &&
		dependency->refobjid == *(const Oid *) arg;
}

/* Return whether an extension requires another extension. */
static bool
requires(Oid extension, Oid required)
{
	return OidIsValid(spq_find_dependency(ExtensionRelationId, extension, is_required,
										  &required));
}

/*
 * Return whether a function belongs to the extension of a type, or to an
 * extension that requires it.  The type must be that of the function's first
 * argument: a positive result is cached for the function alone.
 */
bool
spq_spatial_is_beside_type(Oid function, Oid type)
{
	Oid			own,
				of_type;

	forget_old();
	if (known_functions && hash_search(known_functions, &function, HASH_FIND, NULL))
		return true;
	own = getExtensionOfObject(ProcedureRelationId, function);
	of_type = OidIsValid(own) ? getExtensionOfObject(TypeRelationId, type) : InvalidOid;
	if (!OidIsValid(of_type) || (own != of_type && !requires(own, of_type)))
		return false;
	remember(function);
	return true;
}
