/*-------------------------------------------------------------------------
 *
 * append_row.c
 *	  Appending a row to a page in memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/page/append_row.h"

static pg_attribute_always_inline void
write_bytes(void *target, void *place, const void *content, Size length)
{
	memcpy(place, content, length);
}

void
spq_rtree_append_row_only(Page page, const SpqRtreeRow *row)
{
	spq_rtree_write_row(page, row, write_bytes, NULL);
	Assert(((PageHeader) page)->pd_lower <= ((PageHeader) page)->pd_upper);
}

void
spq_rtree_append_row(Page page, const SpqRtreeRow *row)
{
	spq_rtree_append_row_only(page, row);
	if (!(spq_rtree_special(page)->flags & SPQ_RTREE_IS_NULLS))
	{
		SpqRtreeBounds bounds = spq_rtree_row_bounds(row, spq_rtree_page_axes(page));

		spq_rtree_widen_promise(page, &bounds);
	}
}
