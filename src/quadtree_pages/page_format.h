/*-------------------------------------------------------------------------
 *
 * page_format.h
 *	  The format of one page of an SP-GiST index with our operator classes.
 *
 *		+--------+-------------+ - - - - - +------------------+--------------+
 *		| header | line        |   free	   | tuples			  | flags, counts|
 *		|		 | pointers	   |		   |				  | page ID		 |
 *		+--------+-------------+ - - - - - +------------------+--------------+
 *				 one for each				pd_upper		   pd_special
 *				 tuple
 *
 * A page contains inner tuples or leaf tuples, besides redirections, dead
 * tuples and placeholders.  The leaf tuples of one node form a chain within
 * the page.
 *
 * Each function tests one aspect, and returns a description of the first
 * problem, or NULL.  The page may be arbitrary bytes; nothing outside it is
 * read.  Each function relies only on what the functions before it in this
 * list have tested:
 *
 *		spq_page_header_problem		header, kind of page
 *		spq_page_item_problem		position and length of one item, its
 *									state, its content
 *		spq_page_overlap_problem,	for a page whose items have no problem:
 *		spq_page_chains_problem,	shared or unused bytes; links of leaf
 *		spq_page_counts_problem		tuples; counts
 *		spq_page_chain_problem		one chain of a page that may be damaged
 *									elsewhere
 *
 * These functions need no server. test/unit/page_format_test.c tests them
 * without one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_PAGE_FORMAT_H
#define SPQ_QUADTREE_PAGES_PAGE_FORMAT_H

#include "access/spgist_private.h"
#include "storage/bufpage.h"

/* Items of a page are numbered from 1 to at most this. */
#define SPQ_PAGE_MAX_ITEMS	MaxIndexTuplesPerPage

/* The position of an item of a leaf page in its chain. */
typedef enum SpqPageLink
{
	SPQ_PAGE_NO_LINK,			/* not a live leaf tuple */
	SPQ_PAGE_CHAIN_HEAD,		/* no other tuple links to it */
	SPQ_PAGE_CHAIN_MEMBER
} SpqPageLink;

/* The problem of a metapage or root page that is all zeros. */
#define SPQ_PAGE_NEVER_WRITTEN	"metapage or root page was never written"

extern char *spq_page_header_problem(Page page, BlockNumber block);
extern char *spq_page_item_problem(Page page, OffsetNumber item, bool root,
								   TupleDesc leaf_desc);
extern char *spq_page_overlap_problem(Page page, OffsetNumber *item);
extern char *spq_page_chains_problem(Page page, bool root, OffsetNumber *item,
									 SpqPageLink *links);
extern char *spq_page_chain_problem(Page page, OffsetNumber head,
									TupleDesc leaf_desc);
extern char *spq_page_counts_problem(Page page, bool root);
extern char *spq_page_column(Form_pg_attribute att, int number, bool may_be_compressed,
							 const char *data, Size size, Size *at, Datum *value);
extern char *spq_page_leaf_columns(SpGistLeafTuple tuple, TupleDesc leaf_desc,
								   bool key_is_null, Datum *values, bool *nulls);

static inline SpGistDeadTuple
spq_page_tuple(Page page, OffsetNumber item)
{
	return (SpGistDeadTuple) PageGetItem(page, PageGetItemId(page, item));
}

#endif							/* SPQ_QUADTREE_PAGES_PAGE_FORMAT_H */
