/*-------------------------------------------------------------------------
 *
 * extension_order.h
 *	  Orders by distance for types of other extensions: lower bounds of
 *	  distances, from bounds.  For either number of axes (SPQ_DIM).
 *
 * The distance of two values is at least that of their bounds times a scale,
 * the units of distance in a unit of bounds.  PostGIS' formulas for distances
 * of arcs lose more bits than those for points, so the margin is a thousand
 * times what the latter need.
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_EXTENSION_CLASS_EXTENSION_ORDER_H
#define SPQ_RTREE_EXTENSION_CLASS_EXTENSION_ORDER_H

#include "rtree/class/gap.h"
#include "rtree/extension_class/extension_class.h"

/* The margin for each unit of the coordinates; there is at least one. */
#define MARGIN	1e-12

static void
scaled_squares(const SpqRtreeOrder *order, const SpqRtreeColumns *columns, float8 *squares)
{
	const float8 *query = order->numbers;
	float8		scale = *(const float8 *) order->argument,
				margins[SPQ_DIM];

	for (int axis = 0; axis < SPQ_DIM; axis++)
		margins[axis] = MARGIN * (1 + Max(fabs(query[axis]), fabs(query[SPQ_DIM + axis])));
	spq_rtree_least_squares(columns, query, margins, MARGIN, false, squares);
	if (scale != 1)
		for (int i = 0; i < columns->ngroups * SPQ_RTREE_GROUP; i++)
			squares[i] = Min(squares[i] * scale * scale, SPQ_RTREE_MOST_SQUARE);
}

/*
 * Set the order of an ORDER BY key.  "scale" must live as long as the order.
 */
static void
set_order(SpqRtreeExtension *extension, const ScanKeyData *key, const float8 *scale,
		  SpqRtreeOrder *order)
{
	if (extension->axes != SPQ_DIM)
		elog(ERROR, "bounds of type %u have %d axes", extension->type, extension->axes);
	(void) spq_rtree_extension_bounds(extension, key->sk_argument, order->numbers);
	order->distance = spq_rtree_bound_of_row;
	order->least = scaled_squares;
	order->argument = scale;
}

#endif							/* SPQ_RTREE_EXTENSION_CLASS_EXTENSION_ORDER_H */
