/*-------------------------------------------------------------------------
 *
 * build_side.c
 *	  The build side that is in memory: rows become tile order and directory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "join/build_side.h"

/* Keep the peak of the memory that rows of this process take. */
void
spq_join_note_memory(SpqJoin *join)
{
	Size		memory = spq_join_items_bytes(&join->block);

	if (!join->build_is_shared)
		memory += spq_join_items_bytes(&join->build);

	join->stats.memory = Max(join->stats.memory, memory);
}

/* Orders the build side that is in memory, and makes its directory. */
void
spq_join_finish_build_side(SpqJoin *join)
{
	SpqJoinItems *build = &join->build;
	SpqJoinLattice lattice;
	SpqJoinTileCode *keys;
	int			levels;
	MemoryContext old;
	Point		origin;

	memset(&join->directory, 0, sizeof(SpqJoinDirectory));
	join->build_swept = false;
	join->next_unmatched = 0;
	spq_join_note_memory(join);
	if (build->count == 0)
		return;

	keys = spq_join_items_order(build, join->spec.hashed, join->spec.tile_size, &lattice,
								&levels);
	spq_join_items_free_spare(build);
	if (join->stats.tile_size == 0)
		join->stats.tile_size = spq_join_lattice_tile_size(&lattice);
	join->stats.levels = Max(join->stats.levels, levels);

	/* the middle of the order is where boxes are, whatever lies far away */
	origin = build->item[build->count / 2].box.low;
	if (!(fabs(origin.x) <= DBL_MAX && fabs(origin.y) <= DBL_MAX))
		origin.x = origin.y = 0;
	old = MemoryContextSwitchTo(build->context);
	spq_join_directory_build(&join->directory, build->item, keys, build->count, &origin,
							 join->spec.hashed);
	MemoryContextSwitchTo(old);
	pfree(keys);
}

/* Take the marks of rows with an accepted pair away. */
void
spq_join_clear_marks(SpqJoin *join)
{
	for (uint32 i = 0; i < join->build.count; i++)
	{
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		join->build.item[i].tag &= ~SPQ_JOIN_TAG_MATCHED;
	}
	spq_join_directory_restore(&join->directory, join->build.item);
}
