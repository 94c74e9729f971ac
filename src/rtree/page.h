/*-------------------------------------------------------------------------
 *
 * page.h
 *	  The layout of a page of the tree.
 *
 * Entries lie in groups of eight, and within a group by columns, so that a
 * comparison of one end with one number is a loop over eight neighbors:
 *
 *		+--------+---------+---------+---------+-------+----------+---------+
 *		| header | group 0 | group 1 | group 2 | hole  | payloads | special |
 *		+--------+---------+---------+---------+-------+----------+---------+
 *				 ^		   \		 ^ pd_lower	^ pd_upper
 *				 |			\
 *		 high.x high.x .. (8) | high.y .. | low.x .. | low.y .. | what the
 *		 entries refer to: leaf: heap TIDs, inner: child and stop
 *
 * Groups grow upward from the page header, as many as the entries need.  The
 * hole is zero, always: core's redo of generic WAL records zeroes it.  The
 * places of a group behind the last entry are zero, too.  Order among entries
 * means nothing.
 *
 * A leaf of an index with INCLUDE columns has "wide" groups, with an offset of
 * a payload for each entry: an index tuple of all columns but the box,
 * MAXALIGNed.  Payloads grow downward from the special space.
 *
 * Pages of an index with scalar columns before the box are "keyed": their groups
 * have columns of codes (code.h) behind what others have, and the special space
 * begins with what the page promises of codes.  So all that other pages have is at
 * the same place.
 *
 * The special space has what the page promises (bounds), the link to the right
 * neighbor, level, flags and the number of entries.  README.md has the
 * invariants.
 *
 * But for spq_rtree_page_check(), nothing here needs a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_RTREE_PAGE_H
#define SPQ_RTREE_PAGE_H

#include "access/transam.h"
#include "storage/block.h"
#include "storage/bufpage.h"
#include "storage/itemptr.h"

#include "rtree/bounds.h"

/* Blocks with a fixed place. */
#define SPQ_RTREE_META		0
#define SPQ_RTREE_ROOT		1	/* never moves; it has no right neighbor */
#define SPQ_RTREE_NULLS		2	/* head of the chain of rows without a box */

/* Entries of a group. */
#define SPQ_RTREE_GROUP		8

/* More levels than any index can have. */
#define SPQ_RTREE_LEVELS	32

/* Flags of a page. */
#define SPQ_RTREE_INCOMPLETE	0x0001	/* split, and the parent does not know
										 * of the right half yet */
#define SPQ_RTREE_HAS_NAN		0x0002	/* an entry of the leaf may have a NaN */
#define SPQ_RTREE_WIDE			0x0004	/* groups are SpqRtreeWideGroup */
#define SPQ_RTREE_IS_NULLS		0x0008	/* a page of the chain of NULLs: TIDs
										 * (and payloads) count, ends do not */
#define SPQ_RTREE_FREE			0x0010	/* was a leaf, has no downlink any
										 * more, and waits to be another page */
#define SPQ_RTREE_KEYED			0x0020	/* entries have codes */

/* Identifies a page of an index of this kind, and the number of dimensions. */
#define SPQ_RTREE_PAGE_ID		(0x5350 + SPQ_DIM)

typedef struct SpqRtreeSpecial
{
	float8		high[SPQ_DIM];	/* enclose the bounds of all entries: see */
	float8		low[SPQ_DIM];	/* spq_rtree_promise() */
	BlockNumber next;			/* right neighbor on this level, or
								 * InvalidBlockNumber */
	uint16		level;			/* 0 for a leaf */
	uint16		flags;
	uint16		count;			/* number of entries */
	uint16		page_id;		/* SPQ_RTREE_PAGE_ID, at the very end: tools
								 * find it there */
	uint32		splits;			/* how often the page has been split; the
								 * right half begins with the number that the
								 * page had before */
} SpqRtreeSpecial;

/* The special space of a keyed page begins with this, and ends as any other. */
typedef struct SpqRtreeCodes
{
	float8		high;			/* enclose the codes of all entries */
	float8		low;
} SpqRtreeCodes;

/* Eight entries of an inner page. */
typedef struct SpqRtreeInnerGroup
{
	float8		ends[SPQ_RTREE_ENDS][SPQ_RTREE_GROUP];	/* bounds of the child */
	BlockNumber child[SPQ_RTREE_GROUP];
	uint32		stop[SPQ_RTREE_GROUP];	/* "splits" of the last page of the
										 * child's part; see README.md */
} SpqRtreeInnerGroup;

