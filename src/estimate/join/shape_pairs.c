/*-------------------------------------------------------------------------
 *
 * shape_pairs.c
 *	  Joins of boxes or points with shapes in space whose bounds tell little.
 *
 *		boxes && rays without an end			bounds without an end, too
 *		boxes && frustums, boxes <@ frustums	no bounds
 *		spqtree_dwithin(boxes, segments, d)		bounds of long segments are
 *												mostly empty
 *
 * Some shapes are sampled with their values.  Each is a condition with a
 * constant on the boxes of the other side (window/solid_shape.h); the
 * selectivity of the join is the mean of theirs, and the boxes in any of them
 * are those with a match.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "nodes/nodeFuncs.h"

#include "estimate/cache/cache.h"
#include "estimate/join/selectivity.h"
#include "spatial/distance/distance_clause.h"
#include "types/registry.h"

/*
 * Shapes that are compared with the boxes; of lines more, because they meet few
 * boxes, and take 0.1 ms each.
 */
#define MOST_SHAPES	8
#define MOST_LINES	16

/*
 * Lines whose bounds are looked at, and the part of the boxes meeting these bounds
 * below which the lines themselves are compared.  Otherwise the pairs of all sampled
 * boxes give the better estimate (pair_selectivity.c).
 */
#define FILLED_LINES	64
#define MOSTLY_EMPTY	0.3

/* A side that has shapes, and the condition. */
typedef struct ShapeSide
{
	SpqEstimateExpression shape;
	bool		is_grown;		/* its box in the clause is that of a line ... */
	double		distance;		/* ... grown by this */
	bool		holds;			/* the condition is "box <@ shape" */
	bool		is_left;
} ShapeSide;

/* What an estimate depends on, and the estimate. */
typedef struct Remembered
{
	uint64		boxes;			/* ids of the samples */
	uint64		shapes;
	double		distance;
	double		tuples[2];
	double		fraction;
	SpqEstimateWindow window;
	bool		holds;
	double		inner;
	double		boxes_matched;
	double		shapes_matched;
} Remembered;

#define REMEMBERED	16

static Remembered remembered[REMEMBERED];
static int	next_remembered = 0;

/*
 * If an argument is a line grown by a constant, return the line and set the
 * distance.
 */
static Node *
grown_line(Node *arg, double *distance)
{
	const FuncExpr *expand = (const FuncExpr *) arg;
	const Const *by;

	if (!IsA(expand, FuncExpr) || list_length(expand->args) != 2 ||
		!spq_spatial_is_expand(expand->funcid))
		return NULL;
	by = lsecond(expand->args);
	if (!IsA(by, Const) || by->constisnull || !(DatumGetFloat8(by->constvalue) >= 0))
		return NULL;
	*distance = DatumGetFloat8(by->constvalue);
	return linitial(expand->args);
}

/* Return whether one side of a clause has shapes, and find it. */
static bool
find_shapes(const OpExpr *clause, const SpqSpatialOperator *op, ShapeSide *side)
{
	for (int i = 0; i < 2; i++)
	{
		SpqTypeOperand operand = i == 0 ? op->left : op->right;
		const SpqType *other = i == 0 ? op->right.type : op->left.type;
		SpqRelation in = i == 0 ? SPQ_BOX_CONTAINS : SPQ_BOX_CONTAINED;
		Node	   *arg = list_nth(clause->args, i),
				   *line = grown_line(arg, &side->distance);

		side->is_left = i == 0;
		side->is_grown = line != NULL;
		side->holds = op->relation == in;
		if (!(other->is_box || other->is_point) ||
			(op->relation != SPQ_BOX_OVERLAPS && !side->holds))
			continue;
		if (line)
		{
			operand.type = spq_type_of(exprType(line));
			arg = line;
			if (operand.type && !operand.type->line)
				continue;
		}
		else
			side->distance = 0;
		if (operand.type && spq_estimate_keeps_values(operand.type) &&
			spq_estimate_shape_expression(arg, &operand, &side->shape))
			return true;
	}
	return false;
}

/* Return whether some shapes of a sample have no bounds. */
static bool
have_no_bounds(const SpqEstimateSample *shapes)
{
	for (int i = 0; i < shapes->count; i++)
		for (int end = 0; end < 2 * shapes->axes; end++)
			if (isinf(spq_estimate_high(shapes, i)[end]))
				return true;
	return false;
}

/*
 * Return whether most boxes that meet the bounds of lines, grown by a distance, are
 * not near the lines.
 */
static bool
are_mostly_empty(const SpqEstimateSample *lines, double distance, const SpqEstimateSample *boxes)
{
	int			count = Min(lines->count, FILLED_LINES);
	double		side[SPQ_ESTIMATE_MAX_AXES],
				sum = 0;

	for (int axis = 0; axis < lines->axes; axis++)
		side[axis] = spq_estimate_mean_side(boxes, axis) + 2 * distance;
	for (int i = 0; i < count; i++)
	{
		const float8 *ends = spq_estimate_high(lines, (int) ((int64) i * lines->count / count));
		SpqEstimateFill fill = {.any = true};

		memcpy(fill.high, ends, sizeof(fill.high));
		memcpy(fill.low, ends + lines->axes, sizeof(fill.low));
		sum += spq_estimate_filled(&fill, side);
	}
	return sum < count * MOSTLY_EMPTY;
}

