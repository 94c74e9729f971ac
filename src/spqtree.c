/*-------------------------------------------------------------------------
 *
 * spqtree.c
 *	  Entry point of the shared library.
 *
 * src/README.md is the map of the folders.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_authid.h"
#include "commands/dbcommands.h"
#include "commands/extension.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/plancache.h"
#include "utils/varlena.h"

#include "compat.h"
#include "error_hints.h"
#include "estimate/cache/cache.h"
#include "estimate/paths/paths.h"
#include "hooks.h"
#include "rtree/rtree.h"
#include "settings.h"

SPQ_MODULE_MAGIC("spqtree", SPQ_VERSION);

void		_PG_init(void);

PG_FUNCTION_INFO_V1(spq_preload);

/* Whether a setting loaded the library, not LOAD or a call of a function. */
static bool preloaded;

/*
 * Return the value of session_preload_libraries with this library added to the
 * list, as ALTER DATABASE expects it.  A user who may not see the setting gets
 * this library alone.
 */
static char *
preload_list(void)
{
	const char *setting = NULL;
	List	   *libraries = NIL;
	ListCell   *cell;
	StringInfoData list;

	initStringInfo(&list);
	/* while CREATE EXTENSION runs, its user is the outer one */
	if (has_privs_of_role(GetOuterUserId(), ROLE_PG_READ_ALL_SETTINGS))
		setting = GetConfigOption("session_preload_libraries", true, false);
	if (setting == NULL || !SplitDirectoriesString(pstrdup(setting), ',', &libraries))
		libraries = NIL;
	foreach(cell, libraries)
		appendStringInfo(&list, "%s, ", quote_literal_cstr(lfirst(cell)));
	appendStringInfoString(&list, "'spqtree'");
	return list.data;
}

/*
 * CREATE EXTENSION loads the library, so queries of this session show plans that
 * later sessions do not get.  Where a setting preloads the library, CREATE
 * EXTENSION finds it loaded.  It suppresses notices while its script runs, so
 * this one waits for the end of the transaction.
 */
static void
say_not_preloaded(XactEvent event, void *arg)
{
	static bool said = false;

	if (!said && event == XACT_EVENT_PRE_COMMIT)
		ereport(NOTICE,
				(errmsg("the library of spqtree is loaded in this session only"),
				 errdetail("In other sessions, indexes work, but joins are planned without spqtree."),
				 errhint("To load it in all new sessions, as superuser: ALTER DATABASE %s SET session_preload_libraries = %s",
						 quote_identifier(get_database_name(MyDatabaseId)), preload_list())));
	said = true;
}

/* The script of another extension may load the library, too, to plan a query. */
static bool
is_our_extension(Oid extension)
{
	const char *name = get_extension_name(extension);

	return name && strncmp(name, "spqtree", strlen("spqtree")) == 0;
}

/*
 * Define the settings, and install the hooks (hooks.c).  Plans that a session has
 * kept from before are made again, with spatial hash joins.
 */
void
_PG_init(void)
{
	/* a session runs no statement yet */
	preloaded = debug_query_string == NULL;
	spq_settings_init();
	spq_estimate_own_costs = spq_rtree_cost_estimate;
	spq_estimate_cache_init();
	spq_hooks_install();
	spq_error_hints_init();
	if (OidIsValid(MyDatabaseId))
		ResetPlanCache();
	if (creating_extension && !IsBinaryUpgrade && is_our_extension(CurrentExtensionObject))
		RegisterXactCallback(say_not_preloaded, NULL);
}

/*
 * _spqtree_preload() returns text
 *
 * If no setting has loaded the library, return the value of
 * session_preload_libraries that would; else NULL.
 */
Datum
spq_preload(PG_FUNCTION_ARGS)
{
	if (preloaded)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(preload_list()));
}
