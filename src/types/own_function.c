/*-------------------------------------------------------------------------
 *
 * own_function.c
 *	  Functions of this library, known by their symbols.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_language_d.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "types/own_function.h"

/* Return whether a file is this library, by whatever path it is loaded. */
static bool
is_our_library(const char *probin)
{
	const char *name = last_dir_separator(probin);
	size_t		length = strlen("spqtree");

	name = name ? name + 1 : probin;
	return strncmp(name, "spqtree", length) == 0 &&
		(name[length] == '\0' || strcmp(name + length, DLSUFFIX) == 0);
}

char *
spq_own_symbol(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	char	   *symbol = NULL;
	bool		isnull;
	Datum		datum;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	if (((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId)
	{
		datum = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_probin, &isnull);
		if (!isnull && is_our_library(TextDatumGetCString(datum)))
		{
			datum = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosrc, &isnull);
			if (!isnull)
				symbol = TextDatumGetCString(datum);
		}
	}
	ReleaseSysCache(tuple);
	return symbol;
}

int
spq_own_symbol_place(Oid function, const char *const *symbols, int count)
{
	const char *symbol = spq_own_symbol(function);

	for (int i = 0; symbol != NULL && i < count; i++)
		if (strcmp(symbol, symbols[i]) == 0)
			return i;
	return -1;
}

bool
spq_own_prefix(Oid function, const char *prefix)
{
	const char *symbol = spq_own_symbol(function);

	return symbol != NULL && strncmp(symbol, prefix, strlen(prefix)) == 0;
}

Oid
spq_own_function(const char *name, const char *prefix, int nargs, const Oid *types)
{
	CatCList   *list = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
	Oid			found = InvalidOid;

	for (int i = 0; i < list->n_members && !OidIsValid(found); i++)
	{
		Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(&list->members[i]->tuple);

		if (proc->pronargs == nargs &&
			memcmp(proc->proargtypes.values, types, nargs * sizeof(Oid)) == 0 &&
			spq_own_prefix(proc->oid, prefix))
			found = proc->oid;
	}
	ReleaseSysCacheList(list);
	if (OidIsValid(found) && spq_function_aclcheck(found, GetUserId()) != ACLCHECK_OK)
		return InvalidOid;
	return found;
}
