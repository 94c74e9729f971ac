/*-------------------------------------------------------------------------
 *
 * nulls.h
 *	  Rows without a box: a chain of pages of their own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_NULLS_H
#define SPQ_RTREE_INSERT_NULLS_H

#include "rtree/page/page.h"
#include "utils/rel.h"

/* Insert a row whose key is NULL.  Its ends are zeros. */
extern void spq_rtree_insert_null(Relation index, const SpqRtreeRow *row);

#endif							/* SPQ_RTREE_INSERT_NULLS_H */
