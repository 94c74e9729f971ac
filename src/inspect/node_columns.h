/*-------------------------------------------------------------------------
 *
 * node_columns.h
 *	  The columns of spqtree_nodes, which each kind of index fills.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_INSPECT_NODE_COLUMNS_H
#define SPQ_INSPECT_NODE_COLUMNS_H

enum
{
	LEVEL,
	KIND,
	CELL,
	SIZE_BOUND,
	BOUNDS,
	TUPLES,
	NODES,
	MARKERS,
	BLOCK,
	ITEM,
	PARENT_BLOCK,
	PARENT_ITEM,
	PARENT_NODE,
	OVERSIZE,
	ALL_THE_SAME,
	NULL_KEYS,
	BOUNDS3,
	N_COLUMNS
};

#endif							/* SPQ_INSPECT_NODE_COLUMNS_H */
