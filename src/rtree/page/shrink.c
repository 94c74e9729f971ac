/*-------------------------------------------------------------------------
 *
 * shrink.c
 *	  Removing rows from a leaf.  Entries and payloads have no gaps afterwards,
 *	  unused space is zero, and the promise is the bounds of the rows left.
 *
 *		before:	a b c d e f | g h		b, d and g are removed
 *		after:	a h c f e				the last ones fill the gaps
 *
 * As few entries as possible move, so that the WAL record is proportional to the
 * number of removed rows.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/page/shrink.h"

/* The place of a payload. */
typedef struct Payload
{
	uint16		offset;
	uint16		entry;
} Payload;

/* Order payloads by offset, those nearest to the page's end first. */
static int
compare_payloads(const void *a, const void *b)
{
	return (int) ((const Payload *) b)->offset - (int) ((const Payload *) a)->offset;
}

/*
 * List the payloads of a page in the order of their places, the last one first.
 * Return what is wrong with them, or NULL.
 */
static const char *
list_payloads(Page page, Payload *payloads)
{
	const PageHeaderData *header = (PageHeader) page;
	int			count = spq_rtree_count(page);
	Size		end = header->pd_special;

	for (int entry = 0; entry < count; entry++)
	{
		payloads[entry].offset = *spq_rtree_payload_offset(page, entry);
		payloads[entry].entry = entry;
	}
	qsort(payloads, count, sizeof(Payload), compare_payloads);
	for (int i = 0; i < count; i++)
	{
		if (spq_rtree_payload_within(page, payloads[i].entry, end) == NULL)
			return "its payloads overlap or are out of bounds";
		end = payloads[i].offset;
	}
	return NULL;
}

/* Move the payloads of the remaining rows to the end of the page. */
static void
compact_payloads(Page page, const Payload *payloads, int count,
				 const SpqRtreeEntrySet *removed)
{
	PageHeader	header = (PageHeader) page;
	Size		upper = header->pd_special;

	for (int i = 0; i < count; i++)
	{
		const char *payload = (char *) page + payloads[i].offset;
		Size		size = MAXALIGN(IndexTupleSize((IndexTuple) payload));

		if (spq_rtree_entry_set_has(removed, payloads[i].entry))
			continue;
		upper -= size;
		memmove((char *) page + upper, payload, size);
		*spq_rtree_payload_offset(page, payloads[i].entry) = upper;
	}
	header->pd_upper = upper;
}

/* Copy an entry to the place of another. */
static void
copy_place(Page page, int to, int from)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	char	   *target = spq_rtree_group(page, to / SPQ_RTREE_GROUP);
	const char *source = spq_rtree_group(page, from / SPQ_RTREE_GROUP);
	uint8	   *dead = spq_rtree_dead(page, to / SPQ_RTREE_GROUP);
	int			i = to % SPQ_RTREE_GROUP,
				j = from % SPQ_RTREE_GROUP;

	for (int end = 0; end < layout->ends; end++)
		spq_rtree_set_end(layout, target, end, i, spq_rtree_get_end(layout, source, end, j));
	*spq_rtree_tid(page, to) = *spq_rtree_tid(page, from);
	*dead &= ~(1 << i);
	if (*spq_rtree_dead(page, from / SPQ_RTREE_GROUP) & (1 << j))
		*dead |= 1 << i;
	if (spq_rtree_special(page)->flags & SPQ_RTREE_WIDE)
		*spq_rtree_payload_offset(page, to) = *spq_rtree_payload_offset(page, from);
	if (spq_rtree_has_codes(page))
		*spq_rtree_code_place(page, to) = *spq_rtree_code_place(page, from);
}

static void
clear_place(Page page, int entry)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;

	for (int end = 0; end < layout->ends; end++)
		spq_rtree_set_end(layout, group, end, i, 0);
	memset(spq_rtree_tid(page, entry), 0, sizeof(ItemPointerData));
	*spq_rtree_dead(page, entry / SPQ_RTREE_GROUP) &= ~(1 << i);
	if (spq_rtree_special(page)->flags & SPQ_RTREE_WIDE)
		*spq_rtree_payload_offset(page, entry) = 0;
	if (spq_rtree_has_codes(page))
		*spq_rtree_code_place(page, entry) = 0;
}

static bool
has_nan(Page page)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	int			count = spq_rtree_count(page);

	/* unused places are zero */
	for (int g = 0; g < spq_rtree_groups(count); g++)
		for (int end = 0; end < layout->ends; end++)
			for (int i = 0; i < SPQ_RTREE_GROUP; i++)
				if (isnan(spq_rtree_get_end(layout, spq_rtree_group(page, g), end, i)))
					return true;
	return false;
}

const char *
spq_rtree_page_remove_rows(Page page, const SpqRtreeEntrySet *removed)
{
	SpqRtreeSpecial *special = spq_rtree_special(page);
	PageHeader	header = (PageHeader) page;
	int			last = special->count - 1;
	Payload		payloads[SPQ_RTREE_LEAF_MAX];

	if (special->flags & SPQ_RTREE_WIDE)
	{
		const char *problem = list_payloads(page, payloads);

		if (problem)
			return problem;
		compact_payloads(page, payloads, special->count, removed);
	}
	for (int entry = 0; entry <= last; entry++)
	{
		if (!spq_rtree_entry_set_has(removed, entry))
			continue;
		while (last > entry && spq_rtree_entry_set_has(removed, last))
			clear_place(page, last--);
		if (last > entry)
			copy_place(page, entry, last);
		clear_place(page, last--);
	}
	special->count = last + 1;
	header->pd_lower = MAXALIGN(SizeOfPageHeaderData) +
		spq_rtree_groups(special->count) * spq_rtree_group_size(page);
	memset((char *) page + header->pd_lower, 0, header->pd_upper - header->pd_lower);
	if ((special->flags & SPQ_RTREE_HAS_NAN) && !has_nan(page))
		special->flags &= ~SPQ_RTREE_HAS_NAN;
	if (!(special->flags & SPQ_RTREE_IS_NULLS))
	{
		SpqRtreeBounds hull = spq_rtree_page_hull(page);

		spq_rtree_set_promise(page, &hull);
	}
	return NULL;
}
