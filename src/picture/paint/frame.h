/*-------------------------------------------------------------------------
 *
 * frame.h
 *	  A place for text on the paper, above or beside the maps.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_PAINT_FRAME_H
#define SPQ_PICTURE_PAINT_FRAME_H

typedef struct SpqPictureFrame
{
	float8		left;
	float8		top;
	float8		width;
	float8		bottom;			/* of the maps above or beside it */
} SpqPictureFrame;

/* Smallest width, as a multiple of the font size. */
#define SPQ_PICTURE_MIN_FRAME	24

#endif							/* SPQ_PICTURE_PAINT_FRAME_H */
