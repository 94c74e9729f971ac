/*-------------------------------------------------------------------------
 *
 * catalog_version.c
 *	  When to forget what is cached about functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/inval.h"
#include "utils/syscache.h"

#include "spatial/extension/catalog_version.h"

static uint64 version = 0;

static void
catalog_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	version++;
}

static void
transaction_ended(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT)
		version++;
}

static void
subtransaction_ended(SubXactEvent event, SubTransactionId id, SubTransactionId parent,
					 void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		version++;
}

uint64
spq_spatial_catalog_version(void)
{
	static bool registered = false;

	if (!registered)
	{
		CacheRegisterSyscacheCallback(PROCOID, catalog_changed, (Datum) 0);

		/* changes of roles change what a user may call */
		CacheRegisterSyscacheCallback(AUTHMEMROLEMEM, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(AUTHOID, catalog_changed, (Datum) 0);
		RegisterXactCallback(transaction_ended, NULL);
		RegisterSubXactCallback(subtransaction_ended, NULL);
		registered = true;
	}
	return version;
}
