/*-------------------------------------------------------------------------
 *
 * wal.c
 *	  Changes of a page as a record of core's generic resource manager.
 *
 * What GenericXLogFinish() writes for a page is a list of fragments, each an
 * offset, a length and that many bytes (access/transam/generic_xlog.c; the same
 * since PostgreSQL 9.6).  It finds them by copying the page and comparing; here
 * the caller knows them, or has a changed copy, which is compared by words.  Redo copies them into the page and zeroes the hole, so
 * the hole has to be zero here, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/itup.h"
#include "miscadmin.h"
#include "storage/bufpage.h"

#include "rtree/store/wal.h"

typedef struct Fragment
{
	uint16		offset;
	uint16		length;
} Fragment;

/* Begin a change of a page.  The buffer is exclusively locked. */
void
spq_rtree_delta_begin(SpqRtreeDelta *delta, Relation index, Buffer buffer)
{
	delta->index = index;
	delta->buffer = buffer;
	delta->size = 0;
	delta->clears_hole = false;
}

void
spq_rtree_delta_write(SpqRtreeDelta *delta, const void *place, const void *content, Size length)
{
	Fragment	fragment;

	fragment.offset = (const char *) place - (const char *) BufferGetPage(delta->buffer);
	fragment.length = length;
	Assert((Size) fragment.offset + length <= BLCKSZ);
	if (delta->size + sizeof(fragment) + length > SPQ_RTREE_DELTA_SIZE)
		elog(ERROR, "change of a page is too large");
	memcpy(delta->data + delta->size, &fragment, sizeof(fragment));
	memcpy(delta->data + delta->size + sizeof(fragment), content, length);
	delta->size += sizeof(fragment) + length;
}

/*
 * Append a row.  Its group is in the page or begins at pd_lower, where all is zero,
 * and so are the places of a row of the chain of NULLs.
 */
void
spq_rtree_delta_append(SpqRtreeDelta *delta, const SpqRtreeRow *row)
{
	Page		page = BufferGetPage(delta->buffer);
	const PageHeaderData *header = (PageHeader) page;
	const SpqRtreeSpecial *special = spq_rtree_special(page);
	int			entry = special->count,
				i = entry % SPQ_RTREE_GROUP;
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	const SpqRtreeColumn *columns = spq_rtree_group_columns(page, entry / SPQ_RTREE_GROUP);
	uint16		count = entry + 1,
				flags = special->flags;

	Assert(special->level == 0);
	if (i == 0)
	{
		LocationIndex lower = header->pd_lower + layout->size;

		spq_rtree_delta_write(delta, &header->pd_lower, &lower, sizeof(lower));
	}
	if (!(flags & SPQ_RTREE_IS_NULLS))
	{
		for (int end = 0; end < layout->ends; end++)
		{
			spq_rtree_delta_write(delta, &columns[end][i], &row->ends[end], sizeof(float8));
			if (unlikely(isnan(row->ends[end])))
				flags |= SPQ_RTREE_HAS_NAN;
		}
	}
	spq_rtree_delta_write(delta, spq_rtree_tid(page, entry), &row->tid, sizeof(row->tid));
	if (flags & SPQ_RTREE_WIDE)
	{
		Size		size = spq_rtree_payload_size(row);
		LocationIndex upper = header->pd_upper - size;

		spq_rtree_delta_write(delta, &header->pd_upper, &upper, sizeof(upper));
		spq_rtree_delta_write(delta, spq_rtree_payload_offset(page, entry),
							  &upper, sizeof(upper));
		spq_rtree_delta_write(delta, (char *) page + upper, row->payload, size);
	}
	Assert(spq_rtree_takes_code(page, row->code));
	if (spq_rtree_has_codes(page))
		spq_rtree_delta_write(delta, spq_rtree_code_place(page, entry), &row->code,
							  sizeof(float8));
	spq_rtree_delta_write(delta, &special->count, &count, sizeof(count));
	if (unlikely(flags != special->flags))
		spq_rtree_delta_write(delta, &special->flags, &flags, sizeof(flags));
}

/* Write a number if it makes an end of some bounds wider. */
static void
widen_end(SpqRtreeDelta *delta, const float8 *place, float8 number, bool wider)
{
	if (wider)
		spq_rtree_delta_write(delta, place, &number, sizeof(number));
}

