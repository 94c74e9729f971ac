/*-------------------------------------------------------------------------
 *
 * extension_function.c
 *	  Functions of other extensions, known by name and owner.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/dependency.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/value.h"
#include "parser/parse_func.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "types/extension_function.h"

/*
 * Return the function of this name that takes these types and belongs to an
 * extension, or InvalidOid.  The owner of a trusted extension, who need not be a
 * superuser, can add own functions to it.  Those do not count.
 */
Oid
spq_extension_function(const char *name, int nargs, const Oid *types, Oid extension)
{
	CatCList   *list;
	Oid			found = InvalidOid;

	if (name == NULL || !OidIsValid(extension))
		return InvalidOid;
	list = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
	for (int i = 0; i < list->n_members && !OidIsValid(found); i++)
	{
		Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(&list->members[i]->tuple);

		if (proc->pronargs == nargs &&
			memcmp(proc->proargtypes.values, types, nargs * sizeof(Oid)) == 0 &&
			superuser_arg(proc->proowner) &&
			getExtensionOfObject(ProcedureRelationId, proc->oid) == extension)
			found = proc->oid;
	}
	ReleaseSysCacheList(list);
	return found;
}

/* Return whether the body of a function in SQL was parsed when the function was made. */
static bool
has_parsed_body(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool		isnull = true;

	if (HeapTupleIsValid(tuple))
	{
		(void) SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosqlbody, &isnull);
		ReleaseSysCache(tuple);
	}
	return !isnull;
}

/*
 * Return whether a function in SQL calls another one by that one's name.  If its body is
 * text, there may be another function in the search path before.
 */
bool
spq_extension_body_finds(Oid function, Oid called)
{
	Oid		   *types;
	int			nargs;

	if (!OidIsValid(function) || !OidIsValid(called))
		return false;
	if (has_parsed_body(function))
		return true;
	(void) get_func_signature(called, &types, &nargs);
	return LookupFuncName(list_make1(makeString(get_func_name(called))), nargs, types,
						  true) == called;
}
