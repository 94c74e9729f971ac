/*-------------------------------------------------------------------------
 *
 * tree.c
 *	  Whether an index of access method spqtree is sound: the invariants of
 *	  src/rtree/README.md.
 *
 *		walk	from the root, as a scan would: each page by itself; each
 *				downlink against its child (I1, I3); notes the rows
 *		chains	each inner level from its first page to the right: no circle, and
 *				all that the walk has seen (I2)
 *		rest	pages that the walk has not come to
 *		heap	every row of the table against what was noted
 *
 * Beside writers, the walk sees each page of the tree that was there when it
 * began, once, by the argument that scans are complete.  What two pages say of
 * each other is another matter, since they are read at different moments.  So what
 * seems wrong with a downlink is looked at again: the parent, the child, and the
 * parent again.  Whoever changes what the two say of each other changes the
 * parent as well.  So if it is the same both times, byte by byte (its LSN
 * included), the child was read while the parent said this.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "access/genam.h"
#include "access/xlog.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "check/heap.h"
#include "check/tree.h"
#include "rtree/class.h"
#include "rtree_pages/tree_walk.h"

/* How often a second look is taken at a downlink whose page changes all the time. */
#define MAX_LOOKS	20

/* One check of an index. */
typedef struct TreeCheck
{
	/* fixed */
	SpqCheck   *check;
	SpqTreeReader reader;
	SpqCheckHeap *heap;			/* NULL: the table is not read */
	FmgrInfo   *ends_proc;
	bool		dead_are_skipped;	/* by scans */
	Page		pages[3];		/* to look again: parent, child, neighbor */
	Page		parent_again;

	/* what the walk has seen */
	SpqRtreeBlockSet visited;
	SpqRtreeBlockSet of_nulls;	/* of these */
	int64		pages_of_level[SPQ_RTREE_LEVELS];
	int			root_level;		/* -1: the root cannot be read */
} TreeCheck;

static void
report(void *arg, BlockNumber block, OffsetNumber item, const char *problem)
{
	spq_check_report(((TreeCheck *) arg)->check, block, item, problem);
}

/*
 * Return what is wrong between a downlink and its child, given copies of the child
 * and, if the child's split is incomplete, of its neighbor.
 */
static char *
downlink_problem(const SpqRtreeDownlink *downlink, Page child, Page neighbor)
{
	const SpqRtreeSpecial *special = spq_rtree_special(child);
	SpqRtreeBounds promise = spq_rtree_promise(child);

	if (!spq_rtree_bounds_hold(&downlink->bounds, &promise))
		return psprintf("bounds of the downlink do not enclose what block %u promises",
						downlink->child);
	if (spq_rtree_is_free(child))
		return psprintf("downlink points to block %u, which is free", downlink->child);
	if (!(special->flags & SPQ_RTREE_INCOMPLETE))
		return special->splits == downlink->stop ? NULL :
			psprintf("child, block %u, was split %u times, but the downlink's stop is %u",
					 downlink->child, special->splits, downlink->stop);
	if (special->splits != downlink->stop + 1)
		return psprintf("split of the child, block %u, is flagged as incomplete, but is not",
						downlink->child);
	if (spq_rtree_special(neighbor)->splits != downlink->stop ||
		(spq_rtree_special(neighbor)->flags & (SPQ_RTREE_INCOMPLETE | SPQ_RTREE_FREE)))
		return psprintf("block %u, split off the child, does not end the downlink's part",
						special->next);
	promise = spq_rtree_promise(neighbor);
	if (!spq_rtree_bounds_hold(&downlink->bounds, &promise))
		return psprintf("bounds of the downlink do not enclose what block %u promises, split off the child",
						special->next);
	return NULL;
}

/*
 * Read the page that has the downlink of a child, beginning with the one that had
 * it.  Return that block, or InvalidBlockNumber if it cannot be found any more.
 */
static BlockNumber
read_parent(TreeCheck *tree, BlockNumber block, int level, BlockNumber child, Page page)
{
	for (int i = 0; i < MAX_LOOKS && BlockNumberIsValid(block); i++)
	{
		if (spq_tree_read(&tree->reader, block, page) != SPQ_TREE_PAGE ||
			spq_rtree_special(page)->level != level)
			break;
		if (spq_rtree_find_child(page, child) >= 0)
			return block;
		block = spq_rtree_special(page)->next;
	}
	return InvalidBlockNumber;
}