/* Eight entries of a leaf. */
typedef struct SpqRtreeLeafGroup
{
	float8		ends[SPQ_RTREE_ENDS][SPQ_RTREE_GROUP];	/* as the class gave
														 * them */
	ItemPointerData tid[SPQ_RTREE_GROUP];
	uint8		dead;			/* bit i: the row of entry i is dead to all; a
								 * hint */
	uint8		unused[7];
} SpqRtreeLeafGroup;

/* Eight entries of a leaf of an index with INCLUDE columns. */
typedef struct SpqRtreeWideGroup
{
	SpqRtreeLeafGroup leaf;
	uint16		payload[SPQ_RTREE_GROUP];	/* offset from the page's start */
} SpqRtreeWideGroup;

/* The same three with codes, each a number of columns behind the group's first. */
typedef struct SpqRtreeKeyedInnerGroup
{
	SpqRtreeInnerGroup inner;
	float8		high_code[SPQ_RTREE_GROUP];
	float8		low_code[SPQ_RTREE_GROUP];
} SpqRtreeKeyedInnerGroup;

typedef struct SpqRtreeKeyedLeafGroup
{
	SpqRtreeLeafGroup leaf;
	float8		unused;
	float8		code[SPQ_RTREE_GROUP];
} SpqRtreeKeyedLeafGroup;

typedef struct SpqRtreeKeyedWideGroup
{
	SpqRtreeKeyedLeafGroup leaf;
	uint16		payload[SPQ_RTREE_GROUP];
} SpqRtreeKeyedWideGroup;

/* So comparisons find a code as they find an end. */
StaticAssertDecl(offsetof(SpqRtreeKeyedInnerGroup, high_code) ==
				 SPQ_RTREE_CODE_END * SPQ_RTREE_GROUP * sizeof(float8),
				 "the code of an inner entry is a column of its group");
StaticAssertDecl(offsetof(SpqRtreeKeyedInnerGroup, low_code) ==
				 SPQ_RTREE_LOW_CODE_END * SPQ_RTREE_GROUP * sizeof(float8),
				 "the lowest code of an inner entry is the next one");
StaticAssertDecl(offsetof(SpqRtreeKeyedLeafGroup, code) ==
				 SPQ_RTREE_CODE_END * SPQ_RTREE_GROUP * sizeof(float8),
				 "the code of a row is the same column");

/* What entries of the three kinds of pages cost; keyed ones are a few less. */
#define SPQ_RTREE_SPACE \
	((int) (BLCKSZ - MAXALIGN(SizeOfPageHeaderData) - MAXALIGN(sizeof(SpqRtreeSpecial))))
#define SPQ_RTREE_INNER_MAX \
	(SPQ_RTREE_SPACE / (int) sizeof(SpqRtreeInnerGroup) * SPQ_RTREE_GROUP)
#define SPQ_RTREE_LEAF_MAX \
	(SPQ_RTREE_SPACE / (int) sizeof(SpqRtreeLeafGroup) * SPQ_RTREE_GROUP)

/* A larger payload is refused: four fit a page, so any split makes room. */
#define SPQ_RTREE_PAYLOAD_MAX \
	((int) MAXALIGN_DOWN(SPQ_RTREE_SPACE / 4 - sizeof(SpqRtreeWideGroup)))
#define SPQ_RTREE_KEYED_PAYLOAD_MAX \
	((int) MAXALIGN_DOWN((SPQ_RTREE_SPACE - (int) sizeof(SpqRtreeCodes)) / 4 - \
						 sizeof(SpqRtreeKeyedWideGroup)))

/* An entry of an inner page, taken out of its columns. */
typedef struct SpqRtreeDownlink
{
	SpqRtreeBounds bounds;
	BlockNumber child;
	uint32		stop;
} SpqRtreeDownlink;

/* An entry of a leaf, taken out of its columns. */
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
	uint16		dimensions;		/* SPQ_DIM */
	BlockNumber first[SPQ_RTREE_LEVELS];	/* leftmost page of each level
											 * below the root; never changes
											 * once set */
	BlockNumber null_page;		/* of the chain of NULLs: where to look for
								 * room first; a hint */
	BlockNumber free_page;		/* first of the list of free pages, or
								 * InvalidBlockNumber */
	uint32		scalars;		/* number of columns before the box; those of
								 * a keyed index */
} SpqRtreeMeta;

/* The content of a free page, behind its page header. */
typedef struct SpqRtreeFree
{
	FullTransactionId xid;		/* when all before and this one are finished,
								 * nobody knows the page's old downlink */
	BlockNumber next;			/* in the list of free pages */
	uint32		unused;
} SpqRtreeFree;

