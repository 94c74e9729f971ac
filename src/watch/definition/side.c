/*-------------------------------------------------------------------------
 *
 * side.c
 *	  The columns, types and key of a watched table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/value.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "rtree/windows_search.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/extension/member.h"
#include "types/registry.h"
#include "watch/definition/watch.h"

/* Return the type of a column, without domains, and set its collation. */
static Oid
column_type(const SpqWatchSide *side, const char *column, Oid *collation)
{
	AttrNumber	attnum = get_attnum(side->relid, column);
	int32		typmod;
	Oid			type;

	if (attnum <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist",
						column, get_rel_name(side->relid)),
				 errhint("If a column that a watch uses was renamed or dropped, end the watch with spqtree_unwatch and create it again.")));
	if (spq_is_virtual_column(side->relid, attnum))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot watch virtual generated column \"%s\" of \"%s\"",
						column, get_rel_name(side->relid)),
				 errdetail("Triggers do not see its values."),
				 errhint("Make it STORED.")));
	get_atttypetypmodcoll(side->relid, attnum, &type, &typmod, collation);
	return getBaseType(type);
}

/*
 * Return the qualified name of a type without a length: plain "character" and
 * "bit" mean length 1.
 */
char *
spq_watch_type_name(Oid type)
{
	return format_type_extended(type, -1, FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY);
}

/* Return whether an index and the queries agree on which keys are equal. */
static bool
compares_alike(const SpqWatchSide *side, Relation index)
{
	Oid			equal = lookup_type_cache(side->key_type, TYPECACHE_EQ_OPR)->eq_opr;

	return index->rd_indcollation[0] == side->key_collation &&
		op_in_opfamily(equal, index->rd_opfamily[0]);
}

/*
 * Return whether an index guarantees at all times that the key is unique.  It
 * reads the index's predicate from the catalog, because the relation cache
 * would fold it and thereby call functions of the table's owner.
 */
static bool
makes_unique(const SpqWatchSide *side, Relation index, AttrNumber key)
{
	Form_pg_index form = index->rd_index;

	return form->indisunique && form->indisvalid && form->indimmediate &&
		form->indnkeyatts == 1 && form->indkey.values[0] == key &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
		compares_alike(side, index);
}

/* Return whether an index is valid and has a column in its key. */
static bool
has_column(Relation index, AttrNumber column)
{
	for (int i = 0; i < index->rd_index->indnkeyatts; i++)
		if (index->rd_index->indkey.values[i] == column)
			return index->rd_index->indisvalid;
	return false;
}

/*
 * Return whether an index of this library consists of the places of all rows, as
 * they are.
 */
static bool
has_all_places(const SpqWatchSide *side, Relation index, AttrNumber column)
{
	Form_pg_index form = index->rd_index;

	return form->indnkeyatts == 1 && form->indkey.values[0] == column &&
		form->indisvalid && !form->indcheckxmin &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
		index->rd_opcintype[0] == side->column_type && spq_rtree_can_search_windows(index);
}

/*
 * Set what the indexes of a table tell.  The key is unique if a unique index
 * covers all rows, so that two transactions that change rows with one key wait
 * for each other.  An index does not cover the rows of tables that inherit,
 * unless the table is partitioned.
 */
static void
read_indexes(SpqWatchSide *side)
{
	Relation	table = table_open(side->relid, NoLock);
	AttrNumber	key = get_attnum(side->relid, side->key),
				column = get_attnum(side->relid, side->column);
	bool		covered = table->rd_rel->relkind == RELKIND_PARTITIONED_TABLE ||
		!has_subclass(side->relid);
	ListCell   *cell;

	side->rows = table->rd_rel->reltuples;
	side->key_unique = side->has_index = false;
	side->index = InvalidOid;
	foreach(cell, RelationGetIndexList(table))
	{
		Relation	index = relation_open(lfirst_oid(cell), AccessShareLock);

		side->key_unique = side->key_unique || (covered && makes_unique(side, index, key));
		side->has_index = side->has_index || has_column(index, column);
		if (covered && table->rd_rel->relkind == RELKIND_RELATION && has_all_places(side, index, column))
			side->index = RelationGetRelid(index);
		relation_close(index, AccessShareLock);
	}
	table_close(table, NoLock);
}

/*
 * Check that keys can be sorted and stored in arrays, and that groups can be
 * compared.
 */
