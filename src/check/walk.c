/*-------------------------------------------------------------------------
 *
 * walk.c
 *	  The walk through the index from its roots: where a scan with no condition
 *	  would come to, and whether each box is where it belongs.
 *
 *		root   (1,1)		a path: one step for each inner tuple from the root
 *		  |	node 3			down to where the walk is, with the node taken
 *		(5,2)
 *		  |	node 0			each box of the chain is compared with every step:
 *		(9,7)				is its place in the tuple's region, is this the node
 *		  |	node 11			that it is routed to, is it within the node's bounds?
 *		chain (40,3)
 *
 * Nothing is handed down: bounds and regions of the steps are not nested (see
 * prefix.h), so one test of the lowest step would not do.
 *
 * The walk sees the tree as it is at the moment of each step, as a scan does:
 * it follows redirections, which are kept until our snapshot is gone, and
 * comes to every tuple that is there from its beginning to its end.  What it
 * finds wrong between a tuple and what is above it may have been in order a
 * moment ago or be so a moment later.  So before something is reported, the
 * upper tuple is read once more (see README.md, "Beside writers").
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_am_d.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/geo_decls.h"
#include "utils/memutils.h"

#include "check/check.h"
#include "pages/downlink.h"

/* One step of the path. */
typedef struct Step
{
	struct Step *parent;
	SpqPageTid	at;
	bool		of_nulls;
	bool		all_the_same;
	SpqPrefix	prefix;
	SpqRegion	region;			/* what the tuple holds */
	SpqFrame	frame;
	SpqPageNode    *nodes;
	int			n_nodes;
	int			node;			/* the node that was taken */
	SpqBounds	bounds;			/* of it */
	int64		outside;		/* boxes below it not within its bounds, but for
								 * the first, which was reported */
	int64		misrouted;		/* the same for boxes that belong elsewhere */
} Step;

typedef struct Walk
{
	SpqCheck   *check;
	const SpqCheckVisitor *visitor;
	char	   *page;			/* copy that is looked at */
	char	   *other;			/* copy for a second look */
	MemoryContext steps;
	double		visits;			/* inner and leaf tuples that the walk came to */
} Walk;

/*
 * A box was not within the bounds that the walk had seen.  Is it not within
 * those of now?
 *
 * Labels are only ever widened, and before a box comes to be below them.  So if
 * the tuple still is where it was, and the one that it was, the box must be
 * within them.  If it is not there any more, nothing can be said.
 */
static bool
outside_now(Walk *walk, const Step *step, const SpqBounds *box)
{
	SpGistInnerTuple tuple;
	SpqPageNode    *nodes;
	SpqBounds	bounds;
	uint64		label;

	if (!spq_page_read_inner(&walk->check->reader, (Page) walk->other, step->at, &tuple) ||
		(tuple->allTheSame != 0) != step->all_the_same ||
		(int) tuple->nNodes < step->n_nodes || tuple->prefixSize == 0 ||
		memcmp(spq_page_inner_prefix(tuple), &step->prefix, sizeof(SpqPrefix)) != 0)
		return false;
	nodes = palloc(tuple->nNodes * sizeof(SpqPageNode));
	spq_page_read_nodes(tuple, nodes);
	label = spq_page_valid_label(nodes, tuple->nNodes, step->node, step->all_the_same,
							&step->prefix);
	bounds = spq_label_decode(label, &step->frame);
	pfree(nodes);
	return !spq_box_bounds_hold(&bounds, box);
}

/* Whether a box, with its place, belongs below a step's node. */
static bool
belongs_below(const Step *step, const SpqPlace *place)
{
	return spq_quad_region_holds(&step->region, place) &&
		(step->all_the_same ||
		 spq_quad_route(&step->prefix, place) ==
		 spq_label_node(step->nodes[step->node].label));
}

static const char *
box_text(const BOX *box)
{
	return DatumGetCString(DirectFunctionCall1(box_out, BoxPGetDatum(box)));
}

/* A box of a chain, compared with all steps of the path. */
static void
check_box(Walk *walk, Step *path, SpqPageTid at, const BOX *box)
{
	SpqPlace	place = spq_lattice_place(box);
	SpqBounds	bounds = spq_box_bounds(box);

	for (Step *step = path; step != NULL; step = step->parent)
	{
		if (unlikely(!spq_box_bounds_hold(&step->bounds, &bounds)) &&
			(step->outside > 0 || outside_now(walk, step, &bounds)) &&
			step->outside++ == 0)
			spq_check_report(walk->check, at.block, at.offset,
					   psprintf("box %s is not within the bounds of node %d of the inner tuple in block %u, item %d",
								box_text(box), step->node, step->at.block,
								step->at.offset));
		if (unlikely(!belongs_below(step, &place)) && step->misrouted++ == 0)
			spq_check_report(walk->check, at.block, at.offset,
					   psprintf("box %s does not belong in the cell or size bound of node %d of the inner tuple in block %u, item %d",
								box_text(box), step->node, step->at.block,
								step->at.offset));
	}
}

