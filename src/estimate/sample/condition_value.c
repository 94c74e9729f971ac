/*-------------------------------------------------------------------------
 *
 * condition_value.c
 *	  Conditions whose truth can be found for the rows of a sample.
 *
 * A sample reads rows that the query might never return (sample.h), so nothing may be
 * evaluated that could fail or reveal a value.  That leaves functions of PostgreSQL that are
 * marked leakproof, and some that raise no error for any argument.  Arithmetic with integers
 * could overflow, so it is done with numeric, which has the same result wherever the integers
 * have one:
 *
 *		(id + 3) % 16 = 0	->	mod(id::numeric + 3::numeric, 16::numeric) = 0::numeric
 *
 * A product of thousands of integers overflows numeric as well, and one of hundreds takes long
 * for each row.  So a condition of many calls is left alone.
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

/* Functions that raise no error for any argument, but are not marked leakproof. */
static const Oid harmless_functions[] = {
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

/* Functions of numeric that take the place of those of integers, and of numeric only so. */
static const Oid whole_functions[] = {
	F_NUMERIC_ADD, F_NUMERIC_SUB, F_NUMERIC_MUL, F_NUMERIC_MOD, F_NUMERIC_DIV_TRUNC, F_NUMERIC_ABS
};

static const struct
{
	const char *name;
	Oid			function;
}			whole_operators[] = {
	{"+", F_NUMERIC_ADD}, {"-", F_NUMERIC_SUB}, {"*", F_NUMERIC_MUL},
	{"%", F_NUMERIC_MOD}, {"/", F_NUMERIC_DIV_TRUNC}, {"@", F_NUMERIC_ABS},
	{"=", F_NUMERIC_EQ}, {"<>", F_NUMERIC_NE}, {"<", F_NUMERIC_LT},
	{"<=", F_NUMERIC_LE}, {">", F_NUMERIC_GT}, {">=", F_NUMERIC_GE}
};

/* More calls would take long, or could overflow. */
#define MOST_CALLS	50

static bool
is_among(Oid function, const Oid *functions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (functions[i] == function)
			return true;
	return false;
}

static bool
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

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

static Oid
cast_to_numeric(Oid type)
{
	return type == INT2OID ? F_NUMERIC_INT2 : type == INT4OID ? F_NUMERIC_INT4 : F_NUMERIC_INT8;
}

/*
 * Return whether an expression, whose arguments are looked at elsewhere, is numeric
 * arithmetic that was arithmetic with integers.
 */
static bool
is_whole_call(const FuncExpr *func)
{
	ListCell   *lc;

	if (func->funcid == F_NUMERIC_INT2 || func->funcid == F_NUMERIC_INT4 || func->funcid == F_NUMERIC_INT8)
		return true;
	if (!is_among(func->funcid, whole_functions, lengthof(whole_functions)))
		return false;
	foreach(lc, func->args)
		if (!IsA(lfirst(lc), FuncExpr) || !is_whole_call(lfirst(lc)))
		return false;
	return (func->funcid != F_NUMERIC_MOD && func->funcid != F_NUMERIC_DIV_TRUNC) ||
		is_divisor(linitial(((FuncExpr *) lsecond(func->args))->args));
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
	return is_among(function, harmless_functions, lengthof(harmless_functions)) ||
		(get_func_leakproof(function) && func_volatile(function) == PROVOLATILE_IMMUTABLE);
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
			return is_whole_call(func) ||
				is_harmless_call(func->funcid, func->args, func->inputcollid);
		default:
			return false;
	}
}

/* Return the function of numeric in place of an operator of integers, or InvalidOid. */
static Oid
whole_function(const OpExpr *op)
{
	char	   *name = op->opno < FirstNormalObjectId ? get_opname(op->opno) : NULL;
	ListCell   *lc;

	if (name == NULL || (list_length(op->args) == 1) != (name[0] == '@'))
		return InvalidOid;
	foreach(lc, op->args)
		if (!is_integer(exprType(lfirst(lc))))
		return InvalidOid;
	for (size_t i = 0; i < lengthof(whole_operators); i++)
		if (strcmp(whole_operators[i].name, name) == 0)
			return whole_operators[i].function;
	return InvalidOid;
}

static Node *harmless_form(Node *node, bool *fit);
static Node *whole_form(Node *node, bool *fit);

/* Return a call of a function of numeric with the arguments of one of integers. */
static Node *
whole_call(Oid function, List *args, Oid result, bool *fit)
{
	List	   *forms = NIL;
	ListCell   *lc;

	if ((function == F_NUMERIC_MOD || function == F_NUMERIC_DIV_TRUNC) && !is_divisor(lsecond(args)))
		*fit = false;
	foreach(lc, args)
		forms = lappend(forms, whole_form(lfirst(lc), fit));
	return (Node *) makeFuncExpr(function, result, forms, InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/* Return an integer expression as one of numeric.  Clear *fit if it may not be evaluated. */
static Node *
whole_form(Node *node, bool *fit)
{
	const FuncExpr *func = (const FuncExpr *) node;
	Oid			function;

	if (IsA(node, OpExpr) && OidIsValid(function = whole_function((const OpExpr *) node)))
		return whole_call(function, ((const OpExpr *) node)->args, NUMERICOID, fit);
	if (IsA(node, FuncExpr))
		switch (func->funcid)
		{
			case F_ABS_INT2:
			case F_ABS_INT4:
			case F_ABS_INT8:
				return whole_call(F_NUMERIC_ABS, func->args, NUMERICOID, fit);
			case F_MOD_INT2_INT2:
			case F_MOD_INT4_INT4:
			case F_MOD_INT8_INT8:
				return whole_call(F_NUMERIC_MOD, func->args, NUMERICOID, fit);
			case F_INT2_INT4:
			case F_INT2_INT8:
			case F_INT4_INT2:
			case F_INT4_INT8:
			case F_INT8_INT2:
			case F_INT8_INT4:
				return whole_form(linitial(func->args), fit);
		}
	if (!is_integer(exprType(node)))
		*fit = false;
	return (Node *) makeFuncExpr(cast_to_numeric(exprType(node)), NUMERICOID,
								 list_make1(harmless_form(node, fit)), InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

static Node *
harmless_mutator(Node *node, void *fit)
{
	return harmless_form(node, fit);
}

/*
 * Return an expression that raises no error, and has the same value wherever the given one has
 * a value.  Clear *fit if that cannot be had.
 */
static Node *
harmless_form(Node *node, bool *fit)
{
	Oid			function;

	if (node == NULL || !*fit)
	{
		*fit = false;
		return node;
	}
	if (IsA(node, Var))
	{
		if (((Var *) node)->varlevelsup != 0 || ((Var *) node)->varattno <= 0)
			*fit = false;
		return node;
	}
	if (IsA(node, Const))
		return node;
	if (IsA(node, OpExpr) && ((OpExpr *) node)->opresulttype == BOOLOID &&
		OidIsValid(function = whole_function((OpExpr *) node)))
		return whole_call(function, ((OpExpr *) node)->args, BOOLOID, fit);
	if (!spq_estimate_is_condition_node(node))
	{
		*fit = false;
		return node;
	}
	return expression_tree_mutator(node, harmless_mutator, fit);
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

/*
 * Return an expression that is true where a condition is true, and may be evaluated for any row.
 * Return NULL if the condition cannot be turned into one.
 */
Node *
spq_estimate_condition(Node *condition)
{
	bool		fit = true;
	int			calls = 0;
	Node	   *form;

	if (has_many_calls(condition, &calls))
		return NULL;
	form = harmless_form(condition, &fit);
	return fit ? form : NULL;
}
