/*-------------------------------------------------------------------------
 *
 * range_clause.c
 *	  Conditions on two ranges, as conditions on boxes.
 *
 *		a && b		implies		_spqtree_range_box(a) && _spqtree_range_box(b)
 *		a @> b		...			_spqtree_range_box_contains(a) &&
 *								_spqtree_range_box_contained(b)
 *		a @> value	...			_spqtree_range_box(a) &&
 *								_spqtree_interval_box(value, value)
 *		a -|- b		...			_spqtree_range_box_adjacent(a) &&
 *								_spqtree_range_box_adjacent(b)
 *
 * and likewise for multiranges.  src/range/README.md shows why.  The boxes have
 * no tolerance, and may be infinite: a range without an end is not all of the
 * line (spq_type_as_is).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "range/range_box.h"
#include "spatial/lines/range_clause.h"

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

/*
 * Return how the values of an argument of a range operator become numbers, or NONE
 * if no boxes may stand for them.  "type" is the argument's type in the declaration
 * of the operator.
 */
static SpqNumberKind
argument_kind(Oid type, Node *argument, SpqRangeUse use)
{
	SpqRangeType range = {.type = InvalidOid};
	Oid			argument_type = getBaseType(exprType(argument));

	if (type == ANYELEMENTOID)
		return spq_number_kind(argument_type);
	if (!type_is_range(argument_type) && !type_is_multirange(argument_type))
		return SPQ_NUMBER_NONE;
	spq_range_type(&range, argument_type);
	if (use == SPQ_RANGE_ADJACENT && spq_range_may_skip_values(&range))
		return SPQ_NUMBER_NONE;
	return range.kind;
}

/* Return the box of an argument, or NULL. */
static Node *
argument_box(Oid type, Node *argument, SpqRangeUse use)
{
	if (type == ANYELEMENTOID)
		return spq_spatial_interval_box(argument, argument, true, true, 0, 0);
	return spq_spatial_range_box(argument, type == ANYMULTIRANGEOID, use);
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
	SpqNumberKind left_kind,
				right_kind;

	if (!IsA(clause, OpExpr) || list_length(comparison->args) != 2)
		return NULL;
	known = find_operator(get_opcode(comparison->opno));
	if (!known)
		return NULL;
	left = linitial(comparison->args);
	right = lsecond(comparison->args);
	op_input_types(comparison->opno, &left_type, &right_type);
	left_kind = argument_kind(left_type, left, known->left);
	right_kind = argument_kind(right_type, right, known->right);
	if (left_kind == SPQ_NUMBER_NONE || right_kind == SPQ_NUMBER_NONE)
		return NULL;
	*left_box = argument_box(left_type, left, known->left);
	*right_box = argument_box(right_type, right, known->right);
	*clear = left_type != ANYMULTIRANGEOID && right_type != ANYMULTIRANGEOID &&
		spq_number_is_close(left_kind) && spq_number_is_close(right_kind);
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
 * If a clause requires that a range contains another one, or is adjacent to it, or
 * (if "overlaps") that they overlap, return the condition on boxes that it implies,
 * and describe the operator.  Otherwise return NULL.
 */
OpExpr *
spq_spatial_range_clause(Node *clause, bool overlaps, SpqSpatialOperator *op)
{
	Node	   *left,
			   *right;
	bool		clear;
	const RangeOperator *known = take_clause(clause, &left, &right, &clear);
	OpExpr	   *implied;

	if (known == NULL || (known->left == SPQ_RANGE_OVERLAPS && !overlaps))
		return NULL;
	implied = spq_spatial_boxes_overlap(left, right, op);
	if (implied == NULL)
		return NULL;
	if (known->left == SPQ_RANGE_CONTAINS)
		op->relation = SPQ_BOX_CONTAINS;
	else if (known->left == SPQ_RANGE_CONTAINED)
		op->relation = SPQ_BOX_CONTAINED;
	else if (known->left == SPQ_RANGE_ADJACENT)
		op->fraction = ADJACENT_FRACTION;
	return implied;
}
