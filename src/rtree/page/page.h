/*-------------------------------------------------------------------------
 *
 * page.h
 *	  The layout of a page of the tree.
 *
 * Entries lie in groups of eight, whose layout depends on the page (layout.h):
 *
 *		+--------+---------+---------+---------+-------+----------+---------+
 *		| header | group 0 | group 1 | group 2 | hole  | payloads | special |
 *		+--------+---------+---------+---------+-------+----------+---------+
 *				 ^							   ^ pd_lower ^ pd_upper
 *
 * Groups grow upward from the page header, as many as the entries need.  The
 * hole is always zero, because core's redo of generic WAL records zeroes it.
 * The places of a group behind the last entry are zero, too.  The order of
 * entries does not affect answers; a split reads it as a hint.
 *
 * A leaf of an index with INCLUDE columns is "wide": each entry has a payload,
 * a MAXALIGNed index tuple of all columns but the box.  Payloads grow downward
 * from the special space.
 *
 * The special space contains the page's promise (bounds), the link to the right
 * neighbor, the level, flags and the number of entries.  It ends with the same
 * struct on all pages:
 *
 *		| codes of a keyed page | high ends | low ends | SpqRtreeSpecial |
 *
 * src/rtree/README.md has the invariants.
 *
 * Nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGE_PAGE_H
#define SPQ_RTREE_PAGE_PAGE_H

#include "access/itup.h"
#include "access/transam.h"
#include "storage/block.h"
#include "storage/bufpage.h"
#include "storage/itemptr.h"

#include "rtree/page/bounds_place.h"
#include "rtree/page/layout.h"

/* Blocks with a fixed place. */
#define SPQ_RTREE_META		0
#define SPQ_RTREE_ROOT		1	/* never moves; has no right neighbor */
#define SPQ_RTREE_NULLS		2	/* head of the chain of rows without a box */

/* More levels than any index can have. */
#define SPQ_RTREE_LEVELS	32

/* Flags of a page, besides those of its layout. */
#define SPQ_RTREE_INCOMPLETE	0x0100	/* split; the right half has no
										 * downlink yet */
#define SPQ_RTREE_HAS_NAN		0x0200	/* an entry of the leaf may have a NaN */
#define SPQ_RTREE_IS_NULLS		0x0400	/* in the chain of NULLs: entries have
										 * TIDs and payloads, but no ends */
#define SPQ_RTREE_FREE			0x0800	/* was a leaf; has no downlink, and
										 * can be reused */
#define SPQ_RTREE_SETTLED		0x1000	/* the root, an inner page: no scan
										 * that has read it as a leaf keeps
										 * its pin */

/* Identifies a page of an index of this kind. */
#define SPQ_RTREE_PAGE_ID		0x5352

typedef struct SpqRtreeSpecial
{
	BlockNumber next;			/* right neighbor on this level, or
								 * InvalidBlockNumber */
	uint16		level;			/* 0 for a leaf */
	uint16		flags;
	uint16		count;			/* number of entries */
	uint16		page_id;		/* SPQ_RTREE_PAGE_ID, at the end of the page,
								 * where tools look for it */
	uint32		splits;			/* the split count; in a split, the right half
								 * gets the number from before */
} SpqRtreeSpecial;

/* The special space of a keyed page begins with this. */
typedef struct SpqRtreeCodes
{
	float8		high;			/* these enclose the codes of all entries */
	float8		low;
} SpqRtreeCodes;

/* The space for entries, with this many axes.  See spq_rtree_space(). */
#define SPQ_RTREE_SPACE(axes) \
	((int) (BLCKSZ - MAXALIGN(SizeOfPageHeaderData) - MAXALIGN(sizeof(SpqRtreeSpecial)) - \
			2 * (axes) * sizeof(float8)))

/* The most entries of an inner page and of a leaf, of any layout. */
#define SPQ_RTREE_INNER_MAX \
	(SPQ_RTREE_SPACE(2) / (int) SPQ_RTREE_INNER_SIZE(4) * SPQ_RTREE_GROUP)
#define SPQ_RTREE_LEAF_MAX \
	(SPQ_RTREE_SPACE(2) / (int) SPQ_RTREE_LEAF_SIZE(2) * SPQ_RTREE_GROUP)

/* The most groups of a page. */
#define SPQ_RTREE_GROUPS_MAX	(SPQ_RTREE_LEAF_MAX / SPQ_RTREE_GROUP)

/* The largest payload of any layout.  See spq_rtree_payload_max(). */
#define SPQ_RTREE_PAYLOAD_MAX	(BLCKSZ / 4)