/* Look again at a downlink that seems to be wrong, and report it if it is. */
static void
look_again(TreeCheck *tree, BlockNumber parent, int level, BlockNumber child)
{
	for (int i = 0; i < MAX_LOOKS; i++)
	{
		SpqRtreeDownlink downlink;
		const SpqRtreeSpecial *special;
		char	   *problem;
		int			entry;

		parent = read_parent(tree, parent, level, child, tree->pages[0]);
		if (!BlockNumberIsValid(parent))
			return;
		entry = spq_rtree_find_child(tree->pages[0], child);
		downlink = spq_rtree_get_downlink(tree->pages[0], entry);

		/* other problems are reported by the walk */
		if (spq_tree_read(&tree->reader, child, tree->pages[1]) != SPQ_TREE_PAGE)
			return;
		special = spq_rtree_special(tree->pages[1]);
		if ((special->flags & SPQ_RTREE_INCOMPLETE) &&
			special->splits == downlink.stop + 1 &&
			spq_tree_read(&tree->reader, special->next, tree->pages[2]) != SPQ_TREE_PAGE)
			return;
		if (spq_tree_read(&tree->reader, parent, tree->parent_again) != SPQ_TREE_PAGE)
			return;
		if (memcmp(tree->pages[0], tree->parent_again, BLCKSZ) != 0)
			continue;
		problem = downlink_problem(&downlink, tree->pages[1], tree->pages[2]);
		if (problem)
			spq_check_report(tree->check, parent, entry + 1, problem);
		return;
	}
}

/* Compare a page with the downlink that has led to it. */
static void
check_downlink(TreeCheck *tree, const SpqTreeStep *step)
{
	const SpqRtreeSpecial *special = spq_rtree_special(step->page);
	SpqRtreeBounds bounds = spq_rtree_entry_bounds(step->parent->page, step->entry);
	SpqRtreeBounds promise = spq_rtree_promise(step->page);

	if (!spq_rtree_bounds_hold(&bounds, &promise) ||
		(special->flags & (SPQ_RTREE_INCOMPLETE | SPQ_RTREE_FREE)) ||
		special->splits != spq_rtree_stop(step->parent->page, step->entry))
		look_again(tree, step->parent->block, step->level + 1, step->block);
}

/* Extract the columns of a row.  Return whether they are sound. */
static bool
columns_of_row(TreeCheck *tree, const SpqTreeStep *leaf, int entry, SpqRtreeRow *row,
			   Datum *values, bool *nulls)
{
	const SpqRtreeCoder *coder = &tree->reader.coder;
	TupleDesc	columns = tree->reader.columns;
	int			box = coder->nscalars;

	*row = spq_rtree_get_row(leaf->page, entry);
	if (columns == NULL)
	{
		for (int i = 0; i < box; i++)
			values[i] = spq_rtree_decode(coder, row->code, i, &nulls[i]);
	}
	else
	{
		if (spq_tree_payload_columns(leaf->page, entry, columns, values, nulls) != NULL)
			return false;
		memmove(&values[box + 1], &values[box], (columns->natts - box) * sizeof(Datum));
		memmove(&nulls[box + 1], &nulls[box], (columns->natts - box) * sizeof(bool));
	}
	values[box] = PointerGetDatum(row->ends);
	nulls[box] = leaf->of_nulls;
	return true;
}

/*
 * Note a row, after a look at whether its code is that of its columns.  A compressed
 * value may be damaged: that is its own error.
 */
static void
note_row(TreeCheck *tree, const SpqTreeStep *leaf, int entry, SpqRtreeRow *row,
		 Datum *values, bool *nulls)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		float8		code = spq_rtree_code_of(&tree->reader.coder, values, nulls);

		if (code != row->code)
			spq_check_report(tree->check, leaf->block, entry + 1,
							 psprintf("code of the row is %.0f, but that of its columns is %.0f",
									  row->code, code));
		if (tree->heap && !(row->dead && tree->dead_are_skipped))
			spq_check_heap_leaf(tree->heap, &row->tid, values, nulls);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		if (geterrcode() != ERRCODE_DATA_CORRUPTED)
			PG_RE_THROW();
		FlushErrorState();
		spq_check_report(tree->check, leaf->block, entry + 1,
						 "included columns cannot be decompressed");
	}
	PG_END_TRY();
}

