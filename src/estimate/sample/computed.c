/*-------------------------------------------------------------------------
 *
 * computed.c
 *	  Arithmetic that raises no error, for samples.
 *
 *		b.t BETWEEN a.t - interval '1 second' AND a.t + interval '1 second'
 *		tsrange(a.start, coalesce(a.stop, 'infinity'))
 *		(a.id + 3) % 16 = 0
 *
 * PostgreSQL's functions raise errors: a sum overflows, and a range must not
 * end before it starts.  The rows of a sample are rows that the query may never
 * reach, so these functions are not called.  Values become numbers (src/range),
 * and the arithmetic is done here with float8, which raises no error.  What is
 * computed from numbers, a box on a line or the truth of a comparison, is
 * replaced by a parameter:
 *
 *		_spqtree_interval_box(a.t - '1 s', a.t + '1 s', '[]')	is replaced by
 *		$1						a parameter, set for each row to the box from
 *								number(a.t) - 1e6 to number(a.t) + 1e6
 *
 * The numbers are approximate: months have 30 days and days 24 hours, and sums
 * beyond 2^53 are rounded.  A value that its type does not have gets a number
 * all the same, and one that is no number (infinity - infinity, 1 / 0) is null.
 * The query raises an error for such rows, if it reaches them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_language_d.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "datatype/timestamp.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/params.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/geo_decls.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "estimate/sample/computed.h"
#include "estimate/sample/sample.h"
#include "range/range_box.h"
#include "spatial/lines/line_box.h"

typedef enum Computation
{
	NOT_COMPUTED,				/* evaluated as an expression */
	ADD,
	SUBTRACT,
	MULTIPLY,
	DIVIDE,
	MODULO,
	ABSOLUTE,
	CONVERT,					/* to another type */
	FIRST,						/* that is not null: COALESCE */
	LEAST,
	GREATEST,
	/* the truth of a comparison of two numbers */
	EQUAL,
	DIFFERENT,
	LESS,
	LESS_OR_EQUAL,
	GREATER,
	GREATER_OR_EQUAL
} Computation;

typedef struct Number
{
	Computation how;
	SpqNumberKind kind;
	ExprState  *state;			/* if it is not computed */
	int			count;
	struct Number *args;
} Number;

/* The truth of a comparison, or the box between two values. */
typedef struct Computed
{
	Computation compared;		/* how, or NOT_COMPUTED: a box */
	Number		lower,
				upper;

	/* of a box */
	bool		lower_inclusive,
				upper_inclusive;
	bool		is_range;		/* null ends are infinite; it may be empty */
	SpqRangeUse use;			/* of a range */
} Computed;

struct SpqEstimateEvaluation
{
	ExprState  *state;
	ExprContext *econtext;
	ParamListInfo params;		/* what is computed; NULL if nothing is */
	List	   *computed;		/* Computed, in the order of params */
};

/* Return whether values of a kind are plain numbers, without a unit. */
static bool
is_plain(SpqNumberKind kind)
{
	return kind >= SPQ_NUMBER_INT2 && kind <= SPQ_NUMBER_NUMERIC;
}

static bool
is_integer(SpqNumberKind kind)
{
	return kind >= SPQ_NUMBER_INT2 && kind <= SPQ_NUMBER_INT8;
}

/*
 * Return what one of PostgreSQL's operators computes.  Between values that have
 * numbers, its name tells.
 */
static Computation
operator_computation(const OpExpr *op)
{
	static const struct
	{
		const char *name;
		Computation how;
		int			least_args;
	}			operators[] = {
		{"+", ADD, 1}, {"-", SUBTRACT, 1}, {"*", MULTIPLY, 2}, {"/", DIVIDE, 2},
		{"%", MODULO, 2}, {"@", ABSOLUTE, 1},
		{"=", EQUAL, 2}, {"<>", DIFFERENT, 2}, {"<", LESS, 2},
		{"<=", LESS_OR_EQUAL, 2}, {">", GREATER, 2}, {">=", GREATER_OR_EQUAL, 2}
	};
	const char *name = op->opno < FirstUnpinnedObjectId ? get_opname(op->opno) : NULL;

	for (size_t i = 0; name && i < lengthof(operators); i++)
		if (strcmp(name, operators[i].name) == 0 &&
			list_length(op->args) >= operators[i].least_args)
			return operators[i].how;
	return NOT_COMPUTED;
}

