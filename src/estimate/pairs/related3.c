/*-------------------------------------------------------------------------
 *
 * related3.c
 *	  Relations of boxes of three axes: src/box, compiled for them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "solid/geometry/shapes3.h"

#include "box/relation.h"
#include "estimate/pairs/related.h"

/*
 * Return whether a line meets a box.  Only the bounding box of the line is
 * known, so take one of its diagonals; "number" chooses it, and must be the
 * same for the same line.
 */
bool
spq_estimate_line_meets(const float8 *line, const float8 *box, int axes, uint32 number)
{
	SpqSegment3 segment = {0};
	SpqBox3		solid = {0};

	for (int axis = 0; axis < axes; axis++)
	{
		bool		down = axis > 0 && (number & (1 << axis)) != 0;

		segment.p[down].x[axis] = line[axes + axis];
		segment.p[!down].x[axis] = line[axis];
		solid.low[axis] = box[axes + axis];
		solid.high[axis] = box[axis];
	}
	return spq_segment3_meets_box(&segment, &solid);
}

/*
 * Return whether "a relation b" is true, for boxes given by their high ends
 * and low ends.
 */
bool
spq_estimate_related3(int relation, const float8 *a, const float8 *b)
{
	return spq_box_related(relation, 0, (const SpqBox *) a, (const SpqBox *) b);
}