#define SPQ_RTREE_MAGIC		0x53505152	/* "SPQR" */
#define SPQ_RTREE_VERSION	2

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

/* What a keyed page promises of codes. */
static inline SpqRtreeCodes *
spq_rtree_codes(Page page)
{
	return (SpqRtreeCodes *) spq_rtree_special(page) - 1;
}

/* Return what a page promises. */
static inline SpqRtreeBounds
spq_rtree_promise(Page page)
{
	const SpqRtreeSpecial *special = spq_rtree_special(page);
	SpqRtreeBounds bounds = spq_rtree_bounds_nothing();

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		bounds.high[axis] = special->high[axis];
		bounds.low[axis] = special->low[axis];
	}
	if (special->flags & SPQ_RTREE_KEYED)
	{
		bounds.high_code = spq_rtree_codes(page)->high;
		bounds.low_code = spq_rtree_codes(page)->low;
	}
	return bounds;
}

static inline void
spq_rtree_set_promise(Page page, const SpqRtreeBounds *bounds)
{
	SpqRtreeSpecial *special = spq_rtree_special(page);

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		special->high[axis] = bounds->high[axis];
		special->low[axis] = bounds->low[axis];
	}
	if (special->flags & SPQ_RTREE_KEYED)
	{
		spq_rtree_codes(page)->high = bounds->high_code;
		spq_rtree_codes(page)->low = bounds->low_code;
	}
}

/* Return the bounds of a row. */
static inline SpqRtreeBounds
spq_rtree_row_bounds(const SpqRtreeRow *row)
{
	SpqRtreeBounds bounds = spq_rtree_bounds_of(row->ends);

	if (row->code != SPQ_RTREE_NO_CODE)
		bounds.high_code = bounds.low_code = row->code;
	return bounds;
}

static inline SpqRtreeFree *
spq_rtree_free(Page page)
{
	return (SpqRtreeFree *) PageGetContents(page);
}

static inline bool
spq_rtree_is_free(Page page)
{
	return (spq_rtree_special(page)->flags & SPQ_RTREE_FREE) != 0;
}

/*
 * Return whether a page is the last one of a part that ends with this stop.  The
 * chain of NULLs is a part that ends where the chain does.
 */
static inline bool
spq_rtree_ends_part(Page page, uint32 stop)
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

static inline int
spq_rtree_count(Page page)
{
	return spq_rtree_special(page)->count;
}

/* Return the number of groups that a number of entries takes. */
static inline int
spq_rtree_groups(int count)
{
	return (count + SPQ_RTREE_GROUP - 1) / SPQ_RTREE_GROUP;
}

/* Return the space for entries and payloads of pages that have these flags. */
static inline int
spq_rtree_space(int flags)
{
	return SPQ_RTREE_SPACE - (flags & SPQ_RTREE_KEYED ? (int) sizeof(SpqRtreeCodes) : 0);
}

/* Return the size of a group of pages of a level that have these flags. */
static inline Size
spq_rtree_size_of_group(int level, int flags)
{
	if (unlikely(flags & SPQ_RTREE_KEYED))
		return level > 0 ? sizeof(SpqRtreeKeyedInnerGroup) :
			flags & SPQ_RTREE_WIDE ? sizeof(SpqRtreeKeyedWideGroup) :
			sizeof(SpqRtreeKeyedLeafGroup);
	if (level > 0)
		return sizeof(SpqRtreeInnerGroup);
	if (flags & SPQ_RTREE_WIDE)
		return sizeof(SpqRtreeWideGroup);
	return sizeof(SpqRtreeLeafGroup);
}

/* Return the size of a group of a page. */
static inline Size
spq_rtree_group_size(Page page)
{
	const SpqRtreeSpecial *special = spq_rtree_special(page);

	return spq_rtree_size_of_group(special->level, special->flags);
}

/* Return how many entries fit a page of a level at most. */
static inline int
spq_rtree_page_max(int level, int flags)
{
	return spq_rtree_space(flags) / (int) spq_rtree_size_of_group(level, flags) * SPQ_RTREE_GROUP;
}

/* Return a group.  Each kind begins with the columns of the ends. */
static inline char *
spq_rtree_group(Page page, int group)
{
	return (char *) page + MAXALIGN(SizeOfPageHeaderData) +
		group * spq_rtree_group_size(page);
}

static inline SpqRtreeInnerGroup *
spq_rtree_inner_group(Page page, int group)
{
	Assert(!spq_rtree_is_leaf(page));
	return (SpqRtreeInnerGroup *) spq_rtree_group(page, group);
}