/* Return what one of PostgreSQL's functions that have an operator's name computes. */
static Computation
function_computation(Oid function)
{
	switch (function)
	{
		case F_ABS_INT2:
		case F_ABS_INT4:
		case F_ABS_INT8:
		case F_ABS_FLOAT4:
		case F_ABS_FLOAT8:
		case F_ABS_NUMERIC:
			return ABSOLUTE;
		case F_MOD_INT2_INT2:
		case F_MOD_INT4_INT4:
		case F_MOD_INT8_INT8:
		case F_MOD_NUMERIC_NUMERIC:
			return MODULO;
	}
	return NOT_COMPUTED;
}

/*
 * Return whether a function is PostgreSQL's conversion between two types of which
 * the numbers are about the same.  Those from and to timestamptz depend on the time
 * zone.
 */
static bool
is_conversion(const FuncExpr *func)
{
	Oid			from = exprType(linitial(func->args)),
				function = InvalidOid;
	SpqNumberKind a = spq_number_kind(from),
				b = spq_number_kind(func->funcresulttype);

	if (func->funcid >= FirstUnpinnedObjectId)
		return false;
	if (a == b)
		return find_typmod_coercion_function(func->funcresulttype, &function) == COERCION_PATH_FUNC &&
			function == func->funcid;
	return ((is_plain(a) && is_plain(b)) ||
			(a == SPQ_NUMBER_DATE && b == SPQ_NUMBER_TIMESTAMP) ||
			(a == SPQ_NUMBER_TIMESTAMP && (b == SPQ_NUMBER_DATE || b == SPQ_NUMBER_TIME))) &&
		find_coercion_pathway(func->funcresulttype, from, COERCION_EXPLICIT, &function) == COERCION_PATH_FUNC &&
		function == func->funcid;
}

/* Set the arguments from which an expression is computed here, and return how. */
static Computation
computation(const Node *node, List **args)
{
	Computation how = NOT_COMPUTED;
	ListCell   *lc;

	*args = NIL;
	if (node == NULL)
		return NOT_COMPUTED;
	if (IsA(node, OpExpr))
	{
		how = operator_computation((const OpExpr *) node);
		*args = ((const OpExpr *) node)->args;
	}
	else if (IsA(node, FuncExpr))
	{
		const FuncExpr *func = (const FuncExpr *) node;

		how = function_computation(func->funcid);
		*args = func->args;
		if (how == NOT_COMPUTED && func->args != NIL && is_conversion(func))
		{
			how = CONVERT;
			*args = list_make1(linitial(func->args));
		}
	}
	else if (IsA(node, CoalesceExpr))
	{
		how = FIRST;
		*args = ((const CoalesceExpr *) node)->args;
	}
	else if (IsA(node, MinMaxExpr))
	{
		how = ((const MinMaxExpr *) node)->op == IS_LEAST ? LEAST : GREATEST;
		*args = ((const MinMaxExpr *) node)->args;
	}
	if (how == NOT_COMPUTED || spq_number_kind(exprType(node)) == SPQ_NUMBER_NONE)
		return NOT_COMPUTED;
	/* where it cannot fail, PostgreSQL's own remainder is exact */
	if (how == MODULO && spq_estimate_is_condition_node(node) &&
		!spq_estimate_is_computed(linitial(*args)))
		return NOT_COMPUTED;
	foreach(lc, *args)
	{
		if (spq_number_kind(exprType(lfirst(lc))) == SPQ_NUMBER_NONE)
			return NOT_COMPUTED;
	}
	return how;
}

