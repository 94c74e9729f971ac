/*-------------------------------------------------------------------------
 *
 * build_group_rows.h
 *	  The rows of a group, in its memory.  See build_group.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_BUILD_BUILD_GROUP_ROWS_H
#define SPQ_RTREE_BUILD_BUILD_GROUP_ROWS_H

#include "rtree/build/build_group.h"

#define SPQ_RTREE_GROUP_HEADER	MAXALIGN(sizeof(SpqRtreeGroup))

/* Return the rows.  Their pointers to payloads mean nothing. */
static inline SpqRtreeRow *
spq_rtree_group_rows(const SpqRtreeGroup *group)
{
	return (SpqRtreeRow *) ((char *) group + SPQ_RTREE_GROUP_HEADER);
}

/* Return where the payloads of rows begin, counted from the group's first byte. */
static inline uint32 *
spq_rtree_group_payload_at(const SpqRtreeBuild *build, const SpqRtreeGroup *group)
{
	return (uint32 *) (spq_rtree_group_rows(group) + build->group_max);
}

/* Return where the first payload begins. */
static inline uint32
spq_rtree_group_payloads(const SpqRtreeBuild *build, const SpqRtreeGroup *group)
{
	return MAXALIGN((char *) (spq_rtree_group_payload_at(build, group) + build->group_max) -
					(char *) group);
}

/* Return a row. */
static inline SpqRtreeRow
spq_rtree_group_row(const SpqRtreeBuild *build, const SpqRtreeGroup *group, int i)
{
	SpqRtreeRow row = spq_rtree_group_rows(group)[i];

	row.payload = build->payload_desc == NULL ? NULL :
		(const char *) group + spq_rtree_group_payload_at(build, group)[i];
	return row;
}

/* Return what a row takes in a page, if that is not always the same. */
static inline uint32
spq_rtree_build_row_size(const SpqRtreeBuild *build, const SpqRtreeRow *row)
{
	if (build->payload_desc == NULL)
		return 0;
	return spq_rtree_layout_of(0, build->leaf_flags)->size / SPQ_RTREE_GROUP +
		spq_rtree_payload_size(row);
}

#endif							/* SPQ_RTREE_BUILD_BUILD_GROUP_ROWS_H */
