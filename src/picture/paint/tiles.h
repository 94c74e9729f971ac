/*-------------------------------------------------------------------------
 *
 * tiles.h
 *	  Tiles: shapes filled with the color of their density.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_PAINT_TILES_H
#define SPQ_PICTURE_PAINT_TILES_H

#include "lib/stringinfo.h"

#include "picture/model/density.h"

extern void spq_picture_paint_tiles(StringInfo svg, const SpqPicture *picture,
									const SpqPictureScale *scale, float8 line);

#endif							/* SPQ_PICTURE_PAINT_TILES_H */
