/*-------------------------------------------------------------------------
 *
 * default_class.c
 *	  The default operator class of a type, cached.
 *
 * A condition on types of another extension needs the class several times, and a
 * partitioned table has the condition once for each partition.
 *
 * PostgreSQL's GetDefaultOpClass() also finds the class of another type to which
 * the type can be cast.  For that it reads the casts of each class's type, and
 * no caller wants such a class.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_opclass.h"
#include "utils/fmgroids.h"
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
		CacheRegisterSyscacheCallback(CLAOID, forget, (Datum) 0);
	registered = true;
	known_classes = hash_create("spqtree default classes", 16, &control,
								HASH_ELEM | HASH_BLOBS);
}

/* Return the default operator class of a type in the catalog, or InvalidOid. */
static Oid
read_class(Oid type, Oid access_method)
{
	Relation	catalog = table_open(OperatorClassRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			opclass = InvalidOid;

	ScanKeyInit(&key, Anum_pg_opclass_opcmethod, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(access_method));
	scan = systable_beginscan(catalog, OpclassAmNameNspIndexId, true, NULL, 1, &key);
	while (!OidIsValid(opclass) && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_opclass row = (Form_pg_opclass) GETSTRUCT(tuple);

		if (row->opcdefault && row->opcintype == type)
			opclass = row->oid;
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return opclass;
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
	opclass = read_class(type, access_method);
	if (known_classes == NULL)
		start_cache();			/* invalidated while the catalog was read */
	known = hash_search(known_classes, &key, HASH_ENTER, NULL);
	known->opclass = opclass;
	return opclass;
}
