/*-------------------------------------------------------------------------
 *
 * point_class.c
 *	  The operator class for points: support functions.  See class.h.
 *
 * The ends of a point are x, y, x, y: a box without extent, which begins with
 * the image of the point.  So all answers are exact: if comparisons do not
 * express an operator, it is computed for the point in the leaf.  Operators
 * with other shapes may raise an error.  The functions called here do not
 * (shapes/geometry/quiet.h): where the operator would, they leave the row to the
 * executor, which evaluates the operator if the row is visible.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"

#include "box/distance.h"
#include "rtree/class/box_condition.h"
#include "rtree/class/gap.h"
#include "rtree/class/shape.h"
#include "shapes/geometry/quiet.h"
#include "types/registry.h"

StaticAssertDecl(SPQ_DIM == 2, "the type point has two axes");

/* point ?| point, point ?- point: the same x, the same y */
#define VERTICAL_STRATEGY	31
#define HORIZONTAL_STRATEGY	32

PG_FUNCTION_INFO_V1(spq_rtree_point_ends);
PG_FUNCTION_INFO_V1(spq_rtree_point_condition);
PG_FUNCTION_INFO_V1(spq_rtree_point_order);

/*
 * _spqtree_point_ends(point, internal) returns void
 *
 * The ends are those of a leaf of points (spq_rtree_get_ends()).  A point with
 * a NaN can be anywhere: for PostgreSQL, (1,NaN) is in each polygon on its
 * right.  NaN as both low ends makes its bounds the whole plane, and keeps the
 * image.
 */
Datum
spq_rtree_point_ends(PG_FUNCTION_ARGS)
{
	const Point *point = PG_GETARG_POINT_P(0);
	float8	   *ends = (float8 *) PG_GETARG_POINTER(1);

	memcpy(ends, point, sizeof(Point));
	if (unlikely(isnan(point->x) || isnan(point->y)))
		ends[SPQ_DIM] = ends[SPQ_DIM + 1] = get_float8_nan();
	else
		memcpy(ends + SPQ_DIM, point, sizeof(Point));
	PG_RETURN_VOID();
}

/* Require that a coordinate equals the query's, within EPSILON. */
static void
compare_same(SpqRtreeCondition *condition, int axis, float8 value)
{
	spq_rtree_compare(condition, axis, true,
					  spq_box_greatest_low(SPQ_BOX_COMPARE_SAME, value));
	spq_rtree_compare(condition, axis, false,
					  spq_box_least_high(SPQ_BOX_COMPARE_SAME, value));
}

#define ASK_SHAPE(kind, condition, get_argument) \
static SpqRtreeAnswer \
ask_##kind(const ScanKeyData *key, Datum argument, const float8 *ends) \
{ \
	bool		raises = false, \
				result = condition((const Point *) ends, get_argument(argument), &raises); \
\
	return raises ? SPQ_RTREE_RECHECK : result ? SPQ_RTREE_YES : SPQ_RTREE_NO; \
} \
extern int	no_such_variable

/* the access method has detoasted these */
#define POLYGON_ARGUMENT(argument)	((const POLYGON *) DatumGetPointer(argument))
#define PATH_ARGUMENT(argument)		((const PATH *) DatumGetPointer(argument))

ASK_SHAPE(circle, spq_quiet_in_circle, DatumGetCircleP);
ASK_SHAPE(polygon, spq_quiet_in_polygon, POLYGON_ARGUMENT);
ASK_SHAPE(segment, spq_quiet_on_segment, DatumGetLsegP);
ASK_SHAPE(path, spq_quiet_on_path, PATH_ARGUMENT);

static float8
distance_from_box(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_box_point_distance(order->argument, (const Point *) ends);
}

static float8
distance_from_circle(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_quiet_circle_distance((const Point *) ends, order->argument);
}

static float8
distance_from_polygon(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_quiet_polygon_distance((const Point *) ends, order->argument);
}

static float8
distance_from_segment(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_quiet_segment_distance((const Point *) ends, order->argument);
}

static float8
distance_from_path(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_quiet_path_distance((const Point *) ends, order->argument);
}

