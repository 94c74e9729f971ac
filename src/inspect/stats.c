/*-------------------------------------------------------------------------
 *
 * stats.c
 *	  spqtree_stats: the state of an index in one row.
 *
 *		walk	what is in the tree: tuples, chains, depth
 *		pages	one after the other: what they are used for
 *
 *		+--------+----------+ - - - - - - - - +------+------+------+---------+
 *		| header | line     |	  free		  | live | dead | live | special |
 *		|		 | pointers |				  |		 |		|	   |		 |
 *		+--------+----------+ - - - - - - - - +------+------+------+---------+
 *
 * Dead bytes are those of tuples that are not live, with their line pointers;
 * used bytes are all others that are not free.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "inspect/tree.h"

PG_FUNCTION_INFO_V1(spq_stats);

typedef struct Stats
{
	/* the walk; but for tuples, of the tree of boxes */
	int64		tuples;
	int64		null_tuples;
	int64		oversize_tuples;	/* below nodes for oversize boxes */
	int64		inner_tuples;
	int64		all_the_same;	/* of those */
	int64		markers;
	int64		leaf_chains;	/* with a tuple */
	int64		longest_chain;
	int64		depths;			/* inner tuples on the way, a sum over tuples */
	int			max_depth;

	/* the pages */
	int64		inner_pages;
	int64		leaf_pages;
	int64		empty_pages;
	int64		pages;
	int64		dead_bytes;
	int64		free_bytes;
	int64		tuples_of_state[SPGIST_PLACEHOLDER + 1];
} Stats;

static bool
visit(void *arg, SpqPageStep *tree_node)
{
	Stats	   *stats = (Stats *) arg;

	if (!tree_node->inner)
		stats->tuples += tree_node->tuples;
	if (tree_node->of_nulls)
	{
		stats->null_tuples += tree_node->inner ? 0 : tree_node->tuples;
		return true;
	}
	if (tree_node->inner)
	{
		stats->inner_tuples++;
		stats->all_the_same += tree_node->all_the_same;
		stats->markers += tree_node->n_markers;
		return true;
	}
	if (tree_node->tuples == 0)
		return true;
	if (tree_node->below_oversize)
		stats->oversize_tuples += tree_node->tuples;
	stats->leaf_chains++;
	stats->longest_chain = Max(stats->longest_chain, tree_node->tuples);
	stats->depths += tree_node->tuples * (tree_node->level - 1);
	stats->max_depth = Max(stats->max_depth, tree_node->level - 1);
	return true;
}

/* The tuples of a page, and what they take. */
static void
count_items(Stats *stats, SpqInspectIndex *inspected, Page page, BlockNumber block)
{
	PageHeader	header = (PageHeader) page;

	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
	{
		char	   *problem = spq_page_item_problem(page, i, SpGistBlockIsRoot(block),
											   inspected->reader.leaf_desc);
		SpGistDeadTuple tuple;

		if (problem)
			spq_page_raise(inspected, block, i, problem);
		tuple = spq_page_tuple(page, i);
		stats->tuples_of_state[tuple->tupstate]++;
		if (tuple->tupstate != SPGIST_LIVE)
			stats->dead_bytes += SGDTSIZE + sizeof(ItemIdData);
	}
	stats->free_bytes += header->pd_upper - header->pd_lower;
}

static void
count_pages(Stats *stats, SpqInspectIndex *inspected)
{
	Page		page = (Page) palloc(BLCKSZ);
	BlockNumber n_blocks = RelationGetNumberOfBlocks(inspected->index);

	for (BlockNumber block = 0; block < n_blocks; block++)
	{
		switch (spq_page_read(&inspected->reader, block, page))
		{
			case SPQ_PAGE_BEYOND_END:
				continue;
			case SPQ_PAGE_DAMAGED:
				spq_page_raise(inspected, block, InvalidOffsetNumber,
								  spq_page_header_problem(page, block));
				break;
			case SPQ_PAGE_EMPTY:
				stats->empty_pages++;
				stats->free_bytes += PageIsNew(page) ? BLCKSZ :
					((PageHeader) page)->pd_upper - ((PageHeader) page)->pd_lower;
				break;
			case SPQ_PAGE_INNER:
			case SPQ_PAGE_LEAF:
				if (block == SPGIST_METAPAGE_BLKNO)
					break;
				if (SpGistPageIsLeaf(page))
					stats->leaf_pages++;
				else
					stats->inner_pages++;
				count_items(stats, inspected, page, block);
				break;
		}
		stats->pages++;
	}
	pfree(page);
}

/*
 * spqtree_stats(index regclass) returns record
 */
Datum
spq_stats(PG_FUNCTION_ARGS)
{
	SpqInspectIndex inspected;
	Stats		stats = {0};
	SpqPageVisitor visitor = {NULL, visit, NULL, &stats};
	int64		boxes;
	TupleDesc	desc;
	Datum		values[24];
	bool		nulls[24] = {false};
	int			n = 0;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_stats(relid)");
	spq_page_walk(&inspected, &visitor);
	count_pages(&stats, &inspected);
	spq_inspect_close(&inspected);

	boxes = stats.tuples - stats.null_tuples;
	values[n++] = Int64GetDatum(stats.tuples);
	values[n++] = Int64GetDatum(stats.null_tuples);
	values[n++] = Int64GetDatum(stats.oversize_tuples);
	values[n++] = Int64GetDatum(stats.inner_tuples);
	values[n++] = Int64GetDatum(stats.all_the_same);
	values[n++] = Int64GetDatum(stats.markers);
	values[n++] = Int64GetDatum(stats.leaf_chains);
	nulls[n] = nulls[n + 1] = nulls[n + 2] = nulls[n + 3] = boxes == 0;
	if (boxes > 0)
	{
		values[n] = Float8GetDatum((float8) boxes / stats.leaf_chains);
		values[n + 1] = Int64GetDatum(stats.longest_chain);
		values[n + 2] = Float8GetDatum((float8) stats.depths / boxes);
		values[n + 3] = Int32GetDatum(stats.max_depth);
	}
	n += 4;
	values[n++] = Int64GetDatum(stats.pages);
	values[n++] = Int64GetDatum(stats.inner_pages);
	values[n++] = Int64GetDatum(stats.leaf_pages);
	values[n++] = Int64GetDatum(stats.empty_pages);
	values[n++] = Int64GetDatum(stats.pages * BLCKSZ);
	values[n++] = Int64GetDatum(stats.pages * BLCKSZ - stats.dead_bytes - stats.free_bytes);
	values[n++] = Int64GetDatum(stats.dead_bytes);
	values[n++] = Int64GetDatum(stats.free_bytes);
	values[n++] = Int64GetDatum(stats.tuples_of_state[SPGIST_DEAD]);
	values[n++] = Int64GetDatum(stats.tuples_of_state[SPGIST_REDIRECT]);
	values[n++] = Int64GetDatum(stats.tuples_of_state[SPGIST_PLACEHOLDER]);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
