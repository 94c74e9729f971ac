/*-------------------------------------------------------------------------
 *
 * index_boxes.c
 *	  What a planner's index has for a node that reads its leaves.  See index_boxes.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "catalog/pg_index.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "estimate/paths/paths.h"
#include "rtree/class/class.h"
#include "rtree/index_boxes.h"
#include "spatial/extension/equivalent_plan.h"
#include "spatial/extension/member.h"

const Var  *
spq_rtree_boxed_column(const Expr *operand, bool *is_bounds)
{
	const FuncExpr *bounds;
	const Expr *argument;
	Oid			type;

	/* a cidr as inet */
	while (IsA(operand, RelabelType))
		operand = ((const RelabelType *) operand)->arg;
	bounds = (const FuncExpr *) operand;
	*is_bounds = IsA(operand, FuncExpr);
	if (IsA(operand, Var))
		return (const Var *) operand;
	if (!*is_bounds || list_length(bounds->args) != 1)
		return NULL;
	argument = linitial(bounds->args);
	if (!IsA(argument, Var))
		return NULL;
	type = exprType((const Node *) argument);
	return bounds->funcid == spq_spatial_bounds_function(type, false) ||
		bounds->funcid == spq_spatial_bounds3_function(type) ? (const Var *) argument : NULL;
}

/*
 * Return the operator family of a column of an index.  The planner may see another one
 * (rtree/gist_conditions.c).
 */
static Oid
family_of(Oid index, int column)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	bool		isnull;
	Datum		classes;
	Oid			opclass;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for index %u", index);
	classes = SysCacheGetAttr(INDEXRELID, tuple, Anum_pg_index_indclass, &isnull);
	Assert(!isnull);
	opclass = ((oidvector *) DatumGetPointer(classes))->values[column];
	ReleaseSysCache(tuple);
	return get_opclass_family(opclass);
}

bool
spq_rtree_index_has_boxes(const IndexOptInfo *index, const Var *value, bool is_bounds, Oid operator,
						  int axes, bool *returns_key)
{
	int			column = index->nkeycolumns - 1;
	Oid			family,
				type,
				stored;
	const SpqType *boxed;

	if (!spq_estimate_is_own_index(index) || index->hypothetical ||
		(index->indpred != NIL && !index->predOK) ||
		index->indexkeys[column] != value->varattno)
		return false;
	family = family_of(index->indexoid, column);
	type = index->opcintype[column];
	boxed = spq_rtree_family_boxed_type(family, type);
	/* other classes for both positions store two ends as a point */
	if (boxed == NULL && OidIsValid(get_opfamily_proc(family, type, type, SPQ_RTREE_HASH_PROC)))
		return false;
	/* the bounds of a type are those of its classes with as many axes */
	if (!is_bounds && (OidIsValid(operator) ? !op_in_opfamily(operator, family) :
					   type != exprType((const Node *) value)))
		return false;
	if (boxed != NULL)
	{
		*returns_key = false;
		return boxed->axes == axes;
	}
	stored = get_atttype(index->indexoid, index->nkeycolumns);
	*returns_key = stored == type || getBaseType(stored) == type;
	return spq_rtree_axes_of_length(get_typlen(stored)) == axes;
}

bool
spq_rtree_index_has_columns(const RelOptInfo *rel, const IndexOptInfo *index)
{
	Bitmapset  *needed = NULL,
			   *returned = NULL;
	ListCell   *lc;
	bool		all;

	if (!enable_indexonlyscan)
		return false;
	pull_varattnos((Node *) rel->reltarget->exprs, rel->relid, &needed);
	foreach(lc, index->indrestrictinfo)
		pull_varattnos((Node *) lfirst_node(RestrictInfo, lc)->clause, rel->relid, &needed);
	for (int i = 0; i < index->ncolumns; i++)
		if (index->indexkeys[i] != 0 && index->canreturn[i])
			returned = bms_add_member(returned,
									  index->indexkeys[i] - FirstLowInvalidHeapAttributeNumber);
	all = bms_is_subset(needed, returned);
	bms_free(needed);
	bms_free(returned);
	return all;
}