/* Check the rows of a leaf, as far as they are not checked with its page. */
static void
check_rows(TreeCheck *tree, const SpqTreeStep *leaf)
{
	int			count = spq_rtree_count(leaf->page);
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	for (int entry = 0; entry < count; entry++)
	{
		SpqRtreeRow row;

		if (!columns_of_row(tree, leaf, entry, &row, values, nulls) ||
			!ItemPointerIsValid(&row.tid))
			continue;
		if (spq_check_beyond_table(tree->check, &row.tid))
			spq_check_report(tree->check, leaf->block, entry + 1,
							 psprintf("leaf points to row (%u,%u), but the table has %u blocks",
									  ItemPointerGetBlockNumber(&row.tid),
									  ItemPointerGetOffsetNumber(&row.tid),
									  tree->check->heap_blocks));

		/* a row that scans skip is missing */
		if (tree->reader.coder.nscalars > 0 ||
			(tree->heap && !(row.dead && tree->dead_are_skipped)))
			note_row(tree, leaf, entry, &row, values, nulls);
	}
}

static bool
visit(void *arg, SpqTreeStep *step)
{
	TreeCheck  *tree = (TreeCheck *) arg;
	MemoryContext old_context = MemoryContextSwitchTo(tree->check->short_lived);

	if (step->of_nulls)
		spq_rtree_block_set_add(&tree->of_nulls, step->block);
	else
		tree->pages_of_level[step->level]++;
	if (step->block == SPQ_RTREE_ROOT)
		tree->root_level = step->level;
	if (step->parent && !step->linked)
		check_downlink(tree, step);
	if (step->level == 0)
		check_rows(tree, step);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(tree->check->short_lived);
	return true;
}

/* Return why a block cannot be in the chain of a level, or NULL; set *page to a copy. */
static const char *
chain_problem(TreeCheck *tree, int level, BlockNumber block, const SpqRtreeBlockSet *seen,
			  Page page)
{
	if (spq_rtree_block_set_has(seen, block))
		return "which is to the left";
	switch (spq_tree_read(&tree->reader, block, page))
	{
		case SPQ_TREE_PAGE:
			break;
		case SPQ_TREE_BEYOND_END:
			return "which is beyond the end of the index";
		case SPQ_TREE_ZERO:
			return "which is all zeros";
		case SPQ_TREE_DAMAGED:
			return "which is damaged";
		case SPQ_TREE_META:
			return "which is the metapage";
	}
	if (spq_tree_of_nulls(page) || spq_rtree_special(page)->level != level)
		return "which is not of this level";
	return NULL;
}

/*
 * Follow an inner level from its first page to the right.  All that the walk has seen
 * of it must be there: pages never leave their chain.
 */
static void
check_chain(TreeCheck *tree, int level, BlockNumber first)
{
	SpqRtreeBlockSet seen = {.context = tree->check->context};
	Page		page = tree->pages[0];
	BlockNumber before = InvalidBlockNumber,
				block = first;
	int64		missing = tree->pages_of_level[level];
	const char *problem = NULL;

	while (BlockNumberIsValid(block))
	{
		problem = chain_problem(tree, level, block, &seen, page);
		if (problem)
			break;
		spq_rtree_block_set_add(&seen, block);
		if (spq_rtree_block_set_has(&tree->visited, block))
			missing--;
		before = block;
		block = spq_rtree_special(page)->next;
	}
	spq_rtree_block_set_free(&seen);
	if (problem && BlockNumberIsValid(before))
		spq_check_report(tree->check, before, InvalidOffsetNumber,
						 psprintf("right link points to block %u, %s; pages of level %d that right links miss: " INT64_FORMAT,
								  block, problem, level, missing));
	else if (problem)
		spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
						 psprintf("metapage says that level %d begins at block %u, %s",
								  level, block, problem));
	else if (missing > 0)
		spq_check_report(tree->check, first, InvalidOffsetNumber,
						 psprintf("right links from here, where level %d begins according to the metapage, miss " INT64_FORMAT " of its pages",
								  level, missing));
}

