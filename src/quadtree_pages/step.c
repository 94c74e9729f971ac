/*-------------------------------------------------------------------------
 *
 * step.c
 *	  One step of a walk.  See step.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "quadtree_pages/step.h"

/* Fill in the properties of a root that are known before its page is read. */
void
spq_page_fill_root(SpqPageStep *step, BlockNumber root, bool of_nulls)
{
	step->level = 1;
	step->node = -1;
	step->tid.block = root;
	step->tid.offset = FirstOffsetNumber;
	step->of_nulls = of_nulls;
	step->cell = spq_lattice_cell(0.0, 0.0, SPQ_LATTICE_TOP_EXP);
	step->size = SPQ_LATTICE_TOP_EXP;
	step->bounds = spq_box_bounds_everything();
}

/* Fill in a chain, or the tuples of a root that is a leaf page. */
void
spq_page_fill_chain(SpqPageStep *chain, Page page)
{
	chain->page = page;
	if (SpGistBlockIsRoot(chain->tid.block))
		chain->tuples = PageGetMaxOffsetNumber(chain->page);
	else if (spq_page_tuple(chain->page, chain->tid.offset)->tupstate == SPGIST_LIVE)
		for (OffsetNumber item = chain->tid.offset; OffsetNumberIsValid(item);
			 item = spq_page_chain_next(chain, item))
			chain->tuples++;
}

/* Return the number of nodes that repeat the number of an earlier node. */
static int
count_markers(const SpqPageStep *inner)
{
	uint32		seen = 0;
	int			n = 0;

	if (inner->all_the_same)
		return 0;
	for (int i = 0; i < inner->n_nodes; i++)
	{
		uint32		bit = (uint32) 1 << spq_label_node(inner->nodes[i].label);

		n += (seen & bit) != 0;
		seen |= bit;
	}
	return n;
}

/* Fill in an inner tuple.  Allocate its nodes in the memory context. */
void
spq_page_fill_inner(SpqPageStep *inner, Page page, MemoryContext context)
{
	SpGistInnerTuple tuple = (SpGistInnerTuple) spq_page_tuple(page, inner->tid.offset);
	SpqPageNode *nodes = MemoryContextAlloc(context, tuple->nNodes * sizeof(SpqPageNode));

	inner->inner = true;
	inner->all_the_same = tuple->allTheSame;
	inner->n_nodes = spq_page_read_nodes(tuple, nodes);
	inner->nodes = nodes;
	for (int i = 0; i < inner->n_nodes; i++)
		inner->n_downlinks += OffsetNumberIsValid(nodes[i].offset);
	if (inner->of_nulls)
		return;
	inner->prefix = *spq_page_inner_prefix(tuple);
	inner->region = spq_quad_tuple_region(&inner->prefix, inner->all_the_same);
	inner->frame = spq_quad_frame(&inner->prefix);
	inner->n_markers = count_markers(inner);
	if (inner->parent == NULL)
	{
		inner->cell = inner->region.cell;
		inner->size = inner->region.uniform ? inner->region.size : inner->region.cell.exp;
	}
}

/* Fill in the properties of the node above, given its valid label. */
void
spq_page_fill_cell(SpqPageStep *step, uint64 label)
{
	const SpqPageStep *parent = step->parent;
	int			number = spq_label_node(label);

	step->label = label;
	step->bounds = (parent->prefix.flags & SPQ_QUAD_LABELS_VOID) ?
		parent->bounds : spq_label_decode(label, &parent->frame);
	step->below_oversize = parent->below_oversize;
	if (parent->all_the_same)
	{
		/* the nodes of an allTheSame tuple have no cells of their own */
		step->cell = parent->region.cell;
		step->size = parent->region.uniform ? parent->region.size :
			parent->region.cell.exp;
		return;
	}
	step->cell = spq_quad_node_cell(&parent->prefix, number);
	step->size = spq_quad_node_size(&parent->prefix, number);
	step->oversize = spq_quad_node_is_oversize(number);
	step->below_oversize |= step->oversize;
}