/*
 * Does a leaf tuple lead to a block that the table does not have?  A scan would
 * fail there, even if the row is long dead.  Tables only grow while they are
 * locked as ours is.  Others than the heap may number their rows as they like.
 */
static bool
beyond_table(SpqCheck *check, ItemPointer row)
{
	BlockNumber block = ItemPointerGetBlockNumber(row);

	if (block < check->heap_blocks ||
		check->heap->rd_rel->relam != HEAP_TABLE_AM_OID)
		return false;
	check->heap_blocks = RelationGetNumberOfBlocks(check->heap);
	return block >= check->heap_blocks;
}

/* The leaf tuples of a chain on walk->page. */
static void
visit_chain(Walk *walk, Step *path, SpqPageTid head, bool of_nulls, bool root)
{
	Page		page = (Page) walk->page;
	OffsetNumber next;

	for (SpqPageTid at = head;
		 at.offset != InvalidOffsetNumber && at.offset <= PageGetMaxOffsetNumber(page);
		 at.offset = next)
	{
		SpGistLeafTuple tuple = (SpGistLeafTuple) spq_page_tuple(page, at.offset);

		/* tuples on a root page are not linked */
		next = root ? at.offset + 1 : SGLT_GET_NEXTOFFSET(tuple);
		if (tuple->tupstate != SPGIST_LIVE)
			continue;
		if (!of_nulls && !walk->visitor->silent)
		{
			BOX			box = spq_quad_leaf_box(SGLTDATAPTR(tuple),
											  walk->check->reader.leaf_kind);

			check_box(walk, path, at, &box);
		}
		if (!walk->visitor->silent && beyond_table(walk->check, &tuple->heapPtr))
			spq_check_report(walk->check, at.block, at.offset,
					   psprintf("leaf tuple leads to row (%u,%u), the table has %u blocks",
								ItemPointerGetBlockNumber(&tuple->heapPtr),
								ItemPointerGetOffsetNumber(&tuple->heapPtr),
								walk->check->heap_blocks));
		walk->visits++;
		if (walk->visitor->leaf)
			walk->visitor->leaf(walk->visitor->arg, at, tuple, of_nulls);
	}
	MemoryContextReset(walk->check->short_lived);
}

/* Go on below the inner tuple at that place on walk->page. */
static Step *
push_step(Walk *walk, Step *parent, SpqPageTid at, bool of_nulls)
{
	SpGistInnerTuple tuple = (SpGistInnerTuple) spq_page_tuple((Page) walk->page, at.offset);
	MemoryContext old_context = MemoryContextSwitchTo(walk->steps);
	Step	   *step = palloc0(sizeof(Step));

	step->parent = parent;
	step->at = at;
	step->of_nulls = of_nulls;
	step->all_the_same = tuple->allTheSame;
	step->node = -1;
	step->nodes = palloc(tuple->nNodes * sizeof(SpqPageNode));
	step->n_nodes = spq_page_read_nodes(tuple, step->nodes);
	if (!of_nulls)
	{
		step->prefix = *spq_page_inner_prefix(tuple);
		step->region = spq_quad_tuple_region(&step->prefix, step->all_the_same);
		step->frame = spq_quad_frame(&step->prefix);
	}
	MemoryContextSwitchTo(old_context);
	return step;
}

/* What is to be said of a node when all below it has been seen. */
static void
end_node(Walk *walk, Step *step)
{
	if (step->outside > 1)
		spq_check_report(walk->check, step->at.block, step->at.offset,
				   psprintf("bounds of node %d do not hold " INT64_FORMAT " of the boxes below",
							step->node, step->outside));
	if (step->misrouted > 1)
		spq_check_report(walk->check, step->at.block, step->at.offset,
				   psprintf(INT64_FORMAT " of the boxes below node %d do not belong there",
							step->misrouted, step->node));
	step->outside = 0;
	step->misrouted = 0;
}

/*
 * The next node with a downlink; false when there is none left.
 */
static bool
next_node(Walk *walk, Step *step)
{
	if (step->node >= 0)
		end_node(walk, step);
	for (step->node++; step->node < step->n_nodes; step->node++)
	{
		if (!OffsetNumberIsValid(step->nodes[step->node].offset))
			continue;
		if (!step->of_nulls)
			step->bounds =
				spq_label_decode(spq_page_valid_label(step->nodes, step->n_nodes,
												 step->node, step->all_the_same,
												 &step->prefix),
								 &step->frame);
		return true;
	}
	return false;
}

static bool
on_path(const Step *path, SpqPageTid at)
{
	for (; path != NULL; path = path->parent)
		if (path->at.block == at.block && path->at.offset == at.offset)
			return true;
	return false;
}

/*
 * Is the cell of an inner tuple within that of the node that it is below?
 * Boxes that it may get later would be misplaced.
 */