/*
 * Set the windows of some shapes, spread evenly, within a window.  Return their
 * number.
 */
static int
set_windows(const ShapeSide *side, const SpqEstimateSample *shapes,
			const SpqEstimateWindow *within, SpqEstimateWindow *windows)
{
	int			count = Min(shapes->count, shapes->lines ? MOST_LINES : MOST_SHAPES);

	for (int i = 0; i < count; i++)
	{
		int			number = (int) ((int64) i * shapes->count / count);
		const char *value = shapes->values + number * shapes->value_size;
		SpqEstimateShape shape;

		if (side->distance > 0)
			spq_estimate_shape_set_near_line(&shape, side->shape.operand.type, value,
											 side->distance);
		else
			spq_estimate_shape_set(&shape, side->shape.operand.type, value);
		shape.holds = side->holds;
		windows[i] = *within;
		spq_estimate_window_add_shape(&windows[i], &shape);
	}
	return count;
}

/*
 * Compute the estimate of a join of boxes, which are in a window, with shapes.
 */
static void
compare_shapes(const ShapeSide *side, const SpqEstimateSample *boxes,
			   const SpqEstimateSample *shapes, Remembered *estimate)
{
	SpqEstimateWindow *windows = palloc(sizeof(SpqEstimateWindow) * MOST_LINES);
	double		in_window = Max(estimate->fraction, DBL_MIN),
				not_null = (double) shapes->count / Max(shapes->rows, 1),
				any,
				sum,
				seen = 0;
	int			in[MOST_LINES],
				empty = 0;
	int			count = set_windows(side, shapes, &estimate->window, windows);

	any = spq_estimate_in_any_window(windows, count, Max(estimate->tuples[1] * not_null, 1),
									 boxes, estimate->tuples[0], in, &sum);
	for (int i = 0; i < count; i++)
	{
		empty += in[i] == 0;
		seen += (double) in[i] / boxes->rows;
	}
	if (count > 0)
	{
		/* what is left is in shapes that have no row of the sample */
		double		left = Max(sum - seen, boxes->complete ? 0 : 1.0 / boxes->rows) / Max(empty, 1);

		estimate->boxes_matched = Min(any / in_window, 1);
		estimate->inner = Min(sum / count * not_null / in_window, 1);
		estimate->shapes_matched = not_null *
			(count - empty - empty * expm1(-left * estimate->tuples[0])) / count;
	}
	pfree(windows);
}

/*
 * If a clause compares boxes with shapes whose bounds tell little, set the
 * selectivity.  Otherwise return false.
 */
bool
spq_estimate_shape_pairs(PlannerInfo *root, const OpExpr *clause, const SpqSpatialOperator *op,
						 const SpqEstimateSide *left, const SpqEstimateSide *right,
						 SpqEstimateSelectivity *result)
{
	ShapeSide	side;
	const SpqEstimateSide *of_boxes,
			   *of_shapes;
	const SpqEstimateSample *shapes;
	Remembered	estimate;

	memset(&estimate, 0, sizeof(estimate));
	if (op->axes != 3 || !find_shapes(clause, op, &side))
		return false;
	of_boxes = side.is_left ? right : left;
	of_shapes = side.is_left ? left : right;
	if (of_boxes->sample == NULL || of_shapes->rel == NULL || of_shapes->window_known ||
		side.shape.varno != of_shapes->rel->relid)
		return false;
	shapes = spq_estimate_column_sample(root, &side.shape, SPQ_ESTIMATE_JOIN_BLOCK_ROWS,
										&estimate.tuples[1]);
	if (shapes == NULL ||
		!(side.is_grown ? are_mostly_empty(shapes, side.distance, of_boxes->sample) :
		  have_no_bounds(shapes)))
		return false;
	estimate.boxes = of_boxes->sample->id;
	estimate.shapes = shapes->id;
	estimate.distance = side.distance;
	estimate.holds = side.holds;
	estimate.tuples[0] = of_boxes->tuples;
	estimate.tuples[1] = Min(estimate.tuples[1], of_shapes->rows);
	if (of_boxes->window_known)
	{
		estimate.window = of_boxes->window;
		estimate.fraction = of_boxes->in_window;
	}
	else
	{
		spq_estimate_window_init(&estimate.window, op->axes);
		estimate.fraction = 1;
	}
	for (int i = 0; i <= REMEMBERED; i++)
	{
		if (i == REMEMBERED)
		{
			compare_shapes(&side, of_boxes->sample, shapes, &estimate);
			remembered[next_remembered] = estimate;
			next_remembered = (next_remembered + 1) % REMEMBERED;
		}
		else if (memcmp(&remembered[i], &estimate, offsetof(Remembered, inner)) == 0)
		{
			estimate = remembered[i];
			break;
		}
	}
	result->sampled = true;
	result->inner = estimate.inner;
	result->left_fraction = side.is_left ? estimate.shapes_matched : estimate.boxes_matched;
	result->right_fraction = side.is_left ? estimate.boxes_matched : estimate.shapes_matched;
	return true;
}