/* Return the first page of the list of free pages, or InvalidBlockNumber. */
static BlockNumber
first_free(TreeCheck *tree, Page page)
{
	if (spq_tree_read(&tree->reader, SPQ_RTREE_META, page) != SPQ_TREE_META)
		return InvalidBlockNumber;
	return spq_rtree_meta(page)->free_page;
}

static bool
page_is_free(TreeCheck *tree, BlockNumber block, Page page)
{
	return spq_tree_read(&tree->reader, block, page) == SPQ_TREE_PAGE && spq_rtree_is_free(page);
}

/*
 * Check the first page of the list of free pages.  An insertion may take it, but
 * then the list does not begin with it any more.
 */
static void
check_free(TreeCheck *tree)
{
	BlockNumber block = first_free(tree, tree->pages[0]);

	if (BlockNumberIsValid(block) && !page_is_free(tree, block, tree->pages[0]) &&
		first_free(tree, tree->pages[0]) == block && !page_is_free(tree, block, tree->pages[0]))
		spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
						 psprintf("metapage lists block %u as free, which is not", block));
}

/*
 * Check the metapage and, from what it says, the chains.  It is read before the
 * root: levels that it has are below the root then.
 */
static void
check_levels(TreeCheck *tree)
{
	Page		page = tree->pages[1];
	SpqTreeKind kind = spq_tree_read(&tree->reader, SPQ_RTREE_META, page);
	SpqRtreeMeta meta;

	if (kind != SPQ_TREE_META)
	{
		spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
						 spq_tree_kind_problem(&tree->reader, kind, SPQ_RTREE_META, page));
		return;
	}
	meta = *spq_rtree_meta(page);
	if (!spq_rtree_block_set_has(&tree->of_nulls, meta.null_page) &&
		(spq_tree_read(&tree->reader, meta.null_page, page) != SPQ_TREE_PAGE ||
		 !spq_tree_of_nulls(page)))
		spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
						 psprintf("metapage says that nulls have room in block %u, which is not of their chain",
								  meta.null_page));
	if (tree->root_level < 0 ||
		spq_tree_read(&tree->reader, SPQ_RTREE_ROOT, page) != SPQ_TREE_PAGE)
		return;
	for (int level = 0; level < SPQ_RTREE_LEVELS; level++)
	{
		/* the root may have grown since the walk */
		if (BlockNumberIsValid(meta.first[level]) && level >= spq_rtree_special(page)->level)
			spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
							 psprintf("metapage has a first page of level %d, but the root is of level %d",
									  level, spq_rtree_special(page)->level));
		else if (level < tree->root_level && !BlockNumberIsValid(meta.first[level]))
			spq_check_report(tree->check, SPQ_RTREE_META, InvalidOffsetNumber,
							 psprintf("metapage has no first page of level %d", level));
		else if (level < tree->root_level && level > 0)
			check_chain(tree, level, meta.first[level]);
	}
}

/* The walk for suspects notes no more than where it has been. */
static bool
visit_only(void *arg, SpqTreeStep *step)
{
	return true;
}

/*
 * Check a page that the walk has not come to.  Return whether it is one that a
 * scan should.
 */
static bool
is_suspect(TreeCheck *tree, BlockNumber block, Page page)
{
	SpqTreeKind kind = spq_tree_read(&tree->reader, block, page);
	char	   *problem;
	int			entry;

	if (kind == SPQ_TREE_ZERO || kind == SPQ_TREE_BEYOND_END)
		return false;			/* left behind by a crash; gone */
	if (kind == SPQ_TREE_DAMAGED)
	{
		spq_check_report(tree->check, block, InvalidOffsetNumber,
						 spq_tree_kind_problem(&tree->reader, kind, block, page));
		return false;
	}
	problem = spq_tree_page_problem(page, block, tree->reader.columns, &entry);
	if (problem)
		spq_check_report(tree->check, block, entry + 1, problem);
	return !spq_rtree_is_free(page);
}

/*
 * Check the pages that the walk has not come to.  One that was there before a second
 * walk, and that this has not come to either, is lost.
 */
