/*-------------------------------------------------------------------------
 *
 * scan_condition.c
 *	  A condition on a column of a relation and a value, or another column.
 *
 *		b && box '...'			a constant
 *		b && (SELECT ...)		what a subquery selects
 *		b && other				another column of the same row
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/geo_decls.h"

#include "estimate/scan/scan.h"
#include "estimate/scan/scan_condition.h"
#include "spatial/distance/compared_distance.h"
#include "spatial/distance/distance_clause.h"
#include "spatial/extension/extension_clause.h"
#include "spatial/lines/range_clause.h"
#include "types/registry.h"

/*
 * The fraction of its box that a constant of another extension's type is
 * assumed to fill.  A window fills all of it, a circle 0.79, administrative
 * areas 0.6.
 */
#define EXTENSION_FILLED	0.8

/*
 * Return the fraction of its window that is within a distance of a constant, if
 * the clause is spqtree_dwithin() with constants and the type tells; otherwise
 * -1.
 */
static double
filled_near_constant(PlannerInfo *root, const FuncExpr *within)
{
	Const	   *distance = (Const *) estimate_expression_value(root, lthird(within->args));

	if (!IsA(distance, Const) || distance->constisnull)
		return -1;
	for (int side = 0; side < 2; side++)
	{
		Node	   *arg = list_nth(within->args, side);
		const SpqType *type = spq_type_of(exprType(arg));

		if (type == NULL || type->filled_near == NULL)
			continue;
		arg = estimate_expression_value(root, arg);
		if (IsA(arg, Const) && !((Const *) arg)->constisnull)
			return type->filled_near(((Const *) arg)->constvalue,
									 DatumGetFloat8(distance->constvalue));
	}
	return -1;
}

/* Return whether a clause compares two expressions with columns. */
static bool
compares_columns(Node *clause)
{
	const OpExpr *op = (OpExpr *) clause;

	return is_opclause(clause) && list_length(op->args) == 2 &&
		contain_var_clause(linitial(op->args)) && contain_var_clause(lsecond(op->args));
}

/*
 * Return the operator that a clause on a relation is or implies, and set what
 * is known of the condition.  Return NULL if there is none.  Of ranges, only
 * columns have one: PostgreSQL has statistics for constants.
 */
static OpExpr *
spatial_operator(PlannerInfo *root, const RelOptInfo *rel, Node *clause,
				 SpqEstimateCondition *condition)
{
	/*
	 * both arguments may be of this relation, as if it were joined with
	 * itself
	 */
	const SpqSpatialSides sides = {rel->relids, rel->relids};
	OpExpr	   *op = (OpExpr *) clause;

	condition->filled = -1;
	condition->within = NULL;
	condition->of_extension = false;
	if (is_opclause(clause) && list_length(op->args) == 2 &&
		spq_spatial_scan_operator(op->opno, &condition->op))
		return op;
	op = spq_spatial_within_clause(root, clause, &sides, &condition->op);
	if (op)
	{
		condition->within = (FuncExpr *) clause;
		condition->filled = filled_near_constant(root, condition->within);
		return op;
	}
	op = spq_spatial_compared_clause(root, clause, &sides, &condition->op);
	if (op)
	{
		condition->filled = condition->op.fraction;
		return op;
	}
	op = compares_columns(clause) ? spq_spatial_range_clause(clause, true, &condition->op) : NULL;
	if (op)
		return op;
	op = spq_spatial_extension_clause(root, clause, &sides, &condition->op);
	condition->of_extension = op != NULL;
	if (op && condition->op.fraction < 1)
		condition->filled = EXTENSION_FILLED;
	return op;
}

/*
 * Find what a clause compares a column of this relation with.  Set the column, and
 * return the other expression: a constant, one that is the same for all rows, or
 * one of the same row.  Return NULL if the clause is not such a condition.
 */
static Node *
find_other(PlannerInfo *root, const RelOptInfo *rel, Node *clause,
		   SpqEstimateCondition *condition)
{
	OpExpr	   *op = spatial_operator(root, rel, clause, condition);
	Node	   *other = NULL;

	if (!op || OidIsValid(condition->op.left.function) || OidIsValid(condition->op.right.function))
		return NULL;
	for (int side = 0; side < 2 && !other; side++)
	{
		condition->column_is_left = side == 0;
		if (spq_estimate_expression(list_nth(op->args, side),
									side == 0 ? &condition->op.left : &condition->op.right,
									&condition->column) &&
			condition->column.varno == rel->relid)
			other = list_nth(op->args, 1 - side);
	}
	return other;
}

/*
 * Return whether a clause is a condition on a column of this relation and an
 * expression that is the same for all its rows.  Set that to "other".
 */
