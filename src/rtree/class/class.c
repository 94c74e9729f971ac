/*-------------------------------------------------------------------------
 *
 * class.c
 *	  Code common to all operator classes.  See class.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"

#include "rtree/class/class.h"

SpqRtreeAnswer
spq_rtree_ask_executor(const ScanKeyData *key, Datum argument, const float8 *ends)
{
	return SPQ_RTREE_RECHECK;
}

/*
 * If there are several spatial columns, x and y of the point of one of them are
 * the low and the high end on its axis.
 */
SpqRtreeCondition
spq_rtree_class_condition(Relation index, const ScanKeyData *key)
{
	Form_pg_attribute column = TupleDescAttr(RelationGetDescr(index), key->sk_attno - 1);
	int			ncolumns = spq_rtree_spatial_columns(index),
				axis = key->sk_attno - spq_rtree_box_column(index);
	Oid			type = index->rd_opcintype[key->sk_attno - 1];
	SpqRtreeCondition condition = {
		.column_type = IsPolymorphicType(type) ? column->atttypid : type,
		.axes = spq_rtree_axes(index),.exact = false,.ask = spq_rtree_ask_executor
	};

	FunctionCall2(index_getprocinfo(index, key->sk_attno, SPQ_RTREE_CONDITION_PROC),
				  PointerGetDatum(key), PointerGetDatum(&condition));
	if (ncolumns == 1)
		return condition;
	if (condition.reaches)
		elog(ERROR, "a class for both positions must not test bounds itself");
	for (int c = 0; c < condition.ncomparisons; c++)
	{
		SpqRtreeComparison *comparison = &condition.comparisons[c];

		comparison->end = comparison->end == 0 ? ncolumns + axis : axis;
	}
	return condition;
}
