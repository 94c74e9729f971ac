/*-------------------------------------------------------------------------
 *
 * tree_read.h
 *	  Reading the pages of an index of access method spqtree from outside.
 *
 * A page is copied under a share lock that is released at once, so no lock is
 * held while another one is requested.  Copies of several pages may be of
 * different moments.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGES_TREE_READ_H
#define SPQ_RTREE_PAGES_TREE_READ_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "rtree/keys/code.h"
#include "rtree_pages/tree_format.h"

typedef struct SpqTreeReader
{
	Relation	index;
	TupleDesc	columns;		/* of payloads; NULL if there are none */
	uint16		leaf_flags;		/* layout of all leaves */
	SpqRtreeCoder coder;		/* for the scalar columns before the box */
	BufferAccessStrategy strategy;
	int			most_requests;	/* for blocks that are not read yet */
} SpqTreeReader;

typedef enum SpqTreeKind
{
	SPQ_TREE_BEYOND_END,
	SPQ_TREE_ZERO,				/* never used */
	SPQ_TREE_DAMAGED,			/* in its header or special space */
	SPQ_TREE_META,
	SPQ_TREE_PAGE				/* entries can be read */
} SpqTreeKind;

extern void spq_tree_reader_begin(SpqTreeReader *reader, Relation index);
extern void spq_tree_reader_end(SpqTreeReader *reader);
extern SpqTreeKind spq_tree_read(SpqTreeReader *reader, BlockNumber block, Page copy);

/* Ask the system for a page that will be read soon, wherever the link leads. */
extern void spq_tree_request(SpqTreeReader *reader, BlockNumber block);

/*
 * Return the problem of a page that is not of kind SPQ_TREE_PAGE; NULL for
 * that kind.
 */
extern const char *spq_tree_kind_problem(const SpqTreeReader *reader, SpqTreeKind kind,
										 BlockNumber block, Page copy);

#endif							/* SPQ_RTREE_PAGES_TREE_READ_H */
