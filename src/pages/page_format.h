/*-------------------------------------------------------------------------
 *
 * page_format.h
 *	  What one page of an SP-GiST index with our operator class may look like.
 *
 *		+--------+-------------+ - - - - - +------------------+--------------+
 *		| header | line        |   free	   | tuples			  | flags, counts|
 *		|		 | pointers	   |		   |				  | page id		 |
 *		+--------+-------------+ - - - - - +------------------+--------------+
 *				 every one		pd_upper						pd_special
 *				 names a tuple
 *
 * A page holds inner tuples or leaf tuples, and beside them those that are
 * none any more: redirections, dead tuples, placeholders.  The leaf tuples of
 * one node are a chain within the page.
 *
 * Each function looks at one thing and says what is wrong with it, as a text,
 * or NULL.  They are made for pages of which nothing is certain: whatever the
 * bytes are, nothing outside of the page is read.  What a function takes for
 * granted is what those before it in the list have found in order:
 *
 *		spq_page_header_problem		header, kind of page
 *		spq_page_item_problem		where an item is, how long; then
 *								what it is (tuple state), inside
 *		spq_page_overlap_problem,	of a page whose items have no problem: whether
 *		spq_page_chains_problem,		they share bytes; links of leaf tuples;
 *		spq_page_counts_problem		counts
 *		spq_page_chain_problem		of one chain, of a page that may be damaged
 *								elsewhere
 *
 * These functions need no server and are tested without one
 * (test/unit/page_format_test.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PAGE_FORMAT_H
#define SPQ_PAGE_FORMAT_H

#include "access/spgist_private.h"
#include "storage/bufpage.h"

#include "quadtree/prefix.h"

/* Offsets are numbered from 1; SP-GiST has no more of them on a page. */
#define SPQ_PAGE_MAX_ITEMS	MaxIndexTuplesPerPage

/* What the links of a leaf page's tuples say of one of them. */
typedef enum SpqPageLink
{
	SPQ_PAGE_NO_LINK,				/* no live leaf tuple */
	SPQ_PAGE_CHAIN_HEAD,				/* nothing links to it */
	SPQ_PAGE_CHAIN_MEMBER
} SpqPageLink;

/* A node of an inner tuple, unpacked. */
typedef struct SpqPageNode
{
	uint64		label;			/* 0 on pages of null values */
	BlockNumber block;			/* of the downlink */
	OffsetNumber offset;		/* invalid if there is none; the block does not
								 * tell, as scans do not look at it */
} SpqPageNode;

extern char *spq_page_header_problem(Page page, BlockNumber block);
extern char *spq_page_item_problem(Page page, OffsetNumber item, bool root,
							  TupleDesc leaf_desc);
extern char *spq_page_overlap_problem(Page page, OffsetNumber *item);
extern char *spq_page_chains_problem(Page page, bool root, OffsetNumber *item,
								SpqPageLink *links);
extern char *spq_page_chain_problem(Page page, OffsetNumber head,
							   TupleDesc leaf_desc);
extern char *spq_page_counts_problem(Page page, bool root);
extern int	spq_page_read_nodes(SpGistInnerTuple tuple, SpqPageNode *nodes);
extern uint64 spq_page_valid_label(const SpqPageNode *nodes, int n_nodes, int node,
							  bool all_the_same, const SpqPrefix *prefix);
extern char *spq_page_leaf_columns(SpGistLeafTuple tuple, TupleDesc leaf_desc,
							  bool key_is_null, Datum *values, bool *nulls);

static inline SpGistDeadTuple
spq_page_tuple(Page page, OffsetNumber item)
{
	return (SpGistDeadTuple) PageGetItem(page, PageGetItemId(page, item));
}

/* The prefix of an inner tuple that is not on a page of null values. */
static inline const SpqPrefix *
spq_page_inner_prefix(SpGistInnerTuple tuple)
{
	return (const SpqPrefix *) _SGITDATA(tuple);
}

#endif							/* SPQ_PAGE_FORMAT_H */
