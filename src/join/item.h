/*-------------------------------------------------------------------------
 *
 * item.h
 *	  A row as the join engine sees it: a box and what the caller gave with it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_JOIN_ITEM_H
#define SPQ_JOIN_ITEM_H

#include "utils/geo_decls.h"

/*
 * "ref" is the caller's: a number, or a pointer to the engine's copy of the
 * payload.  "tag" is the engine's: the row's place in its input, and two flags.
 */
typedef struct SpqJoinItem
{
	BOX			box;
	uint64		ref;
	uint64		tag;
} SpqJoinItem;

#define SPQ_TAG_MATCHED		(UINT64CONST(1) << 63)	/* build: has a match */
#define SPQ_TAG_LAST		(UINT64CONST(1) << 62)	/* probe: no batch after
													 * this one has a copy */
#define SPQ_TAG_ORDINAL		(SPQ_TAG_LAST - 1)

#endif							/* SPQ_JOIN_ITEM_H */
