/*-------------------------------------------------------------------------
 *
 * map.h
 *	  The map of a picture.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_PAINT_MAP_H
#define SPQ_PICTURE_PAINT_MAP_H

#include "lib/stringinfo.h"

#include "picture/model/density.h"

extern void spq_picture_paint_map(StringInfo svg, const SpqPicture *picture,
								  const SpqPictureScale *scale, float8 line);

#endif							/* SPQ_PICTURE_PAINT_MAP_H */
