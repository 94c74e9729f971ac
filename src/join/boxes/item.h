/*-------------------------------------------------------------------------
 *
 * item.h
 *	  A row in the join engine: a box, and what the caller passed with it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_BOXES_ITEM_H
#define SPQ_JOIN_BOXES_ITEM_H

#include "box/box.h"
#include "join/boxes/dimension.h"

/*
 * "ref" belongs to the caller: a number, or a pointer to the engine's copy of
 * the payload.  "tag" belongs to the engine: two flags, 24 bits of the row's
 * hash (0 if the join is not hashed), and the row's position in its input:
 *
 *		 63		   62	  61 ....... 38	 37 ......... 0
 *		+---------+------+--------------+--------------+
 *		| matched | last |	   hash		|	ordinal    |
 *		+---------+------+--------------+--------------+
 *
 * A float represents each hash exactly, so hashes are compared as floats
 * (bucket.h).  2^38 rows of 48 bytes are 13 terabytes.
 */
typedef struct SpqJoinItem
{
	SpqBox		box;
	uint64		ref;
	uint64		tag;
} SpqJoinItem;

#define SPQ_JOIN_TAG_MATCHED		(UINT64CONST(1) << 63)	/* has a match */
#define SPQ_JOIN_TAG_LAST		(UINT64CONST(1) << 62)	/* probe: no later batch
														 * has a copy */
#define SPQ_JOIN_HASH_BITS		24
#define SPQ_JOIN_HASH_SHIFT		38
#define SPQ_JOIN_TAG_ORDINAL		((UINT64CONST(1) << SPQ_JOIN_HASH_SHIFT) - 1)

static inline uint32
spq_join_item_hash(const SpqJoinItem *item)
{
	return (uint32) (item->tag >> SPQ_JOIN_HASH_SHIFT) & ((1 << SPQ_JOIN_HASH_BITS) - 1);
}

#endif							/* SPQ_JOIN_BOXES_ITEM_H */
