/*-------------------------------------------------------------------------
 *
 * notes.h
 *	  Notes of the legend.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_PAINT_NOTES_H
#define SPQ_PICTURE_PAINT_NOTES_H

#include "lib/stringinfo.h"

#include "picture/model/picture.h"
#include "picture/paint/frame.h"

extern float8 spq_picture_paint_notes(StringInfo svg, const SpqPicture *picture,
									  const SpqPictureFrame *frame, float8 y, float8 size);

#endif							/* SPQ_PICTURE_PAINT_NOTES_H */
