/*-------------------------------------------------------------------------
 *
 * boxes.c
 *	  Whether each box is where it belongs.  See report.h.
 *
 * The walk reads the tuples of a path at different moments.  A box may seem to
 * be outside the bounds only because these were widened after the upper tuple
 * was read.  So the upper tuple is read again before that is reported
 * (README.md, "Beside writers").
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/geo_decls.h"
#include "utils/memutils.h"

#include "check/report.h"
#include "quadtree_pages/downlink.h"
#include "quadtree_pages/walk.h"

/*
 * Counts of the boxes below a step that do not belong there.  The first box of
 * each kind is reported by itself, the others as a number.
 */
typedef struct Strays
{
	int64		outside;		/* outside the bounds of the node above */
	int64		misrouted;		/* belong in another region or node */
} Strays;

/*
 * Return whether a box outside the bounds that the walk has seen is also
 * outside the present bounds.
 *
 * Labels are only widened, and a label is widened before a box is stored below
 * it.  So if the upper tuple is still the same, the box must be within the
 * present bounds.  If the tuple has changed, the box may have been moved as
 * well.
 */
static bool
outside_now(SpqCheck *check, const SpqPageStep *step, const SpqBoxBounds *box)
{
	const SpqPageStep *above = step->parent;
	SpqPageCopy copy = spq_page_new_copy();
	SpGistInnerTuple tuple;
	bool		outside = false;

	if (spq_page_read_inner(&check->reader, &copy, above->tid, &tuple) &&
		(tuple->allTheSame != 0) == above->all_the_same &&
		(int) tuple->nNodes >= above->n_nodes && tuple->prefixSize != 0 &&
		memcmp(spq_page_inner_prefix(tuple), &above->prefix, sizeof(SpqQuadPrefix)) == 0)
	{
		SpqPageNode *nodes = palloc(tuple->nNodes * sizeof(SpqPageNode));
		SpqBoxBounds bounds;
		uint64		label;

		spq_page_read_nodes(tuple, nodes);
		label = spq_page_valid_label(nodes, tuple->nNodes, step->node,
									 above->all_the_same, &above->prefix);
		bounds = spq_label_decode(label, &above->frame);
		outside = !spq_box_bounds_hold(&bounds, box);
		pfree(nodes);
	}
	pfree(copy.page);
	return outside;
}

/* Return whether a box with this place belongs below the node of a step. */
static bool
belongs_below(const SpqPageStep *step, const SpqLatticePlace *place)
{
	const SpqPageStep *above = step->parent;

	return spq_quad_region_holds(&above->region, place) &&
		(above->all_the_same ||
		 spq_quad_route(&above->prefix, place) == spq_label_node(step->label));
}

static const char *
box_text(const BOX *box)
{
	return DatumGetCString(DirectFunctionCall1(box_out, BoxPGetDatum(box)));
}

/* Compare a box of a chain with its whole path. */
static void
check_box(SpqCheck *check, const SpqPageStep *chain, OffsetNumber item, const BOX *box)
{
	SpqLatticePlace place = spq_lattice_place(box);
	SpqBoxBounds bounds = spq_box_bounds(box);

	for (const SpqPageStep *step = chain; step->parent != NULL; step = step->parent)
	{
		Strays	   *strays = (Strays *) step->own;

		/*
		 * void labels have no bounds; the labels further up, which follow, do
		 */
		if (unlikely(!spq_box_bounds_hold(&step->bounds, &bounds)) &&
			(step->parent->prefix.flags & SPQ_QUAD_LABELS_VOID) == 0 &&
			(strays->outside > 0 || outside_now(check, step, &bounds)) &&
			strays->outside++ == 0)
			spq_check_report(check, chain->tid.block, item,
							 psprintf("box %s is outside the bounds of node %d of the inner tuple in block %u, item %d",
									  box_text(box), step->node,
									  step->parent->tid.block, step->parent->tid.offset));
		if (unlikely(!belongs_below(step, &place)) && strays->misrouted++ == 0)
			spq_check_report(check, chain->tid.block, item,
							 psprintf("box %s does not belong in the cell or size bound of node %d of the inner tuple in block %u, item %d",
									  box_text(box), step->node,
									  step->parent->tid.block, step->parent->tid.offset));
	}
}

/*
 * Report the number of strays of a node, after everything below it was
 * visited.
 */
static void
report_strays(SpqCheck *check, const SpqPageStep *step)
{
	const Strays *strays = (const Strays *) step->own;
	SpqPageTid	above = step->parent->tid;

	if (strays->outside > 1)
		spq_check_report(check, above.block, above.offset,
						 psprintf(INT64_FORMAT " boxes below node %d are outside its bounds",
								  strays->outside, step->node));
	if (strays->misrouted > 1)
		spq_check_report(check, above.block, above.offset,
						 psprintf(INT64_FORMAT " boxes below node %d do not belong there",
								  strays->misrouted, step->node));
}

/*
 * Check an inner tuple, before everything below it.  Its cell must be within
 * the cell of the node above, or boxes inserted later would be misplaced.
 */
void
spq_check_boxes_enter(SpqCheck *check, SpqPageStep *inner)
{
	const SpqPageStep *above = inner->parent;
	const SpqLatticeCell *cell = &inner->region.cell;

	if (above == NULL || inner->of_nulls)
		return;
	inner->own = MemoryContextAllocZero(check->context, sizeof(Strays));
	if (!above->all_the_same &&
		(cell->exp > inner->cell.exp || !spq_lattice_cell_holds(&inner->cell, cell->x, cell->y)))
		spq_check_report(check, inner->tid.block, inner->tid.offset,
						 psprintf("cell of the inner tuple is not within that of node %d of the inner tuple in block %u, item %d",
								  inner->node, above->tid.block, above->tid.offset));
}

/* Check the boxes of a chain. */
void
spq_check_boxes_of_chain(SpqCheck *check, SpqPageStep *chain)
{
	Strays		strays = {0};

	if (chain->parent == NULL || chain->of_nulls)
		return;
	chain->own = &strays;
	spq_page_foreach_in_chain(item, chain)
	{
		BOX			box = *spq_page_chain_box(chain, item);

		check_box(check, chain, item, &box);
	}
	report_strays(check, chain);
	chain->own = NULL;
}

/* Finish an inner tuple, after everything below it. */
void
spq_check_boxes_leave(SpqCheck *check, SpqPageStep *inner)
{
	if (inner->own == NULL)
		return;
	report_strays(check, inner);
	pfree(inner->own);
}
