/*-------------------------------------------------------------------------
 *
 * wal.c
 *	  Changes of a page as a record of core's generic resource manager.
 *
 * GenericXLogFinish() writes a list of fragments for a page, each an offset, a
 * length and that many bytes (access/transam/generic_xlog.c; the same from
 * PostgreSQL 9.6 to 19: compat.h).  It finds them by copying the page and
 * comparing it; here the caller knows them, or has a changed copy.  Redo copies
 * them into the page and zeroes the hole, so the hole has to be zero here, too.
 * test/t/035_rtree_redo.pl compares the pages.  Follows writeFragment(),
 * applyPageRedo() and generic_redo() (copies.list).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "miscadmin.h"
#include "storage/bufpage.h"

#include "rtree/page/append_row.h"
#include "rtree/store/wal.h"

typedef struct Fragment
{
	uint16		offset;
	uint16		length;
} Fragment;

void
spq_rtree_delta_begin(SpqRtreeDelta *delta, Relation index, Buffer buffer)
{
	delta->index = index;
	delta->buffer = buffer;
	delta->size = 0;
	delta->clears_hole = false;
}

/* Add a change.  It extends the last fragment if it follows it in the page. */
void
spq_rtree_delta_write(SpqRtreeDelta *delta, const void *place, const void *content, Size length)
{
	Fragment	fragment;
	Size		offset = (const char *) place - (const char *) BufferGetPage(delta->buffer);

	Assert(offset + length <= BLCKSZ);
	if (delta->size + sizeof(fragment) + length > SPQ_RTREE_DELTA_SIZE)
		elog(ERROR, "change of a page is too large");
	if (delta->size > 0)
		memcpy(&fragment, delta->data + delta->last, sizeof(fragment));
	if (delta->size == 0 || (Size) fragment.offset + fragment.length != offset)
	{
		delta->last = delta->size;
		delta->size += sizeof(fragment);
		fragment.offset = offset;
		fragment.length = 0;
	}
	fragment.length += length;
	memcpy(delta->data + delta->last, &fragment, sizeof(fragment));
	memcpy(delta->data + delta->size, content, length);
	delta->size += length;
}

static pg_attribute_always_inline void
write_to_delta(void *target, void *place, const void *content, Size length)
{
	spq_rtree_delta_write(target, place, content, length);
}

void
spq_rtree_delta_append(SpqRtreeDelta *delta, const SpqRtreeRow *row)
{
	spq_rtree_write_row(BufferGetPage(delta->buffer), row, write_to_delta, delta);
}

static void
write_number(SpqRtreeDelta *delta, float8 *place, float8 number)
{
	spq_rtree_delta_write(delta, place, &number, sizeof(number));
}

void
spq_rtree_delta_set_bounds(SpqRtreeDelta *delta, const SpqRtreeBoundsPlace *place,
						   const SpqRtreeBounds *bounds)
{
	for (int axis = 0; axis < place->axes; axis++)
		write_number(delta, &place->high[axis * place->stride], bounds->high[axis]);
	for (int axis = 0; axis < place->axes; axis++)
		write_number(delta, &place->low[axis * place->stride], bounds->low[axis]);
	if (place->high_code)
	{
		write_number(delta, place->high_code, bounds->high_code);
		write_number(delta, place->low_code, bounds->low_code);
	}
}

void
spq_rtree_delta_widen(SpqRtreeDelta *delta, const SpqRtreeBoundsPlace *place,
					  const SpqRtreeBounds *more)
{
	for (int axis = 0; axis < place->axes; axis++)
	{
		float8	   *high = &place->high[axis * place->stride],
				   *low = &place->low[axis * place->stride];

		if (more->high[axis] > *high)
			write_number(delta, high, more->high[axis]);
		if (more->low[axis] < *low)
			write_number(delta, low, more->low[axis]);
	}
	if (place->high_code)
	{
		if (more->high_code > *place->high_code)
			write_number(delta, place->high_code, more->high_code);
		if (more->low_code < *place->low_code)
			write_number(delta, place->low_code, more->low_code);
	}
}

/* Write the words that differ from "begin" to "end", which are multiples of eight. */
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

/* Make the changes and write the record, if there are any changes. */
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

		/* redo does the same */
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
		PageSetLSN(page, end_of_record);	/* evaluates its argument twice */
	}

	END_CRIT_SECTION();
}
