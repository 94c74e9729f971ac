/*-------------------------------------------------------------------------
 *
 * tree.c
 *	  The walk through the tree of an index.  See tree.h.
 *
 *		path	one step for each inner tuple from the root down, each with
 *				the nodes that are still to be visited
 *
 * The nodes of a tuple are visited in the order of the pages that they lead to,
 * so that chains on one page cost one copy of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "pages/downlink.h"
#include "inspect/tree.h"

/* A node that is to be visited. */
typedef struct Child
{
	int			node;
	SpqPageTid	at;
	uint64		label;
} Child;

typedef struct Step
{
	SpqPageStep tree_node;		/* first */
	Child	   *children;
	int			n_children;
	int			next;			/* of the children */
} Step;

typedef struct Walk
{
	SpqInspectIndex *inspected;
	const SpqPageVisitor *visitor;
	Page		page;			/* copy that is looked at */
	MemoryContext steps;
	double		visits;			/* inner and leaf tuples that the walk came to */
} Walk;

/* A corner of a cell; there is nothing beyond the largest cells. */
static inline float8
cell_corner(float8 v)
{
	if (v >= spq_lattice_pow2(SPQ_LATTICE_MAX_EXP))
		return get_float8_infinity();
	if (v <= -spq_lattice_pow2(SPQ_LATTICE_MAX_EXP))
		return -get_float8_infinity();
	return v;
}

BOX
spq_inspect_cell_to_box(const SpqCell *cell)
{
	float8		side = spq_lattice_pow2(cell->exp);
	BOX			box;

	box.low.x = cell_corner(cell->x);
	box.low.y = cell_corner(cell->y);
	box.high.x = cell_corner(cell->x + side);
	box.high.y = cell_corner(cell->y + side);
	return box;
}

BOX
spq_inspect_bounds_to_box(const SpqBounds *bounds)
{
	BOX			box;

	box.low.x = bounds->xmin;
	box.low.y = bounds->ymin;
	box.high.x = bounds->xmax;
	box.high.y = bounds->ymax;
	return box;
}

/* The largest side of a box of a size class. */
float8
spq_inspect_size_bound(int size)
{
	return size >= SPQ_LATTICE_MAX_EXP ? get_float8_infinity() : spq_lattice_pow2(size);
}

/* The place of the chain's next tuple; invalid after the last. */
OffsetNumber
spq_page_chain_next(const SpqPageStep *chain, OffsetNumber item)
{
	/* tuples on a root page are not linked */
	if (SpGistBlockIsRoot(chain->at.block))
		return item < PageGetMaxOffsetNumber(chain->page) ? item + 1 : InvalidOffsetNumber;
	return SGLT_GET_NEXTOFFSET(spq_page_tuple(chain->page, item));
}

/* What a chain's tuple holds; nothing in the tree of null values. */
const void *
spq_page_chain_leaf(const SpqPageStep *chain, OffsetNumber item)
{
	return SGLTDATAPTR((SpGistLeafTuple) spq_page_tuple(chain->page, item));
}

/* Its box, as the tree sees it: of a compact leaf, one around the true box. */
BOX
spq_page_chain_box(const SpqPageStep *chain, OffsetNumber item)
{
	return spq_quad_leaf_box(spq_page_chain_leaf(chain, item), chain->leaf_kind);
}

/* No item: of the whole page. */
void
spq_page_raise(SpqInspectIndex *inspected, BlockNumber block, OffsetNumber item,
				  const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("index \"%s\" is damaged", RelationGetRelationName(inspected->index)),
			 OffsetNumberIsValid(item) ?
			 errdetail("Block %u, item %u: %s.", block, item, problem) :
			 errdetail("Block %u: %s.", block, problem),
			 errhint("spqtree_check tells all that is wrong with it. Please REINDEX the index.")));
}

static int
compare_children(const void *a, const void *b)
{
	const Child *x = (const Child *) a;
	const Child *y = (const Child *) b;

	if (x->at.block != y->at.block)
		return x->at.block < y->at.block ? -1 : 1;
	if (x->at.offset != y->at.offset)
		return x->at.offset < y->at.offset ? -1 : 1;
	return x->node - y->node;
}

/* The nodes of an inner tuple that the visitor wants to follow. */
static void
choose_children(Walk *walk, Step *step)
{
	const SpqPageVisitor *visitor = walk->visitor;
	SpqPageStep *inner = &step->tree_node;

	step->children = MemoryContextAlloc(walk->steps, inner->n_nodes * sizeof(Child));
	for (int i = 0; i < inner->n_nodes; i++)
	{
		Child	   *child = &step->children[step->n_children];

		if (!OffsetNumberIsValid(inner->nodes[i].offset))
			continue;
		child->node = i;
		child->at.block = inner->nodes[i].block;
		child->at.offset = inner->nodes[i].offset;
		child->label = inner->of_nulls ? 0 :
			spq_page_valid_label(inner->nodes, inner->n_nodes, i, inner->all_the_same,
							&inner->prefix);
		if (visitor->follow == NULL ||
			visitor->follow(visitor->arg, inner, i, child->label))
			step->n_children++;
	}
	qsort(step->children, step->n_children, sizeof(Child), compare_children);
}

