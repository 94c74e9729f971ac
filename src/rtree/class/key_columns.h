/*-------------------------------------------------------------------------
 *
 * key_columns.h
 *	  The columns of the key of an index: scalars, and then the spatial one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_KEY_COLUMNS_H
#define SPQ_RTREE_CLASS_KEY_COLUMNS_H

#include "utils/rel.h"

/* Return the number of the column of boxes: the last one of the key. */
static inline int
spq_rtree_box_column(Relation index)
{
	return IndexRelationGetNumberOfKeyAttributes(index);
}

static inline bool
spq_rtree_has_scalars(Relation index)
{
	return spq_rtree_box_column(index) > 1;
}

#endif							/* SPQ_RTREE_CLASS_KEY_COLUMNS_H */
