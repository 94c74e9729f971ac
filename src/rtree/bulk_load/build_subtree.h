/*-------------------------------------------------------------------------
 *
 * build_subtree.h
 *	  The rows of a subtree: as many as the leaves of one inner page have room for.
 *
 * The leaves of several subtrees, a *region*, share inner pages, so that these need
 * not have the borders of subtrees.  A region is small enough for memory.  In an
 * index with scalar columns it is one subtree, since subtrees end where codes
 * change.
 *
 * A subtree is one piece of memory without pointers, which processes may share:
 *
 *		SpqRtreeSubtree | rows | offsets of their payloads | payloads
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_SUBTREE_H
#define SPQ_RTREE_BULK_LOAD_BUILD_SUBTREE_H

#include "rtree/bulk_load/build_state.h"

typedef struct SpqRtreeSubtree
{
	int64		number;			/* among the subtrees of the build, from 0 */
	int			count;			/* rows */
	bool		more;			/* whether another subtree follows */
	int			npages;			/* when packed: its leaves ... */
	BlockNumber first;			/* ... the block of the first one ... */
	int			ninner;			/* ... and, if it ends a region, the inner
								 * pages that follow its leaves */
} SpqRtreeSubtree;

/* Subtrees of a region. */
#define SPQ_RTREE_REGION	64

/* Return whether the subtree has all rows of the index. */
static inline bool
spq_rtree_subtree_is_all(const SpqRtreeSubtree *subtree)
{
	return subtree->number == 0 && !subtree->more;
}

/* Return whether a subtree is the last one of a region. */
static inline bool
spq_rtree_ends_region(const SpqRtreeBuild *build, const SpqRtreeSubtree *subtree)
{
	return !subtree->more || (build->inner_flags & SPQ_RTREE_KEYED) != 0 ||
		subtree->number % SPQ_RTREE_REGION == SPQ_RTREE_REGION - 1;
}

/* Return whether a region that ends with this subtree has all rows of the index. */
static inline bool
spq_rtree_region_is_all(const SpqRtreeBuild *build, const SpqRtreeSubtree *subtree)
{
	return !subtree->more &&
		subtree->number < ((build->inner_flags & SPQ_RTREE_KEYED) != 0 ? 1 : SPQ_RTREE_REGION);
}

#define SPQ_RTREE_SUBTREE_HEADER	MAXALIGN(sizeof(SpqRtreeSubtree))

/* Return the rows of a subtree.  Their pointers to payloads are undefined. */
static inline SpqRtreeRow *
spq_rtree_subtree_rows(const SpqRtreeSubtree *subtree)
{
	return (SpqRtreeRow *) ((char *) subtree + SPQ_RTREE_SUBTREE_HEADER);
}

/* Return the offsets of the rows' payloads from the subtree's first byte. */
static inline uint32 *
spq_rtree_subtree_payload_at(const SpqRtreeBuild *build, const SpqRtreeSubtree *subtree)
{
	return (uint32 *) (spq_rtree_subtree_rows(subtree) + build->subtree_max);
}

/* Return the offset of the first payload. */
static inline uint32
spq_rtree_subtree_payloads(const SpqRtreeBuild *build, const SpqRtreeSubtree *subtree)
{
	return MAXALIGN((char *) (spq_rtree_subtree_payload_at(build, subtree) + build->subtree_max) -
					(char *) subtree);
}

/* Return a row of a subtree, with a pointer to its payload. */
static inline SpqRtreeRow
spq_rtree_subtree_row(const SpqRtreeBuild *build, const SpqRtreeSubtree *subtree, int i)
{
	SpqRtreeRow row = spq_rtree_subtree_rows(subtree)[i];

	row.payload = build->payload_desc == NULL ? NULL :
		(const char *) subtree + spq_rtree_subtree_payload_at(build, subtree)[i];
	return row;
}

/* Return what a row takes in a page, or 0 if all rows take the same. */
static inline uint32
spq_rtree_build_row_size(const SpqRtreeBuild *build, const SpqRtreeRow *row)
{
	if (build->payload_desc == NULL)
		return 0;
	return spq_rtree_layout_of(0, build->leaf_flags)->size / SPQ_RTREE_GROUP +
		spq_rtree_payload_size(row);
}

/* Return the size of the memory of a subtree. */
extern Size spq_rtree_subtree_space(const SpqRtreeBuild *build);

/* Return the downlinks of a subtree's leaves, after it has been written. */
extern SpqRtreeDownlink *spq_rtree_subtree_downlinks(SpqRtreeSubtree *subtree);

/*
 * Return how many inner pages a region that ends with this subtree, and has this many
 * leaves, gets: none if their parent is the root.
 */
extern int	spq_rtree_region_inner_pages(const SpqRtreeBuild *build,
										 const SpqRtreeSubtree *subtree, int nleaves);

/* Reads subtrees from a sort, one after the other. */
typedef struct SpqRtreeSubtreeReader SpqRtreeSubtreeReader;

extern SpqRtreeSubtreeReader *spq_rtree_subtree_reader(const SpqRtreeBuild *build,
													   const SpqRtreeBuildRows *rows);

/*
 * Read the next subtree; return false if no row is left.  It may use the memory
 * of the subtree before.  If it does not, that memory must still be intact: it
 * contains the new subtree's first rows.
 */
extern bool spq_rtree_read_subtree(SpqRtreeSubtreeReader *reader, SpqRtreeSubtree *subtree);

/* The working memory of a process that writes subtrees. */
typedef struct SpqRtreeSubtreeWriter SpqRtreeSubtreeWriter;

extern SpqRtreeSubtreeWriter *spq_rtree_subtree_writer(const SpqRtreeBuild *build);

/*
 * Cut a subtree into leaves, and set npages.  Then, after the caller has set
 * "first" and "ninner", write the leaves; their downlinks take the place of the rows.
 */
extern void spq_rtree_pack_subtree(SpqRtreeSubtreeWriter *writer, SpqRtreeSubtree *subtree);
extern void spq_rtree_write_subtree(SpqRtreeSubtreeWriter *writer, SpqRtreeSubtree *subtree);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_SUBTREE_H */