static void
check_types(const SpqWatchSide *side)
{
	TypeCacheEntry *type = lookup_type_cache(side->key_type, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);

	if (!OidIsValid(type->lt_opr) || !OidIsValid(type->eq_opr) ||
		!OidIsValid(get_array_type(side->key_type)) || type_is_rowtype(side->key_type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of type %s cannot be the key of a watch",
						side->key, format_type_be(side->key_type)),
				 errdetail("Keys need a default ordering and an array type, and cannot be rows.")));
	if (OidIsValid(side->group_type) &&
		!OidIsValid(lookup_type_cache(side->group_type, TYPECACHE_EQ_OPR)->eq_opr))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of type %s cannot be the group of a watch",
						side->group, format_type_be(side->group_type)),
				 errdetail("Groups need a default equality operator.")));
}

/*
 * Find the columns of a side.  Raise an error if row security applies to the
 * owner of the watch.  The caller holds a lock on the table.
 */
void
spq_watch_resolve_side(SpqWatchSide *side, Oid owner)
{
	Oid			collation;

	if (check_enable_rls(side->relid, owner, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot watch \"%s\": row security hides rows of it from role \"%s\"",
						get_rel_name(side->relid), GetUserNameFromId(owner, true)),
				 errhint("A watch must be owned by a role to which row security does not apply.")));
	side->column_type = column_type(side, side->column, &collation);
	side->key_type = column_type(side, side->key, &side->key_collation);
	side->group_type = side->group == NULL ? InvalidOid :
		column_type(side, side->group, &collation);
	check_types(side);
	read_indexes(side);
}

/*
 * Return whether the values of a type are boxes or points.  Whatever is within
 * a distance of such a value is also within that distance of every box around
 * the value.
 */
bool
spq_watch_plain_type(Oid type)
{
	const SpqType *known = spq_type_of(type);

	return known && (known->is_box || known->is_point);
}

const SpqType *
spq_watch_position_type(Oid type)
{
	const SpqType *known = spq_type_of(type);

	return known && known->has_center ? known : NULL;
}

/* Return a type of the extension, or InvalidOid. */
Oid
spq_watch_own_type(Oid schema, const char *name)
{
	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum(name),
						   ObjectIdGetDatum(schema));
}

/*
 * Return the type of the probes for near fences: a box, or the type of the
 * objects' column.
 */
Oid
spq_watch_probe_type(const SpqWatch *watch)
{
	if (!watch->plain)
		return watch->objects.column_type;
	return watch->position->axes == 2 ? BOXOID :
		spq_watch_own_type(watch->schema, "box3");
}

/* Return the type of the segment from one position to the next. */
Oid
spq_watch_segment_type(const SpqWatch *watch)
{
	return watch->position->axes == 2 ? LSEGOID :
		spq_watch_own_type(watch->schema, "lseg3");
}

/*
 * Return our function that compares the distance of two types, or InvalidOid.
 * Another user may have created a function of this name in our schema for
 * types for which we have none.
 */
Oid
spq_watch_within(Oid schema, Oid left, Oid right)
{
	Oid			types[3] = {left, right, FLOAT8OID},
				function = LookupFuncName(list_make2(makeString(get_namespace_name(schema)),
													 makeString("spqtree_dwithin")),
										  lengthof(types), types, true);

	return OidIsValid(function) && spq_spatial_is_dwithin(function) ? function : InvalidOid;
}

/*
 * Set the function that compares the distance of a position and an area, and
 * the end of its argument list: ours, or that of PostGIS for its types.  The
 * one for geographies has a fourth argument with a default; pass it, because
 * another user could create a function with three arguments, which would match
 * better.  Return false if there is no such function.  (pairs/queries.c
 * converts domains.)
 */
bool
spq_watch_find_within(SpqWatch *watch)
{
	Oid			types[] = {watch->objects.column_type, watch->fences.column_type, FLOAT8OID, BOOLOID},
				function = spq_watch_within(watch->schema, types[0], types[1]);

	watch->within_end = "";
	for (int nargs = 3; nargs <= 4 && !OidIsValid(function); nargs++)
	{
		function = spq_spatial_within_function(types[0], nargs, types);
		watch->within_end = nargs == 4 ? ", true" : "";
	}
	if (!OidIsValid(function))
		return false;
	watch->within_function = function;
	watch->within = quote_qualified_identifier(get_namespace_name(get_func_namespace(function)),
											   get_func_name(function));
	return true;
}
