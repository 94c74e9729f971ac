/*-------------------------------------------------------------------------
 *
 * stats.c
 *	  spqtree_stats: the state of an index in one row.
 *
 *		walk	the content of the tree: tuples, chains, depth
 *		pages	one after the other: what their bytes are used for
 *
 *		+--------+----------+ - - - - - - - - +------+------+------+---------+
 *		| header | line     |	  free		  | live | dead | live | special |
 *		|		 | pointers |				  |		 |		|	   |		 |
 *		+--------+----------+ - - - - - - - - +------+------+------+---------+
 *
 * Dead bytes are those of tuples that are not live and their line pointers;
 * used bytes are all others that are not free.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "inspect/inspect.h"
#include "inspect/tree_inspect.h"
#include "quadtree_pages/page_format.h"
#include "quadtree_pages/raise.h"
#include "quadtree_pages/walk.h"

PG_FUNCTION_INFO_V1(spq_inspect_stats);

typedef struct Stats
{
	/* the walk; except for tuples, the tree of boxes alone */
	int64		tuples;
	int64		null_tuples;
	int64		oversize_tuples;	/* below nodes for oversize boxes */
	int64		inner_tuples;
	int64		all_the_same;	/* of those */
	int64		markers;
	int64		leaf_chains;	/* with a tuple */
	int64		longest_chain;
	int64		depths;			/* sum over tuples: inner tuples above them */
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
visit(void *arg, SpqPageStep *step)
{
	Stats	   *stats = (Stats *) arg;

	if (!step->inner)
		stats->tuples += step->tuples;
	if (step->of_nulls)
	{
		stats->null_tuples += step->inner ? 0 : step->tuples;
		return true;
	}
	if (step->inner)
	{
		stats->inner_tuples++;
		stats->all_the_same += step->all_the_same;
		stats->markers += step->n_markers;
		return true;
	}
	if (step->tuples == 0)
		return true;
	if (step->below_oversize)
		stats->oversize_tuples += step->tuples;
	stats->leaf_chains++;
	stats->longest_chain = Max(stats->longest_chain, step->tuples);
	stats->depths += step->tuples * (step->level - 1);
	stats->max_depth = Max(stats->max_depth, step->level - 1);
	return true;
}

/* Count the tuples of a page, and their bytes. */
static void
count_items(Stats *stats, SpqPageReader *reader, const SpqPageCopy *copy)
{
	Page		page = copy->page;
	PageHeader	header = (PageHeader) page;

	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
	{
		char	   *problem = spq_page_item_problem(page, i, SpGistBlockIsRoot(copy->block),
													reader->leaf_desc);
		SpGistDeadTuple tuple;

		if (problem)
			spq_page_raise(reader->index, copy->block, i, problem);
		tuple = spq_page_tuple(page, i);
		stats->tuples_of_state[tuple->tupstate]++;
		if (tuple->tupstate != SPGIST_LIVE)
			stats->dead_bytes += SGDTSIZE + sizeof(ItemIdData);
	}
	stats->free_bytes += header->pd_upper - header->pd_lower;
}

static void
count_pages(Stats *stats, SpqPageReader *reader)
{
	SpqPageCopy copy = spq_page_new_copy();
	Page		page = copy.page;
	BlockNumber n_blocks = RelationGetNumberOfBlocks(reader->index);

	for (BlockNumber block = 0; block < n_blocks; block++)
	{
		switch (spq_page_read(reader, block, &copy))
		{
			case SPQ_PAGE_BEYOND_END:
				continue;
			case SPQ_PAGE_DAMAGED:
				spq_page_raise(reader->index, block, InvalidOffsetNumber,
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
				count_items(stats, reader, &copy);
				break;
		}
		stats->pages++;
	}
	pfree(page);
}

/* Fill the columns of the result. */
static void
stats_of_quadtree(SpqPageReader *reader, Datum *values, bool *nulls)
{
	Stats		stats = {0};
	SpqPageVisitor visitor = {
		.visit = visit,
		.arg = &stats
	};
	int64		boxes;
	int			n = 0;

	spq_page_walk(reader, &visitor);
	count_pages(&stats, reader);

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
}

/*
 * spqtree_stats(index regclass) returns record
 */
Datum
spq_inspect_stats(PG_FUNCTION_ARGS)
{
	SpqInspectIndex inspected;
	TupleDesc	desc;
	Datum		values[24] = {0};
	bool		nulls[24] = {false};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_stats(relid)");
	if (inspected.is_tree)
		spq_tree_stats(&inspected.tree, values, nulls);
	else
		stats_of_quadtree(&inspected.reader, values, nulls);
	spq_inspect_close(&inspected);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
