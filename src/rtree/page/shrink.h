/*-------------------------------------------------------------------------
 *
 * shrink.h
 *	  Removing rows from a leaf.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGE_SHRINK_H
#define SPQ_RTREE_PAGE_SHRINK_H

#include "rtree/page/page.h"

/* A set of entries of a leaf: a byte for each group, a bit for each entry. */
typedef struct SpqRtreeEntrySet
{
	uint8		group[SPQ_RTREE_GROUPS_MAX];
} SpqRtreeEntrySet;

static inline void
spq_rtree_entry_set_add(SpqRtreeEntrySet *set, int entry)
{
	set->group[entry / SPQ_RTREE_GROUP] |= 1 << entry % SPQ_RTREE_GROUP;
}

static inline bool
spq_rtree_entry_set_has(const SpqRtreeEntrySet *set, int entry)
{
	return (set->group[entry / SPQ_RTREE_GROUP] & (1 << entry % SPQ_RTREE_GROUP)) != 0;
}

/*
 * Remove rows from a leaf or from a page of the chain of NULLs.  The promise of a
 * leaf becomes the bounds of the remaining rows.  Return NULL; or, if the payloads
 * of the page are damaged, leave it as it is and return what is wrong.
 */
extern const char *spq_rtree_page_remove_rows(Page page, const SpqRtreeEntrySet *removed);

#endif							/* SPQ_RTREE_PAGE_SHRINK_H */
