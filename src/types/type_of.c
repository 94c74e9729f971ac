/*-------------------------------------------------------------------------
 *
 * type_of.c
 *	  Finds the type, operator or function of the registry for an object of the
 *	  catalogs.
 *
 * PostgreSQL's objects have fixed OIDs.  Ours are known by the symbols of their C
 * functions, whatever their names and schema are.  Types of other extensions are
 * known by their operator class.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "commands/defrem.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"

#include "types/default_class.h"
#include "types/own_function.h"
#include "types/registry.h"

Oid
spq_type_support_function(Oid oid)
{
	Oid			am = get_am_oid("spqtree", true),
				opclass = OidIsValid(am) ? spq_type_default_class(oid, am) : InvalidOid;

	if (!OidIsValid(opclass))
		return InvalidOid;
	return get_opfamily_proc(get_opclass_family(opclass), oid, oid, SPQ_TYPE_SUPPORT);
}

const SpqType *
spq_type_described_by(FmgrInfo *function, Oid oid)
{
	const SpqType *type = (const SpqType *) DatumGetPointer(FunctionCall1(function, PointerGetDatum(NULL)));

	/* ours have no version */
	if (type == NULL || (type->version != SPQ_TYPE_VERSION && type->version != 0))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("type %s is described for another version of spqtree", format_type_be(oid)),
				 errhint("Build the library of function %s with the headers of this version.  Until then, set spqtree.enable to off.",
						 format_procedure(function->fn_oid))));
	return type;
}

/*
 * Return the type of another extension that its default class of the access
 * method describes, or NULL.  Only superusers make operator classes.
 */
static const SpqType *
described(Oid oid)
{
	Oid			function = spq_type_support_function(oid);
	FmgrInfo	flinfo;

	if (!OidIsValid(function))
		return NULL;
	fmgr_info(function, &flinfo);
	return spq_type_described_by(&flinfo, oid);
}

const SpqType *
spq_type_of(Oid oid)
{
	Oid			input,
				param;
	const char *symbol;

	if (!OidIsValid(oid))
		return NULL;
	for (int i = 0; spq_types[i]; i++)
		if (spq_types[i]->oid == oid)
			return spq_types[i];
	if (oid < FirstNormalObjectId)
		return NULL;
	getTypeInputInfo(oid, &input, &param);
	symbol = spq_own_symbol(input);
	for (int i = 0; symbol && spq_types[i]; i++)
	{
		if (!OidIsValid(spq_types[i]->oid) &&
			strcmp(symbol, psprintf("spq_%s_in", spq_types[i]->name)) == 0)
			return spq_types[i];
	}
	return symbol ? NULL : described(oid);
}

const SpqType *
spq_type_numbered(int number)
{
	const SpqType *type = (Oid) number < FirstNormalObjectId ? spq_types[number] :
		spq_type_of((Oid) number);

	if (type == NULL)
		elog(ERROR, "type %u has no descriptor", (Oid) number);
	return type;
}

/* Return whether this is the function, given its symbol if it is ours. */
static bool
is_function(const SpqTypeFunction *known, Oid function, const char *symbol)
{
	return known->symbol ? symbol && strcmp(known->symbol, symbol) == 0 : known->oid == function;
}

/* Return the row of a function in a list, which may be NULL, or NULL. */
static const SpqTypeOperator *
find(const SpqTypeOperator *list, Oid function, const char *symbol)
{
	for (; list && list->left; list++)
		if (is_function(&list->function, function, symbol))
			return list;
	return NULL;
}

/* Return the symbol of a function of this library, or NULL. */
static const char *
own_symbol(Oid function)
{
	return function < FirstNormalObjectId ? NULL : spq_own_symbol(function);
}

const SpqTypeOperator *
spq_type_operator(Oid function)
{
	const char *symbol = own_symbol(function);

	if (function >= FirstNormalObjectId && symbol == NULL)
		return NULL;
	for (int i = 0; spq_types[i]; i++)
	{
		const SpqTypeOperator *op = find(spq_types[i]->operators, function, symbol);

		if (op)
			return op;
	}
	return NULL;
}

bool
spq_type_is_distance(Oid function, bool *fuzzy)
{
	const char *symbol = own_symbol(function);

	*fuzzy = symbol == NULL;
	if (function >= FirstNormalObjectId && symbol == NULL)
		return false;
	for (int i = 0; spq_types[i]; i++)
		if (find(spq_types[i]->distances, function, symbol))
			return true;
	return false;
}

bool
spq_type_is_harmless(Oid function)
{
	const char *symbol = own_symbol(function);

	if (function >= FirstNormalObjectId && symbol == NULL)
		return false;
	for (int i = 0; spq_types[i]; i++)
	{
		const SpqTypeFunction *list = spq_types[i]->harmless;

		for (; list && (list->oid || list->symbol); list++)
			if (is_function(list, function, symbol))
				return true;
	}
	return false;
}
