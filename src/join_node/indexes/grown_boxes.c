/*-------------------------------------------------------------------------
 *
 * grown_boxes.c
 *	  Boxes in an index, enlarged by the distance of the condition.
 *
 *		a.b && spqtree_expand(b.b, 3)		a.b				 b.b
 *											[  ]  <-- 3 -->  [	]
 *
 * An index has boxes as they are.  Where the condition enlarges a value by a distance, the
 * join enlarges the boxes of the probe's side, whichever side the value is on: boxes that
 * meet if one of them is enlarged meet if the other one is.  The box in the index encloses
 * the value, and so do both if they are enlarged.  The condition decides.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"

#include "join_node/indexes/index_side.h"
#include "shapes/geometry/shapes.h"

/*
 * A distance that is NULL, NaN or negative counts as 0, so that the condition can raise
 * an error.
 */
float8
spq_index_distance(const SpqNodeState *node)
{
	ExprContext *econtext = node->css.ss.ps.ps_ExprContext;
	float8		sum = node->distances == NIL ? -1 : 0;
	ListCell   *lc;

	foreach(lc, node->distances)
	{
		bool		isnull;
		Datum		value = ExecEvalExprSwitchContext(lfirst(lc), econtext, &isnull);

		if (!isnull && DatumGetFloat8(value) > 0)
			sum += DatumGetFloat8(value);
	}
	return sum;
}

void
spq_index_grow(float8 *boxes, int nboxes, int axes, float8 distance)
{
	if (distance < 0)
		return;
	for (int i = 0; i < nboxes; i++, boxes += 2 * axes)
		for (int axis = 0; axis < axes; axis++)
		{
			boxes[axis] = spq_shape_outward(boxes[axis], distance, 1);
			boxes[axes + axis] = spq_shape_outward(boxes[axes + axis], distance, -1);
		}
}
