/*-------------------------------------------------------------------------
 *
 * leaf_copy.c
 *	  Rows of a leaf, taken out of it while it is locked.
 *
 * The visibility map is read while the leaf is locked.  A row that is in the leaf then
 * has not been removed from the table: VACUUM removes it from the index first, for which
 * it needs the leaf.  So if the map says that all rows of the block are visible to all,
 * this one is, and stays visible to the snapshot.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relscan.h"
#include "access/visibilitymap.h"
#include "port/pg_bitutils.h"

#include "rtree/leaf_join/leaf_copy.h"
#include "rtree/scan/page_order.h"
#include "types/value_box.h"

/* Copy the box of a row. */
static pg_attribute_always_inline void
copy_box(const SpqRtreeLayout *layout, const char *group, int i, int axes, float8 *box)
{
	const SpqRtreeColumn *columns = (const SpqRtreeColumn *) group;

	if (unlikely(layout->floats))
		spq_rtree_get_ends(layout, group, i, box);
	else
		for (int axis = 0; axis < axes; axis++)
		{
			box[axis] = columns[axis][i];
			box[axes + axis] = columns[layout->low + axis][i];
		}
}

static bool
has_nan(const float8 *box, int axes)
{
	bool		found = false;

	for (int end = 0; end < 2 * axes; end++)
		found |= isnan(box[end]);
	return found;
}

static pg_attribute_always_inline void
take_boxes(SpqRtreeLeafCopy *copy, Page page, const uint8 *matches, int axes, SpqRtreeOddBoxes odd)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			ngroups = spq_rtree_groups(spq_rtree_count(page)),
				nrows = 0;
	const char *place = spq_rtree_group(page, 0);
	float8	   *box = copy->boxes;

	for (int g = 0; g < ngroups; g++, place += layout->size)
		for (uint32 left = matches[g]; left != 0; left &= left - 1)
		{
			int			i = pg_rightmost_one_pos32(left);

			if (copy->has_boxes)
				copy_box(layout, place, i, axes, box);
			if (unlikely(copy->has_nan) && odd == SPQ_RTREE_DROP_NAN && has_nan(box, axes))
				continue;
			copy->tid[nrows] = ((const ItemPointerData *) (place + layout->tid))[i];
			copy->entry[nrows++] = g * SPQ_RTREE_GROUP + i;
			box += 2 * axes;
		}
	copy->nrows = nrows;
}

void
spq_rtree_leaf_copy_take(SpqRtreeLeafCopy *copy, IndexScanDesc scan, Buffer buffer,
						 const uint8 *matches, SpqRtreeOddBoxes odd)
{
	Page		page = BufferGetPage(buffer);

	copy->axes = spq_rtree_page_axes(page);
	copy->has_boxes = !(spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS);
	copy->block = BufferGetBlockNumber(buffer);
	copy->has_nan = (spq_rtree_special(page)->flags & SPQ_RTREE_HAS_NAN) != 0;
	copy->has_page = false;
	copy->recheck = spq_rtree_needs_recheck(scan->opaque, page);
	if (copy->axes == 2)
		take_boxes(copy, page, matches, 2, odd);
	else
		take_boxes(copy, page, matches, 3, odd);
	if (odd == SPQ_RTREE_MAKE_SAFE && copy->has_boxes && copy->axes == 2)
	{
		for (int row = 0; row < copy->nrows; row++)
			spq_type_make_safe((BOX *) (copy->boxes + row * 4));
		copy->has_nan = false;
	}
}

void
spq_rtree_leaf_copy_visible(SpqRtreeLeafCopy *copy, int row, Relation heap, Buffer *map)
{
	copy->visible[row] = VM_ALL_VISIBLE(heap, ItemPointerGetBlockNumberNoCheck(&copy->tid[row]), map);
}

void
spq_rtree_leaf_copy_page(SpqRtreeLeafCopy *copy, Buffer buffer)
{
	memcpy(copy->page.data, BufferGetPage(buffer), BLCKSZ);
	copy->has_page = true;
}
