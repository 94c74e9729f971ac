/*-------------------------------------------------------------------------
 *
 * words.h
 *	  Texts in a picture.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_ELEMENTS_WORDS_H
#define SPQ_PICTURE_ELEMENTS_WORDS_H

#include "lib/stringinfo.h"

/* Width of a letter, as a multiple of the font size. */
#define SPQ_PICTURE_LETTER_WIDTH	0.56

extern int	spq_picture_letters(const char *text);
extern void spq_picture_append_text(StringInfo svg, float8 x, float8 y, const char *attributes,
									float8 size, float8 room, const char *text);
extern void spq_picture_append_number(StringInfo text, int64 n, const char *one,
									  const char *many);

#endif							/* SPQ_PICTURE_ELEMENTS_WORDS_H */
