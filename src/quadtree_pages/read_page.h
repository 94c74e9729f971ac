/*-------------------------------------------------------------------------
 *
 * read_page.h
 *	  Reading the pages of an index from outside its access method.
 *
 * A page is copied under a share lock that is released at once, so no lock is
 * held while another one is requested.  Copies of several pages may be of
 * different moments.  README.md explains the consequences for an index that
 * others write to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_QUADTREE_PAGES_READ_PAGE_H
#define SPQ_QUADTREE_PAGES_READ_PAGE_H

#include "access/xlogdefs.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"


/* The position of a tuple in the index. */
typedef struct SpqPageTid
{
	BlockNumber block;
	OffsetNumber offset;
} SpqPageTid;

typedef enum SpqPageKind
{
	SPQ_PAGE_BEYOND_END,
	SPQ_PAGE_EMPTY,				/* never used, or without tuples */
	SPQ_PAGE_DAMAGED,			/* in its header or special space */
	SPQ_PAGE_INNER,
	SPQ_PAGE_LEAF
} SpqPageKind;

typedef struct SpqPageCopy
{
	Page		page;
	BlockNumber block;			/* block of the copy, if valid */
	SpqPageKind kind;
} SpqPageCopy;

typedef struct SpqPageReader
{
	Relation	index;
	TupleDesc	leaf_desc;		/* columns of leaf tuples */
	BufferAccessStrategy strategy;

	/* for recovery (replay.h) */
	XLogRecPtr	newest;			/* largest LSN of the pages read since it was
								 * reset */
	int			stall_ms;		/* time left to wait for a stalled replay */
} SpqPageReader;

extern void spq_page_reader_begin(SpqPageReader *reader, Relation index);
extern void spq_page_reader_end(SpqPageReader *reader);
extern SpqPageCopy spq_page_new_copy(void);
extern SpqPageKind spq_page_read(SpqPageReader *reader, BlockNumber block,
								 SpqPageCopy *copy);
extern SpqPageKind spq_page_read_once(SpqPageReader *reader, BlockNumber block,
									  SpqPageCopy *copy);

static inline bool
spq_page_same_tid(SpqPageTid a, SpqPageTid b)
{
	return a.block == b.block && a.offset == b.offset;
}

#endif							/* SPQ_QUADTREE_PAGES_READ_PAGE_H */