/* Return whether a value that is an end of a box is computed here from others. */
bool
spq_estimate_is_computed(const Node *node)
{
	List	   *args;

	return computation(node, &args) != NOT_COMPUTED;
}

/* Return whether numbers of two kinds compare as values of these types do. */
static bool
are_comparable(SpqNumberKind a, SpqNumberKind b)
{
	return (a == b && a != SPQ_NUMBER_NONE) || (is_plain(a) && is_plain(b)) ||
		(a == SPQ_NUMBER_DATE && b == SPQ_NUMBER_TIMESTAMP) ||
		(a == SPQ_NUMBER_TIMESTAMP && b == SPQ_NUMBER_DATE);
}

/*
 * Return how an expression compares two values of which one, at least, is computed
 * here, or NOT_COMPUTED.
 */
static Computation
comparison(const Node *node)
{
	const OpExpr *op = (const OpExpr *) node;
	Computation how = node && IsA(node, OpExpr) ? operator_computation(op) : NOT_COMPUTED;
	const Node *left,
			   *right;

	if (how < EQUAL)
		return NOT_COMPUTED;
	left = linitial(op->args);
	right = lsecond(op->args);
	return (spq_estimate_is_computed(left) || spq_estimate_is_computed(right)) &&
		are_comparable(spq_number_kind(exprType(left)), spq_number_kind(exprType(right))) ?
		how : NOT_COMPUTED;
}

/* Return whether a condition compares values that are computed here. */
bool
spq_estimate_is_comparison(const Node *node)
{
	return comparison(node) != NOT_COMPUTED;
}

/* Return whether a function is the constructor of a range type. */
static bool
constructs_range(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool		found = false;

	if (!HeapTupleIsValid(tuple))
		return false;
	if (((Form_pg_proc) GETSTRUCT(tuple))->prolang == INTERNALlanguageId)
	{
		bool		isnull;
		Datum		datum = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosrc, &isnull);
		char	   *source = isnull ? NULL : TextDatumGetCString(datum);

		found = source && (strcmp(source, "range_constructor2") == 0 ||
						   strcmp(source, "range_constructor3") == 0);
	}
	ReleaseSysCache(tuple);
	return found;
}

/*
 * Return whether an expression makes a range of two values that have numbers, and of
 * bounds that are known, such as '[)'.
 */
bool
spq_estimate_is_constructor(const Node *node)
{
	const FuncExpr *func = (const FuncExpr *) node;
	SpqRangeType range = {.type = InvalidOid};
	int			count;

	if (node == NULL || !IsA(node, FuncExpr) || !type_is_range(func->funcresulttype))
		return false;
	count = list_length(func->args);
	if ((count != 2 && count != 3) || !constructs_range(func->funcid) ||
		(count == 3 && (!IsA(lthird(func->args), Const) ||
						((Const *) lthird(func->args))->constisnull)))
		return false;
	spq_range_type(&range, func->funcresulttype);
	return range.kind != SPQ_NUMBER_NONE;
}

static float8
time_of_day(float8 value)
{
	return value - floor(value / USECS_PER_DAY) * USECS_PER_DAY;
}

/* Return one number from two, or NaN. */
static float8
combine(const Number *number, float8 a, float8 b)
{
	const SpqNumberKind left = number->args[0].kind,
				right = number->args[1].kind;
	float8		value = 0;

	switch (number->how)
	{
		case ADD:
		case SUBTRACT:
			/* whole days beside a date */
			if (left == SPQ_NUMBER_DATE && is_plain(right))
				b *= USECS_PER_DAY;
			if (right == SPQ_NUMBER_DATE && is_plain(left))
				a *= USECS_PER_DAY;
			value = number->how == ADD ? a + b : a - b;
			if (left == SPQ_NUMBER_DATE && is_plain(number->kind))
				value /= USECS_PER_DAY;
			return number->kind == SPQ_NUMBER_TIME ? time_of_day(value) : value;
		case MULTIPLY:
			return a * b;
		case DIVIDE:
			value = b == 0 ? NAN : a / b;
			return is_integer(left) && is_integer(right) ? trunc(value) : value;
		case MODULO:
			return fmod(a, b);
		default:
			elog(ERROR, "numbers are not combined in this way");
	}
}

