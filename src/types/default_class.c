/*-------------------------------------------------------------------------
 *
 * default_class.c
 *	  The default operator class of a type, cached.
 *
 * PostgreSQL reads all classes of the access method to find it.  A condition
 * on types of another extension needs the class several times, and a
 * partitioned table has the condition once for each partition.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/defrem.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/syscache.h"

#include "types/default_class.h"

typedef struct KnownKey
{
	Oid			type;
	Oid			access_method;
} KnownKey;

typedef struct Known
{
	KnownKey	key;
	Oid			opclass;		/* or InvalidOid */
} Known;

static HTAB *known_classes;

static void
forget(Datum arg, int cacheid, uint32 hashvalue)
{
	if (known_classes)
		hash_destroy(known_classes);
	known_classes = NULL;
}

static void
start_cache(void)
{
	static bool registered = false;
	HASHCTL		control = {.keysize = sizeof(KnownKey),.entrysize = sizeof(Known)};

	if (!registered)
	{
		/* a type also uses the class of a type to which it can be cast */
		CacheRegisterSyscacheCallback(CLAOID, forget, (Datum) 0);
		CacheRegisterSyscacheCallback(TYPEOID, forget, (Datum) 0);
		CacheRegisterSyscacheCallback(CASTSOURCETARGET, forget, (Datum) 0);
	}
	registered = true;
	known_classes = hash_create("spqtree default classes", 16, &control,
								HASH_ELEM | HASH_BLOBS);
}

/*
 * Return the default operator class of a type for an access method, or
 * InvalidOid.
 */
Oid
spq_type_default_class(Oid type, Oid access_method)
{
	KnownKey	key = {type, access_method};
	Oid			opclass;
	Known	   *known;

	if (known_classes == NULL)
		start_cache();
	known = hash_search(known_classes, &key, HASH_FIND, NULL);
	if (known)
		return known->opclass;
	opclass = GetDefaultOpClass(type, access_method);
	if (known_classes == NULL)
		start_cache();			/* invalidated while the catalog was read */
	known = hash_search(known_classes, &key, HASH_ENTER, NULL);
	known->opclass = opclass;
	return opclass;
}
