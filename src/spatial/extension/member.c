/*-------------------------------------------------------------------------
 *
 * member.c
 *	  Functions that the descriptors of other extensions' types name.
 *
 * A name is no evidence: anyone can use it.  A function counts if it belongs to
 * the extension of the type, or to that of the function that describes the type
 * in the default operator class, which only superusers make:
 *
 *		type geometry  ------ class, function 5 ------>  descriptor
 *		   |						  |					 "st_intersects": "_spqtree_st_intersects"
 *		 postgis			   spqtree_postgis				|					|
 *		   |______________________________________________|					|
 *									  |_________________________________________|
 *
 * A descriptor may also name a function of a third extension, by that extension's name.
 *
 * The functions may be in any schema.  Planning asks often, so what was found is
 * kept until the catalogs change.  Rights are not kept.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/acl.h"
#include "utils/catcache.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "spatial/extension/member.h"
#include "types/default_class.h"
#include "types/extension_function.h"
#include "types/registry.h"

/*
 * What is known of a type or a function.  For a type, "bounds" are the functions
 * that return boxes of its values; for a function, those that return boxes of its
 * results.
 */
typedef struct KnownKey
{
	Oid			catalog;		/* pg_type or pg_proc */
	Oid			oid;
} KnownKey;

typedef struct Known
{
	KnownKey	key;
	Oid			bounds;
	Oid			bounds_within;

	/* of a type */
	const SpqType *described;	/* NULL: it takes no part */
	Oid			bounds3;		/* in space, of a type in the plane */
	Oid			bounds_along;	/* a sphere */
	Oid			extension;
	Oid			class_extension;

	/* of a function */
	Oid			type;			/* whose descriptor names it */
	bool		is_bounds;		/* of a value, or of a function's result */
	bool		is_distance;
	bool		is_harmless;
	Oid			equivalent;
	Oid			tried;
	Oid			implied;
} Known;

static HTAB *cache;
static uint64 changes;			/* of the catalogs, counted */

static Known look_up(Oid catalog, Oid oid);

static void
forget(void)
{
	if (cache)
		hash_destroy(cache);
	cache = NULL;
	changes++;
}

static void
catalog_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	forget();
}

