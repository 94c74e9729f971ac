/*-------------------------------------------------------------------------
 *
 * extension_order.h
 *	  Orders by distance for types of other extensions: lower bounds of
 *	  distances, from bounds.  For either number of axes (SPQ_DIM).
 *
 * The distance of two values is at least that of their bounds times a scale,
 * the units of distance in a unit of bounds.  PostGIS' formulas for distances
 * of arcs lose more bits than those for points, so MARGIN is a thousand times
 * what the latter need.
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_EXTENSION_CLASS_EXTENSION_ORDER_H
#define SPQ_RTREE_EXTENSION_CLASS_EXTENSION_ORDER_H

#include "rtree/class/gap.h"
#include "rtree/extension_class/extension_class.h"

#define MARGIN	1e-12

/* How a distance and bounds are related. */
typedef struct Scale
{
	float8		unit;			/* of distances, in that of bounds */
	float8		margin;			/* for each unit of the coordinates; there is
								 * at least one */
} Scale;

static void
scaled_squares(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	const float8 *query = order->numbers;
	const Scale *scale = order->argument;
	float8		margins[SPQ_DIM];

	for (int axis = 0; axis < SPQ_DIM; axis++)
		margins[axis] = scale->margin * (1 + Max(fabs(query[axis]), fabs(query[SPQ_DIM + axis])));
	spq_rtree_least_squares(columns, query, margins, scale->margin, false, squares);
	if (scale->unit != 1)
		for (int i = 0; i < columns->ngroups * SPQ_RTREE_GROUP; i++)
			squares[i] = Min(squares[i] * scale->unit * scale->unit, SPQ_RTREE_MOST_SQUARE);
}

/*
 * Set the order of an ORDER BY key.  "scale" must live as long as the order.
 */
static void
set_order(FunctionCallInfo fcinfo, const Scale *scale)
{
	const ScanKeyData *key = (const ScanKeyData *) PG_GETARG_POINTER(0);
	SpqRtreeOrder *order = (SpqRtreeOrder *) PG_GETARG_POINTER(1);
	const SpqRtreeExtension *extension =
		spq_rtree_extension_type(fcinfo->flinfo, key->sk_subtype, key->sk_subtype, SPQ_DIM);

	if (extension->how.type == NULL)
		elog(ERROR, "bounds of type %u do not have %d axes", extension->type, SPQ_DIM);
	(void) spq_rtree_extension_bounds(extension, key->sk_argument, order->numbers);
	order->distance = spq_rtree_bound_of_row;
	order->least = scaled_squares;
	order->argument = scale;
}

#endif							/* SPQ_RTREE_EXTENSION_CLASS_EXTENSION_ORDER_H */