/* An entry of an inner page, read from its columns. */
typedef struct SpqRtreeDownlink
{
	SpqRtreeBounds bounds;
	BlockNumber child;
	uint32		stop;
} SpqRtreeDownlink;

/* An entry of a leaf, read from its columns. */
typedef struct SpqRtreeRow
{
	float8		ends[SPQ_RTREE_ENDS];
	ItemPointerData tid;
	bool		dead;
	const char *payload;		/* an IndexTuple, or NULL if the index needs
								 * none */
	float8		code;			/* or SPQ_RTREE_NO_CODE */
} SpqRtreeRow;

/* The content of block SPQ_RTREE_META, behind its page header. */
typedef struct SpqRtreeMeta
{
	uint32		magic;			/* SPQ_RTREE_MAGIC */
	uint16		version;		/* of the format: SPQ_RTREE_VERSION */
	uint16		dimensions;		/* number of axes */
	BlockNumber first[SPQ_RTREE_LEVELS];	/* leftmost page of each level
											 * below the root; never changes
											 * once set */
	BlockNumber null_page;		/* of the chain of NULLs, a hint: probably has
								 * room */
	BlockNumber free_page;		/* first of the list of free pages, or
								 * InvalidBlockNumber */
	uint32		scalars;		/* number of columns before the box, in a
								 * keyed index */
} SpqRtreeMeta;

/* The content of a free page, behind its page header. */
typedef struct SpqRtreeFree
{
	FullTransactionId xid;		/* when this transaction and all before it
								 * have ended, nobody has read the old
								 * downlink */
	BlockNumber next;			/* in the list of free pages */
	uint32		unused;
} SpqRtreeFree;

#define SPQ_RTREE_MAGIC		0x53505152	/* "SPQR" */
#define SPQ_RTREE_VERSION	3

static inline SpqRtreeMeta *
spq_rtree_meta(Page page)
{
	return (SpqRtreeMeta *) PageGetContents(page);
}

static inline SpqRtreeSpecial *
spq_rtree_special(Page page)
{
	return (SpqRtreeSpecial *) ((char *) page + BLCKSZ - MAXALIGN(sizeof(SpqRtreeSpecial)));
}

static inline bool
spq_rtree_is_keyed(Page page)
{
	return (spq_rtree_special(page)->flags & SPQ_RTREE_KEYED) != 0;
}

/* Return the number of axes of a page. */
static inline int
spq_rtree_page_axes(Page page)
{
	return spq_rtree_axes_of(spq_rtree_special(page)->flags);
}

/* Return the place of the high ends of a page's promise; the low ends follow. */
static inline float8 *
spq_rtree_promised_ends(Page page)
{
	return (float8 *) spq_rtree_special(page) - 2 * spq_rtree_page_axes(page);
}

/* Return the interval of codes in the promise of a keyed page. */
static inline SpqRtreeCodes *
spq_rtree_codes(Page page)
{
	return (SpqRtreeCodes *) spq_rtree_promised_ends(page) - 1;
}

/* Return the place of a page's promise. */
static inline SpqRtreeBoundsPlace
spq_rtree_promise_place(Page page)
{
	int			axes = spq_rtree_page_axes(page);
	SpqRtreeBoundsPlace place = {.axes = axes,.stride = 1};

	place.high = spq_rtree_promised_ends(page);
	place.low = place.high + axes;
	if (spq_rtree_is_keyed(page))
	{
		place.high_code = &spq_rtree_codes(page)->high;
		place.low_code = &spq_rtree_codes(page)->low;
	}
	return place;
}

/* Return the promise of a page. */
static inline SpqRtreeBounds
spq_rtree_promise(Page page)
{
	SpqRtreeBoundsPlace place = spq_rtree_promise_place(page);

	return spq_rtree_get_bounds(&place);
}

static inline void
spq_rtree_set_promise(Page page, const SpqRtreeBounds *bounds)
{
	SpqRtreeBoundsPlace place = spq_rtree_promise_place(page);

	spq_rtree_put_bounds(&place, bounds);
}

/* Widen the promise of a page. */
static inline void
spq_rtree_widen_promise(Page page, const SpqRtreeBounds *more)
{
	SpqRtreeBounds bounds = spq_rtree_promise(page);

	spq_rtree_bounds_add(&bounds, more);
	spq_rtree_set_promise(page, &bounds);
}