void
spq_rtree_delta_promise(SpqRtreeDelta *delta, const SpqRtreeBounds *more)
{
	Page		page = BufferGetPage(delta->buffer);
	int			axes = spq_rtree_page_axes(page);
	const float8 *highs = spq_rtree_promised_ends(page),
			   *lows = highs + axes;

	for (int axis = 0; axis < axes; axis++)
	{
		widen_end(delta, &highs[axis], more->high[axis], more->high[axis] > highs[axis]);
		widen_end(delta, &lows[axis], more->low[axis], more->low[axis] < lows[axis]);
	}
	if (spq_rtree_is_keyed(page))
	{
		const SpqRtreeCodes *codes = spq_rtree_codes(page);

		widen_end(delta, &codes->high, more->high_code, more->high_code > codes->high);
		widen_end(delta, &codes->low, more->low_code, more->low_code < codes->low);
	}
}

void
spq_rtree_delta_set_promise(SpqRtreeDelta *delta, const SpqRtreeBounds *bounds)
{
	Page		page = BufferGetPage(delta->buffer);
	int			axes = spq_rtree_page_axes(page);
	float8		ends[SPQ_RTREE_ENDS];

	spq_rtree_bounds_ends(bounds, axes, ends);
	spq_rtree_delta_write(delta, spq_rtree_promised_ends(page), ends,
						  2 * axes * sizeof(float8));
	if (spq_rtree_is_keyed(page))
	{
		const SpqRtreeCodes *codes = spq_rtree_codes(page);

		spq_rtree_delta_write(delta, &codes->high, &bounds->high_code, sizeof(float8));
		spq_rtree_delta_write(delta, &codes->low, &bounds->low_code, sizeof(float8));
	}
}

void
spq_rtree_delta_downlink(SpqRtreeDelta *delta, int entry, const SpqRtreeBounds *more)
{
	Page		page = BufferGetPage(delta->buffer);
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	const SpqRtreeColumn *columns = spq_rtree_group_columns(page, entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;

	for (int axis = 0; axis < layout->axes; axis++)
	{
		const float8 *high = &columns[axis][i],
				   *low = &columns[layout->low + axis][i];

		widen_end(delta, high, more->high[axis], more->high[axis] > *high);
		widen_end(delta, low, more->low[axis], more->low[axis] < *low);
	}
	if (spq_rtree_is_keyed(page))
	{
		const float8 *high = &columns[layout->code][i],
				   *low = &columns[layout->code + 1][i];

		widen_end(delta, high, more->high_code, more->high_code > *high);
		widen_end(delta, low, more->low_code, more->low_code < *low);
	}
}

/* Write the words that differ in a part of the page, whose ends are of words. */
static void
write_differences(SpqRtreeDelta *delta, const char *copy, Size begin, Size end)
{
	const char *page = BufferGetPage(delta->buffer);

	for (Size place = begin; place < end;)
	{
		Size		first = place;

		while (place < end && memcmp(page + place, copy + place, sizeof(uint64)) != 0)
			place += sizeof(uint64);
		if (place > first)
			spq_rtree_delta_write(delta, page + first, copy + first, place - first);
		else
			place += sizeof(uint64);
	}
}

void
spq_rtree_delta_page(SpqRtreeDelta *delta, const char *copy)
{
	const PageHeaderData *header = (const PageHeaderData *) copy;

	Assert(delta->size == 0);
	write_differences(delta, copy, 0, MAXALIGN(header->pd_lower));
	write_differences(delta, copy, MAXALIGN_DOWN(header->pd_upper), BLCKSZ);
	delta->clears_hole = true;
}

/* Make the changes and write the record, unless there are none. */
void
spq_rtree_delta_end(SpqRtreeDelta *delta)
{
	Page		page = BufferGetPage(delta->buffer);
	const char *end = delta->data + delta->size;

	if (delta->size == 0)
		return;

	START_CRIT_SECTION();

	for (const char *data = delta->data; data < end;)
	{
		Fragment	fragment;

		memcpy(&fragment, data, sizeof(fragment));
		data += sizeof(fragment);
		memcpy((char *) page + fragment.offset, data, fragment.length);
		data += fragment.length;
	}
	if (delta->clears_hole)
	{
		const PageHeaderData *header = (PageHeader) page;

		/* as redo will */
		memset((char *) page + header->pd_lower, 0, header->pd_upper - header->pd_lower);
	}
	MarkBufferDirty(delta->buffer);

	if (RelationNeedsWAL(delta->index))
	{
		XLogRecPtr	end_of_record;

		XLogBeginInsert();
		XLogRegisterBuffer(0, delta->buffer, REGBUF_STANDARD);
		XLogRegisterBufData(0, delta->data, delta->size);
		end_of_record = XLogInsert(RM_GENERIC_ID, 0);
		PageSetLSN(page, end_of_record);	/* a macro that reads it twice */
	}

	END_CRIT_SECTION();
}
