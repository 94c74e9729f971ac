/*-------------------------------------------------------------------------
 *
 * packed_tree.c
 *	  Boxes in memory, as an R-tree without pointers.  See packed_tree.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "large_memory.h"
#include "nearest_join/packed_tree.h"
#include "prefetch.h"

/* Rows ahead of the one that is copied. */
#define AHEAD	16

/* Rows from one check for interrupts to the next. */
#define ROWS_BETWEEN_CHECKS	65536

static uint32
groups_of(uint32 entries)
{
	return entries / SPQ_PACKED_GROUP + (entries % SPQ_PACKED_GROUP > 0);
}

Size
spq_packed_tree_row_size(int axes)
{
	/* inner levels have a fifteenth of the ends */
	return 2 * axes * sizeof(float8) * 16 / 15 + sizeof(int64) + 2 * sizeof(SpqNearestPlace);
}

/* Write an entry's ends into the columns of its level. */
static pg_attribute_always_inline void
put_ends(float8 *groups, int axes, uint32 entry, const float8 *ends)
{
	float8	   *column = groups +
		(Size) (entry / SPQ_PACKED_GROUP) * 2 * axes * SPQ_PACKED_GROUP +
		entry % SPQ_PACKED_GROUP;

	for (int end = 0; end < 2 * axes; end++)
		column[end * SPQ_PACKED_GROUP] = ends[end];
}

/* Set "ends" to the bounds of a group. */
static void
bound_group(const SpqPackedTree *tree, int level, uint32 group, float8 *ends)
{
	const float8 *columns = spq_packed_tree_group(tree, level, group);
	uint32		n = Min(tree->nentries[level] - group * SPQ_PACKED_GROUP, SPQ_PACKED_GROUP);

	for (int end = 0; end < 2 * tree->axes; end++, columns += SPQ_PACKED_GROUP)
	{
		ends[end] = columns[0];
		for (uint32 i = 1; i < n; i++)
			ends[end] = end < tree->axes ? Max(ends[end], columns[i]) : Min(ends[end], columns[i]);
	}
}

/* Allocate a level for this many entries. */
static void
add_level(SpqPackedTree *tree, uint32 entries)
{
	Size		size = (Size) groups_of(entries) * 2 * tree->axes * SPQ_PACKED_GROUP *
		sizeof(float8);

	tree->groups[tree->nlevels] = spq_large_alloc(CurrentMemoryContext, size);
	tree->nentries[tree->nlevels++] = entries;
	if (entries % SPQ_PACKED_GROUP > 0)
	{
		/* the places after the last entry */
		Size		group = 2 * tree->axes * SPQ_PACKED_GROUP * sizeof(float8);

		memset((char *) tree->groups[tree->nlevels - 1] + size - group, 0, group);
	}
}

/* Add the levels above the highest one. */
static void
add_levels(SpqPackedTree *tree)
{
	for (int level = tree->nlevels - 1; tree->nentries[level] > SPQ_PACKED_GROUP; level++)
	{
		uint32		groups = groups_of(tree->nentries[level]);

		CHECK_FOR_INTERRUPTS();
		add_level(tree, groups);
		for (uint32 group = 0; group < groups; group++)
		{
			float8		ends[2 * SPQ_NEAREST_AXES];

			bound_group(tree, level, group, ends);
			put_ends(tree->groups[level + 1], tree->axes, group, ends);
		}
	}
}

/* Write boxes in the order of their places. */
static pg_attribute_always_inline void
put_boxes(float8 *groups, int axes, const float8 *boxes, const SpqNearestPlace *places,
		  uint32 count)
{
	for (uint32 entry = 0; entry < count; entry++)
	{
		if (entry % ROWS_BETWEEN_CHECKS == 0)
			CHECK_FOR_INTERRUPTS();
		if (entry + AHEAD < count)
			spq_prefetch(boxes + 2 * axes * (Size) spq_nearest_place_index(places[entry + AHEAD]));
		put_ends(groups, axes, entry,
				 boxes + 2 * axes * (Size) spq_nearest_place_index(places[entry]));
	}
}

SpqPackedTree *
spq_packed_tree_pack(const float8 *boxes, const SpqNearestPlace *places, uint32 count, int axes)
{
	SpqPackedTree *tree = palloc0(sizeof(SpqPackedTree));

	tree->axes = axes;
	if (count == 0)
		return tree;
	add_level(tree, count);
	if (axes == 2)
		put_boxes(tree->groups[0], 2, boxes, places, count);
	else
		put_boxes(tree->groups[0], 3, boxes, places, count);
	add_levels(tree);
	return tree;
}

SpqPackedTree *
spq_packed_tree_build(const float8 *boxes, const int64 *ids, uint32 count, int axes)
{
	SpqNearestPlace *places = spq_large_alloc(CurrentMemoryContext,
											  2 * (Size) count * sizeof(SpqNearestPlace));
	SpqPackedTree *tree;

	spq_nearest_order(boxes, count, axes, places);
	tree = spq_packed_tree_pack(boxes, places, count, axes);
	tree->ids = spq_large_alloc(CurrentMemoryContext, count * sizeof(int64));
	for (uint32 entry = 0; entry < count; entry++)
		tree->ids[entry] = ids[spq_nearest_place_index(places[entry])];
	pfree(places);
	return tree;
}

SpqPackedTree *
spq_packed_tree_above(const float8 *bounds, uint32 count, int axes)
{
	SpqPackedTree *tree = palloc0(sizeof(SpqPackedTree));

	tree->axes = axes;
	if (count == 0)
		return tree;
	tree->nentries[tree->nlevels++] = count;
	if (count > SPQ_PACKED_GROUP)
		tree->nentries[tree->nlevels++] = groups_of(count);
	if (groups_of(count) > SPQ_PACKED_GROUP)
	{
		add_level(tree, groups_of(groups_of(count)));
		for (uint32 group = 0; group < tree->nentries[2]; group++)
			put_ends(tree->groups[2], axes, group, bounds + 2 * axes * (Size) group);
		add_levels(tree);
	}
	return tree;
}

void
spq_packed_tree_free(SpqPackedTree *tree)
{
	for (int level = 0; level < tree->nlevels; level++)
		if (tree->groups[level])
			pfree(tree->groups[level]);
	if (tree->ids)
		pfree(tree->ids);
	pfree(tree);
}
