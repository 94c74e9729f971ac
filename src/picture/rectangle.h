/*-------------------------------------------------------------------------
 *
 * rectangle.h
 *	  Rectangles of the plane on the paper.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_RECTANGLE_H
#define SPQ_PICTURE_RECTANGLE_H

#include "lib/stringinfo.h"

#include "picture/view.h"

/* On the map, relative to its upper left corner. */
typedef struct SpqPictureRectangle
{
	float8		x0;
	float8		y0;
	float8		x1;
	float8		y1;
} SpqPictureRectangle;

extern SpqPictureRectangle spq_picture_on_map(const SpqPictureView *view,
											  const SpqBoxBounds *bounds);
extern void spq_picture_widen(float8 *low, float8 *high, float8 length);
extern void spq_picture_append_rectangle(StringInfo svg,
										 const SpqPictureRectangle *r);

#endif							/* SPQ_PICTURE_RECTANGLE_H */
