/*-------------------------------------------------------------------------
 *
 * compare_type.c
 *	  The meaning of some strategies, from PostgreSQL 18 on.
 *
 * PostgreSQL asks for the strategy of a meaning when it makes a foreign key with
 * PERIOD that refers to an exclusion constraint, and when a subscriber looks for an
 * index by which to find the rows of a table without a key.
 *
 * The same numbers mean the same in all classes, except 1, which is "left of" in
 * those of shapes.  So the operators decide: equality is what PostgreSQL itself
 * takes for equality, as a subscriber compares whole rows.  (~= of shapes and = of
 * segments are not.)
 *
 * PostgreSQL raises an error if a class then lacks the operator.  So all classes of
 * the family must have it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_opfamily.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "rtree/class/key_columns.h"
#include "rtree/rtree.h"

/* A meaning, and its strategy in those families that have it. */
typedef struct Meaning
{
	CompareType type;
	StrategyNumber strategy;
} Meaning;

static const Meaning meanings[] = {
	{COMPARE_EQ, SPQ_RTREE_EQUAL_STRATEGY},
	{COMPARE_OVERLAP, RTOverlapStrategyNumber},
	{COMPARE_CONTAINED_BY, RTContainedByStrategyNumber}
};

static Oid
method_of_family(Oid opfamily)
{
	HeapTuple	tuple = SearchSysCache1(OPFAMILYOID, ObjectIdGetDatum(opfamily));
	Oid			method;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for operator family %u", opfamily);
	method = ((Form_pg_opfamily) GETSTRUCT(tuple))->opfmethod;
	ReleaseSysCache(tuple);
	return method;
}

/* Return whether the strategy has this meaning for values of a type. */
static bool
class_has(Oid opfamily, Oid type, const Meaning *meaning)
{
	Oid			operator = get_opfamily_member(opfamily, type, type, meaning->strategy);

	return OidIsValid(operator) &&
		(meaning->type != COMPARE_EQ || get_mergejoin_opfamilies(operator) != NIL);
}

/* Return whether the strategy has this meaning in all classes of a family. */
static bool
family_has(Oid opfamily, const Meaning *meaning)
{
	CatCList   *classes = SearchSysCacheList1(CLAAMNAMENSP,
											  ObjectIdGetDatum(method_of_family(opfamily)));
	bool		any = false,
				all = true;

	for (int i = 0; i < classes->n_members && all; i++)
	{
		Form_pg_opclass form = (Form_pg_opclass) GETSTRUCT(&classes->members[i]->tuple);

		if (form->opcfamily != opfamily)
			continue;
		any = true;
		all = class_has(opfamily, form->opcintype, meaning);
	}
	ReleaseCatCacheList(classes);
	return any && all;
}

/* Return the strategy that has a meaning in a family, or InvalidStrategy. */
StrategyNumber
spq_rtree_translate_cmptype(CompareType type, Oid opfamily)
{
	for (size_t i = 0; i < lengthof(meanings); i++)
		if (meanings[i].type == type && family_has(opfamily, &meanings[i]))
			return meanings[i].strategy;
	return InvalidStrategy;
}

/* Return the meaning of a strategy in a family, or COMPARE_INVALID. */
CompareType
spq_rtree_translate_strategy(StrategyNumber strategy, Oid opfamily)
{
	for (size_t i = 0; i < lengthof(meanings); i++)
		if (meanings[i].strategy == strategy && family_has(opfamily, &meanings[i]))
			return meanings[i].type;
	return COMPARE_INVALID;
}
