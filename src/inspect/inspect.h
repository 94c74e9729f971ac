/*-------------------------------------------------------------------------
 *
 * inspect.h
 *	  Opening an index for inspection.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_INSPECT_H
#define SPQ_INSPECT_INSPECT_H

#include "quadtree_pages/read_page.h"
#include "rtree_pages/tree_read.h"

typedef struct SpqInspectIndex
{
	Relation	heap;
	Relation	index;
	bool		is_tree;		/* of access method spqtree, else SP-GiST */
	SpqPageReader reader;		/* of an SP-GiST index */
	SpqTreeReader tree;			/* of one of access method spqtree */
} SpqInspectIndex;

extern void spq_inspect_open(SpqInspectIndex *inspected, Oid index_id,
							 const char *call);
extern void spq_inspect_close(SpqInspectIndex *inspected);

#endif							/* SPQ_INSPECT_INSPECT_H */