/*
 * A transaction that fails may have made a function a member of an extension,
 * which sends no invalidation.
 */
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
start_cache(void)
{
	static bool registered = false;
	HASHCTL		control = {.keysize = sizeof(KnownKey),.entrysize = sizeof(Known)};

	if (cache)
		return;
	if (!registered)
	{
		CacheRegisterSyscacheCallback(PROCOID, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(CLAOID, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(AMPROCNUM, catalog_changed, (Datum) 0);
		RegisterXactCallback(transaction_ended, NULL);
		RegisterSubXactCallback(subtransaction_ended, NULL);
	}
	registered = true;
	cache = hash_create("spqtree members", 64, &control, HASH_ELEM | HASH_BLOBS);
}

static void
find_type(Known *type)
{
	Oid			oid = type->key.oid,
				support = spq_type_support_function(oid),
				args[] = {oid, FLOAT8OID, FLOAT8OID};
	const SpqType *described = OidIsValid(support) ? spq_type_of(oid) : NULL;

	if (described == NULL || (described->bounds == NULL && described->members == NULL))
		return;
	type->described = described;
	type->extension = getExtensionOfObject(TypeRelationId, oid);
	type->class_extension = getExtensionOfObject(ProcedureRelationId, support);
	type->bounds = spq_extension_function(described->bounds, 1, args, type->class_extension);
	type->bounds_within = spq_extension_function(described->bounds, 2, args, type->class_extension);
	if (described->sphere)
		type->bounds_along = spq_extension_function(described->bounds, 3, args, type->class_extension);
	if (described->in_space)
		type->bounds3 = spq_extension_function(described->in_space->bounds, 1, args, type->class_extension);
}

/* Return whether a descriptor names a function that returns the box of a result. */
static bool
is_result_bounds(const SpqType *type, const char *name)
{
	for (const SpqTypeMember *member = type->members; member && member->name; member++)
		if (member->bounds && strcmp(member->bounds, name) == 0)
			return true;
	return false;
}

/* Return whether a function has arguments of these types, "a,b". */
static bool
takes(Form_pg_proc proc, const char *names)
{
	StringInfoData taken;

	initStringInfo(&taken);
	for (int i = 0; i < proc->pronargs; i++)
	{
		Oid			oid = proc->proargtypes.values[i];
		HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(oid));

		if (!HeapTupleIsValid(tuple))
			elog(ERROR, "cache lookup failed for type %u", oid);
		appendStringInfo(&taken, "%s%s", i > 0 ? "," : "",
						 NameStr(((Form_pg_type) GETSTRUCT(tuple))->typname));
		ReleaseSysCache(tuple);
	}
	return strcmp(taken.data, names) == 0;
}

/* Return what a descriptor says of a function of its extension, or NULL. */
static const SpqTypeMember *
member_of(const SpqType *type, Form_pg_proc proc)
{
	const SpqTypeMember *member = type->members;

	for (; member && member->name; member++)
		if (strcmp(member->name, NameStr(proc->proname)) == 0 &&
			(member->arguments == NULL || takes(proc, member->arguments)))
			return member;
	return NULL;
}

/*
 * Set what stands for a function with these arguments.  "types" has room for one
 * more.
 */
static void
find_companions(Known *function, const Known *type, const SpqTypeMember *member, int nargs,
				Oid *types)
{
	Oid			extension = type->class_extension;

	function->is_distance = member->is_distance;
	function->is_harmless = member->is_harmless;
	function->equivalent = spq_extension_function(member->equivalent, nargs, types, extension);
	function->tried = spq_extension_function(member->tried, nargs, types, extension);
	function->bounds = spq_extension_function(member->bounds, nargs, types, extension);
	types[nargs] = FLOAT8OID;
	function->bounds_within = spq_extension_function(member->bounds, nargs + 1, types, extension);
	types[nargs] = member->is_distance ? FLOAT8OID : type->key.oid;
	function->implied = spq_extension_function(member->implied, nargs + 1, types, extension);
}

/*
 * Return whether the functions of an extension that the descriptor of a type names
 * may be meant.
 */
static bool
is_of_type(const Known *type, Form_pg_proc proc, Oid extension)
{
	const SpqTypeMember *member;

	if (type->described == NULL)
		return false;
	if (extension == type->extension || extension == type->class_extension)
		return true;
	member = member_of(type->described, proc);
	return member && member->extension &&
		extension == get_extension_oid(member->extension, true);
}

/*
 * Set the type with a descriptor that a function takes or returns; or if it has
 * only numbers, one whose descriptor names it.  Return false if no descriptor does.
 */
static bool
find_type_of(Form_pg_proc proc, Oid extension, Known *type)
{
	CatCList   *classes;
	bool		found;

	*type = look_up(TypeRelationId,
					proc->pronargs > 0 ? getBaseType(proc->proargtypes.values[0]) : InvalidOid);
	if (type->described == NULL)
		*type = look_up(TypeRelationId, getBaseType(proc->prorettype));
	found = is_of_type(type, proc, extension);
	if (type->described || proc->prorettype != FLOAT8OID)
		return found;
	classes = SearchSysCacheList1(CLAAMNAMENSP, ObjectIdGetDatum(get_am_oid("spqtree", false)));
	for (int i = 0; i < classes->n_members && !found; i++)
	{
		Form_pg_opclass row = (Form_pg_opclass) GETSTRUCT(&classes->members[i]->tuple);

		if (!row->opcdefault)
			continue;
		*type = look_up(TypeRelationId, row->opcintype);
		found = is_of_type(type, proc, extension) && member_of(type->described, proc);
	}
	ReleaseSysCacheList(classes);
	return found;
}

/* Set what is known of a function. */
static void
describe_function(Known *function, Form_pg_proc proc)
{
	Oid			oid = proc->oid,
				types[FUNC_MAX_ARGS + 1],
				extension;
	const char *name = NameStr(proc->proname);
	const SpqTypeMember *member;
	Known		type;

	extension = superuser_arg(proc->proowner) ?
		getExtensionOfObject(ProcedureRelationId, oid) : InvalidOid;
	if (!OidIsValid(extension) || !find_type_of(proc, extension, &type))
		return;
	function->type = type.key.oid;
	function->is_bounds = oid == type.bounds || oid == type.bounds_within || oid == type.bounds3 ||
		oid == type.bounds_along ||
		(extension == type.class_extension && is_result_bounds(type.described, name));
	member = member_of(type.described, proc);
	if (member == NULL)
		return;
	memcpy(types, proc->proargtypes.values, proc->pronargs * sizeof(Oid));
	find_companions(function, &type, member, proc->pronargs, types);
}

static void
find_function(Known *function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function->key.oid));

	if (!HeapTupleIsValid(tuple))
		return;
	describe_function(function, (Form_pg_proc) GETSTRUCT(tuple));
	ReleaseSysCache(tuple);
}

