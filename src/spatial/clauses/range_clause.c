/*-------------------------------------------------------------------------
 *
 * range_clause.c
 *	  Conditions on two ranges, as conditions on boxes.
 *
 *		a && b		implies		spqtree_range_box(a) && spqtree_range_box(b)
 *		a @> b		...			spqtree_range_box_contains(a) &&
 *								spqtree_range_box_contained(b)
 *		a @> value	...			spqtree_range_box(a) &&
 *								spqtree_interval_box(value, value)
 *		a -|- b		...			spqtree_range_box_adjacent(a) &&
 *								spqtree_range_box_adjacent(b)
 *
 * and likewise for multiranges.  src/range/README.md shows why.  The boxes have
 * no tolerance, and may be infinite: a range without an end is not all of the
 * line (SPQ_SPATIAL_AS_IS).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "range/range_box.h"
#include "spatial/clauses/range_clause.h"
#include "spatial/operators/own_function.h"

/* The names of the C functions begin with these. */
#define RANGE_PREFIX	"spq_range_box_"
#define MULTIRANGE_PREFIX	"spq_multirange_box_"
#define INTERVAL_PREFIX "spq_interval_box_"

/*
 * The fraction of the ranges that touch or overlap which are adjacent.  A guess:
 * it is near 1 for the days of a calendar, and near 0 for bookings.
 */
#define ADJACENT_FRACTION	0.1

typedef struct RangeOperator
{
	Oid			function;
	SpqRangeUse left,
				right;
} RangeOperator;

#define OVERLAP		SPQ_RANGE_OVERLAPS, SPQ_RANGE_OVERLAPS
#define CONTAIN		SPQ_RANGE_CONTAINS, SPQ_RANGE_CONTAINED
#define CONTAINED	SPQ_RANGE_CONTAINED, SPQ_RANGE_CONTAINS
#define ADJACENT	SPQ_RANGE_ADJACENT, SPQ_RANGE_ADJACENT

/* A value in a range is not empty. */
static const RangeOperator operators[] = {
	{F_RANGE_OVERLAPS, OVERLAP},
	{F_RANGE_OVERLAPS_MULTIRANGE, OVERLAP},
	{F_MULTIRANGE_OVERLAPS_RANGE, OVERLAP},
	{F_MULTIRANGE_OVERLAPS_MULTIRANGE, OVERLAP},

	{F_RANGE_CONTAINS, CONTAIN},
	{F_RANGE_CONTAINS_MULTIRANGE, CONTAIN},
	{F_MULTIRANGE_CONTAINS_RANGE, CONTAIN},
	{F_MULTIRANGE_CONTAINS_MULTIRANGE, CONTAIN},
	{F_RANGE_CONTAINS_ELEM, OVERLAP},
	{F_MULTIRANGE_CONTAINS_ELEM, OVERLAP},

	{F_RANGE_CONTAINED_BY, CONTAINED},
	{F_RANGE_CONTAINED_BY_MULTIRANGE, CONTAINED},
	{F_MULTIRANGE_CONTAINED_BY_RANGE, CONTAINED},
	{F_MULTIRANGE_CONTAINED_BY_MULTIRANGE, CONTAINED},
	{F_ELEM_CONTAINED_BY_RANGE, OVERLAP},
	{F_ELEM_CONTAINED_BY_MULTIRANGE, OVERLAP},

	{F_RANGE_ADJACENT, ADJACENT},
	{F_RANGE_ADJACENT_MULTIRANGE, ADJACENT},
	{F_MULTIRANGE_ADJACENT_RANGE, ADJACENT},
	{F_MULTIRANGE_ADJACENT_MULTIRANGE, ADJACENT},
};

static const RangeOperator *
find_operator(Oid function)
{
	for (size_t i = 0; i < lengthof(operators); i++)
		if (operators[i].function == function)
			return &operators[i];
	return NULL;
}

/* Return whether a function returns the box of a range or of an interval. */
bool
spq_spatial_is_range_box(Oid function)
{
	return spq_spatial_own_prefix(function, RANGE_PREFIX) ||
		spq_spatial_own_prefix(function, MULTIRANGE_PREFIX) ||
		spq_spatial_own_prefix(function, INTERVAL_PREFIX) ||
		spq_spatial_own_prefix(function, SPQ_SPATIAL_PLANE_PREFIX);
}

