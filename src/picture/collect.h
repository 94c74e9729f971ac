/*-------------------------------------------------------------------------
 *
 * collect.h
 *	  Collecting what is to be drawn of an index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_COLLECT_H
#define SPQ_PICTURE_COLLECT_H

#include "inspect/inspect.h"
#include "picture/picture.h"

extern SpqPictureView spq_picture_find_view(SpqInspectIndex *inspected,
											float8 left, float8 top, float8 width);
extern void spq_picture_collect(SpqPicture *picture, SpqInspectIndex *inspected);

#endif							/* SPQ_PICTURE_COLLECT_H */