static bool
cell_in_node(const Step *parent, const Step *step)
{
	SpqCell		outer;

	if (parent->of_nulls || parent->all_the_same)
		return true;
	outer = spq_quad_node_cell(&parent->prefix,
						  spq_label_node(parent->nodes[parent->node].label));
	return step->region.cell.exp <= outer.exp &&
		spq_lattice_cell_holds(&outer, step->region.cell.x, step->region.cell.y);
}

/* Visit what the present node of a step leads to; may make a new step. */
static Step *
visit_node(Walk *walk, Step *step)
{
	const SpqCheckVisitor *visitor = walk->visitor;
	SpqPageTid	child;
	SpqPageTid	at;
	SpqPageTarget	target;
	char	   *problem;

	child.block = step->nodes[step->node].block;
	child.offset = step->nodes[step->node].offset;
	at = child;
	problem = spq_page_follow(&walk->check->reader, (Page) walk->page, &at,
								 step->of_nulls, &target);
	if (problem && !visitor->silent &&
		spq_page_problem_persists(&walk->check->reader, step->at, step->node, child, step->of_nulls))
		spq_check_report(walk->check, step->at.block, step->at.offset,
				   psprintf("node %d %s", step->node, problem));
	if (target == SPQ_PAGE_TO_NOTHING)
		return step;

	visitor->reached(visitor->arg, at, step->at, step->node);
	if (target == SPQ_PAGE_TO_CHAIN)
	{
		visit_chain(walk, step, at, step->of_nulls, false);
		return step;
	}
	walk->visits++;
	if (on_path(step, at))
	{
		if (!visitor->silent)
			spq_check_report(walk->check, step->at.block, step->at.offset,
					   psprintf("node %d leads back to block %u, item %d, which is above it",
								step->node, at.block, at.offset));
		return step;
	}
	step = push_step(walk, step, at, step->of_nulls);
	if (!visitor->silent && !step->of_nulls && !cell_in_node(step->parent, step))
		spq_check_report(walk->check, at.block, at.offset,
				   psprintf("cell of the inner tuple is not within that of node %d of the inner tuple in block %u, item %d",
							step->parent->node, step->parent->at.block,
							step->parent->at.offset));
	return step;
}

/*
 * From one root down.  Damage can make a graph out of the tree that has many
 * more ways than tuples; no more tuples are visited than fit the index.
 */
static void
walk_from(Walk *walk, BlockNumber root, bool of_nulls)
{
	Page		page = (Page) walk->page;
	SpqPageTid	at = {root, FirstOffsetNumber};
	SpqPageTid	none = {InvalidBlockNumber, InvalidOffsetNumber};
	OffsetNumber item;
	SpqPageLink links[SPQ_PAGE_MAX_ITEMS + 1];
	Step	   *path;

	switch (spq_page_read(&walk->check->reader, root, page))
	{
		case SPQ_PAGE_BEYOND_END:
			if (!walk->visitor->silent)
				spq_check_report(walk->check, root, InvalidOffsetNumber,
						   "index has no root page");
			return;
		case SPQ_PAGE_EMPTY:
		case SPQ_PAGE_DAMAGED:
			return;				/* damage is for reach.c to tell */
		case SPQ_PAGE_INNER:
		case SPQ_PAGE_LEAF:
			break;
	}
	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
		if (spq_page_item_problem(page, i, true, walk->check->reader.leaf_desc))
			return;
	if (SpGistPageIsLeaf(page))
	{
		if (spq_page_chains_problem(page, true, &item, links) == NULL)
			visit_chain(walk, NULL, at, of_nulls, true);
		return;
	}

	walk->visitor->reached(walk->visitor->arg, at, none, 0);
	path = push_step(walk, NULL, at, of_nulls);
	while (path != NULL)
	{
		Step	   *done = path;

		if (!next_node(walk, path))
		{
			path = path->parent;
			pfree(done->nodes);
			pfree(done);
			continue;
		}
		if (walk->visits > (double) RelationGetNumberOfBlocks(walk->check->reader.index) * SPQ_PAGE_MAX_ITEMS)
		{
			if (!walk->visitor->silent)
				spq_check_report(walk->check, path->at.block, path->at.offset,
						   "walk has come to more tuples than the index can have");
			break;
		}
		path = visit_node(walk, path);
		MemoryContextReset(walk->check->short_lived);
	}
}

/*
 * Walk through the index, the tree of boxes first, then that of null values.
 */
void
spq_check_walk(SpqCheck *check, const SpqCheckVisitor *visitor)
{
	MemoryContext old_context = MemoryContextSwitchTo(check->context);
	Walk		walk = {0};

	walk.check = check;
	walk.visitor = visitor;
	walk.page = palloc(BLCKSZ);
	walk.other = palloc(BLCKSZ);
	walk.steps = AllocSetContextCreate(check->context, "spqtree_check path",
									   ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(check->short_lived);
	walk_from(&walk, SPGIST_ROOT_BLKNO, false);
	walk_from(&walk, SPGIST_NULL_BLKNO, true);
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(walk.steps);
	pfree(walk.page);
	pfree(walk.other);
}