/* What the node above says of the place that it leads to. */
static void
set_place(SpqPageStep *tree_node, uint64 label)
{
	const SpqPageStep *parent = tree_node->parent;
	int			number = spq_label_node(label);

	tree_node->label = label;
	tree_node->bounds = (parent->prefix.flags & SPQ_QUAD_LABELS_VOID) ?
		parent->bounds : spq_label_decode(label, &parent->frame);
	tree_node->below_oversize = parent->below_oversize;
	if (parent->all_the_same)
	{
		/* all of its boxes are in one place, so its nodes have no own */
		tree_node->cell = parent->region.cell;
		tree_node->size = parent->region.uniform ? parent->region.size :
			parent->region.cell.exp;
		return;
	}
	tree_node->cell = spq_quad_node_cell(&parent->prefix, number);
	tree_node->size = spq_quad_node_size(&parent->prefix, number);
	tree_node->oversize = spq_quad_node_is_oversize(number);
	tree_node->below_oversize |= tree_node->oversize;
}

static void
fill_chain(Walk *walk, SpqPageStep *chain, bool live)
{
	Page		page = walk->page;

	chain->page = page;
	chain->leaf_kind = walk->inspected->reader.leaf_kind;
	if (SpGistBlockIsRoot(chain->at.block))
		chain->tuples = PageGetMaxOffsetNumber(page);
	else if (live)
		for (OffsetNumber item = chain->at.offset; OffsetNumberIsValid(item);
			 item = spq_page_chain_next(chain, item))
			chain->tuples++;
}

/* Nodes whose number another one before them has. */
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

