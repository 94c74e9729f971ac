/*-------------------------------------------------------------------------
 *
 * paint.h
 *	  Writing SVG: the map of a picture, and what is around it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PAINT_H
#define SPQ_PAINT_H

#include "lib/stringinfo.h"

#include "picture/picture.h"

/* Colors for densities, on a logarithmic scale. */
typedef struct SpqPictureScale
{
	bool		used;			/* is there any tile? */
	float8		low;			/* logarithms to base ten of boxes per unit area */
	float8		high;
} SpqPictureScale;

/* On the map, relative to its left upper corner. */
typedef struct SpqPictureRectangle
{
	float8		x0;
	float8		y0;
	float8		x1;
	float8		y1;
} SpqPictureRectangle;

/* rectangle.c */
extern SpqPictureRectangle spq_picture_on_map(const SpqPictureView *view, const SpqBounds *bounds);
extern void spq_picture_widen(float8 *low, float8 *high, float8 length);
extern void spq_picture_append_rectangle(StringInfo svg, const SpqPictureRectangle *r);

/* tiles.c */
extern bool spq_picture_is_visited(const SpqPicture *picture, const SpqPictureShape *shape);
extern bool spq_picture_is_drawn(const SpqPicture *picture, const SpqPictureShape *shape);
extern SpqPictureScale spq_picture_density_scale(const SpqPicture *picture);
extern void spq_picture_paint_tiles(StringInfo svg, const SpqPicture *picture,
							const SpqPictureScale *scale);

/* paint.c */
extern bool spq_picture_query_on_map(const SpqPicture *picture);
extern void spq_picture_paint_map(StringInfo svg, const SpqPicture *picture,
						  const SpqPictureScale *scale, float8 line);

/* legend.c */
extern void spq_picture_paint_title(StringInfo svg, const SpqPicture *picture,
							const char *title, float8 size);
extern float8 spq_picture_paint_legend(StringInfo svg, const SpqPicture *picture,
							   const SpqPictureScale *scale, float8 top, float8 size);

/* numbers.c */
extern void spq_picture_append_tenths(StringInfo svg, float8 value);
extern void spq_picture_append_count(StringInfo svg, int64 count);
extern void spq_picture_append_short(StringInfo svg, float8 value);
extern void spq_picture_append_coordinate(StringInfo svg, float8 value, float8 shown);

#endif							/* SPQ_PAINT_H */
