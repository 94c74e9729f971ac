/*-------------------------------------------------------------------------
 *
 * around.c
 *	  Circles and polygons that are there for their bounds: spqtree_circle_around(box)
 *	  and spqtree_polygon_around(box).
 *
 * PostgreSQL's classes of circles and polygons for GiST and SP-GiST have no operator
 * with a box.  They have && of two circles, and of two polygons, so a window becomes
 * one of these.  What it has to be is true wherever a shape reaches into the window
 * by EPSILON, in spite of all that && rounds:
 *
 *		circle		the one through the corners, a little larger; there is nothing
 *					between EPSILON and what is rounded but that
 *		polygon		&& begins with the bounds, and then looks for edges that cross, by
 *					lines whose intersection may be off by meters (edges that are
 *					nearly vertical, coordinates in meters).  So the bounds are the
 *					window's, and the corners are infinitely far away: what && then
 *					finds is that the other polygon is inside
 *
 * This is no polygon that input would make: its bounds are not those of its corners.
 * The functions exist for conditions of indexes (dwithin_support.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "fmgr.h"

#include "compat.h"
#include "shapes/edges.h"
#include "shapes/shapes.h"

PG_FUNCTION_INFO_V1(spq_circle_around);
PG_FUNCTION_INFO_V1(spq_polygon_around);

/* Where squares do not overflow. */
#define LARGE	1e150

/* spqtree_circle_around(box) */
Datum
spq_circle_around(PG_FUNCTION_ARGS)
{
	const BOX  *box = PG_GETARG_BOX_P(0);
	CIRCLE	   *circle = palloc0(sizeof(CIRCLE));
	float8		magnitude = spq_edge_magnitude(box);

	if (!(magnitude < LARGE))
		circle->radius = get_float8_infinity();
	else
	{
		circle->center.x = spq_box_middle(box->low.x, box->high.x);
		circle->center.y = spq_box_middle(box->low.y, box->high.y);
		circle->radius = hypot(box->high.x - box->low.x, box->high.y - box->low.y) / 2 +
			EPSILON + 16 * DBL_EPSILON * magnitude;
	}
	PG_RETURN_CIRCLE_P(circle);
}

/* spqtree_polygon_around(box) */
Datum
spq_polygon_around(PG_FUNCTION_ARGS)
{
	const float8 infinity = get_float8_infinity();
	const Point corner[] = {
		{-infinity, -infinity}, {infinity, -infinity}, {infinity, infinity}, {-infinity, infinity}
	};
	int			size = offsetof(POLYGON, p) + sizeof(corner);
	POLYGON    *polygon = palloc0(size);

	SET_VARSIZE(polygon, size);
	polygon->npts = lengthof(corner);
	polygon->boundbox = *PG_GETARG_BOX_P(0);
	memcpy(polygon->p, corner, sizeof(corner));
	PG_RETURN_POLYGON_P(polygon);
}