/* The other types of arguments. */
static const struct Other
{
	const SpqType *type;
	SpqRtreeAsk ask;			/* is the point in it? */
	float8		(*distance) (const SpqRtreeOrder *order, const float8 *ends);
}			others[] = {
	{&spq_type_box, NULL, distance_from_box},
	{&spq_type_circle, ask_circle, distance_from_circle},
	{&spq_type_polygon, ask_polygon, distance_from_polygon},
	{&spq_type_lseg, ask_segment, distance_from_segment},
	{&spq_type_path, ask_path, distance_from_path},
};

static const struct Other *
find_other(const SpqType *type)
{
	for (size_t i = 0; i < lengthof(others); i++)
		if (others[i].type == type)
			return &others[i];
	return NULL;
}

/* Return the corners of an argument, which is a point or a box. */
static SpqBoxCorners
corners_of(const SpqType *type, const void *argument)
{
	if (type->is_box)
		return spq_box_corners(argument);
	return (SpqBoxCorners)
	{
		.high = argument,.low = argument
	};
}

/*
 * _spqtree_point_condition(internal, internal) returns void
 *
 * A point compares with a point or a box as a box without extent does, to the
 * last bit (box/relation.h).  For other shapes, comparisons only exclude rows,
 * and the operator decides.
 */
Datum
spq_rtree_point_condition(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeCondition *condition = (SpqRtreeCondition *) PG_GETARG_POINTER(1);
	StrategyNumber strategy = key->sk_strategy;
	const SpqTypeOperator *row;

	condition->ncomparisons = 0;
	condition->exact = true;
	condition->ask = NULL;
	if (strategy == VERTICAL_STRATEGY || strategy == HORIZONTAL_STRATEGY)
	{
		int			axis = strategy == HORIZONTAL_STRATEGY;

		compare_same(condition, axis, ((const float8 *) DatumGetPointP(key->sk_argument))[axis]);
		PG_RETURN_VOID();
	}
	if (strategy == RTOldBelowStrategyNumber)
		strategy = RTBelowStrategyNumber;
	if (strategy == RTOldAboveStrategyNumber)
		strategy = RTAboveStrategyNumber;

	row = spq_type_class_row(&spq_type_point, strategy);
	if (row->relation == SPQ_BOX_SAME)
		spq_rtree_compare_same_corner(condition, SPQ_BOX_HIGH_END,
									  (const float8 *) DatumGetPointP(key->sk_argument));
	else if (row->fraction == SPQ_TYPE_EXACT)
		*condition = spq_rtree_box_comparisons(row->relation,
											   corners_of(row->right, DatumGetPointer(key->sk_argument)));
	else
	{
		SpqRtreeShape shape = spq_rtree_shape(key, row);

		spq_rtree_shape_condition(&shape, condition);
		condition->ask = find_other(row->right)->ask;
	}
	PG_RETURN_VOID();
}

static float8
distance_from_point(const SpqRtreeOrder *order, const float8 *ends)
{
	return spq_point_distance((const Point *) ends, (const Point *) order->numbers);
}

/* Nothing is fuzzy here, so the gaps need no margin. */
static void
least_from_point(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	const float8 margins[SPQ_DIM] = {0};
	float8		query[SPQ_RTREE_ENDS];

	/* a copy, which stores into "squares" cannot change */
	memcpy(query, order->numbers, sizeof(query));
	if (columns->of_rows)
		spq_rtree_point_squares(columns, query, squares);
	else
		spq_rtree_least_squares(columns, query, margins, 0, false, squares);
}

/*
 * _spqtree_point_order(internal, internal) returns void
 */
Datum
spq_rtree_point_order(PG_FUNCTION_ARGS)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeOrder *order = (SpqRtreeOrder *) PG_GETARG_POINTER(1);

	order->argument = DatumGetPointer(key->sk_argument);
	if (key->sk_strategy == RTKNNSearchStrategyNumber)
	{
		Point	   *point = DatumGetPointP(key->sk_argument);

		order->distance = distance_from_point;
		order->least = least_from_point;
		memcpy(order->numbers, point, sizeof(Point));
		memcpy(order->numbers + SPQ_DIM, point, sizeof(Point));
	}
	else
	{
		const SpqTypeOperator *row = spq_type_class_row(&spq_type_point, key->sk_strategy);
		SpqRtreeShape shape = spq_rtree_shape(key, row);

		order->distance = find_other(row->right)->distance;
		order->least = spq_rtree_shape_least;
		memcpy(order->numbers, &shape.box, sizeof(SpqBox));
	}
	PG_RETURN_VOID();
}
