/*-------------------------------------------------------------------------
 *
 * around.c
 *	  A circle or a polygon around a window, for index conditions:
 *	  _spqtree_circle_around(box) and _spqtree_polygon_around(box).
 *
 * PostgreSQL's classes of circles and polygons for GiST and SP-GiST have no
 * operator with a box.  They have && of two circles and of two polygons, so
 * spatial/distance/dwithin_support.c replaces a window by one of these.  If a
 * shape extends into the window by EPSILON, && must be true, in spite of its
 * rounding errors:
 *
 *		circle		the circle through the corners of the window, enlarged by
 *					EPSILON and the rounding errors
 *		polygon		&& compares the bounds, and then looks for edges that
 *					cross.  It computes these from lines, and the intersection
 *					may be off by meters (if coordinates are in meters and an
 *					edge is nearly vertical).  So the polygon has the window
 *					as its bounds, and corners at infinity: && finds that the
 *					other polygon is inside
 *
 * Input never makes a polygon like this, with bounds that are not those of its
 * corners.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "fmgr.h"

#include "compat.h"
#include "shapes/geometry/edges.h"
#include "shapes/geometry/shapes.h"

PG_FUNCTION_INFO_V1(spq_circle_around);
PG_FUNCTION_INFO_V1(spq_polygon_around);

/* Below this, squares do not overflow. */
#define LARGE	1e150

/* _spqtree_circle_around(box) */
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

/* _spqtree_polygon_around(box) */
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
