/*-------------------------------------------------------------------------
 *
 * projection.h
 *	  Three views of space, arranged as in a technical drawing.
 *
 *		+-- front --+  +-- side --+
 *		|			|  |		  |		Front and side have the same height,
 *	  z |			|  |		  | z	front and plan the same width, and the
 *		+-----------+  +----------+		side is as wide as the plan is high.
 *			  x				 y			So an object is straight below or
 *		+-- plan ---+					beside itself in the other views.
 *		|			|
 *	  y |			|	  legend
 *		+-----------+
 *			  x
 *
 * All axes have the same scale, unless one is very short beside the longest
 * (hours by kilometers).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_MODEL_PROJECTION_H
#define SPQ_PICTURE_MODEL_PROJECTION_H

#include "picture/model/picture.h"

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

/* The views on the paper. */
typedef struct SpqPictureSheet
{
	SpqPictureView views[SPQ_PICTURE_PROJECTIONS];
	float8		width;			/* of the sheet */
	float8		height;
} SpqPictureSheet;

extern SpqPictureSheet spq_picture_make_sheet(const SpqInspectBounds *extent, float8 left,
											  float8 top, float8 width, float8 gap);
extern SpqPicture spq_picture_project(const SpqPicture *plan,
									  const SpqPictureProjection *projection,
									  const SpqPictureView *view);

#endif							/* SPQ_PICTURE_MODEL_PROJECTION_H */
