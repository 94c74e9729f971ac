/*-------------------------------------------------------------------------
 *
 * build_state.c
 *	  CREATE INDEX: the common state of its files, and how full pages are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/bulk_load/build.h"
#include "rtree/bulk_load/build_state.h"
#include "rtree/class/class.h"
#include "rtree/keys/payload.h"

/* Derive the sizes of pages from the fillfactor. */
static void
plan_pages(SpqRtreeBuild *build)
{
	int			fillfactor = spq_rtree_fillfactor(build->index);
	int			leaf_max;
	int			one_code_max;
	int			inner_max;

	build->leaf_flags = spq_rtree_new_leaf_flags(build->index);
	build->inner_flags = build->leaf_flags & SPQ_RTREE_INNER_FLAGS;
	leaf_max = spq_rtree_page_max(0, build->leaf_flags);
	one_code_max = spq_rtree_page_max(0, build->leaf_flags | SPQ_RTREE_ONE_CODE);
	inner_max = spq_rtree_page_max(1, build->inner_flags);
	build->leaf_size = spq_rtree_space(build->leaf_flags);
	if (build->payload_desc != NULL)
	{
		/*
		 * A group of eight takes its full space, even if it is the last one
		 * and nearly empty.  A page must have room for the largest row.
		 */
		build->leaf_size = SPQ_RTREE_LEAF_SPACE(build->leaf_flags) * fillfactor / 100;
		build->leaf_size = Max(build->leaf_size, (Size) spq_rtree_space(build->leaf_flags) / 4);
	}

	/* fill whole groups of eight, which take their space anyway */
	build->leaf_max = TYPEALIGN(SPQ_RTREE_GROUP, leaf_max * fillfactor / 100);
	build->one_code_max = TYPEALIGN(SPQ_RTREE_GROUP, one_code_max * fillfactor / 100);
	build->inner_max = TYPEALIGN(SPQ_RTREE_GROUP, inner_max * fillfactor / 100);
	build->subtree_max = build->inner_max * build->leaf_max;
	build->subtree_size = build->inner_max * build->leaf_size;
}

void
spq_rtree_build_init(SpqRtreeBuild *build, Relation heap, Relation index)
{
	memset(build, 0, sizeof(*build));
	build->heap = heap;
	build->index = index;
	build->axes = spq_rtree_axes(index);
	spq_rtree_row_ends_init(&build->row_ends, index);
	spq_rtree_coder_init(&build->coder, index);
	build->payload_desc = spq_rtree_payload_descriptor(index);
	plan_pages(build);
}