/* Return the bounds of a row of an index with this many axes. */
static inline SpqRtreeBounds
spq_rtree_row_bounds(const SpqRtreeRow *row, int axes)
{
	SpqRtreeBounds bounds = spq_rtree_bounds_of(row->ends, axes);

	if (row->code != SPQ_RTREE_NO_CODE)
		bounds.high_code = bounds.low_code = row->code;
	return bounds;
}

static inline SpqRtreeFree *
spq_rtree_free_content(Page page)
{
	return (SpqRtreeFree *) PageGetContents(page);
}

static inline bool
spq_rtree_is_free(Page page)
{
	return (spq_rtree_special(page)->flags & SPQ_RTREE_FREE) != 0;
}

/*
 * Return whether a page is the last one of a span with this stop.  The chain of
 * NULLs is one span.
 */
static inline bool
spq_rtree_ends_span(Page page, uint32 stop)
{
	const SpqRtreeSpecial *special = spq_rtree_special(page);

	if (special->flags & SPQ_RTREE_IS_NULLS)
		return !BlockNumberIsValid(special->next);
	return special->splits == stop;
}

static inline bool
spq_rtree_is_leaf(Page page)
{
	return spq_rtree_special(page)->level == 0;
}

/*
 * Return whether a scan may have read a page as a leaf and still have its pin.
 * A leaf stays a leaf, even a free one; only the root becomes an inner page.
 */
static inline bool
spq_rtree_may_be_pinned_as_leaf(Page page, BlockNumber block)
{
	return spq_rtree_is_leaf(page) ||
		(block == SPQ_RTREE_ROOT && (spq_rtree_special(page)->flags & SPQ_RTREE_SETTLED) == 0);
}

static inline int
spq_rtree_count(Page page)
{
	return spq_rtree_special(page)->count;
}

/* Return the number of groups for this many entries. */
static inline int
spq_rtree_groups(int count)
{
	return (count + SPQ_RTREE_GROUP - 1) / SPQ_RTREE_GROUP;
}

/* Return the space for entries and payloads in a page with these flags. */
static inline int
spq_rtree_space(int flags)
{
	return SPQ_RTREE_SPACE(spq_rtree_axes_of(flags)) -
		(flags & SPQ_RTREE_KEYED ? (int) sizeof(SpqRtreeCodes) : 0);
}

/* Return the layout of a page's entries. */
static inline const SpqRtreeLayout *
spq_rtree_layout(Page page)
{
	const SpqRtreeSpecial *special = spq_rtree_special(page);

	return spq_rtree_layout_of(special->level, special->flags);
}

/* Return the size of a group of a page. */
static inline Size
spq_rtree_group_size(Page page)
{
	return spq_rtree_layout(page)->size;
}

/* Return how many entries a page of this level and these flags has room for. */
static inline int
spq_rtree_page_max(int level, int flags)
{
	return spq_rtree_space(flags) / spq_rtree_layout_of(level, flags)->size * SPQ_RTREE_GROUP;
}

/*
 * Return the size of the largest payload in pages with these flags.  A page has
 * room for four of them, so every split makes room for one more.
 */
static inline int
spq_rtree_payload_max(int flags)
{
	return MAXALIGN_DOWN(spq_rtree_space(flags) / 4) -
		spq_rtree_layout_of(0, (flags & SPQ_RTREE_INNER_FLAGS) | SPQ_RTREE_WIDE)->size;
}

/* Return a group. */
static inline char *
spq_rtree_group(Page page, int group)
{
	return (char *) page + MAXALIGN(SizeOfPageHeaderData) +
		group * spq_rtree_group_size(page);
}

/* Return the columns of numbers at the beginning of a group. */
static inline SpqRtreeColumn *
spq_rtree_group_columns(Page page, int group)
{
	return (SpqRtreeColumn *) spq_rtree_group(page, group);
}

/* Return the place of the bounds of a downlink. */
static inline SpqRtreeBoundsPlace
spq_rtree_downlink_place(Page page, int entry)
{
	const SpqRtreeLayout *layout = spq_rtree_layout(page);
	SpqRtreeColumn *columns = spq_rtree_group_columns(page, entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;
	SpqRtreeBoundsPlace place = {.axes = layout->axes,.stride = SPQ_RTREE_GROUP};

	Assert(!spq_rtree_is_leaf(page));
	place.high = &columns[0][i];
	place.low = &columns[layout->low][i];
	if (spq_rtree_is_keyed(page))
	{
		place.high_code = &columns[layout->code][i];
		place.low_code = &columns[layout->code + 1][i];
	}
	return place;
}

/* Return the bounds of an entry of an inner page. */
static inline SpqRtreeBounds
spq_rtree_entry_bounds(Page page, int entry)
{
	SpqRtreeBoundsPlace place = spq_rtree_downlink_place(page, entry);

	return spq_rtree_get_bounds(&place);
}

static inline BlockNumber
spq_rtree_child(Page page, int entry)
{
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);

	Assert(!spq_rtree_is_leaf(page));
	return ((BlockNumber *) (group + spq_rtree_layout(page)->child))[entry % SPQ_RTREE_GROUP];
}

