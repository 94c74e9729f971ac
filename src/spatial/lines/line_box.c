/*-------------------------------------------------------------------------
 *
 * line_box.c
 *	  Boxes on a line, of ranges and intervals, as expressions.
 *
 * The expressions call SQL functions of this extension (src/range).  A function
 * returns NULL if its SQL function does not exist, or may not be called.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/value.h"
#include "utils/builtins.h"

#include "spatial/lines/line_box.h"
#include "types/own_function.h"

/* The names of the C functions begin with these. */
#define RANGE_PREFIX	"spq_range_box_"
#define MULTIRANGE_PREFIX	"spq_multirange_box_"
#define INTERVAL_PREFIX "spq_interval_box_"
#define PLANE_PREFIX	"spq_plane_box"

/* Return whether a function returns the box of a range or of an interval. */
bool
spq_spatial_is_range_box(Oid function)
{
	return spq_own_prefix(function, RANGE_PREFIX) ||
		spq_own_prefix(function, MULTIRANGE_PREFIX) ||
		spq_own_prefix(function, INTERVAL_PREFIX) ||
		spq_own_prefix(function, PLANE_PREFIX);
}

/* Return whether a function returns the box of an interval between two values. */
bool
spq_spatial_is_interval_box(Oid function)
{
	return spq_own_prefix(function, INTERVAL_PREFIX);
}

/* Return whether a function returns the box of a range, and set what the box is for. */
bool
spq_spatial_range_box_use(Oid function, SpqRangeUse *use)
{
	static const char *const symbols[] = {
		[SPQ_RANGE_OVERLAPS] = RANGE_PREFIX "overlaps",
		[SPQ_RANGE_ADJACENT] = RANGE_PREFIX "adjacent",
		[SPQ_RANGE_CONTAINS] = RANGE_PREFIX "contains",
		[SPQ_RANGE_CONTAINED] = RANGE_PREFIX "contained"
	};
	int			place = spq_own_symbol_place(function, symbols, lengthof(symbols));

	if (place < 0)
		return false;
	*use = (SpqRangeUse) place;
	return true;
}

/* Return the box of a range or multirange for this use, or NULL. */
Node *
spq_spatial_range_box(Node *range, bool multirange, SpqRangeUse use)
{
	static const char *const names[] = {
		[SPQ_RANGE_OVERLAPS] = "_spqtree_range_box",
		[SPQ_RANGE_ADJACENT] = "_spqtree_range_box_adjacent",
		[SPQ_RANGE_CONTAINS] = "_spqtree_range_box_contains",
		[SPQ_RANGE_CONTAINED] = "_spqtree_range_box_contained"
	};
	Oid			type = multirange ? ANYMULTIRANGEOID : ANYRANGEOID;
	Oid			function = spq_own_function(names[use], multirange ? MULTIRANGE_PREFIX :
											RANGE_PREFIX, 1, &type);

	if (!OidIsValid(function))
		return NULL;
	return (Node *) makeFuncExpr(function, BOXOID, list_make1(range), InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/* Return a constant number, or the constant NULL for 0. */
static Const *
number_or_null(float8 number)
{
	return makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(number), number == 0,
					 FLOAT8PASSBYVAL);
}

/*
 * Return the box of all values from one to another one, or NULL if their types
 * have no numbers.  A value that is NULL is this number; if that is 0, there is no box.
 */
Node *
spq_spatial_interval_box(Node *lower, Node *upper, bool lower_inclusive, bool upper_inclusive,
						 float8 null_lower, float8 null_upper)
{
	Oid			types[] = {ANYOID, ANYOID, TEXTOID, FLOAT8OID, FLOAT8OID};
	bool		open = null_lower != 0 || null_upper != 0;
	List	   *args;
	Oid			function;
	const char	bounds[] = {lower_inclusive ? '[' : '(', upper_inclusive ? ']' : ')', '\0'};
	Const	   *marks;

	if (spq_number_kind(exprType(lower)) == SPQ_NUMBER_NONE ||
		spq_number_kind(exprType(upper)) == SPQ_NUMBER_NONE)
		return NULL;
	function = spq_own_function("_spqtree_interval_box", INTERVAL_PREFIX,
								open ? 5 : 3, types);
	if (!OidIsValid(function))
		return NULL;
	marks = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(bounds), false,
					  false);
	args = list_make3(lower, upper, marks);
	if (open)
		args = list_concat(args, list_make2(number_or_null(null_lower),
											number_or_null(null_upper)));
	return (Node *) makeFuncExpr(function, BOXOID, args, InvalidOid, DEFAULT_COLLATION_OID,
								 COERCE_EXPLICIT_CALL);
}

/* Return the box whose x axis is that of one box, and y that of another, or NULL. */
Node *
spq_spatial_plane_box(Node *x, Node *y)
{
	Oid			types[] = {BOXOID, BOXOID};
	Oid			function = spq_own_function("_spqtree_plane_box", PLANE_PREFIX,
											lengthof(types), types);

	if (!OidIsValid(function))
		return NULL;
	return (Node *) makeFuncExpr(function, BOXOID, list_make2(x, y), InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/*
 * Return the condition that two boxes overlap, and describe its operator for
 * conditions that imply it.  Boxes may be NULL; then return NULL.
 */
OpExpr *
spq_spatial_boxes_overlap(Node *left, Node *right, SpqSpatialOperator *op)
{
	Oid			overlaps = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("&&")),
											BOXOID, BOXOID);
	OpExpr	   *clause;

	if (left == NULL || right == NULL || !spq_spatial_operator(overlaps, op))
		return NULL;
	clause = (OpExpr *) make_opclause(overlaps, BOOLOID, false, (Expr *) left, (Expr *) right,
									  InvalidOid, InvalidOid);
	set_opfuncid(clause);
	op->exact = false;
	op->left.type = op->right.type = &spq_type_as_is;
	return clause;
}

/*
 * Return whether two conditions always hold for the same join: both below an
 * outer join or both above it, and at the same level of security.
 */
bool
spq_spatial_belong_together(const RestrictInfo *a, const RestrictInfo *b)
{
	return a->is_pushed_down == b->is_pushed_down && a->security_level == b->security_level &&
		bms_equal(a->required_relids, b->required_relids);
}
