/*-------------------------------------------------------------------------
 *
 * computed_box.c
 *	  Boxes on a line whose ends are computed from columns, for samples.
 *
 *		b.t BETWEEN a.t - interval '1 second' AND a.t + interval '1 second'
 *		tsrange(a.start, coalesce(a.stop, 'infinity'))
 *
 * PostgreSQL's functions raise errors: a sum overflows, and a range must not
 * end before it starts.  The rows of a sample are rows that the query may never
 * reach, so these functions are not called.  Values become numbers (src/range),
 * and the arithmetic is done here with float8, which raises no error:
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
#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "datatype/timestamp.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/params.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "estimate/sample/computed_box.h"
#include "range/range_box.h"
#include "spatial/lines/line_box.h"

typedef enum Computation
{
	NOT_COMPUTED,				/* evaluated as an expression */
	ADD,
	SUBTRACT,
	MULTIPLY,
	DIVIDE,
	CONVERT,					/* to another type */
	FIRST,						/* that is not null: COALESCE */
	LEAST,
	GREATEST
} Computation;

typedef struct Number
{
	Computation how;
	SpqNumberKind kind;
	ExprState  *state;			/* if it is not computed */
	int			count;
	struct Number *args;
} Number;

typedef struct ComputedBox
{
	Number		lower,
				upper;
	bool		lower_inclusive,
				upper_inclusive;
	bool		is_range;		/* null ends are infinite; it may be empty */
	SpqRangeUse use;			/* of a range */
} ComputedBox;

struct SpqEstimateEvaluation
{
	ExprState  *state;
	ExprContext *econtext;
	ParamListInfo params;		/* the boxes; NULL if there are none */
	List	   *boxes;			/* ComputedBox, in the order of params */
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
	Computation how = NOT_COMPUTED;
	HeapTuple	tuple;
	const char *name;

	if (op->opno >= FirstUnpinnedObjectId)
		return NOT_COMPUTED;
	tuple = SearchSysCache1(OPEROID, ObjectIdGetDatum(op->opno));
	if (!HeapTupleIsValid(tuple))
		return NOT_COMPUTED;
	name = NameStr(((Form_pg_operator) GETSTRUCT(tuple))->oprname);
	if (strcmp(name, "+") == 0)
		how = ADD;
	else if (strcmp(name, "-") == 0)
		how = SUBTRACT;
	else if (strcmp(name, "*") == 0 && list_length(op->args) == 2)
		how = MULTIPLY;
	else if (strcmp(name, "/") == 0 && list_length(op->args) == 2)
		how = DIVIDE;
	ReleaseSysCache(tuple);
	return how;
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

		if (func->args == NIL || !is_conversion(func))
			return NOT_COMPUTED;
		how = CONVERT;
		*args = list_make1(linitial(func->args));
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
	return found && !isnan(*value);
}

/* Return the box of a row as a parameter. */
static void
find_box(const ComputedBox *computed, ExprContext *econtext, ParamExternData *param)
{
	float8		low,
				high;
	bool		has_lower = find_number(&computed->lower, econtext, &low),
				has_upper = find_number(&computed->upper, econtext, &high);
	SpqNumber	lower = {0},
				upper = {0};
	MemoryContext old;
	BOX		   *box;

	param->isnull = !computed->is_range && (!has_lower || !has_upper);
	if (param->isnull)
		return;
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
init_ends(ComputedBox *computed, List *args)
{
	const char *marks = list_length(args) == 3 ?
		TextDatumGetCString(castNode(Const, lthird(args))->constvalue) : "[)";

	init_number(&computed->lower, linitial(args));
	init_number(&computed->upper, lsecond(args));
	computed->lower_inclusive = marks[0] != '(';
	computed->upper_inclusive = strlen(marks) == 2 && marks[1] != ')';
}

/* Return a box that is computed here, or NULL. */
static ComputedBox *
computed_box(const FuncExpr *func)
{
	ComputedBox *computed = NULL;
	const Node *arg = func->args ? linitial(func->args) : NULL;
	SpqRangeUse use;

	if (spq_spatial_is_interval_box(func->funcid) &&
		(spq_estimate_is_computed(arg) || spq_estimate_is_computed(lsecond(func->args))))
	{
		computed = palloc0(sizeof(ComputedBox));
		init_ends(computed, func->args);
	}
	else if (spq_estimate_is_constructor(arg) &&
			 spq_spatial_range_box_use(func->funcid, &use))
	{
		computed = palloc0(sizeof(ComputedBox));
		init_ends(computed, ((const FuncExpr *) arg)->args);
		computed->is_range = true;
		computed->use = use;
	}
	return computed;
}

static Node *
replace_boxes(Node *node, void *context)
{
	SpqEstimateEvaluation *evaluation = context;
	ComputedBox *computed;
	Param	   *param;

	if (node == NULL)
		return NULL;
	computed = IsA(node, FuncExpr) ? computed_box((FuncExpr *) node) : NULL;
	if (computed == NULL)
		return expression_tree_mutator(node, replace_boxes, context);
	evaluation->boxes = lappend(evaluation->boxes, computed);
	param = makeNode(Param);
	param->paramkind = PARAM_EXTERN;
	param->paramid = list_length(evaluation->boxes);
	param->paramtype = BOXOID;
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

	expr = replace_boxes(expr, evaluation);
	evaluation->econtext = econtext;
	evaluation->state = ExecInitExpr((Expr *) expr, NULL);
	if (evaluation->boxes != NIL)
		evaluation->params = makeParamList(list_length(evaluation->boxes));
	return evaluation;
}

/* Return the value for the context's row, in the memory of that. */
Datum
spq_estimate_evaluate(SpqEstimateEvaluation *evaluation, bool *isnull)
{
	ExprContext *econtext = evaluation->econtext;
	ListCell   *lc;

	foreach(lc, evaluation->boxes)
	{
		ParamExternData *param = &evaluation->params->params[foreach_current_index(lc)];

		param->ptype = BOXOID;
		find_box(lfirst(lc), econtext, param);
	}
	econtext->ecxt_param_list_info = evaluation->params;
	return ExecEvalExprSwitchContext(evaluation->state, econtext, isnull);
}
