/*-------------------------------------------------------------------------
 *
 * tree.c
 *	  Whether an index of access method spqtree is sound: the invariants of
 *	  src/rtree/README.md.
 *
 *		walk	from the root, as a scan would: each page by itself; each
 *				downlink against its child (I1, I3); stores the rows
 *		chains	each inner level from its first page to the right: no circle,
 *				and all pages that the walk has visited (I2)
 *		rest	pages that the walk has not visited
 *		heap	every row of the table against what was stored
 *
 * While others write to the index, the walk visits each page of the tree that
 * was there when it began, once, by the argument that scans are complete.
 * What two pages say about each other needs a second look (tree_downlinks.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "utils/memutils.h"

#include "check/report.h"
#include "check/tree_parts.h"

static void
report(void *arg, BlockNumber block, OffsetNumber item, const char *problem)
{
	spq_check_report(((SpqTreeCheck *) arg)->check, block, item, problem);
}

static bool
visit(void *arg, SpqTreeStep *step)
{
	SpqTreeCheck *tree = (SpqTreeCheck *) arg;
	MemoryContext old_context = MemoryContextSwitchTo(tree->check->short_lived);

	if (step->of_nulls)
		spq_rtree_block_set_add(&tree->of_nulls, step->block);
	else
		tree->pages_of_level[step->level]++;
	if (step->block == SPQ_RTREE_ROOT)
		tree->root_level = step->level;
	if (step->parent && !step->linked)
		spq_check_tree_downlink(tree, step);
	if (step->level == 0)
		spq_check_tree_rows(tree, step);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(tree->check->short_lived);
	return true;
}

/* Check an index of access method spqtree. */
void
spq_check_tree(SpqCheck *check, bool heapallindexed)
{
	SpqTreeCheck tree = {.check = check,.root_level = -1};
	SpqTreeVisitor visitor = {
		.visit = visit,
		.report = report,
		.policy = SPQ_PAGE_REPORT,
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
	tree.heap = heapallindexed ? spq_check_tree_rows_begin(check) : NULL;

	spq_tree_walk(&tree.reader, &visitor);
	spq_check_tree_levels(&tree);
	spq_check_tree_free(&tree);
	spq_check_tree_rest(&tree);
	if (tree.heap)
		spq_check_heap_end(tree.heap);

	spq_tree_reader_end(&tree.reader);
}
