/*-------------------------------------------------------------------------
 *
 * density.h
 *	  Boxes per area, or volume, which the color of a tile shows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_MODEL_DENSITY_H
#define SPQ_PICTURE_MODEL_DENSITY_H

#include "picture/model/picture.h"

/* The colors stand for densities, on a logarithmic scale. */
typedef struct SpqPictureScale
{
	bool		used;			/* false: there is no tile */
	float8		low;			/* decimal logarithms of boxes per unit area */
	float8		high;
} SpqPictureScale;

extern void spq_picture_spread_oversize(SpqPicture *picture);
extern float8 spq_picture_density(const SpqPicture *picture,
								  const SpqPictureShape *tile);
extern SpqPictureScale spq_picture_density_scale(const SpqPicture *picture);

#endif							/* SPQ_PICTURE_MODEL_DENSITY_H */