static void
check_rest(TreeCheck *tree)
{
	SpqRtreeBlockSet suspects = {.context = tree->check->context};
	SpqRtreeBlockSet visited = {0};
	SpqTreeVisitor visitor = {.visit = visit_only,.silent = true,.visited = &visited};
	BlockNumber length = RelationGetNumberOfBlocks(tree->reader.index);
	MemoryContext old_context = MemoryContextSwitchTo(tree->check->short_lived);

	for (BlockNumber block = SPQ_RTREE_META + 1; block < length; block++)
	{
		if (!spq_rtree_block_set_has(&tree->visited, block) &&
			is_suspect(tree, block, tree->pages[0]))
			spq_rtree_block_set_add(&suspects, block);
		MemoryContextReset(tree->check->short_lived);
	}
	MemoryContextSwitchTo(tree->check->context);
	if (suspects.size > 0)
		spq_tree_walk(&tree->reader, &visitor);
	MemoryContextSwitchTo(tree->check->short_lived);
	for (BlockNumber block = 0; suspects.size > 0 && block < length; block++)
		if (spq_rtree_block_set_has(&suspects, block) &&
			!spq_rtree_block_set_has(&visited, block))
			spq_check_report(tree->check, block, InvalidOffsetNumber,
							 "no downlink leads to this page");
	MemoryContextSwitchTo(old_context);
	spq_rtree_block_set_free(&suspects);
	spq_rtree_block_set_free(&visited);
}

/* Return the ends of a key of the table, as a leaf stores them. */
static Datum
store_key(SpqCheck *check, Datum key)
{
	float8	   *ends = palloc(SPQ_RTREE_ENDS * sizeof(float8));

	spq_rtree_class_ends(spq_rtree_class_proc(check->index, SPQ_RTREE_ENDS_PROC), key, ends);
	return PointerGetDatum(ends);
}

/* The second walk for duplicates: hand over each row. */
static bool
visit_again(void *arg, SpqTreeStep *step)
{
	for (int entry = 0; step->level == 0 && entry < spq_rtree_count(step->page); entry++)
	{
		SpqRtreeRow row = spq_rtree_get_row(step->page, entry);
		SpqPageTid	tid = {step->block, entry + 1};

		if (ItemPointerIsValid(&row.tid))
			spq_check_heap_again((SpqCheckHeap *) arg, &row.tid, tid);
	}
	return true;
}

static void
walk_again(SpqCheck *check, SpqCheckHeap *heap_check)
{
	SpqTreeVisitor visitor = {.visit = visit_again,.silent = true,.arg = heap_check};

	spq_tree_walk(check->tree_reader, &visitor);
}

/* Return the columns of rows as they are stored: the key as its ends. */
static TupleDesc
stored_columns(Relation index)
{
	TupleDesc	columns = CreateTupleDescCopy(RelationGetDescr(index));
	Form_pg_attribute key = TupleDescAttr(columns, spq_rtree_box_column(index) - 1);

	key->attbyval = false;
	key->attlen = 2 * spq_rtree_axes(index) * sizeof(float8);
	key->attalign = TYPALIGN_DOUBLE;
	return columns;
}

/* Check an index of this access method. */
void
spq_check_tree(SpqCheck *check, bool heapallindexed)
{
	TreeCheck	tree = {.check = check,.root_level = -1};
	SpqCheckRows rows = {.store = store_key,.walk = walk_again};
	SpqTreeVisitor visitor = {
		.visit = visit,
		.report = report,
		.arg = &tree,
		.visited = &tree.visited
	};

	spq_tree_reader_begin(&tree.reader, check->index);
	check->tree_reader = &tree.reader;
	for (int i = 0; i < 3; i++)
		tree.pages[i] = palloc(BLCKSZ);
	tree.parent_again = palloc(BLCKSZ);
	tree.of_nulls.context = check->context;
	tree.dead_are_skipped = !RecoveryInProgress();
	rows.columns = stored_columns(check->index);
	rows.key = spq_rtree_box_column(check->index) - 1;
	tree.heap = heapallindexed ? spq_check_heap_begin(check, &rows) : NULL;

	spq_tree_walk(&tree.reader, &visitor);
	check_levels(&tree);
	check_free(&tree);
	check_rest(&tree);
	if (tree.heap)
		spq_check_heap_end(tree.heap);

	spq_tree_reader_end(&tree.reader);
}
