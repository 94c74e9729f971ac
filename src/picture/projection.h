/*-------------------------------------------------------------------------
 *
 * projection.h
 *	  Three views of space, arranged as in a technical drawing.
 *
 *		+-- front --+  +-- side --+
 *		|			|  |		  |		front and side have the same height, front and
 *	  z |			|  |		  | z	plan the same width, and the side is as wide as
 *		+-----------+  +----------+		the plan is high.  So what is in one is found
 *			  x				 y			in the others by going straight down or across.
 *		+-- plan ---+
 *		|			|
 *	  y |			|	  legend		All axes have the same scale, unless one is very
 *		+-----------+					short beside the longest (hours by kilometers).
 *			  x
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_PROJECTION_H
#define SPQ_PICTURE_PROJECTION_H

#include "picture/picture.h"

#define SPQ_PICTURE_PROJECTIONS	3

/* Axes are 0 to 2; the line of sight is along the third. */
typedef struct SpqPictureProjection
{
	int			across;
	int			up;
	int			depth;
} SpqPictureProjection;

/* Plan, front, side. */
extern const SpqPictureProjection spq_picture_projections[SPQ_PICTURE_PROJECTIONS];

/* Where the views are on the paper. */
typedef struct SpqPictureSheet
{
	SpqPictureView views[SPQ_PICTURE_PROJECTIONS];
	float8		width;			/* of all */
	float8		height;
} SpqPictureSheet;

extern SpqPictureSheet spq_picture_make_sheet(const SpqPictureBounds *extent, float8 left,
											  float8 top, float8 width, float8 gap);
extern SpqPicture spq_picture_project(const SpqPicture *plan,
									  const SpqPictureProjection *projection,
									  const SpqPictureView *view);

#endif							/* SPQ_PICTURE_PROJECTION_H */
