/*-------------------------------------------------------------------------
 *
 * elements.h
 *	  Numbers, texts and rectangles in a picture.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_ELEMENTS_ELEMENTS_H
#define SPQ_PICTURE_ELEMENTS_ELEMENTS_H

#include "lib/stringinfo.h"

#include "picture/model/view.h"

/* ---- numbers.c: numbers in a picture ---- */

extern void spq_picture_append_tenths(StringInfo svg, float8 value);
extern void spq_picture_append_count(StringInfo svg, int64 count);
extern void spq_picture_append_short(StringInfo svg, float8 value);
extern void spq_picture_append_coordinate(StringInfo svg, float8 value, float8 shown);

/* ---- words.c: texts in a picture ---- */

/* Width of a letter, as a multiple of the font size. */
#define SPQ_PICTURE_LETTER_WIDTH	0.56

extern int	spq_picture_letters(const char *text);
extern void spq_picture_append_text(StringInfo svg, float8 x, float8 y, const char *attributes,
									float8 size, float8 room, const char *text);
extern void spq_picture_append_number(StringInfo text, int64 n, const char *one,
									  const char *many);

/* ---- rectangle.c: rectangles on the map ---- */

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

#endif							/* SPQ_PICTURE_ELEMENTS_ELEMENTS_H */