/* Return the box of a range or multirange for this use, or NULL. */
static Node *
range_box(Node *range, bool multirange, SpqRangeUse use)
{
	static const char *const names[] = {
		[SPQ_RANGE_OVERLAPS] = "spqtree_range_box",
		[SPQ_RANGE_ADJACENT] = "spqtree_range_box_adjacent",
		[SPQ_RANGE_CONTAINS] = "spqtree_range_box_contains",
		[SPQ_RANGE_CONTAINED] = "spqtree_range_box_contained"
	};
	Oid			type = multirange ? ANYMULTIRANGEOID : ANYRANGEOID;
	Oid			function = spq_spatial_own_function(names[use], multirange ? MULTIRANGE_PREFIX :
													RANGE_PREFIX, 1, &type);

	if (!OidIsValid(function))
		return NULL;
	return (Node *) makeFuncExpr(function, BOXOID, list_make1(range), InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/*
 * Return the box of all values from one to another one, or NULL if their types
 * have no numbers.
 */
Node *
spq_spatial_interval(Node *lower, Node *upper, bool lower_inclusive, bool upper_inclusive)
{
	Oid			types[] = {ANYOID, ANYOID, TEXTOID};
	Oid			function;
	const char	bounds[] = {lower_inclusive ? '[' : '(', upper_inclusive ? ']' : ')', '\0'};
	Const	   *marks;

	if (spq_number_kind(exprType(lower)) == SPQ_NUMBER_NONE ||
		spq_number_kind(exprType(upper)) == SPQ_NUMBER_NONE)
		return NULL;
	function = spq_spatial_own_function("spqtree_interval_box", INTERVAL_PREFIX,
										lengthof(types), types);
	if (!OidIsValid(function))
		return NULL;
	marks = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(bounds), false,
					  false);
	return (Node *) makeFuncExpr(function, BOXOID, list_make3(lower, upper, marks), InvalidOid,
								 DEFAULT_COLLATION_OID, COERCE_EXPLICIT_CALL);
}

/*
 * Return whether boxes may stand for the values of an argument of a range
 * operator.  "type" is the argument's type in the declaration of the operator.
 */
static bool
has_box(Oid type, Node *argument, SpqRangeUse use)
{
	SpqRangeType range = {.type = InvalidOid};
	Oid			argument_type = getBaseType(exprType(argument));

	if (type == ANYELEMENTOID)
		return spq_number_kind(argument_type) != SPQ_NUMBER_NONE;
	if (!type_is_range(argument_type) && !type_is_multirange(argument_type))
		return false;
	spq_range_type(&range, argument_type);

	/* PostgreSQL's canonical functions exclude the upper bound */
	return range.kind != SPQ_NUMBER_NONE &&
		(use != SPQ_RANGE_ADJACENT ||
		 range.range->rng_canonical_finfo.fn_oid < FirstNormalObjectId);
}

/*
 * Return whether the numbers of an argument's values are within a few units in the
 * last place of them.
 */
static bool
is_clear(Oid type, Node *argument)
{
	SpqRangeType range = {.type = InvalidOid};
	Oid			argument_type = getBaseType(exprType(argument));

	if (type == ANYELEMENTOID)
		return spq_number_is_close(spq_number_kind(argument_type));
	spq_range_type(&range, argument_type);
	return spq_number_is_close(range.kind);
}

/* Return the box of an argument, or NULL. */
static Node *
argument_box(Oid type, Node *argument, SpqRangeUse use)
{
	if (type == ANYELEMENTOID)
		return spq_spatial_interval(argument, argument, true, true);
	return range_box(argument, type == ANYMULTIRANGEOID, use);
}

/*
 * Find the operator of a clause that compares two ranges for which there are boxes,
 * and set the boxes.  Return NULL if the clause is something else.
 */
static const RangeOperator *
take_clause(Node *clause, Node **left_box, Node **right_box, bool *clear)
{
	const OpExpr *comparison = (OpExpr *) clause;
	const RangeOperator *known;
	Node	   *left,
			   *right;
	Oid			left_type,
				right_type;

	if (!IsA(clause, OpExpr) || list_length(comparison->args) != 2)
		return NULL;
	known = find_operator(get_opcode(comparison->opno));
	if (!known)
		return NULL;
	left = linitial(comparison->args);
	right = lsecond(comparison->args);
	op_input_types(comparison->opno, &left_type, &right_type);
	if (!has_box(left_type, left, known->left) || !has_box(right_type, right, known->right))
		return NULL;
	*left_box = argument_box(left_type, left, known->left);
	*right_box = argument_box(right_type, right, known->right);
	*clear = left_type != ANYMULTIRANGEOID && right_type != ANYMULTIRANGEOID &&
		is_clear(left_type, left) && is_clear(right_type, right);
	return *left_box && *right_box ? known : NULL;
}

/*
 * If a condition of a join requires that two ranges overlap, or that a value is in a
 * range, set their boxes.  Otherwise return false.
 */
bool
spq_spatial_range_line(RestrictInfo *rinfo, SpqSpatialLine *line)
{
	const RangeOperator *known;

	if (!rinfo->can_join)
		return false;
	known = take_clause((Node *) rinfo->clause, &line->left, &line->right, &line->clear);
	if (known == NULL || known->left != SPQ_RANGE_OVERLAPS)
		return false;
	line->left_relids = rinfo->left_relids;
	line->right_relids = rinfo->right_relids;
	line->conditions = list_make1(rinfo);
	return true;
}

/*
 * If a clause requires that a range contains another one, or is adjacent to it,
 * return the condition on boxes that it implies, and describe the operator.
 * Otherwise return NULL.
 */
OpExpr *
spq_spatial_range_clause(Node *clause, SpqSpatialOperator *op)
{
	Node	   *left,
			   *right;
	bool		clear;
	const RangeOperator *known = take_clause(clause, &left, &right, &clear);
	OpExpr	   *implied;

	if (known == NULL || known->left == SPQ_RANGE_OVERLAPS)
		return NULL;
	implied = spq_spatial_boxes_overlap(left, right, op);
	if (implied == NULL)
		return NULL;
	if (known->left == SPQ_RANGE_CONTAINS)
		op->relation = SPQ_BOX_CONTAINS;
	else if (known->left == SPQ_RANGE_CONTAINED)
		op->relation = SPQ_BOX_CONTAINED;
	else
		op->fraction = ADJACENT_FRACTION;
	return implied;
}
