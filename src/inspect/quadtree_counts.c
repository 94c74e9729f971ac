/*-------------------------------------------------------------------------
 *
 * quadtree_counts.c
 *	  The pages of a quadtree.  See stats_columns.h.
 *
 *		+--------+----------+ - - - - - - - - +------+------+------+---------+
 *		| header | line     |	  free		  | live | dead | live | special |
 *		|		 | pointers |				  |		 |		|	   |		 |
 *		+--------+----------+ - - - - - - - - +------+------+------+---------+
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "inspect/stats_columns.h"
#include "quadtree_pages/page_format.h"
#include "quadtree_pages/raise.h"

/* Count the tuples of a page, and their bytes. */
static void
count_items(int64 *counts, SpqPageReader *reader, const SpqPageCopy *copy)
{
	Page		page = copy->page;
	PageHeader	header = (PageHeader) page;

	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
	{
		char	   *problem = spq_page_item_problem(page, i, SpGistBlockIsRoot(copy->block),
													reader->leaf_desc);
		int			state;

		if (problem)
			spq_page_raise(reader->index, copy->block, i, problem);
		state = spq_page_tuple(page, i)->tupstate;
		counts[DEAD_TUPLES] += state == SPGIST_DEAD;
		counts[REDIRECTS] += state == SPGIST_REDIRECT;
		counts[PLACEHOLDERS] += state == SPGIST_PLACEHOLDER;
		if (state != SPGIST_LIVE)
			counts[DEAD_BYTES] += SGDTSIZE + sizeof(ItemIdData);
	}
	counts[FREE_BYTES] += header->pd_upper - header->pd_lower;
}

void
spq_inspect_count_quadtree(SpqPageReader *reader, int64 *counts)
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
				counts[EMPTY_PAGES]++;
				counts[FREE_BYTES] += PageIsNew(page) ? BLCKSZ :
					((PageHeader) page)->pd_upper - ((PageHeader) page)->pd_lower;
				break;
			case SPQ_PAGE_INNER:
			case SPQ_PAGE_LEAF:
				if (block == SPGIST_METAPAGE_BLKNO)
					break;
				if (SpGistPageIsLeaf(page))
					counts[LEAF_PAGES]++;
				else
					counts[INNER_PAGES]++;
				count_items(counts, reader, &copy);
				break;
		}
		counts[PAGES]++;
	}
	pfree(page);
}
