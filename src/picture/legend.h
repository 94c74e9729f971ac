/*-------------------------------------------------------------------------
 *
 * legend.h
 *	  What is written around the map.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_LEGEND_H
#define SPQ_PICTURE_LEGEND_H

#include "lib/stringinfo.h"

#include "picture/density.h"
#include "picture/projection.h"

/* A part of the paper that is written on. */
typedef struct SpqPictureFrame
{
	float8		left;
	float8		top;
	float8		width;
	float8		bottom;			/* of what is painted above or beside it */
} SpqPictureFrame;

/* Smallest width, as a multiple of the font size. */
#define SPQ_PICTURE_MIN_FRAME	24

extern void spq_picture_paint_title(StringInfo svg, const SpqPicture *picture,
									const SpqPictureFrame *frame,
									const char *title, float8 size);
extern float8 spq_picture_paint_legend(StringInfo svg, const SpqPicture *picture,
									   const SpqPictureScale *scale,
									   const SpqPictureFrame *frame, float8 size);
extern void spq_picture_paint_axes(StringInfo svg, const SpqPictureView *view,
								   const SpqPictureProjection *projection, float8 size);

#endif							/* SPQ_PICTURE_LEGEND_H */
