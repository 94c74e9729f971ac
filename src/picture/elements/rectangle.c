/*-------------------------------------------------------------------------
 *
 * rectangle.c
 *	  Rectangles on the map.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/elements/elements.h"

/*
 * Return the rectangle of bounds on the map, cut off a little beyond the edge,
 * so that large numbers do no harm.
 */
SpqPictureRectangle
spq_picture_on_map(const SpqPictureView *view, const SpqBoxBounds *bounds)
{
	SpqBoxBounds clipped;
	SpqBoxBounds wider = view->shown;
	float8		x_more = 4 / view->x_scale;
	float8		y_more = 4 / view->y_scale;
	SpqPictureRectangle r;

	wider.xmin -= x_more;
	wider.xmax += x_more;
	wider.ymin -= y_more;
	wider.ymax += y_more;
	/* clamp both ends on both sides: a base cell may be off the map */
	clipped.xmin = Min(Max(bounds->xmin, wider.xmin), wider.xmax);
	clipped.ymin = Min(Max(bounds->ymin, wider.ymin), wider.ymax);
	clipped.xmax = Max(Min(bounds->xmax, wider.xmax), wider.xmin);
	clipped.ymax = Max(Min(bounds->ymax, wider.ymax), wider.ymin);

	r.x0 = spq_picture_view_x(view, clipped.xmin) - view->left;
	r.x1 = spq_picture_view_x(view, clipped.xmax) - view->left;
	r.y0 = spq_picture_view_y(view, clipped.ymax) - view->top;
	r.y1 = spq_picture_view_y(view, clipped.ymin) - view->top;
	return r;
}

/*
 * Append a rectangle to a path.  Its width is the difference of rounded
 * coordinates, so that neighbors touch.
 */
void
spq_picture_append_rectangle(StringInfo svg, const SpqPictureRectangle *r)
{
	float8		x0 = rint(r->x0 * 10) / 10;
	float8		y0 = rint(r->y0 * 10) / 10;
	float8		width = rint(r->x1 * 10) / 10 - x0;
	float8		height = rint(r->y1 * 10) / 10 - y0;

	appendStringInfoChar(svg, 'M');
	spq_picture_append_tenths(svg, x0);
	appendStringInfoChar(svg, ' ');
	spq_picture_append_tenths(svg, y0);
	appendStringInfoChar(svg, 'h');
	spq_picture_append_tenths(svg, width);
	appendStringInfoChar(svg, 'v');
	spq_picture_append_tenths(svg, height);
	appendStringInfoChar(svg, 'h');
	spq_picture_append_tenths(svg, -width);
	appendStringInfoChar(svg, 'z');
}
