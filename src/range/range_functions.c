/*-------------------------------------------------------------------------
 *
 * range_functions.c
 *	  SQL functions that return the box of a range, or of an interval.
 *
 * Joins and indexes call them for conditions on ranges.  None of them raises an
 * error, since estimates evaluate them during planning.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "range/range_box.h"
#include "sql_function.h"

PG_FUNCTION_INFO_V1(spq_interval_box_of);
PG_FUNCTION_INFO_V1(spq_plane_box);

/* Return the box of the first argument, or NULL. */
static Datum
box_of(FunctionCallInfo fcinfo, bool multirange, SpqRangeUse use)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	BOX		   *box = palloc(sizeof(BOX));

	if (!flinfo->fn_extra)
		flinfo->fn_extra = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(SpqRangeType));
	if (!spq_range_box(flinfo->fn_extra, PG_GETARG_DATUM(0), multirange, use, box))
		PG_RETURN_NULL();
	PG_RETURN_BOX_P(box);
}

/* _spqtree_range_box(anyrange), _spqtree_range_box_adjacent(anyrange) and so on; then of multiranges */
SPQ_SQL_FUNCTION(spq_range_box_overlaps, return box_of(fcinfo, false, SPQ_RANGE_OVERLAPS))
SPQ_SQL_FUNCTION(spq_range_box_adjacent, return box_of(fcinfo, false, SPQ_RANGE_ADJACENT))
SPQ_SQL_FUNCTION(spq_range_box_contains, return box_of(fcinfo, false, SPQ_RANGE_CONTAINS))
SPQ_SQL_FUNCTION(spq_range_box_contained, return box_of(fcinfo, false, SPQ_RANGE_CONTAINED))
SPQ_SQL_FUNCTION(spq_multirange_box_overlaps, return box_of(fcinfo, true, SPQ_RANGE_OVERLAPS))
SPQ_SQL_FUNCTION(spq_multirange_box_adjacent, return box_of(fcinfo, true, SPQ_RANGE_ADJACENT))
SPQ_SQL_FUNCTION(spq_multirange_box_contains, return box_of(fcinfo, true, SPQ_RANGE_CONTAINS))
SPQ_SQL_FUNCTION(spq_multirange_box_contained, return box_of(fcinfo, true, SPQ_RANGE_CONTAINED))

/* The kinds of the arguments of _spqtree_interval_box(). */
typedef struct IntervalKinds
{
	SpqNumberKind lower,
				upper;
} IntervalKinds;

/*
 * Set the number of an end.  If it is NULL, it is that of the argument "instead".
 * Return false if that is NULL or missing, too, or if the type has no numbers.
 */
static bool
number_of_end(FunctionCallInfo fcinfo, int arg, SpqNumberKind kind, int instead, SpqNumber *number)
{
	if (kind == SPQ_NUMBER_NONE)
		return false;
	if (!PG_ARGISNULL(arg))
		*number = spq_number_of(kind, PG_GETARG_DATUM(arg));
	else if (instead < PG_NARGS() && !PG_ARGISNULL(instead))
		number->low = number->high = number->above = number->below = PG_GETARG_FLOAT8(instead);
	else
		return false;
	return true;
}

/*
 * _spqtree_interval_box(lower "any", upper "any", bounds text) returns box
 *
 * "bounds" is '[]', '[)', '(]' or '()', as for constructors of ranges.  Anything
 * else counts as '[]', which is the largest.
 */
Datum
spq_interval_box_of(PG_FUNCTION_ARGS)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	IntervalKinds *kinds = flinfo->fn_extra;
	const text *bounds = PG_ARGISNULL(2) ? NULL : PG_GETARG_TEXT_PP(2);
	const char *marks = bounds && VARSIZE_ANY_EXHDR(bounds) == 2 ? VARDATA_ANY(bounds) : "[]";
	SpqNumber	lower,
				upper;
	BOX		   *box;

	if (!kinds)
	{
		kinds = MemoryContextAlloc(flinfo->fn_mcxt, sizeof(*kinds));
		kinds->lower = spq_number_kind(get_fn_expr_argtype(flinfo, 0));
		kinds->upper = spq_number_kind(get_fn_expr_argtype(flinfo, 1));
		flinfo->fn_extra = kinds;
	}
	if (!number_of_end(fcinfo, 0, kinds->lower, 3, &lower) ||
		!number_of_end(fcinfo, 1, kinds->upper, 4, &upper))
		PG_RETURN_NULL();
	box = palloc(sizeof(BOX));
	spq_interval_box(lower, marks[0] != '(', upper, marks[1] != ')', box);
	PG_RETURN_BOX_P(box);
}

/*
 * _spqtree_interval_box(lower "any", upper "any", bounds text, null_lower float8,
 * null_upper float8) returns box: the same, with numbers for ends that are NULL
 */
SPQ_SQL_FUNCTION(spq_interval_box_open, return spq_interval_box_of(fcinfo))

/*
 * _spqtree_plane_box(x box, y box) returns box: the x axis of both boxes, as x and y
 */
Datum
spq_plane_box(PG_FUNCTION_ARGS)
{
	const BOX  *x = PG_GETARG_BOX_P(0),
			   *y = PG_GETARG_BOX_P(1);
	BOX		   *box = palloc(sizeof(BOX));

	box->high.x = x->high.x;
	box->low.x = x->low.x;
	box->high.y = y->high.x;
	box->low.y = y->low.x;
	PG_RETURN_BOX_P(box);
}
