/*-------------------------------------------------------------------------
 *
 * key_columns.h
 *	  The key columns of an index: scalar columns, then the spatial column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_CLASS_KEY_COLUMNS_H
#define SPQ_RTREE_CLASS_KEY_COLUMNS_H

#include "utils/rel.h"

/* Equality, the one strategy of a scalar column. */
#define SPQ_RTREE_EQUAL_STRATEGY	1

/* Return the number of the spatial column, the last one of the key. */
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
