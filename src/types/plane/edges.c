/*-------------------------------------------------------------------------
 *
 * edges.c
 *	  Boxes of corners, and of edges between them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "types/plane/plane.h"

/* Set the box of points.  An axis on which one point is NaN gets NaN. */
void
spq_type_points_bounds(const Point *points, int count, BOX *box)
{
	box->high = box->low = points[0];
	for (int i = 1; i < count; i++)
	{
		const Point *p = &points[i];

		/* comparisons with NaN are false, so NaN stays */
		if (!(p->x <= box->high.x))
			box->high.x = isnan(box->high.x) ? box->high.x : p->x;
		if (!(p->x >= box->low.x))
			box->low.x = isnan(box->low.x) ? box->low.x : p->x;
		if (!(p->y <= box->high.y))
			box->high.y = isnan(box->high.y) ? box->high.y : p->y;
		if (!(p->y >= box->low.y))
			box->low.y = isnan(box->low.y) ? box->low.y : p->y;
	}
}

/*
 * Enlarge the box of the corners of a shape, so that it contains all points
 * that operators find to be on its edges.
 * (spq_line_reach()).  An edge is at most as long as the sum of the box's sides.
 */
void
spq_type_cover_edges(BOX *box)
{
	double		reach = spq_line_reach((box->high.x - box->low.x) + (box->high.y - box->low.y));

	box->high.x += reach;
	box->high.y += reach;
	box->low.x -= reach;
	box->low.y -= reach;
}