/* Return the number of a value of another type, or NaN. */
static float8
convert(SpqNumberKind kind, float8 value)
{
	if (is_integer(kind))
		return rint(value);
	if (kind == SPQ_NUMBER_DATE)
		return floor(value / USECS_PER_DAY) * USECS_PER_DAY;
	return kind == SPQ_NUMBER_TIME ? time_of_day(value) : value;
}

/* Set the number of a value.  Return false if it is null, or no number. */
static bool
find_number(const Number *number, ExprContext *econtext, float8 *value)
{
	bool		found = false;
	float8		next;

	if (number->how == NOT_COMPUTED)
	{
		bool		isnull;
		Datum		datum = ExecEvalExprSwitchContext(number->state, econtext, &isnull);
		SpqNumber	ends;

		if (isnull)
			return false;
		ends = spq_number_of(number->kind, datum);
		*value = ends.low / 2 + ends.high / 2;
		return true;
	}
	if (number->how < CONVERT && number->count == 2)
	{
		if (!find_number(&number->args[0], econtext, value) ||
			!find_number(&number->args[1], econtext, &next))
			return false;
		*value = combine(number, *value, next);
		return !isnan(*value);
	}
	for (int i = 0; i < number->count; i++)
	{
		if (!find_number(&number->args[i], econtext, &next))
			continue;
		if (!found || (number->how == LEAST && next < *value) ||
			(number->how == GREATEST && next > *value))
			*value = next;
		found = true;
		if (number->how == FIRST)
			break;
	}
	if (found && number->how == CONVERT)
		*value = convert(number->kind, *value);
	if (found && number->how == SUBTRACT)
		*value = -*value;		/* of one argument */
	if (found && number->how == ABSOLUTE)
		*value = fabs(*value);
	return found && !isnan(*value);
}

/* Return the truth of a comparison of two numbers. */
static bool
compare(Computation how, float8 a, float8 b)
{
	switch (how)
	{
		case EQUAL:
			return a == b;
		case DIFFERENT:
			return a != b;
		case LESS:
			return a < b;
		case LESS_OR_EQUAL:
			return a <= b;
		case GREATER:
			return a > b;
		default:
			return a >= b;
	}
}

/* Set a parameter to the box or the truth for a row. */
static void
find_value(const Computed *computed, ExprContext *econtext, ParamExternData *param)
{
	float8		low,
				high;
	bool		has_lower = find_number(&computed->lower, econtext, &low),
				has_upper = find_number(&computed->upper, econtext, &high);
	SpqNumber	lower = {0},
				upper = {0};
	MemoryContext old;
	BOX		   *box;

	param->ptype = computed->compared ? BOOLOID : BOXOID;
	param->isnull = !computed->is_range && (!has_lower || !has_upper);
	if (param->isnull)
		return;
	if (computed->compared)
	{
		param->value = BoolGetDatum(compare(computed->compared, low, high));
		return;
	}
	if (has_lower)
		lower = spq_number_from(computed->lower.kind, low);
	if (has_upper)
		upper = spq_number_from(computed->upper.kind, high);
	old = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	box = palloc(sizeof(BOX));
	MemoryContextSwitchTo(old);
	if (computed->is_range)
		param->isnull = !spq_range_box_between(has_lower ? &lower : NULL, computed->lower_inclusive,
											   has_upper ? &upper : NULL, computed->upper_inclusive,
											   computed->use, box);
	else
		spq_interval_box(lower, computed->lower_inclusive, upper, computed->upper_inclusive, box);
	param->value = BoxPGetDatum(box);
}

