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

#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/syscache.h"

#include "dependency.h"
#include "spatial/clauses/beside_type.h"

/*
 * Functions found to be beside the type of their first argument, cached
 * because planning asks often.  The cache is emptied when any function
 * changes, and when a transaction aborts, which may have made a function a
 * member of an extension.  Negative results are not cached, since a change of
 * an extension's members sends no invalidation.
 */
static HTAB *known_functions;

static void
forget(void)
{
	if (known_functions)
		hash_destroy(known_functions);
	known_functions = NULL;
}

static void
function_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	forget();
}

static void
transaction_ended(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT)
		forget();
}

static void
subtransaction_ended(SubXactEvent event, SubTransactionId id, SubTransactionId parent,
					 void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		forget();
}

static void
remember(Oid function)
{
	static bool registered = false;
	HASHCTL		control = {.keysize = sizeof(Oid),.entrysize = sizeof(Oid)};

	if (!registered)
	{
		CacheRegisterSyscacheCallback(PROCOID, function_changed, (Datum) 0);
		RegisterXactCallback(transaction_ended, NULL);
		RegisterSubXactCallback(subtransaction_ended, NULL);
		registered = true;
	}
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

	if (known_functions && hash_search(known_functions, &function, HASH_FIND, NULL))
		return true;
	own = getExtensionOfObject(ProcedureRelationId, function);
	of_type = OidIsValid(own) ? getExtensionOfObject(TypeRelationId, type) : InvalidOid;
	if (!OidIsValid(of_type) || (own != of_type && !requires(own, of_type)))
		return false;
	remember(function);
	return true;
}