/* Return what is known of a type or a function. */
static Known
look_up(Oid catalog, Oid oid)
{
	Known		found = {.key = {catalog, oid}},
			   *known;
	const Known nothing = found;
	uint64		before;

	if (oid < FirstNormalObjectId)
		return found;
	start_cache();
	known = hash_search(cache, &found.key, HASH_FIND, NULL);
	if (known)
		return *known;
	do
	{
		before = changes;
		found = nothing;
		if (catalog == TypeRelationId)
			find_type(&found);
		else
			find_function(&found);
	} while (changes != before);	/* while they were read */
	start_cache();
	known = hash_search(cache, &found.key, HASH_ENTER, NULL);
	*known = found;
	return found;
}

static Known
get_type(Oid oid)
{
	return look_up(TypeRelationId, oid);
}

static Known
get_function(Oid oid)
{
	return look_up(ProcedureRelationId, oid);
}

/* Return a function, or InvalidOid if there is none or the user may not call it. */
static Oid
if_allowed(Oid function)
{
	return OidIsValid(function) && spq_function_aclcheck(function, GetUserId()) == ACLCHECK_OK ?
		function : InvalidOid;
}

/* Return whether the user may call a function, and the bounds of its type, if it has any. */
static bool
takes_part(const Known *function)
{
	const SpqType *type = get_type(function->type).described;

	return OidIsValid(if_allowed(function->key.oid)) && type != NULL &&
		(type->bounds == NULL || OidIsValid(spq_spatial_bounds_function(function->type, false)));
}

/* Return the descriptor of a type whose boxes are returned by functions, or NULL. */
const SpqType *
spq_spatial_member_type(Oid type)
{
	return get_type(type).described;
}

/*
 * Return the function that returns the box of a value, or InvalidOid.  The user
 * may have no right to call it.
 */
Oid
spq_spatial_find_bounds(Oid type)
{
	return get_type(type).bounds;
}

/*
 * Return the function that returns the box of a value, or of everything within
 * a distance of it.  Return InvalidOid if there is none that the user may call.
 */
Oid
spq_spatial_bounds_function(Oid type, bool distance)
{
	Known		known = get_type(type);

	return if_allowed(distance ? known.bounds_within : known.bounds);
}

/* The same, for the box in space of a type whose usual one is in the plane. */
Oid
spq_spatial_bounds3_function(Oid type)
{
	return if_allowed(get_type(type).bounds3);
}

/* The same for everything within a distance along the surface of a sphere. */
Oid
spq_spatial_bounds_along_function(Oid type)
{
	return if_allowed(get_type(type).bounds_along);
}

/*
 * If a function returns the length of the arc above a chord, for distances of a
 * type, return the function that returns the radius; else InvalidOid.
 */
