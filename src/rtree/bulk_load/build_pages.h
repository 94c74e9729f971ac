/*-------------------------------------------------------------------------
 *
 * build_pages.h
 *	  CREATE INDEX: new pages, and writing them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_PAGES_H
#define SPQ_RTREE_BULK_LOAD_BUILD_PAGES_H

#include "rtree/bulk_load/build_state.h"

/*
 * Extend the index by pages that are written later.  Return the block of the
 * first one.  Only one process may do so at a time.
 */
extern BlockNumber spq_rtree_build_extend(const SpqRtreeBuild *build, int count);

/* Write a page.  Each page is written once. */
extern void spq_rtree_build_write(const SpqRtreeBuild *build, BlockNumber block, Page page);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_PAGES_H */
