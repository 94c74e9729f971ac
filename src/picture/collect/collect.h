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

#endif							/* SPQ_PICTURE_COLLECT_COLLECT_H */