Oid
spq_spatial_radius_function(Oid arc, Oid type)
{
	const SpqType *described = get_type(type).described;
	const Oid	chord = FLOAT8OID;
	Oid			extension,
				radius;

	if (described == NULL || described->sphere == NULL ||
		!OidIsValid(extension = get_extension_oid(described->sphere->extension, true)) ||
		spq_extension_function(described->sphere->arc, 1, &chord, extension) != arc)
		return InvalidOid;
	radius = spq_extension_function(described->sphere->radius, 0, NULL, extension);
	return spq_extension_body_finds(arc, radius) ? if_allowed(radius) : InvalidOid;
}

/*
 * Return the function of a type's extension that takes these types, and returns
 * whether two values are within a distance; or InvalidOid.
 */
Oid
spq_spatial_within_function(Oid type, int nargs, const Oid *types)
{
	Known		known = get_type(type);

	return known.described ? spq_extension_function(known.described->within, nargs, types, known.extension) :
		InvalidOid;
}

/* Return the function of this name, of a type's extension, that takes these types; or InvalidOid. */
Oid
spq_spatial_type_function(Oid type, const char *name, int nargs, const Oid *types)
{
	return spq_extension_function(name, nargs, types, get_type(type).extension);
}

/*
 * Return whether a function returns the box of a value of another extension's
 * type, or that of the result of that extension's function.
 */
bool
spq_spatial_is_bounds(Oid function)
{
	return get_function(function).is_bounds && OidIsValid(if_allowed(function));
}

/* Return whether a function returns the box of a value, or of what is near it. */
bool
spq_spatial_is_plain_bounds(Oid function)
{
	Known		type = get_type(get_function(function).type);

	return OidIsValid(function) && (type.bounds == function || type.bounds_within == function);
}

/* Return whether the user may call a function, and it raises no error. */
bool
spq_spatial_is_harmless_member(Oid function)
{
	Known		known = get_function(function);

	return known.is_harmless && takes_part(&known);
}

/* Return whether a function is a distance of two values. */
bool
spq_spatial_is_distance(Oid function)
{
	return get_function(function).is_distance;
}

/* Return the function in SQL that returns a condition that another one implies. */
Oid
spq_spatial_implied(Oid function)
{
	return get_function(function).implied;
}

/*
 * Return the function that returns the same as another one, and is faster; or
 * InvalidOid if there is none, or the user may not call both.
 */
Oid
spq_spatial_equivalent(Oid function)
{
	Known		known = get_function(function);

	return OidIsValid(known.equivalent) && takes_part(&known) ? if_allowed(known.equivalent) :
		InvalidOid;
}

/* The same for one that returns NULL instead of an error. */
Oid
spq_spatial_tried(Oid function)
{
	Known		known = get_function(function);

	return OidIsValid(known.tried) && takes_part(&known) ? if_allowed(known.tried) : InvalidOid;
}

/*
 * If a call returns the box of a function's result, and there is a function
 * that returns approximately this box without calling that function, return a
 * call of the latter.  Otherwise return NULL:
 *
 *		spqtree_bounds(st_buffer(a, r))		_spqtree_bounds_st_buffer(a, r)
 *		spqtree_bounds(geography(a), d)		_spqtree_bounds_geography(a, d)
 */
FuncExpr *
spq_spatial_bounds_without_call(const FuncExpr *bounds)
{
	const FuncExpr *called = linitial(bounds->args);
	Known		known;
	Oid			function;

	if (!IsA(called, FuncExpr) || !spq_spatial_is_plain_bounds(bounds->funcid))
		return NULL;
	known = get_function(called->funcid);
	function = if_allowed(list_length(bounds->args) > 1 ? known.bounds_within :
						  known.bounds);
	return OidIsValid(function) && get_func_rettype(function) == bounds->funcresulttype ?
		makeFuncExpr(function, bounds->funcresulttype,
					 list_concat_copy(called->args, list_copy_tail(bounds->args, 1)),
					 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL) : NULL;
}
