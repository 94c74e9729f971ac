/*-------------------------------------------------------------------------
 *
 * scan_shape.c
 *	  The conditions of a scan that have a shape of three dimensions.
 *
 * In the plane a shape is estimated by the fraction of its bounding box that
 * it fills.  In space that fraction may be almost 0: a ray has no volume, and
 * a ray or a frustum may have no bounds.  So the shape itself is compared with
 * the boxes of the sample (solid_shape.h), if the column is one of boxes or
 * points.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "estimate/scan/scan.h"
#include "types/registry.h"

/*
 * If the condition is spqtree_dwithin() of a column and constants, set the
 * shape: everything within the distance of the constant.  Otherwise return
 * false.
 */
static bool
shape_within(PlannerInfo *root, bool column_is_left, const FuncExpr *within,
			 SpqEstimateShape *shape)
{
	Node	   *arg = column_is_left ? lsecond(within->args) : linitial(within->args);
	const Const *constant = (Const *) estimate_expression_value(root, arg),
			   *distance = (Const *) estimate_expression_value(root, lthird(within->args));
	const SpqType *type = spq_type_of(exprType(arg));
	float8		box[SPQ_TYPE_NUMBERS],
				radius;

	if (type == NULL || (type->core == NULL && (type->line == NULL || type->meets == NULL)) ||
		!IsA(constant, Const) || constant->constisnull ||
		!IsA(distance, Const) || distance->constisnull)
		return false;
	if (type->core == NULL)
	{
		spq_estimate_shape_set_near_line(shape, type, DatumGetPointer(constant->constvalue),
										 DatumGetFloat8(distance->constvalue));
		return true;
	}
	radius = type->core(DatumGetPointer(constant->constvalue), box);
	spq_estimate_shape_set_near(shape, box, DatumGetFloat8(distance->constvalue) + radius);
	return true;
}

/*
 * If the condition is that a box or a point of three dimensions meets a shape
 * or lies in it, set the shape.  Otherwise return false.
 */
bool
spq_estimate_scan_shape(PlannerInfo *root, const SpqSpatialOperator *op,
						bool column_is_left, const FuncExpr *within,
						const Const *constant, SpqEstimateShape *shape)
{
	const SpqType *column = column_is_left ? op->left.type : op->right.type,
			   *other = column_is_left ? op->right.type : op->left.type;
	SpqRelation in = column_is_left ? SPQ_BOX_CONTAINED : SPQ_BOX_CONTAINS;

	if (op->axes != 3 || !(column->is_box || column->is_point))
		return false;
	if (within)
		return shape_within(root, column_is_left, within, shape);
	if (other->meets == NULL || (op->relation != in && op->relation != SPQ_BOX_OVERLAPS))
		return false;
	spq_estimate_shape_set(shape, other, DatumGetPointer(constant->constvalue));
	shape->holds = op->relation == in;
	return true;
}