static inline uint32
spq_rtree_stop(Page page, int entry)
{
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);

	Assert(!spq_rtree_is_leaf(page));
	return ((uint32 *) (group + spq_rtree_layout(page)->stop))[entry % SPQ_RTREE_GROUP];
}

/* Return the place of the heap TID of an entry of a leaf. */
static inline ItemPointer
spq_rtree_tid(Page page, int entry)
{
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);

	Assert(spq_rtree_is_leaf(page));
	return (ItemPointer) (group + spq_rtree_layout(page)->tid) + entry % SPQ_RTREE_GROUP;
}

/* Return the place of the bits that mark dead rows of a group. */
static inline uint8 *
spq_rtree_dead(Page page, int group)
{
	Assert(spq_rtree_is_leaf(page));
	return (uint8 *) spq_rtree_group(page, group) + spq_rtree_layout(page)->dead;
}

/* Return the place of the offset of a payload, in a wide leaf. */
static inline uint16 *
spq_rtree_payload_offset(Page page, int entry)
{
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);

	return (uint16 *) (group + spq_rtree_layout(page)->payload) + entry % SPQ_RTREE_GROUP;
}

/*
 * Return a row's payload if it lies between pd_upper and "end" (of the space for payloads, or of
 * what is left of it), else NULL.
 */
static inline IndexTuple
spq_rtree_payload_within(Page page, int entry, Size end)
{
	const PageHeaderData *header = (PageHeader) page;
	Size		offset = *spq_rtree_payload_offset(page, entry);
	IndexTuple	payload = (IndexTuple) ((char *) page + offset);

	if (offset != MAXALIGN(offset) || offset < header->pd_upper ||
		offset + sizeof(IndexTupleData) > end)
		return NULL;
	if (IndexTupleSize(payload) < sizeof(IndexTupleData) ||
		offset + MAXALIGN(IndexTupleSize(payload)) > end)
		return NULL;
	return payload;
}

/* Return a row's payload, or NULL if it is not within the page's space for payloads. */
static inline IndexTuple
spq_rtree_payload(Page page, int entry)
{
	return spq_rtree_payload_within(page, entry, ((PageHeader) page)->pd_special);
}

/* Return whether all rows of a leaf have the one code that it promises. */
static inline bool
spq_rtree_is_of_one_code(Page page)
{
	return (spq_rtree_special(page)->flags & SPQ_RTREE_ONE_CODE) != 0;
}

/* Return whether a leaf has a column of codes. */
static inline bool
spq_rtree_has_codes(Page page)
{
	return (spq_rtree_special(page)->flags & (SPQ_RTREE_KEYED | SPQ_RTREE_ONE_CODE)) ==
		SPQ_RTREE_KEYED;
}

/* Return the place of a row's code, in a leaf with a column of codes. */
static inline float8 *
spq_rtree_code_place(Page page, int entry)
{
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);

	return (float8 *) (group + spq_rtree_layout(page)->codes) + entry % SPQ_RTREE_GROUP;
}

/* Return an end of a row, given the number of the column and the group. */
static inline float8
spq_rtree_get_end(const SpqRtreeLayout *layout, const char *group, int end, int i)
{
	return layout->floats ? ((const SpqRtreeFloatColumn *) group)[end][i] :
		((const SpqRtreeColumn *) group)[end][i];
}

/* Set an end of a row.  In a leaf of floats it is a float4. */
static inline void
spq_rtree_set_end(const SpqRtreeLayout *layout, char *group, int end, int i, float8 number)
{
	if (layout->floats)
		((SpqRtreeFloatColumn *) group)[end][i] = (float4) number;
	else
		((SpqRtreeColumn *) group)[end][i] = number;
}

/* Copy the ends of a group of floats to columns of float8. */
static inline void
spq_rtree_widen(const SpqRtreeLayout *layout, const char *group, SpqRtreeColumn *wide)
{
	for (int end = 0; end < layout->ends; end++)
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
			wide[end][i] = ((const SpqRtreeFloatColumn *) group)[end][i];
}

