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

extern void spq_picture_paint_title(StringInfo svg, const SpqPicture *picture,
									const char *title, float8 size);
extern float8 spq_picture_paint_legend(StringInfo svg, const SpqPicture *picture,
									   const SpqPictureScale *scale, float8 top,
									   float8 size);

#endif							/* SPQ_PICTURE_LEGEND_H */
