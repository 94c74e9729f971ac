/*-------------------------------------------------------------------------
 *
 * private_build.c
 *	  The build side of one process: in memory, or in batches.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/engine/join_state.h"

/* Add a row to the build side.  Its payload must be the last in join->build.payloads. */
void
spq_join_add_build(SpqJoin *join, const SpqJoinItem *item)
{
	if (join->spilled)
	{
		spq_join_spill_row(join, item);
		if (join->spec.build_payload)
			spq_join_free_last_payload(&join->build.payloads, item->ref);
		return;
	}
	if (join->spec.build_payload)
		join->build.payload_bytes += sizeof(SpqJoinPayload) + spq_join_payload_of(item->ref)->length;
	*spq_join_items_add(&join->build) = *item;
	if (spq_join_items_bytes(&join->build) > join->build_limit)
	{
		spq_join_note_memory(join);
		spq_join_spill_build(join);
	}
}

/* Take a row, and copy its payload. */
static void
take_row(SpqJoin *join, SpqJoinItem *item, const void *payload, Size length)
{
	if (join->spec.build_payload)
		item->ref = spq_join_copy_payload(&join->build.payloads, payload, length);
	spq_join_add_build(join, item);
}

/* After the last row, order the rows, or those of the first batch. */
void
spq_join_private_done(SpqJoin *join)
{
	if (join->spilled)
		spq_join_make_batches(join);
	spq_join_finish_build_side(join);
}

const SpqJoinBuildMethods spq_join_private_build = {
	.take_row = take_row,
	.done = spq_join_private_done,
};