/*
 * Return the columns of a group of a leaf as float8: those in the page, or, if it
 * has floats, copies of them in "wide".
 */
static inline const SpqRtreeColumn *
spq_rtree_wide_group(const SpqRtreeLayout *layout, const char *group, SpqRtreeColumn *wide)
{
	if (likely(!layout->floats))
		return (const SpqRtreeColumn *) group;
	spq_rtree_widen(layout, group, wide);
	if (layout->tid > layout->codes)
		memcpy(wide[layout->code], group + layout->codes, sizeof(SpqRtreeColumn));
	return (const SpqRtreeColumn *) wide;
}

/* Return the code of a row of a keyed leaf. */
static inline float8
spq_rtree_code(Page page, int entry)
{
	return spq_rtree_is_of_one_code(page) ? spq_rtree_codes(page)->high :
		*spq_rtree_code_place(page, entry);
}

/*
 * Set "ends" to those of a row of a leaf, given its group.  In a leaf of points
 * they are x, y, x, y.  If a coordinate is NaN, all low ends are NaN, so that the
 * bounds are the whole plane.
 */
static inline void
spq_rtree_get_ends(const SpqRtreeLayout *layout, const char *group, int i, float8 *ends)
{
	int			axes = layout->axes;
	bool		has_nan = false;

	for (int axis = 0; axis < axes; axis++)
	{
		ends[axis] = spq_rtree_get_end(layout, group, axis, i);
		ends[axes + axis] = spq_rtree_get_end(layout, group, layout->low + axis, i);
		has_nan |= isnan(ends[axis]);
	}
	if (unlikely(has_nan && layout->low == 0))
		for (int axis = 0; axis < axes; axis++)
			ends[axes + axis] = get_float8_nan();
}

extern void spq_rtree_page_init(Page page, int level, uint16 flags);
extern void spq_rtree_meta_init(Page page, int axes, int scalars);

/*
 * Mark an empty leaf free.  It keeps its right link and split count, which scans
 * that still have its downlink follow.
 */
extern void spq_rtree_page_set_free(Page page, FullTransactionId xid, BlockNumber next);

/* Return the space that a row's payload takes in a page, 0 without a payload. */
extern Size spq_rtree_payload_size(const SpqRtreeRow *row);

/* Return whether a page has room for another entry with a payload of this size. */
extern bool spq_rtree_page_has_room(Page page, Size payload_size);

/*
 * Return whether a leaf can take a row of this code as it is.  If not, it needs a
 * column of codes first.
 */
extern bool spq_rtree_takes_code(Page page, float8 code);

/*
 * Return whether a leaf of one code has room for a column of codes and for another
 * row with a payload of this size.
 */
extern bool spq_rtree_has_room_for_codes(Page page, Size payload_size);

/*
 * Add a column of codes to a leaf of one code.  Rows keep their numbers, and
 * payloads their places.
 */
extern void spq_rtree_give_codes(Page page);

/*
 * Read, replace, append and remove entries.  Payloads of rows that are read stay
 * in the page.  To append an entry also widens the promise.  (append_row.h has rows,
 * shrink.h removes them.)
 */
extern SpqRtreeDownlink spq_rtree_get_downlink(Page page, int entry);
extern void spq_rtree_put_downlink(Page page, int entry, const SpqRtreeDownlink *downlink);
extern void spq_rtree_append_downlink(Page page, const SpqRtreeDownlink *downlink);
extern void spq_rtree_remove_downlink(Page page, int entry);
extern SpqRtreeRow spq_rtree_get_row(Page page, int entry);

/*
 * Put the rows of a leaf in another order: row i is that of entry order[i] in "from", a
 * copy of the leaf.  Payloads stay where they are.
 */
extern void spq_rtree_reorder_rows(Page page, Page from, const uint16 *order);

/* Return the entry of an inner page for a child, or -1. */
extern int	spq_rtree_find_child(Page page, BlockNumber child);

/* Return the bounds of all entries.  The promise encloses them. */
extern SpqRtreeBounds spq_rtree_page_hull(Page page);

/*
 * Return NULL if all reads of entries and payloads stay within the page, else
 * what is wrong, for an error message.
 */
extern const char *spq_rtree_page_problem(Page page);

/* The same for entries alone.  Verify each payload when you read it. */
extern const char *spq_rtree_entries_problem(Page page);

#endif							/* SPQ_RTREE_PAGE_PAGE_H */
