/*-------------------------------------------------------------------------
 *
 * legend.h
 *	  The text around the map.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_PAINT_LEGEND_H
#define SPQ_PICTURE_PAINT_LEGEND_H

#include "lib/stringinfo.h"

#include "picture/model/density.h"
#include "picture/model/projection.h"
#include "picture/paint/frame.h"

extern void spq_picture_paint_title(StringInfo svg, const SpqPicture *picture,
									const SpqPictureFrame *frame,
									const char *title, float8 size);
extern float8 spq_picture_paint_legend(StringInfo svg, const SpqPicture *picture,
									   const SpqPictureScale *scale,
									   const SpqPictureFrame *frame, float8 size);
extern void spq_picture_paint_axes(StringInfo svg, const SpqPictureView *view,
								   const SpqPictureProjection *projection, float8 size);

#endif							/* SPQ_PICTURE_PAINT_LEGEND_H */
