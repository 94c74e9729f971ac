/*-------------------------------------------------------------------------
 *
 * fold.h
 *	  The array of shapes of a picture: shapes that are too small or too deep
 *	  become part of the shape above them.
 *
 * A grid whose parts are smaller than the fold limit is folded: it becomes one
 * tile that covers all that is in it.  When the array is full, the limit rises
 * until half of the array is free.  So memory and picture are bounded, whatever
 * the size of the index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_COLLECT_FOLD_H
#define SPQ_PICTURE_COLLECT_FOLD_H

#include "inspect/inspect.h"
#include "picture/model/picture.h"

typedef struct SpqPictureCollector
{
	SpqPicture *picture;
	int			max_shapes;
} SpqPictureCollector;

extern void spq_picture_begin_shapes(SpqPictureCollector *collector, SpqPicture *picture);
extern void spq_picture_add_shape(SpqPictureCollector *collector, SpqInspectStep *step,
								  const SpqPictureShape *shape);
extern void spq_picture_end_shapes(SpqPictureCollector *collector);

#endif							/* SPQ_PICTURE_COLLECT_FOLD_H */
