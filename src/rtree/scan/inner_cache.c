/*-------------------------------------------------------------------------
 *
 * inner_cache.c
 *	  Copies of inner pages, for many searches of one scan.
 *
 * A search from the root for each leaf of another index reads the same inner pages many
 * times.  To read a page from shared buffers, a process takes and releases two locks
 * and a pin, for which the processes of a parallel plan compete.
 *
 * A copy stays as it is until the scan ends, and is never read again from the index.
 * README.md shows why a search may use it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"

#include "rtree/scan/inner_cache.h"

typedef struct InnerPage
{
	BlockNumber block;
	char		status;
	Page		page;
} InnerPage;

#define SH_PREFIX		inner_pages
#define SH_ELEMENT_TYPE InnerPage
#define SH_KEY_TYPE		BlockNumber
#define SH_KEY			block
#define SH_HASH_KEY(table, key) murmurhash32(key)
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE		static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

struct SpqRtreeInnerCache
{
	MemoryContext context;
	inner_pages_hash *pages;
	uint32		room;			/* for more pages */
};

SpqRtreeInnerCache *
spq_rtree_inner_cache_create(Size memory)
{
	SpqRtreeInnerCache *cache = palloc(sizeof(SpqRtreeInnerCache));

	cache->context = CurrentMemoryContext;
	cache->pages = inner_pages_create(CurrentMemoryContext, 32, NULL);
	cache->room = Min(memory / BLCKSZ, PG_UINT32_MAX);
	return cache;
}

Page
spq_rtree_inner_cache_find(const SpqRtreeInnerCache *cache, BlockNumber block)
{
	const InnerPage *found = inner_pages_lookup(cache->pages, block);

	return found ? found->page : NULL;
}

void
spq_rtree_inner_cache_add(SpqRtreeInnerCache *cache, BlockNumber block, Page page)
{
	InnerPage  *added;
	bool		found;

	if (cache->room == 0)
		return;
	cache->room--;
	added = inner_pages_insert(cache->pages, block, &found);
	Assert(!found);
	added->page = MemoryContextAlloc(cache->context, BLCKSZ);
	memcpy(added->page, page, BLCKSZ);
}
