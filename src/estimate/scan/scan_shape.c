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

#include "access/transam.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "estimate/scan/scan_shape.h"
#include "spatial/operators/own_function.h"

/*
 * The operators of frustums, by the symbols of their functions.  A frustum
 * need not have bounds, so src/spatial does not know them.
 */
static const char *const frustum_symbols[] = {
	"spq_box3_overlaps_frustum3", "spq_frustum3_overlaps_box3",
	"spq_box3_in_frustum3", "spq_frustum3_contains_box3",
	"spq_point3_in_frustum3", "spq_frustum3_contains_point3"
};

/*
 * The relation and the kind of the column, for each of them.  A sphere stands
 * for the frustum, whose kind is not used.
 */
#define FRUSTUM(relation_, left_, right_) \
	{.axes = 3,.predicate = SPQ_BOX_OVERLAPS,.relation = relation_,.fraction = 1, \
	.left = {left_, InvalidOid},.right = {right_, InvalidOid}}

static const SpqSpatialOperator frustum_operators[] = {
	FRUSTUM(SPQ_BOX_OVERLAPS, SPQ_SPATIAL_BOX3, SPQ_SPATIAL_SPHERE3),
	FRUSTUM(SPQ_BOX_OVERLAPS, SPQ_SPATIAL_SPHERE3, SPQ_SPATIAL_BOX3),
	FRUSTUM(SPQ_BOX_CONTAINED, SPQ_SPATIAL_BOX3, SPQ_SPATIAL_SPHERE3),
	FRUSTUM(SPQ_BOX_CONTAINS, SPQ_SPATIAL_SPHERE3, SPQ_SPATIAL_BOX3),
	FRUSTUM(SPQ_BOX_OVERLAPS, SPQ_SPATIAL_POINT3, SPQ_SPATIAL_SPHERE3),
	FRUSTUM(SPQ_BOX_OVERLAPS, SPQ_SPATIAL_SPHERE3, SPQ_SPATIAL_POINT3),
};

StaticAssertDecl(lengthof(frustum_symbols) == lengthof(frustum_operators),
				 "each operator has a function");

/*
 * Return whether scans can estimate this operator, and set what is known of
 * it.
 */
bool
spq_estimate_scan_operator(Oid opno, SpqSpatialOperator *op, bool *frustum)
{
	int			place;

	*frustum = false;
	if (spq_spatial_operator(opno, op))
		return true;
	if (opno < FirstNormalObjectId)
		return false;
	place = spq_spatial_own_symbol(get_opcode(opno), frustum_symbols,
								   lengthof(frustum_symbols));
	if (place < 0)
		return false;
	*op = frustum_operators[place];
	*frustum = true;
	return true;
}

/* A sphere is stored as its center, followed by its radius. */
#define POINT3_NUMBERS	3
#define SPHERE3_NUMBERS 4

static bool
is_column_of_boxes(SpqSpatialKind kind)
{
	return kind == SPQ_SPATIAL_BOX3 || kind == SPQ_SPATIAL_POINT3;
}

/*
 * If the condition is spqtree_dwithin() of a column and constants, set the
 * shape: everything within the distance of the constant, which is a box, a
 * point or a sphere.  "window" is the bounding box of the shape.  Otherwise
 * return false.
 */
static bool
shape_within(PlannerInfo *root, bool column_is_left, const FuncExpr *within,
			 const Const *window, SpqEstimateShape *shape)
{
	Node	   *arg = column_is_left ? lsecond(within->args) : linitial(within->args);
	const Const *constant = (Const *) estimate_expression_value(root, arg),
			   *distance = (Const *) estimate_expression_value(root, lthird(within->args));
	float8		ends[SPQ_SPATIAL_NUMBERS];
	SpqSpatialOperand operand = {SPQ_SPATIAL_POINT3, InvalidOid};
	SpqSpatialBoxOf bounds;
	float8		radius = 0;

	if (!IsA(constant, Const) || constant->constisnull ||
		!IsA(distance, Const) || distance->constisnull)
		return false;
	if (exprType(arg) == window->consttype)
		operand.kind = SPQ_SPATIAL_BOX3;
	else if (get_typlen(exprType(arg)) == SPHERE3_NUMBERS * sizeof(float8))
		radius = ((float8 *) DatumGetPointer(constant->constvalue))[SPHERE3_NUMBERS - 1];
	else if (get_typlen(exprType(arg)) != POINT3_NUMBERS * sizeof(float8))
		return false;
	spq_spatial_box_init(&bounds, &operand, true, InvalidOid);
	spq_spatial_numbers_of(&bounds, constant->constvalue, ends);
	spq_estimate_shape_set(shape, SPQ_ESTIMATE_NEAR_BOX3, ends);
	shape->distance = DatumGetFloat8(distance->constvalue) + radius;
	return true;
}

/*
 * If the condition is that a box or a point of three dimensions meets a shape
 * or lies in it, set the shape.  Otherwise return false.
 */
bool
spq_estimate_scan_shape(PlannerInfo *root, const SpqSpatialOperator *op,
						bool column_is_left, bool frustum, const FuncExpr *within,
						const Const *constant, SpqEstimateShape *shape)
{
	const SpqSpatialOperand *column = column_is_left ? &op->left : &op->right,
			   *other = column_is_left ? &op->right : &op->left;
	SpqRelation in = column_is_left ? SPQ_BOX_CONTAINED : SPQ_BOX_CONTAINS;
	SpqEstimateShapeKind kind;

	if (op->axes != 3 || !is_column_of_boxes(column->kind))
		return false;
	if (within)
		return shape_within(root, column_is_left, within, constant, shape);
	if (frustum)
		kind = SPQ_ESTIMATE_FRUSTUM3;
	else if (other->kind == SPQ_SPATIAL_SPHERE3)
		kind = SPQ_ESTIMATE_SPHERE3;
	else if (other->kind == SPQ_SPATIAL_RAY3)
		kind = SPQ_ESTIMATE_RAY3;
	else if (other->kind == SPQ_SPATIAL_LSEG3)
		kind = SPQ_ESTIMATE_LSEG3;
	else
		return false;
	if (op->relation != in && op->relation != SPQ_BOX_OVERLAPS)
		return false;
	spq_estimate_shape_set(shape, kind, DatumGetPointer(constant->constvalue));
	shape->holds = op->relation == in;
	return true;
}
