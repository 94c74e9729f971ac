/*-------------------------------------------------------------------------
 *
 * collect.h
 *	  The shapes, boxes and counts of a picture.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_COLLECT_COLLECT_H
#define SPQ_PICTURE_COLLECT_COLLECT_H

#include "inspect/inspect.h"
#include "picture/model/picture.h"

extern void spq_picture_collect(SpqPicture *picture, SpqInspectIndex *inspected);

/*
 * extent.c: the extent that a picture shows: that of nearly all boxes.
 *
 *  .
 *							 a few boxes far off
 *			 +------- fence --------+	.
 *			 |	 +--- shown ----+	|
 *			 |	 |	 ....		|	|
 *			 |	 |	...		..	|	|
 *			 |	 +--------------+	|
 *			 +----------------------+
 *
 * The extent is that of the boxes themselves, since the bounds in the tree can
 * be much wider.  Boxes far from the others would shrink all others to a dot.
 * So a sample says where nearly all boxes are, and boxes farther from them
 * than their whole breadth are left out, and counted.
 */

extern SpqInspectBounds spq_picture_find_extent(SpqInspectIndex *inspected);

/*
 * fold.c: the array of shapes of a picture: shapes that are too small or too
 * deep become part of the shape above them.
 *
 * A grid whose parts are smaller than the fold limit is folded: it becomes one
 * tile that covers all that is in it.  When the array is full, the limit rises
 * until half of the array is free.  So memory and picture are bounded, whatever
 * the size of the index.
 */

typedef struct SpqPictureCollector
{
	SpqPicture *picture;
	int			max_shapes;
} SpqPictureCollector;

extern void spq_picture_begin_shapes(SpqPictureCollector *collector, SpqPicture *picture);
extern void spq_picture_add_shape(SpqPictureCollector *collector, SpqInspectStep *step,
								  const SpqPictureShape *shape);
extern void spq_picture_end_shapes(SpqPictureCollector *collector);

#endif							/* SPQ_PICTURE_COLLECT_COLLECT_H */
