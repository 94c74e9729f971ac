/*-------------------------------------------------------------------------
 *
 * engine.c
 *	  The engine of one dimension as a table of its functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "join/engine/engine.h"

static bool
related(SpqRelation relation, double distance, const float8 *a, const float8 *b)
{
	return spq_box_related(relation, distance, (const SpqBox *) a, (const SpqBox *) b);
}

static bool
build(SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
	  const void *payload, Size length)
{
	return spq_join_build(join, (const SpqBox *) box, hash, ref, payload, length);
}

static bool
probe(SpqJoin *join, const float8 *box, uint32 hash, uint64 ref,
	  const void *payload, Size length)
{
	return spq_join_probe(join, (const SpqBox *) box, hash, ref, payload, length);
}

const SpqJoinEngine SPQ_JOIN_ENGINE = {
	.axes = SPQ_DIM,
	.memory_bytes = SPQ_JOIN_MEMORY_BYTES,
	.file_bytes = SPQ_JOIN_FILE_BYTES,
	.related = related,
	.begin = spq_join_begin,
	.build = build,
	.build_done = spq_join_build_done,
	.room = spq_join_room,
	.probe = probe,
	.probes_done = spq_join_probes_done,
	.next = spq_join_next,
	.more = spq_join_more,
	.accept = spq_join_accept,
	.restart = spq_join_restart,
	.stats = spq_join_stats,
	.end = spq_join_end,
};
