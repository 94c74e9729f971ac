/*-------------------------------------------------------------------------
 *
 * nulls.h
 *	  Insertion of rows without a box, into a chain of pages of their own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_INSERT_NULLS_H
#define SPQ_RTREE_INSERT_NULLS_H

#include "rtree/page/page.h"
#include "utils/rel.h"

/* Insert a row whose spatial column is NULL.  Its ends are 0. */
extern void spq_rtree_insert_null(Relation index, const SpqRtreeRow *row);

#endif							/* SPQ_RTREE_INSERT_NULLS_H */
