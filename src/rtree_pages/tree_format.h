/*-------------------------------------------------------------------------
 *
 * tree_format.h
 *	  The format of one page of an index of access method spqtree.
 *
 * src/rtree/page/page.h draws it.  Each function returns a description of the
 * first problem, or NULL.  The page may be arbitrary bytes; nothing outside it
 * is read.  Each function relies only on what the functions before it have
 * tested:
 *
 *		spq_tree_header_problem		header, special space: entries can be read
 *		spq_tree_meta_problem		the same for the metapage
 *		spq_tree_entry_problem		one entry
 *		spq_tree_page_problem		all entries, and what must be zero
 *
 * They need no server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGES_TREE_FORMAT_H
#define SPQ_RTREE_PAGES_TREE_FORMAT_H

#include "access/tupdesc.h"

#include "rtree/page/page.h"

/*
 * "columns" describes the payloads; NULL if the index has no INCLUDE columns.
 */
extern char *spq_tree_header_problem(Page page, BlockNumber block, TupleDesc columns);
extern char *spq_tree_meta_problem(Page page, int axes);
extern char *spq_tree_entry_problem(Page page, BlockNumber block, int entry,
									TupleDesc columns);
extern char *spq_tree_page_problem(Page page, BlockNumber block, TupleDesc columns,
								   int *entry);
extern char *spq_tree_payload_columns(Page page, int entry, TupleDesc columns,
									  Datum *values, bool *nulls);

/*
 * Return whether a block has the same role in every index: metapage, root, or
 * first page of nulls.
 */
static inline bool
spq_tree_is_fixed(BlockNumber block)
{
	return block <= SPQ_RTREE_NULLS;
}

static inline bool
spq_tree_of_nulls(Page page)
{
	return (spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS) != 0;
}

#endif							/* SPQ_RTREE_PAGES_TREE_FORMAT_H */
