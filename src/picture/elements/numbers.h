/*-------------------------------------------------------------------------
 *
 * numbers.h
 *	  Numbers in a picture.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_ELEMENTS_NUMBERS_H
#define SPQ_PICTURE_ELEMENTS_NUMBERS_H

#include "lib/stringinfo.h"

extern void spq_picture_append_tenths(StringInfo svg, float8 value);
extern void spq_picture_append_count(StringInfo svg, int64 count);
extern void spq_picture_append_short(StringInfo svg, float8 value);
extern void spq_picture_append_coordinate(StringInfo svg, float8 value, float8 shown);

#endif							/* SPQ_PICTURE_ELEMENTS_NUMBERS_H */
