/*-------------------------------------------------------------------------
 *
 * append_row.h
 *	  What is written to a page to append a row.
 *
 * A page in memory is written directly, a page in a buffer by a record of the
 * bytes that change.  This is the text of both: the caller says how bytes are
 * written, and the compiler makes a function of each.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGE_APPEND_ROW_H
#define SPQ_RTREE_PAGE_APPEND_ROW_H

#include "rtree/page/page.h"

/* Writes bytes to a place in a page. */
typedef void (*SpqRtreeWriteBytes) (void *target, void *place, const void *content, Size length);

/*
 * Append a row to a page, which has room for it and takes its code.  The promise
 * stays as it is.  A new group begins at pd_lower, where the page is zero; so the
 * ends of a row of the chain of NULLs, which are zero, need not be written.
 */
static pg_attribute_always_inline void
spq_rtree_write_row(Page page, const SpqRtreeRow *row, SpqRtreeWriteBytes write, void *target)
{
	PageHeader	header = (PageHeader) page;
	SpqRtreeSpecial *special = spq_rtree_special(page);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			entry = special->count,
				i = entry % SPQ_RTREE_GROUP;
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);
	uint16		count = entry + 1,
				flags = special->flags;

	Assert(special->level == 0);
	Assert(spq_rtree_takes_code(page, row->code));
	if (i == 0)
	{
		LocationIndex lower = header->pd_lower + layout->size;

		write(target, &header->pd_lower, &lower, sizeof(lower));
	}
	if (!(flags & SPQ_RTREE_IS_NULLS))
	{
		for (int end = 0; end < layout->ends; end++)
		{
			if (layout->floats)
			{
				float4		number = (float4) row->ends[end];

				Assert(number == row->ends[end] || isnan(number));
				write(target, &((SpqRtreeFloatColumn *) group)[end][i], &number, sizeof(float4));
			}
			else
				write(target, &((SpqRtreeColumn *) group)[end][i], &row->ends[end],
					  sizeof(float8));
			if (unlikely(isnan(row->ends[end])))
				flags |= SPQ_RTREE_HAS_NAN;
		}
	}
	write(target, spq_rtree_tid(page, entry), &row->tid, sizeof(row->tid));
	if (row->dead)
	{
		uint8	   *place = spq_rtree_dead(page, entry / SPQ_RTREE_GROUP);
		uint8		dead = *place | 1 << i;

		write(target, place, &dead, sizeof(dead));
	}
	if (flags & SPQ_RTREE_WIDE)
	{
		Size		size = spq_rtree_payload_size(row);
		LocationIndex upper = header->pd_upper - size;

		write(target, &header->pd_upper, &upper, sizeof(upper));
		write(target, spq_rtree_payload_offset(page, entry), &upper, sizeof(upper));
		write(target, (char *) page + upper, row->payload, size);
	}
	if (spq_rtree_has_codes(page))
		write(target, spq_rtree_code_place(page, entry), &row->code, sizeof(float8));
	write(target, &special->count, &count, sizeof(count));
	if (unlikely(flags != special->flags))
		write(target, &special->flags, &flags, sizeof(flags));
}

/* Append a row to a page in memory, and widen the promise. */
extern void spq_rtree_append_row(Page page, const SpqRtreeRow *row);

/* The same, but the caller widens the promise. */
extern void spq_rtree_append_row_only(Page page, const SpqRtreeRow *row);

#endif							/* SPQ_RTREE_PAGE_APPEND_ROW_H */
