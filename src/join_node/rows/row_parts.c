/*-------------------------------------------------------------------------
 *
 * row_parts.c
 *	  Decides the join conditions on the part that owns a pair.
 *
 *		+---------+---------+		box 1 touches one part only, so this part
 *		|  [1]	[ 2	]		|		owns all its pairs; the part of a corner
 *		|		[  3  ]		|		owns the pair of boxes 2 and 3
 *		+---------+---------+
 *
 * Both boxes of a pair touch the part that owns it (src/divide/README.md).  So
 * if one of them touches one part only, that is the owner.  The conditions are
 * true if all columns that they compare have the owner as their value.
 *
 * The node finds two facts once for each row: the common value of its columns,
 * and whether its box touches that part only.  They pass through the engine
 * with the row (row_payload.c): as its reference, or beside its values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"

#include "join_node/rows/state.h"

#define WITHIN		(UINT64CONST(1) << 32)	/* the box touches no other part */
#define NO_PART		(UINT64CONST(1) << 33)	/* the columns have no common
											 * value */

/*
 * Return the part of a row, with the flags above.  The row must be the last
 * one passed to spq_node_side_key().
 */
static uint64
part_of_row(const SpqNodeState *node, SpqNodeSide *side, TupleTableSlot *slot,
			const float8 *box)
{
	int32		around = spq_part_around(node->partitioning, box),
				part = around;
	MemoryContext old;

	side->econtext->ecxt_outertuple = slot;
	old = MemoryContextSwitchTo(side->econtext->ecxt_per_tuple_memory);
	for (int i = 0; i < side->nparts; i++)
	{
		bool		isnull;
		Datum		value = ExecEvalExpr(side->part[i], side->econtext, &isnull);

		if (isnull || (i > 0 && DatumGetInt32(value) != part))
		{
			MemoryContextSwitchTo(old);
			return NO_PART;
		}
		part = DatumGetInt32(value);
	}
	MemoryContextSwitchTo(old);
	return (uint32) part | (part == around && part != SPQ_PART_EVERYWHERE ? WITHIN : 0);
}

/*
 * Pass a row to the engine, with its part if there are conditions on parts.
 * Return the engine's answer.
 */
bool
spq_node_give_row(SpqNodeState *node, SpqNodeSide *side, TupleTableSlot *slot,
				  const float8 *box, uint32 hash, SpqNodeTakeRow take)
{
	uint64		part = node->partitioning == NULL ? 0 : part_of_row(node, side, slot, box);
	SpqNodePayload payload = spq_node_payload_of(side, slot, part);

	return take(node->join, box, hash, payload.ref, payload.data, payload.length);
}

/*
 * Return whether all columns of a row that are compared with the owner have
 * this part as their value.
 */
static inline bool
has_part(const SpqNodeSide *side, uint64 row, int32 part)
{
	return side->nparts == 0 || (!(row & NO_PART) && (int32) (uint32) row == part);
}

/* Return whether the conditions on parts are true for a pair. */
bool
spq_node_pair_owned(const SpqNodeState *node, const SpqJoinPair *pair)
{
	const SpqNodeSide *probe = &node->side[SPQ_NODE_PROBE],
			   *build = &node->side[SPQ_NODE_BUILD];
	uint64		probe_part = spq_node_payload_part(probe, pair->probe),
				build_part = spq_node_payload_part(build, pair->build);
	int32		owner;

	if (probe_part & build_part & WITHIN)
		return true;
	if (probe_part & WITHIN)
		owner = (int32) (uint32) probe_part;
	else if (build_part & WITHIN)
		owner = (int32) (uint32) build_part;
	else
		owner = spq_part_of_pair(node->partitioning, pair->probe_box, pair->build_box);
	return has_part(probe, probe_part, owner) && has_part(build, build_part, owner);
}
