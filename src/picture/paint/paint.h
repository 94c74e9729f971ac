/*-------------------------------------------------------------------------
 *
 * paint.h
 *	  The map of a picture, and the text around it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_PAINT_PAINT_H
#define SPQ_PICTURE_PAINT_PAINT_H

#include "lib/stringinfo.h"

#include "picture/model/density.h"
#include "picture/model/picture.h"
#include "picture/model/projection.h"

/* ---- frame.c: a place for text on the paper, above or beside the maps ---- */

typedef struct SpqPictureFrame
{
	float8		left;
	float8		top;
	float8		width;
	float8		bottom;			/* of the maps above or beside it */
} SpqPictureFrame;

/* Smallest width, as a multiple of the font size. */
#define SPQ_PICTURE_MIN_FRAME	24

/* ---- map.c: the map of a picture ---- */

extern void spq_picture_paint_map(StringInfo svg, const SpqPicture *picture,
								  const SpqPictureScale *scale, float8 line);

/* ---- tiles.c: tiles: shapes filled with the color of their density ---- */

extern void spq_picture_paint_tiles(StringInfo svg, const SpqPicture *picture,
									const SpqPictureScale *scale, float8 line);

/* ---- legend.c: the text around the map ---- */

extern void spq_picture_paint_title(StringInfo svg, const SpqPicture *picture,
									const SpqPictureFrame *frame,
									const char *title, float8 size);
extern float8 spq_picture_paint_legend(StringInfo svg, const SpqPicture *picture,
									   const SpqPictureScale *scale,
									   const SpqPictureFrame *frame, float8 size);
extern void spq_picture_paint_axes(StringInfo svg, const SpqPictureView *view,
								   const SpqPictureProjection *projection, float8 size);

/* ---- notes.c: notes of the legend ---- */

extern float8 spq_picture_paint_notes(StringInfo svg, const SpqPicture *picture,
									  const SpqPictureFrame *frame, float8 y, float8 size);

#endif							/* SPQ_PICTURE_PAINT_PAINT_H */
