/*-------------------------------------------------------------------------
 *
 * build_side.c
 *	  Puts the build side in memory into tiles, or into order and a directory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "join/engine/join_state.h"
#include "large_memory.h"

/* Update the peak of the memory that the rows of this process take. */
void
spq_join_note_memory(SpqJoin *join)
{
	Size		memory = spq_join_items_bytes(&join->block);

	if (!join->build_is_shared)
		memory += spq_join_items_bytes(&join->build);

	join->stats.memory = Max(join->stats.memory, memory);
}

/*
 * Put the build side in memory into tiles, in the memory that a sort would take
 * and what is still unused.  Return false if they do not suit the join or its boxes.
 */
static bool
make_tiles(SpqJoin *join)
{
	const SpqJoinSpec *spec = &join->spec;
	SpqJoinItems *build = &join->build;
	const uint64 sorting = SPQ_JOIN_ITEM_BYTES - sizeof(SpqJoinItem),
				taken = spq_join_items_bytes(build),
				unused = taken < join->build_limit ? join->build_limit - taken : 0;

	if (!spq_join_wants_tiles(join) ||
		!spq_join_tiles_build(&join->tiles, build->context, build->item, build->count,
							  spec->tile_size, build->count * sorting + unused,
							  &join->tile_sweep.entries))
		return false;
	if (join->tiles.bytes > build->count * sorting)
		join->stats.memory = Max(join->stats.memory, spq_join_items_bytes(build) +
								 join->tiles.bytes - build->count * sorting);
	if (join->stats.tile_size == 0)
		join->stats.tile_size = join->tiles.tile_size;
	join->stats.size_classes = Max(join->stats.size_classes, 1);
	return true;
}

/* Put the build side in memory into tiles, or order it and build its directory. */
void
spq_join_finish_build_side(SpqJoin *join)
{
	SpqJoinItems *build = &join->build;
	SpqJoinGrid grid;
	SpqJoinTileCode *codes;
	int			size_classes;
	MemoryContext old;
	SpqJoinOrigin *origin;

	memset(&join->directory, 0, sizeof(SpqJoinDirectory));
	join->tiles.nareas = 0;
	join->build_swept = false;
	spq_join_clear_counts(join);
	join->next_unmatched = 0;
	spq_join_note_memory(join);
	if (build->count == 0 || make_tiles(join))
		return;

	codes = spq_join_items_order(build, join->spec.hashed, false, join->spec.tile_size, &grid,
								 &size_classes);
	spq_join_items_free_spare(build);
	if (join->stats.tile_size == 0)
		join->stats.tile_size = spq_join_grid_tile_size(&grid);
	join->stats.size_classes = Max(join->stats.size_classes, size_classes);

	origin = palloc(sizeof(SpqJoinOrigin));
	spq_join_choose_origin(origin, build->item, build->count, build->count, join->spec.probe_lines);
	old = MemoryContextSwitchTo(build->context);
	spq_join_directory_build(&join->directory, build->item, codes, build->count, origin,
							 join->spec.hashed);
	MemoryContextSwitchTo(old);
	pfree(origin);
	pfree(codes);
}

/* Clear the marks of rows with an accepted pair. */
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

/*
 * Begin to count accepted pairs of the build side in memory.  The counts take the
 * memory that the sort has left.
 */
void
spq_join_start_counts(SpqJoin *join)
{
	join->accepted_of = spq_large_alloc(join->context, join->build.count * sizeof(uint64));
	memset(join->accepted_of, 0, join->build.count * sizeof(uint64));
}

void
spq_join_clear_counts(SpqJoin *join)
{
	if (join->accepted_of)
		pfree(join->accepted_of);
	join->accepted_of = NULL;
}
