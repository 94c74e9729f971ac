/*-------------------------------------------------------------------------
 *
 * constant_rows.c
 *	  The rows that a query itself contains: VALUES, and the elements of an
 *	  array.
 *
 *		FROM (VALUES (1, box '...'), (2, box '...')) AS v (id, b)
 *		FROM unnest($1) AS b					of a custom plan
 *
 * Rows are lists of Consts, one for each column.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "common/hashfn.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "estimate/sample/sample.h"

/*
 * Return whether a row of VALUES consists of Consts.  Other expressions are
 * not evaluated: the planner has folded those that are constant, and the query
 * may never reach the rest.
 */
static bool
is_constant(List *row)
{
	ListCell   *lc;

	foreach(lc, row)
		if (!IsA(lfirst(lc), Const))
		return false;
	return true;
}

/*
 * Return the number of the i-th of some rows that are taken from all: from each of as
 * many equal stretches, one in a place that looks random.  Constants are often in the
 * order of a grid, and rows in equal steps would be in a few of its columns.
 */
static int
place_of(int i, int taken, int all)
{
	int			first = (int) ((int64) i * all / taken),
				next = (int) ((int64) (i + 1) * all / taken);

	return first + (int) (murmurhash32((uint32) i) % (uint32) (next - first));
}

/*
 * Return up to "most" rows of VALUES, spread evenly, or NIL if one of them is
 * not constant.  Set "all" to the number of all rows.
 */
static List *
rows_of_values(List *lists, int most, double *all)
{
	int			count = list_length(lists),
				taken = Min(count, most);
	List	   *rows = NIL;

	*all = count;
	for (int i = 0; i < taken; i++)
	{
		List	   *row = list_nth(lists, place_of(i, taken, count));

		if (!is_constant(row))
			return NIL;
		rows = lappend(rows, row);
	}
	return rows;
}

/* The same for the elements of a constant array; of NULL there are none. */
List *
spq_estimate_constant_elements(const Const *constant, int most, double *all)
{
	Oid			type = get_element_type(constant->consttype);
	ArrayType  *value;
	Datum	   *elements;
	bool	   *nulls,
				byval;
	int			count,
				taken;
	int16		length;
	char		align;
	List	   *rows = NIL;

	if (constant->constisnull || !OidIsValid(type))
		return NIL;
	value = DatumGetArrayTypeP(constant->constvalue);
	get_typlenbyvalalign(type, &length, &byval, &align);
	deconstruct_array(value, type, length, byval, align, &elements, &nulls, &count);
	*all = count;
	taken = Min(count, most);
	for (int i = 0; i < taken; i++)
	{
		int			number = place_of(i, taken, count);

		rows = lappend(rows, list_make1(makeConst(type, -1, InvalidOid, length, elements[number],
												  nulls[number], byval)));
	}
	return rows;
}

/*
 * Return up to "most" rows of a range table entry, spread evenly, or NIL if
 * they are not constant.  Set "all" to the number of all rows.
 */
List *
spq_estimate_constant_rows(const RangeTblEntry *rte, int most, double *all)
{
	const RangeTblFunction *function;
	const FuncExpr *call;
	const Const *array;

	if (rte->rtekind == RTE_VALUES)
		return rows_of_values(rte->values_lists, most, all);
	if (rte->rtekind != RTE_FUNCTION || list_length(rte->functions) != 1)
		return NIL;
	function = linitial_node(RangeTblFunction, rte->functions);
	call = (const FuncExpr *) function->funcexpr;
	if (!IsA(call, FuncExpr) || call->funcid != F_UNNEST_ANYARRAY)
		return NIL;
	array = linitial(call->args);
	return IsA(array, Const) ? spq_estimate_constant_elements(array, most, all) : NIL;
}

static Node *
replace_columns(Node *node, void *context)
{
	List	   *row = context;

	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
	{
		AttrNumber	attno = ((Var *) node)->varattno;

		return attno >= 1 && attno <= list_length(row) ? copyObject(list_nth(row, attno - 1)) :
			(Node *) makeNullConst(((Var *) node)->vartype, -1, InvalidOid);
	}
	return expression_tree_mutator(node, replace_columns, context);
}

/* Return an expression with the values of a row in place of its columns. */
Node *
spq_estimate_of_constant_row(Node *expr, List *row)
{
	return replace_columns(expr, row);
}
