/*-------------------------------------------------------------------------
 *
 * condition_value.c
 *	  Conditions whose truth can be found for the rows of a sample.
 *
 * A sample reads rows that the query might never return (sample.h), so nothing may be
 * evaluated that could fail or reveal a value.  That leaves functions of PostgreSQL that are
 * marked leakproof, some that raise no error for any argument, and what is computed here
 * (computed.h).  A condition of many calls would take long, so it is left alone.
 *
 * To the sample, truth is a value that has a box: 1 or 0.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "estimate/sample/sample.h"

static void
box_of_truth(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	numbers[0] = numbers[2] = DatumGetBool(value) ? 1 : 0;
	numbers[1] = numbers[3] = 0;
}

const SpqType spq_estimate_truth = {
	.name = "truth",
	.oid = BOOLOID,
	.axes = 2,
	.is_point = true,
	.box = box_of_truth,
};

/*
 * Functions that raise no error for any argument, but are not marked leakproof.  Those that
 * add, divide or convert from numeric are missing, because they can overflow.
 */
static const Oid harmless_functions[] = {
	F_FLOAT8_INT2, F_FLOAT8_INT4, F_FLOAT8_INT8, F_FLOAT8_FLOAT4,
	F_LOWER_ANYRANGE, F_UPPER_ANYRANGE, F_LOWER_ANYMULTIRANGE, F_UPPER_ANYMULTIRANGE,
	F_JSONB_OBJECT_FIELD, F_JSONB_OBJECT_FIELD_TEXT,
	F_JSONB_ARRAY_ELEMENT, F_JSONB_ARRAY_ELEMENT_TEXT,
	F_JSONB_EXTRACT_PATH, F_JSONB_EXTRACT_PATH_TEXT,
	F_JSONB_CONTAINS, F_JSONB_CONTAINED, F_JSONB_TYPEOF,
	F_JSONB_EXISTS, F_JSONB_EXISTS_ANY, F_JSONB_EXISTS_ALL,
	F_INT2AND, F_INT2OR, F_INT2XOR,
	F_INT4AND, F_INT4OR, F_INT4XOR,
	F_INT8AND, F_INT8OR, F_INT8XOR,
	F_HASHTEXT, F_HASHINT4, F_HASHINT8,
	F_LENGTH_TEXT, F_CHAR_LENGTH_TEXT, F_LOWER_TEXT, F_UPPER_TEXT,
	F_NUMERIC_EQ, F_NUMERIC_NE, F_NUMERIC_LT, F_NUMERIC_LE, F_NUMERIC_GT, F_NUMERIC_GE,
};

/* More calls would take long. */
#define MOST_CALLS	50

/* Return whether a value is a number other than 0, for all rows. */
static bool
is_divisor(const Node *node)
{
	const Const *constant = (const Const *) node;

	if (!IsA(node, Const) || constant->constisnull)
		return false;
	switch (constant->consttype)
	{
		case INT2OID:
			return DatumGetInt16(constant->constvalue) != 0;
		case INT4OID:
			return DatumGetInt32(constant->constvalue) != 0;
		case INT8OID:
			return DatumGetInt64(constant->constvalue) != 0;
	}
	return false;
}

/* Return whether LIKE with a pattern cannot fail. */
static bool
is_plain_pattern(const Node *pattern, Oid collation)
{
	const Const *constant = (const Const *) pattern;

	return IsA(pattern, Const) && !constant->constisnull &&
		get_collation_isdeterministic(collation) &&
		strchr(TextDatumGetCString(constant->constvalue), '\\') == NULL;
}

/* Return whether a unit is one that dates and times have. */
static bool
is_unit(const Node *unit)
{
	static const char *const units[] = {
		"year", "quarter", "month", "week", "day", "dow", "isodow", "doy", "isoyear", "epoch"
	};
	const Const *constant = (const Const *) unit;
	char	   *name;

	if (!IsA(unit, Const) || constant->constisnull)
		return false;
	name = TextDatumGetCString(constant->constvalue);
	for (size_t i = 0; i < lengthof(units); i++)
		if (strcmp(units[i], name) == 0)
			return true;
	return false;
}

/* Return whether a function would fail for want of a collation. */
static bool
lacks_collation(const List *args, Oid collation)
{
	ListCell   *lc;

	if (!OidIsValid(collation))
		foreach(lc, args)
			if (type_is_collatable(exprType(lfirst(lc))))
			return true;
	return false;
}

static bool
is_harmless_call(Oid function, List *args, Oid collation)
{
	if (function >= FirstNormalObjectId || lacks_collation(args, collation))
		return false;
	switch (function)
	{
		case F_TEXTLIKE:
		case F_TEXTNLIKE:
			return is_plain_pattern(lsecond(args), collation);
		case F_INT2MOD:
		case F_INT4MOD:
		case F_INT8MOD:
			return is_divisor(lsecond(args));
		case F_EXTRACT_TEXT_DATE:
		case F_EXTRACT_TEXT_TIMESTAMP:
		case F_EXTRACT_TEXT_TIMESTAMPTZ:
		case F_DATE_PART_TEXT_DATE:
		case F_DATE_PART_TEXT_TIMESTAMP:
		case F_DATE_PART_TEXT_TIMESTAMPTZ:
			return is_unit(linitial(args));
	}
	for (size_t i = 0; i < lengthof(harmless_functions); i++)
		if (harmless_functions[i] == function)
			return true;
	return get_func_leakproof(function) && func_volatile(function) == PROVOLATILE_IMMUTABLE;
}

/* Return whether a node, whose children are looked at elsewhere, may be evaluated. */
bool
spq_estimate_is_condition_node(const Node *node)
{
	const OpExpr *op = (const OpExpr *) node;
	const FuncExpr *func = (const FuncExpr *) node;
	const ScalarArrayOpExpr *any = (const ScalarArrayOpExpr *) node;

	switch (nodeTag(node))
	{
		case T_List:
		case T_BoolExpr:
		case T_BooleanTest:
		case T_RelabelType:
			return true;
		case T_NullTest:
			return !((const NullTest *) node)->argisrow;
		case T_OpExpr:
		case T_DistinctExpr:
			return is_harmless_call(op->opfuncid, op->args, op->inputcollid);
		case T_ScalarArrayOpExpr:
			return is_harmless_call(any->opfuncid, any->args, any->inputcollid);
		case T_FuncExpr:
			return is_harmless_call(func->funcid, func->args, func->inputcollid);
		default:
			return false;
	}
}

/* Count the calls of functions and operators.  Return whether there are too many. */
static bool
has_many_calls(Node *node, void *calls)
{
	if (node == NULL)
		return false;
	if ((IsA(node, OpExpr) || IsA(node, FuncExpr)) && ++*(int *) calls > MOST_CALLS)
		return true;
	return expression_tree_walker(node, has_many_calls, calls);
}

/* Return whether a condition is short enough to be evaluated for the rows of a sample. */
bool
spq_estimate_is_short(Node *condition)
{
	int			calls = 0;

	return !has_many_calls(condition, &calls);
}