static void
init_number(Number *number, const Node *node)
{
	List	   *args;

	number->kind = spq_number_kind(exprType(node));
	number->how = computation(node, &args);
	if (number->how == NOT_COMPUTED)
	{
		number->state = ExecInitExpr((Expr *) node, NULL);
		return;
	}
	number->count = list_length(args);
	number->args = palloc0(sizeof(Number) * number->count);
	for (int i = 0; i < number->count; i++)
		init_number(&number->args[i], list_nth(args, i));
}

/* Set the ends of a box from two values and their bounds, such as '[)'. */
static void
init_ends(Computed *computed, List *args)
{
	const char *marks = list_length(args) == 3 ?
		TextDatumGetCString(castNode(Const, lthird(args))->constvalue) : "[)";

	init_number(&computed->lower, linitial(args));
	init_number(&computed->upper, lsecond(args));
	computed->lower_inclusive = marks[0] != '(';
	computed->upper_inclusive = strlen(marks) == 2 && marks[1] != ')';
}

/* Return what is computed here in place of an expression, or NULL. */
static Computed *
computed_value(const Node *node)
{
	Computed	computed = {.compared = comparison(node)};
	const FuncExpr *func = (const FuncExpr *) node;
	const Node *arg;

	if (computed.compared)
	{
		init_number(&computed.lower, linitial(((const OpExpr *) node)->args));
		init_number(&computed.upper, lsecond(((const OpExpr *) node)->args));
	}
	else if (!IsA(node, FuncExpr) || func->args == NIL)
		return NULL;
	else if (arg = linitial(func->args), spq_spatial_is_interval_box(func->funcid) &&
			 (spq_estimate_is_computed(arg) || spq_estimate_is_computed(lsecond(func->args))))
		init_ends(&computed, func->args);
	else if (spq_estimate_is_constructor(arg) &&
			 spq_spatial_range_box_use(func->funcid, &computed.use))
	{
		init_ends(&computed, ((const FuncExpr *) arg)->args);
		computed.is_range = true;
	}
	else
		return NULL;
	return memcpy(palloc(sizeof(Computed)), &computed, sizeof(Computed));
}

static Node *
replace_computed(Node *node, void *context)
{
	SpqEstimateEvaluation *evaluation = context;
	Computed   *computed;
	Param	   *param;

	if (node == NULL)
		return NULL;
	computed = computed_value(node);
	if (computed == NULL)
		return expression_tree_mutator(node, replace_computed, context);
	evaluation->computed = lappend(evaluation->computed, computed);
	param = makeNode(Param);
	param->paramkind = PARAM_EXTERN;
	param->paramid = list_length(evaluation->computed);
	param->paramtype = computed->compared ? BOOLOID : BOXOID;
	param->paramtypmod = -1;
	param->location = -1;
	return (Node *) param;
}

/*
 * Prepare an expression in the normal form of box_expression.c for evaluation on rows
 * of this context.
 */
SpqEstimateEvaluation *
spq_estimate_evaluation(Node *expr, ExprContext *econtext)
{
	SpqEstimateEvaluation *evaluation = palloc0(sizeof(SpqEstimateEvaluation));

	expr = replace_computed(expr, evaluation);
	evaluation->econtext = econtext;
	evaluation->state = ExecInitExpr((Expr *) expr, NULL);
	if (evaluation->computed != NIL)
		evaluation->params = makeParamList(list_length(evaluation->computed));
	return evaluation;
}

/* Return the value for the context's row, in the memory of that. */
Datum
spq_estimate_evaluate(SpqEstimateEvaluation *evaluation, bool *isnull)
{
	ExprContext *econtext = evaluation->econtext;
	ListCell   *lc;

	foreach(lc, evaluation->computed)
		find_value(lfirst(lc), econtext, &evaluation->params->params[foreach_current_index(lc)]);
	econtext->ecxt_param_list_info = evaluation->params;
	return ExecEvalExprSwitchContext(evaluation->state, econtext, isnull);
}
