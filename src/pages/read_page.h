/*-------------------------------------------------------------------------
 *
 * read_page.h
 *	  Pages of an index, looked at from outside of the access method: what
 *	  spqtree_check and the functions of src/inspect read with.
 *
 *		reader --> copy of a page, made under a share lock that is let go at
 *				   once: no lock is ever held while another one is asked for
 *
 * What was read may be of different moments.  What follows for an index that
 * others write to meanwhile is in README.md.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_READ_PAGE_H
#define SPQ_READ_PAGE_H

#include "access/xlogdefs.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "pages/page_format.h"
#include "quadtree/leaf.h"

/* Where a tuple is. */
typedef struct SpqPageTid
{
	BlockNumber block;
	OffsetNumber offset;
} SpqPageTid;

typedef enum SpqPageKind
{
	SPQ_PAGE_BEYOND_END,
	SPQ_PAGE_EMPTY,				/* never used, or nothing on it */
	SPQ_PAGE_DAMAGED,			/* header or special space */
	SPQ_PAGE_INNER,
	SPQ_PAGE_LEAF
} SpqPageKind;

typedef struct SpqPageReader
{
	Relation	index;
	SpqLeafKind leaf_kind;
	TupleDesc	leaf_desc;		/* columns of leaf tuples */
	BufferAccessStrategy strategy;

	/* the last page read; only looked at to read it again if that is allowed */
	bool		reuse;			/* into the same copy, it need not be */
	BlockNumber last;
	Page		last_copy;
	SpqPageKind last_kind;

	/* in recovery, see replay.c */
	XLogRecPtr	newest;			/* change of the pages read since it was reset */
	int			patience;		/* milliseconds left to wait for a replay that
								 * does not go on */
} SpqPageReader;

extern void spq_page_reader_begin(SpqPageReader *reader, Relation index);
extern void spq_page_reader_end(SpqPageReader *reader);
extern SpqPageKind spq_page_read(SpqPageReader *reader, BlockNumber block, Page copy);

/* replay.c */
extern XLogRecPtr spq_page_replayed(void);
extern bool spq_page_wait_for_replay(SpqPageReader *reader, XLogRecPtr change);

#endif							/* SPQ_READ_PAGE_H */
