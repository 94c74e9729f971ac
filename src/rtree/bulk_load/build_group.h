/*-------------------------------------------------------------------------
 *
 * build_group.h
 *	  Groups of sorted rows, each packed into the leaves of one inner page.
 *
 * A group is one piece of memory without pointers, which processes may share:
 *
 *		SpqRtreeGroup | rows | offsets of their payloads | payloads
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BULK_LOAD_BUILD_GROUP_H
#define SPQ_RTREE_BULK_LOAD_BUILD_GROUP_H

#include "rtree/bulk_load/build_state.h"

typedef struct SpqRtreeGroup
{
	int64		number;			/* among the groups of the build, from 0 */
	int			count;			/* rows */
	bool		more;			/* whether another group follows */
	int			npages;			/* when packed: its leaves ... */
	BlockNumber first;			/* ... the block of the first one; those of
								 * inner pages follow */
} SpqRtreeGroup;

/* Return whether the group has all rows of the index. */
static inline bool
spq_rtree_group_is_all(const SpqRtreeGroup *group)
{
	return group->number == 0 && !group->more;
}

#define SPQ_RTREE_GROUP_HEADER	MAXALIGN(sizeof(SpqRtreeGroup))

/* Return the rows of a group.  Their pointers to payloads are undefined. */
static inline SpqRtreeRow *
spq_rtree_group_rows(const SpqRtreeGroup *group)
{
	return (SpqRtreeRow *) ((char *) group + SPQ_RTREE_GROUP_HEADER);
}

/* Return the offsets of the rows' payloads from the group's first byte. */
static inline uint32 *
spq_rtree_group_payload_at(const SpqRtreeBuild *build, const SpqRtreeGroup *group)
{
	return (uint32 *) (spq_rtree_group_rows(group) + build->group_max);
}

/* Return the offset of the first payload. */
static inline uint32
spq_rtree_group_payloads(const SpqRtreeBuild *build, const SpqRtreeGroup *group)
{
	return MAXALIGN((char *) (spq_rtree_group_payload_at(build, group) + build->group_max) -
					(char *) group);
}

/* Return a row of a group, with a pointer to its payload. */
static inline SpqRtreeRow
spq_rtree_group_row(const SpqRtreeBuild *build, const SpqRtreeGroup *group, int i)
{
	SpqRtreeRow row = spq_rtree_group_rows(group)[i];

	row.payload = build->payload_desc == NULL ? NULL :
		(const char *) group + spq_rtree_group_payload_at(build, group)[i];
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

/* Return the size of the memory of a group. */
extern Size spq_rtree_group_space(const SpqRtreeBuild *build);

/* Return the downlinks of a group's leaves, after it has been written. */
extern SpqRtreeDownlink *spq_rtree_group_downlinks(SpqRtreeGroup *group);

/*
 * Return how many inner pages a group with this many leaves gets: none if their
 * parent is the root.
 */
extern int	spq_rtree_group_inner_pages(const SpqRtreeBuild *build,
										const SpqRtreeGroup *group, int nleaves);

/* Reads groups from a sort, one after the other. */
typedef struct SpqRtreeGroupReader SpqRtreeGroupReader;

extern SpqRtreeGroupReader *spq_rtree_group_reader(const SpqRtreeBuild *build,
												   const SpqRtreeBuildRows *rows);

/*
 * Read the next group; return false if no row is left.  It may use the memory
 * of the group before.  If it does not, that memory must still be intact: it
 * contains the new group's first rows.
 */
extern bool spq_rtree_read_group(SpqRtreeGroupReader *reader, SpqRtreeGroup *group);

/* The working memory of a process that writes groups. */
typedef struct SpqRtreeGroupWriter SpqRtreeGroupWriter;

extern SpqRtreeGroupWriter *spq_rtree_group_writer(const SpqRtreeBuild *build);

/*
 * Cut a group into leaves, and set npages.  Then, after the caller has set
 * "first", write the leaves; their downlinks take the place of the rows.
 */
extern void spq_rtree_pack_group(SpqRtreeGroupWriter *writer, SpqRtreeGroup *group);
extern void spq_rtree_write_group(SpqRtreeGroupWriter *writer, SpqRtreeGroup *group);

#endif							/* SPQ_RTREE_BULK_LOAD_BUILD_GROUP_H */
