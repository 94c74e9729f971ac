/*-------------------------------------------------------------------------
 *
 * inner_cache.h
 *	  Copies of inner pages, for many searches of one scan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_SCAN_INNER_CACHE_H
#define SPQ_RTREE_SCAN_INNER_CACHE_H

#include "storage/block.h"
#include "storage/bufpage.h"

typedef struct SpqRtreeInnerCache SpqRtreeInnerCache;

/* Make a cache that takes this memory, in the current context. */
extern SpqRtreeInnerCache *spq_rtree_inner_cache_create(Size memory);

/* Return the copy of a page, or NULL. */
extern Page spq_rtree_inner_cache_find(const SpqRtreeInnerCache *cache, BlockNumber block);

/* Copy a page, if there is room. */
extern void spq_rtree_inner_cache_add(SpqRtreeInnerCache *cache, BlockNumber block, Page page);

#endif							/* SPQ_RTREE_SCAN_INNER_CACHE_H */