bool
spq_estimate_column_condition(PlannerInfo *root, const RelOptInfo *rel, Node *clause,
							  SpqEstimateCondition *condition, Node **other)
{
	*other = find_other(root, rel, clause, condition);
	return *other && (IsA(*other, Const) || !contain_var_clause(*other));
}

/*
 * Return whether a clause is a condition on a column of this relation and a
 * constant, an expression that the planner can estimate as one, what a subquery
 * selects, or another column of the same row.
 */
bool
spq_estimate_find_condition(PlannerInfo *root, const RelOptInfo *rel, Node *clause,
							SpqEstimateCondition *condition)
{
	Node	   *other = find_other(root, rel, clause, condition);
	const SpqTypeOperand *operand = condition->column_is_left ? &condition->op.right :
		&condition->op.left;

	condition->constant = NULL;
	condition->of_row = false;
	if (!other)
		return false;
	if (!IsA(other, Const) && contain_var_clause(other))
	{
		condition->of_row = spq_estimate_expression(other, operand, &condition->other) &&
			condition->other.varno == rel->relid;
		return condition->of_row;
	}
	other = spq_estimate_value(root, other, &condition->below);
	if (!other)
		return false;
	if (IsA(other, Const))
		condition->constant = (Const *) other;
	return condition->constant || spq_estimate_expression(other, operand, &condition->other);
}

/*
 * Return the fraction for a column of lines or spheres in space and a box,
 * from the centers that a line or a sphere of mean size may have.
 */
static double
solid_fraction(const SpqSpatialOperator *op, const SpqEstimateSample *sample,
			   const float8 *ends)
{
	SpqEstimateFill fill = {.any = true};
	double		side[SPQ_ESTIMATE_MAX_AXES];

	if (op->relation != SPQ_BOX_OVERLAPS || (!sample->lines && op->left.type == op->right.type))
		return op->fraction;
	if (!sample->lines)
		fill.volume = M_PI / 6;
	for (int axis = 0; axis < sample->axes; axis++)
	{
		if (!sample->lines)
			fill.shadow[axis] = M_PI / 4;
		fill.high[axis] = spq_estimate_mean_side(sample, axis);
		side[axis] = ends[axis] - ends[sample->axes + axis];
	}
	return spq_estimate_filled(&fill, side);
}

/*
 * Return the fraction of the boxes in a window that satisfy the condition.
 *
 * Boxes of w x h overlap a convex shape of area A in a bounding box of W x H
 * if their centers are in an area of A + w H + h W + w h.  They overlap the
 * bounding box if their centers are in (W + w) (H + h), which is larger by W H
 * - A.
 */
static double
condition_fraction(const SpqEstimateCondition *condition, const SpqEstimateSample *sample,
				   const float8 *ends)
{
	const SpqSpatialOperator *op = &condition->op;
	const SpqTypeOperand *constant = condition->column_is_left ? &op->right : &op->left;
	bool		is_known = condition->filled >= 0;
	double		filled = is_known ? condition->filled :
		constant->type->filled ? constant->type->filled(condition->constant->constvalue) :
		op->fraction,
				missing = 1 - filled;

	if (sample->axes == 3)
		return op->exact ? 1 : solid_fraction(op, sample, ends);
	/* points in a known polygon */
	if (condition->column.operand.type->is_point)
		return filled;
	if (!condition->column.operand.type->is_box || op->exact)
		return op->fraction;
	if (op->relation != SPQ_BOX_OVERLAPS)
		return filled;
	if (constant->type->is_box && !is_known)
		return op->fraction;
	for (int axis = 0; axis < sample->axes; axis++)
	{
		double		side = ends[axis] - ends[sample->axes + axis];

		if (side > 0)
			missing *= side / (side + spq_estimate_mean_side(sample, axis));
	}
	return missing >= 0 && missing <= 1 ? 1 - missing : op->fraction;
}

/*
 * Add a condition on a constant to the window of its column, as a condition on the
 * box of the constant, or on its shape.
 */
void
spq_estimate_add_condition(PlannerInfo *root, const SpqEstimateCondition *condition,
						   const SpqEstimateSample *sample, SpqEstimateWindow *window)
{
	SpqEstimateShape shape;
	SpqTypeBoxOf bounds;
	float8		ends[SPQ_ESTIMATE_ENDS];

	if (spq_estimate_scan_shape(root, &condition->op, condition->column_is_left,
								condition->within, condition->constant, &shape))
	{
		spq_estimate_window_add_shape(window, &shape);
		return;
	}
	/* without margins, as in the sample */
	spq_type_box_init(&bounds, condition->column_is_left ? &condition->op.right :
					  &condition->op.left, true, InvalidOid);
	spq_type_box_of(&bounds, condition->constant->constvalue, ends);
	spq_estimate_window_add(window, condition->op.relation,
							condition_fraction(condition, sample, ends), ends,
							condition->column_is_left);
}
