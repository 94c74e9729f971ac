/*-------------------------------------------------------------------------
 *
 * extent.h
 *	  The extent that a picture shows: that of nearly all boxes.
 *
 *	   .
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
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_COLLECT_EXTENT_H
#define SPQ_PICTURE_COLLECT_EXTENT_H

#include "inspect/inspect.h"

extern SpqInspectBounds spq_picture_find_extent(SpqInspectIndex *inspected);

#endif							/* SPQ_PICTURE_COLLECT_EXTENT_H */
