/*-------------------------------------------------------------------------
 *
 * rectangle.h
 *	  Rectangles on the map.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_ELEMENTS_RECTANGLE_H
#define SPQ_PICTURE_ELEMENTS_RECTANGLE_H

#include "lib/stringinfo.h"

#include "picture/model/view.h"

/*
 * In units of the paper, from the upper left corner of the map; y is downward.
 */
typedef struct SpqPictureRectangle
{
	float8		x0;
	float8		y0;
	float8		x1;
	float8		y1;
} SpqPictureRectangle;

extern SpqPictureRectangle spq_picture_on_map(const SpqPictureView *view,
											  const SpqBoxBounds *bounds);
extern void spq_picture_append_rectangle(StringInfo svg,
										 const SpqPictureRectangle *r);

#endif							/* SPQ_PICTURE_ELEMENTS_RECTANGLE_H */
