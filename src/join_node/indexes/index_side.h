/*-------------------------------------------------------------------------
 *
 * index_side.h
 *	  One side of a join of two indexes: the leaf whose rows are joined, and the rows of
 *	  the table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_NODE_INDEXES_INDEX_SIDE_H
#define SPQ_JOIN_NODE_INDEXES_INDEX_SIDE_H

#include "join_node/rows/state.h"
#include "rtree/leaf_join/child_rows.h"
#include "rtree/leaf_join/leaf_copy.h"

typedef enum SpqIndexRow
{
	SPQ_INDEX_ROW_UNREAD,
	SPQ_INDEX_ROW_HIDDEN,		/* not visible, or its child's conditions
								 * reject it */
	SPQ_INDEX_ROW_READ
} SpqIndexRow;

typedef struct SpqIndexSide
{
	SpqNodeState *node;
	SpqNodeSide *side;
	SpqRtreeChildRows rows;
	bool		wants_values;	/* else only whether a row is visible */
	bool		only_visible;	/* a row that is visible to all needs no more */
	Buffer		map;			/* of the visibility map */
	char	   *tuples;			/* index tuples of rows that were prepared */

	/* the current leaf */
	SpqRtreeLeafCopy leaf;
	MemoryContext memory;		/* of the payloads */
	uint8		state[SPQ_RTREE_LEAF_MAX];	/* SpqIndexRow */
	uint64		ref[SPQ_RTREE_LEAF_MAX];	/* of rows that are READ */
	uint32		tuple_at[SPQ_RTREE_LEAF_MAX];	/* in "tuples", of rows that
												 * were prepared */
	Size		tuples_size;
	bool		all_read;		/* all rows that were prepared are READ */

	int64		nleaves;
} SpqIndexSide;

extern void spq_index_side_begin(SpqIndexSide *side, SpqNodeState *node, int which);
extern void spq_index_side_end(SpqIndexSide *side);

/* Take the rows of a locked leaf, and forget those of the one before. */
extern void spq_index_side_enter(SpqIndexSide *side, Buffer buffer, const uint8 *matches,
								 SpqRtreeOddBoxes odd);

/*
 * Prepare rows to be read, while the leaf is locked: all of them, or one, at most once.
 */
extern void spq_index_side_prepare_all(SpqIndexSide *side, Buffer buffer);
extern void spq_index_side_prepare(SpqIndexSide *side, Buffer buffer, int row);

/*
 * Read a row of the current leaf that was prepared.  Return false if it is not visible, or if the child's
 * conditions reject it.
 */
extern bool spq_index_side_read(SpqIndexSide *side, int row);

/* The same, if it was read before. */
static inline bool
spq_index_side_has(SpqIndexSide *side, int row)
{
	if (likely(side->state[row] != SPQ_INDEX_ROW_UNREAD))
		return side->state[row] == SPQ_INDEX_ROW_READ;
	return spq_index_side_read(side, row);
}

/* grown_boxes.c */

/* Return by how much boxes may be apart; -1 if they must meet. */
extern float8 spq_index_distance(const SpqNodeState *node);
extern void spq_index_grow(float8 *boxes, int nboxes, int axes, float8 distance);

#endif							/* SPQ_JOIN_NODE_INDEXES_INDEX_SIDE_H */