static inline SpqRtreeLeafGroup *
spq_rtree_leaf_group(Page page, int group)
{
	Assert(spq_rtree_is_leaf(page));
	return (SpqRtreeLeafGroup *) spq_rtree_group(page, group);
}

/* Return the bounds of an entry of an inner page. */
static inline SpqRtreeBounds
spq_rtree_entry_bounds(Page page, int entry)
{
	const SpqRtreeInnerGroup *group =
		spq_rtree_inner_group(page, entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;
	SpqRtreeBounds bounds = spq_rtree_bounds_nothing();

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		bounds.high[axis] = group->ends[axis][i];
		bounds.low[axis] = group->ends[SPQ_DIM + axis][i];
	}
	if (spq_rtree_is_keyed(page))
	{
		const SpqRtreeKeyedInnerGroup *keyed = (const SpqRtreeKeyedInnerGroup *) group;

		bounds.high_code = keyed->high_code[i];
		bounds.low_code = keyed->low_code[i];
	}
	return bounds;
}

static inline BlockNumber
spq_rtree_child(Page page, int entry)
{
	return spq_rtree_inner_group(page, entry / SPQ_RTREE_GROUP)->child[entry % SPQ_RTREE_GROUP];
}

static inline uint32
spq_rtree_stop(Page page, int entry)
{
	return spq_rtree_inner_group(page, entry / SPQ_RTREE_GROUP)->stop[entry % SPQ_RTREE_GROUP];
}

/* Return the heap TID of an entry of a leaf. */
static inline ItemPointer
spq_rtree_tid(Page page, int entry)
{
	return &spq_rtree_leaf_group(page, entry / SPQ_RTREE_GROUP)->tid[entry % SPQ_RTREE_GROUP];
}

/* Return the place of the payload's offset of an entry of a wide leaf. */
static inline uint16 *
spq_rtree_payload_offset(Page page, int entry)
{
	char	   *group = spq_rtree_group(page, entry / SPQ_RTREE_GROUP);
	int			i = entry % SPQ_RTREE_GROUP;

	return spq_rtree_is_keyed(page) ? &((SpqRtreeKeyedWideGroup *) group)->payload[i] :
		&((SpqRtreeWideGroup *) group)->payload[i];
}

/* Return the place of the code of an entry of a keyed leaf. */
static inline float8 *
spq_rtree_code(Page page, int entry)
{
	SpqRtreeKeyedLeafGroup *group =
		(SpqRtreeKeyedLeafGroup *) spq_rtree_leaf_group(page, entry / SPQ_RTREE_GROUP);

	return &group->code[entry % SPQ_RTREE_GROUP];
}

extern void spq_rtree_page_init(Page page, int level, uint16 flags);
extern void spq_rtree_meta_init(Page page, int scalars);

/* Let a leaf without rows be free.  What scans that come to it go by stays: its right link and number of splits. */
extern void spq_rtree_page_set_free(Page page, FullTransactionId xid, BlockNumber next);

/* What the payload of a row takes in a page, 0 without one. */
extern Size spq_rtree_payload_size(const SpqRtreeRow *row);

/* Whether the page has room for one more entry, with a payload of this size. */
extern bool spq_rtree_page_has_room(Page page, Size payload_size);

/* Entries out of a page and into it.  "Put" writes a place that exists, "append" adds one. */
extern SpqRtreeDownlink spq_rtree_get_downlink(Page page, int entry);
extern void spq_rtree_put_downlink(Page page, int entry, const SpqRtreeDownlink *downlink);
extern void spq_rtree_append_downlink(Page page, const SpqRtreeDownlink *downlink);
extern void spq_rtree_remove_downlink(Page page, int entry);
extern SpqRtreeRow spq_rtree_get_row(Page page, int entry);
extern void spq_rtree_append_row(Page page, const SpqRtreeRow *row);

/* Return the entry of an inner page for a child, or -1. */
extern int	spq_rtree_find_child(Page page, BlockNumber child);

/* Return the bounds of all entries together: at most what the page promises. */
extern SpqRtreeBounds spq_rtree_page_hull(Page page);

/*
 * Return NULL if the page's fields are plausible (so that reading its entries
 * stays within the page), else what is wrong, for an error message.
 */
extern const char *spq_rtree_page_problem(Page page);

/* The same but for payloads, each of which is to be verified when it is read. */
extern const char *spq_rtree_entries_problem(Page page);

#endif							/* SPQ_RTREE_PAGE_H */
