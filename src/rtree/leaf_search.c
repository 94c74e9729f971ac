/*-------------------------------------------------------------------------
 *
 * leaf_search.c
 *	  The leaves of an index, for a caller that takes their rows itself.
 *
 * The search for a window is an ordinary scan from the root, whose conditions are those of
 * the scan's keys and the comparisons of the window.  So scan/README.md shows that each
 * search finds each row once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/leaf_search.h"
#include "rtree/rtree.h"
#include "rtree/scan/inner_cache.h"

/*
 * Neighbors that a process of a parallel scan takes together: other processes then work
 * elsewhere, also in the other index, and do not wait for the same locks.
 */
#define LEAVES_AT_A_TIME	16

void
spq_rtree_start_leaves(IndexScanDesc scan, bool nulls)
{
	SpqRtreeScan *state = scan->opaque;

	spq_rtree_start_scan(scan);
	state->most_leaves = LEAVES_AT_A_TIME;
	if (nulls || !state->conditions.reads_nulls)
		return;
	state->nstack = 0;
	if (state->conditions.reads_tree)
		spq_rtree_push_span(state, spq_rtree_whole_tree());
}

/*
 * The comparisons of a window stand behind those of the keys: for each axis one with the
 * high ends of rows, then one with the low ends.
 */
void
spq_rtree_start_windows(IndexScanDesc scan, bool within, Size memory,
						bool (*near) (const void *argument, const SpqRtreeBounds *bounds),
						const void *argument)
{
	SpqRtreeScan *state = scan->opaque;
	int			axes = state->conditions.leaf_layout->axes;

	spq_rtree_start_scan(scan);
	state->inner = spq_rtree_inner_cache_create(memory);
	state->near = near;
	state->near_argument = argument;
	for (int axis = 0; axis < axes; axis++)
	{
		SpqRtreeComparison high = {.end = axis,.at_most = within},
					low = {.end = axes + axis,.at_most = !within};

		spq_rtree_add_comparison(&state->conditions, &high);
		spq_rtree_add_comparison(&state->conditions, &low);
	}
}

/* Forget the copies, before their memory goes. */
void
spq_rtree_end_windows(IndexScanDesc scan)
{
	SpqRtreeScan *state = scan->opaque;

	state->inner = NULL;
	state->near = NULL;
}

void
spq_rtree_search_window(IndexScanDesc scan, const float8 *window)
{
	SpqRtreeScan *state = scan->opaque;
	SpqRtreeConditions *conditions = &state->conditions;
	int			axes = conditions->leaf_layout->axes,
				first = conditions->ncomparisons - 2 * axes;

	for (int axis = 0; axis < axes; axis++)
	{
		bool		within = conditions->rows.comparisons[first + 2 * axis].at_most;

		spq_rtree_change_comparison(conditions, first + 2 * axis, window[within ? axis : axes + axis]);
		spq_rtree_change_comparison(conditions, first + 2 * axis + 1,
									window[within ? axes + axis : axis]);
	}
	state->nstack = 0;
	if (conditions->reads_tree)
		spq_rtree_push_span(state, spq_rtree_whole_tree());
}