static void
fill_inner(Walk *walk, SpqPageStep *inner)
{
	SpGistInnerTuple tuple = (SpGistInnerTuple) spq_page_tuple(walk->page, inner->at.offset);
	SpqPageNode    *nodes = MemoryContextAlloc(walk->steps, tuple->nNodes * sizeof(SpqPageNode));

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

static void
free_step(Step *step)
{
	if (step->tree_node.nodes)
		pfree(unconstify(SpqPageNode *, step->tree_node.nodes));
	if (step->children)
		pfree(step->children);
	pfree(step);
}

/*
 * Visit an inner tuple or chain of which the copy of its page is there.
 * Returns the step to go on with.
 */
static Step *
visit_step(Walk *walk, Step *step)
{
	const SpqPageVisitor *visitor = walk->visitor;
	SpqPageStep *tree_node = &step->tree_node;
	Step	   *above = (Step *) tree_node->parent;

	walk->visits += tree_node->inner ? 1 : tree_node->tuples;
	if (visitor->visit(visitor->arg, tree_node) && tree_node->inner)
	{
		choose_children(walk, step);
		return step;
	}
	if (above)
		above->tree_node.tuples += tree_node->tuples;
	free_step(step);
	return above;
}

/*
 * Look at what a downlink leads to.  The copy of its page may be older than the
 * downlink, or, in recovery, of the midst of a change; then it is looked at once
 * more.
 */
static SpqPageTarget
look_at_child(Walk *walk, const Step *step, const Child *child, SpqPageTid *at)
{
	const SpqPageStep *inner = &step->tree_node;
	SpqPageReader  *reader = &walk->inspected->reader;
	char	   *problem = NULL;

	for (int tries = 0; tries < 2; tries++)
	{
		SpqPageTarget	target;

		*at = child->at;
		reader->reuse = tries == 0;
		problem = spq_page_follow(reader, walk->page, at, inner->of_nulls, &target);
		reader->reuse = false;
		if (target != SPQ_PAGE_TO_NOTHING)
		{
			if (problem)
				pfree(problem);
			return target;
		}
		if (spq_page_problem_persists(reader, inner->at, child->node, child->at, inner->of_nulls))
			break;
	}
	spq_page_raise(walk->inspected, inner->at.block, inner->at.offset,
					  psprintf("node %d %s", child->node, problem));
}

/* The next child of a step.  Returns the step to go on with. */
static Step *
visit_child(Walk *walk, Step *step)
{
	const Child *child = &step->children[step->next++];
	SpqPageStep *inner = &step->tree_node;
	Step	   *below = MemoryContextAllocZero(walk->steps, sizeof(Step));
	SpqPageStep *tree_node = &below->tree_node;
	SpqPageTarget	target = look_at_child(walk, step, child, &tree_node->at);

	tree_node->parent = inner;
	tree_node->level = inner->level + 1;
	tree_node->node = child->node;
	tree_node->of_nulls = inner->of_nulls;
	if (!inner->of_nulls)
		set_place(tree_node, child->label);
	if (target == SPQ_PAGE_TO_CHAIN)
		fill_chain(walk, tree_node,
				   spq_page_tuple(walk->page, tree_node->at.offset)->tupstate == SPGIST_LIVE);
	else
	{
		for (const SpqPageStep *above = inner; above != NULL; above = above->parent)
			if (above->at.block == tree_node->at.block &&
				above->at.offset == tree_node->at.offset)
				spq_page_raise(walk->inspected, inner->at.block, inner->at.offset,
								  psprintf("node %d leads back to block %u, item %u, which is above it",
										   child->node, above->at.block, above->at.offset));
		fill_inner(walk, tree_node);
	}
	return visit_step(walk, below);
}

/* The root, if there is one. */
static Step *
visit_root(Walk *walk, BlockNumber root, bool of_nulls)
{
	SpqPageReader  *reader = &walk->inspected->reader;
	SpqPageKind kind = spq_page_read(reader, root, walk->page);
	SpqPageLink links[SPQ_PAGE_MAX_ITEMS + 1];
	OffsetNumber item;
	char	   *problem;
	Step	   *step;

	if (kind == SPQ_PAGE_BEYOND_END)
		spq_page_raise(walk->inspected, root, InvalidOffsetNumber,
						  "root page is not there");
	if (kind == SPQ_PAGE_DAMAGED)
		spq_page_raise(walk->inspected, root, InvalidOffsetNumber,
						  spq_page_header_problem(walk->page, root));
	if (kind == SPQ_PAGE_EMPTY)
	{
		if (PageIsNew(walk->page))
			spq_page_raise(walk->inspected, root, InvalidOffsetNumber,
							  "root page was never written");
		return NULL;
	}
	for (item = FirstOffsetNumber; item <= PageGetMaxOffsetNumber(walk->page); item++)
	{
		problem = spq_page_item_problem(walk->page, item, true, reader->leaf_desc);
		if (problem)
			spq_page_raise(walk->inspected, root, item, problem);
	}
	problem = kind == SPQ_PAGE_LEAF ?
		spq_page_chains_problem(walk->page, true, &item, links) : NULL;
	if (problem)
		spq_page_raise(walk->inspected, root, item, problem);

	step = MemoryContextAllocZero(walk->steps, sizeof(Step));
	step->tree_node.level = 1;
	step->tree_node.node = -1;
	step->tree_node.at.block = root;
	step->tree_node.at.offset = FirstOffsetNumber;
	step->tree_node.of_nulls = of_nulls;
	step->tree_node.cell = spq_lattice_cell(0.0, 0.0, SPQ_LATTICE_TOP_EXP);
	step->tree_node.size = SPQ_LATTICE_TOP_EXP;
	step->tree_node.bounds = spq_box_bounds_everything();
	if (kind == SPQ_PAGE_LEAF)
		fill_chain(walk, &step->tree_node, true);
	else
		fill_inner(walk, &step->tree_node);
	return visit_step(walk, step);
}

/* All below an inner tuple has been seen.  Returns the one above. */
static Step *
leave_step(Walk *walk, Step *step)
{
	Step	   *above = (Step *) step->tree_node.parent;

	if (walk->visitor->left)
		walk->visitor->left(walk->visitor->arg, &step->tree_node);
	if (above)
		above->tree_node.tuples += step->tree_node.tuples;
	free_step(step);
	return above;
}

/*
 * Damage can make a graph out of the tree that has many more ways than tuples;
 * no more tuples are visited than fit the index.
 */
static void
walk_from(Walk *walk, BlockNumber root, bool of_nulls)
{
	Step	   *step = visit_root(walk, root, of_nulls);

	while (step != NULL)
	{
		if (step->next == step->n_children)
		{
			step = leave_step(walk, step);
			continue;
		}
		step = visit_child(walk, step);
		if (walk->visits > (double) RelationGetNumberOfBlocks(walk->inspected->index) * SPQ_PAGE_MAX_ITEMS)
			spq_page_raise(walk->inspected, root, InvalidOffsetNumber,
							  "below it are more tuples than the index can have");
	}
}

/*
 * Walk through the index, the tree of boxes first, then that of null values.
 */
void
spq_page_walk(SpqInspectIndex *inspected, const SpqPageVisitor *visitor)
{
	Walk		walk = {0};

	walk.inspected = inspected;
	walk.visitor = visitor;
	walk.page = (Page) palloc(BLCKSZ);
	walk.steps = AllocSetContextCreate(CurrentMemoryContext, "spqtree path",
									   ALLOCSET_DEFAULT_SIZES);
	walk_from(&walk, SPGIST_ROOT_BLKNO, false);
	walk_from(&walk, SPGIST_NULL_BLKNO, true);
	MemoryContextDelete(walk.steps);
	pfree(walk.page);
}
