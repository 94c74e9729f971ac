/*-------------------------------------------------------------------------
 *
 * page_format.c
 *	  The format of one page: header, items, leaf tuples, chains, counts.
 *	  See page_format.h; inner_format.c tests inner tuples.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/spgist_private.h"
#include "access/tupmacs.h"
#include "storage/bufpage.h"

#include "compat.h"
#include "quadtree_pages/inner_format.h"
#include "quadtree_pages/page_format.h"

#define PAGE_FLAGS	(SPGIST_META | SPGIST_LEAF | SPGIST_NULLS)
#define SPECIAL_AT	(BLCKSZ - MAXALIGN(sizeof(SpGistPageOpaqueData)))

/* Test the header and special space of a page that is not new. */
char *
spq_page_header_problem(Page page, BlockNumber block)
{
	PageHeader	header = (PageHeader) page;
	SpGistPageOpaque opaque;
	int			flags;

	/* the server itself tests only the order of lower, upper and special */
	if (PageGetPageSize(page) != BLCKSZ)
		return psprintf("page size is %d", (int) PageGetPageSize(page));
	if (PageGetPageLayoutVersion(page) != PG_PAGE_LAYOUT_VERSION)
		return psprintf("page layout version is %d", PageGetPageLayoutVersion(page));
	if (header->pd_special != SPECIAL_AT)
		return psprintf("special space begins at byte %d, not %d",
						header->pd_special, (int) SPECIAL_AT);
	if (header->pd_lower < SizeOfPageHeaderData ||
		header->pd_lower > header->pd_upper ||
		header->pd_upper > header->pd_special ||
		(header->pd_lower - SizeOfPageHeaderData) % sizeof(ItemIdData) != 0)
		return psprintf("invalid free space from byte %d to %d",
						header->pd_lower, header->pd_upper);

	opaque = SpGistPageGetOpaque(page);
	if (opaque->spgist_page_id != SPGIST_PAGE_ID)
		return psprintf("page is not an SP-GiST page: page ID is %04X",
						opaque->spgist_page_id);
	flags = opaque->flags;
	if ((flags & ~PAGE_FLAGS) != 0 ||
		((flags & SPGIST_META) != 0) != (block == SPGIST_METAPAGE_BLKNO) ||
		(block == SPGIST_ROOT_BLKNO && (flags & SPGIST_NULLS)) ||
		(block == SPGIST_NULL_BLKNO && !(flags & SPGIST_NULLS)))
		return psprintf("invalid page flags %04X", flags);

	if (flags & SPGIST_META)
	{
		if (SpGistPageGetMeta(page)->magicNumber != SPGIST_MAGIC_NUMBER)
			return psprintf("invalid metapage magic number %08X",
							SpGistPageGetMeta(page)->magicNumber);
		return NULL;
	}
	if (PageGetMaxOffsetNumber(page) > SPQ_PAGE_MAX_ITEMS)
		return psprintf("page has %d items, more than fit",
						(int) PageGetMaxOffsetNumber(page));
	if (PageIsEmpty(page) && header->pd_upper != header->pd_special)
		return psprintf("bytes from %d to %d belong to no item",
						header->pd_upper, header->pd_special);
	return NULL;
}

/*
 * Extract a column that is not null, at *at in the data of a tuple, and move
 * *at to its end.  Messages name its number.
 */
char *
spq_page_column(Form_pg_attribute att, int number, bool may_be_compressed,
				const char *data, Size size, Size *at, Datum *value)
{
	Size		length;

	if (att->attlen == -1)
	{
		/* a byte other than zero cannot be padding */
		if (*at < size && data[*at] == 0)
			*at = att_align_nominal(*at, att->attalign);
		if (*at >= size)
			return psprintf("column %d extends beyond the end of the leaf tuple", number);
		if (VARATT_IS_1B_E(data + *at))
			return psprintf("column %d of the leaf tuple is stored out of line", number);
		if (VARATT_IS_1B(data + *at))
			length = VARSIZE_1B(data + *at);
		else
		{
			*at = att_align_nominal(*at, att->attalign);
			if (*at + VARHDRSZ > size)
				return psprintf("column %d extends beyond the end of the leaf tuple", number);
			if (!VARATT_IS_4B_U(data + *at) && !may_be_compressed)
				return psprintf("column %d of the leaf tuple is compressed", number);
			length = VARSIZE_4B(data + *at);
			if (length < (VARATT_IS_4B_U(data + *at) ? VARHDRSZ : VARHDRSZ_COMPRESSED))
				return psprintf("column %d of the leaf tuple has invalid length %zu",
								number, length);
		}
	}
	else
	{
		*at = att_align_nominal(*at, att->attalign);
		if (att->attlen == -2)
			length = *at < size ? strnlen(data + *at, size - *at) + 1 : 1;
		else
			length = att->attlen;
	}
	if (*at > size || length > size - *at)
		return psprintf("column %d extends beyond the end of the leaf tuple", number);
	*value = fetchatt(att, data + *at);
	*at += length;
	return NULL;
}

/*
 * Extract the columns of a leaf tuple, the first of which is the key.  Return
 * the first problem, or NULL.
 *
 * This works like index_deform_tuple(), but tests each step.  Values of
 * variable length must be as SP-GiST stores them: neither compressed nor out
 * of line.
 */
char *
spq_page_leaf_columns(SpGistLeafTuple tuple, TupleDesc leaf_desc, bool key_is_null,
					  Datum *values, bool *nulls)
{
	bool		has_bitmap = SGLT_GET_HASNULLMASK(tuple);
	uint8	   *bitmap = (uint8 *) tuple + sizeof(SpGistLeafTupleData);
	char	   *data = SGLTDATAPTR(tuple);
	Size		size = tuple->size;
	Size		at = 0;

	if (SGLTHDRSZ(has_bitmap) > size)
		return psprintf("leaf tuple of %zu bytes is too short for its header", size);
	size -= SGLTHDRSZ(has_bitmap);

	for (int i = 0; i < leaf_desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(leaf_desc, i);
		char	   *problem;

		nulls[i] = has_bitmap ? att_isnull(i, bitmap) :
			(i == spgKeyColumn && key_is_null && leaf_desc->natts == 1);
		values[i] = (Datum) 0;
		if (i == spgKeyColumn && nulls[i] != key_is_null)
			return pstrdup(nulls[i] ? "leaf tuple has a null key on a page of non-null keys" :
						   "leaf tuple has a non-null key on a page of null keys");
		if (nulls[i])
			continue;

		problem = spq_page_column(att, i + 1, false, data, size, &at, &values[i]);
		if (problem)
			return problem;
	}
	if (MAXALIGN(at) != size && tuple->size != SGDTSIZE)
		return psprintf("leaf tuple size is %u, but its columns take %zu bytes",
						tuple->size, (Size) (tuple->size - size + MAXALIGN(at)));
	return NULL;
}

/* Test a leaf tuple, except its link. */
static char *
leaf_problem(Page page, SpGistLeafTuple tuple, TupleDesc leaf_desc)
{
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	if (!ItemPointerIsValid(&tuple->heapPtr))
		return pstrdup("leaf tuple has an invalid row pointer");
	/* bitmap scans raise an error for these */
	if (ItemPointerGetOffsetNumber(&tuple->heapPtr) > MaxHeapTuplesPerPage)
		return psprintf("leaf tuple points to row (%u,%u), which cannot exist",
						ItemPointerGetBlockNumber(&tuple->heapPtr),
						ItemPointerGetOffsetNumber(&tuple->heapPtr));
	return spq_page_leaf_columns(tuple, leaf_desc, SpGistPageStoresNulls(page),
								 values, nulls);
}

/* Test the position and length of an item. */
static char *
line_pointer_problem(Page page, OffsetNumber item)
{
	PageHeader	header = (PageHeader) page;
	ItemId		id = PageGetItemId(page, item);
	Size		offset = ItemIdGetOffset(id);
	Size		length = ItemIdGetLength(id);

	if (!ItemIdIsNormal(id))
		return pstrdup("line pointer is not in use");
	if (offset != MAXALIGN(offset) || offset < header->pd_upper ||
		length < SGDTSIZE || offset + length > header->pd_special)
		return psprintf("invalid line pointer to bytes %zu to %zu",
						offset, offset + length);
	return NULL;
}

/*
 * Test one item and its tuple.  On a root page all tuples must be live, since
 * none is ever moved away or removed.
 */
char *
spq_page_item_problem(Page page, OffsetNumber item, bool root, TupleDesc leaf_desc)
{
	Size		length = ItemIdGetLength(PageGetItemId(page, item));
	char	   *problem = line_pointer_problem(page, item);
	SpGistDeadTuple tuple;

	if (problem)
		return problem;
	tuple = spq_page_tuple(page, item);
	if (tuple->tupstate == SPGIST_LIVE)
	{
		if (!SpGistPageIsLeaf(page))
			return spq_page_inner_problem((SpGistInnerTuple) tuple, length,
										  SpGistPageStoresNulls(page));
		if (tuple->size != length)
			return psprintf("leaf tuple size is %u, but its line pointer has length %zu",
							tuple->size, length);
		return leaf_problem(page, (SpGistLeafTuple) tuple, leaf_desc);
	}

	if (root)
		return pstrdup("tuple on the root page is not live");
	if (tuple->size != length || length != SGDTSIZE)
		return psprintf("tuple that is not live has size %u and line pointer length %zu, not %d",
						tuple->size, length, (int) SGDTSIZE);
	if (SGLT_GET_NEXTOFFSET(tuple) != InvalidOffsetNumber)
		return pstrdup("tuple that is not live has a link to another one");
	if (tuple->tupstate == SPGIST_DEAD && !SpGistPageIsLeaf(page))
		return pstrdup("dead tuple on an inner page");
	if (tuple->tupstate == SPGIST_REDIRECT &&
		(!ItemPointerIsValid(&tuple->pointer) ||
		 SpGistBlockIsFixed(ItemPointerGetBlockNumberNoCheck(&tuple->pointer))))
		return psprintf("redirection points to block %u, item %u, where no moved tuple can be",
						ItemPointerGetBlockNumberNoCheck(&tuple->pointer),
						ItemPointerGetOffsetNumberNoCheck(&tuple->pointer));
	return NULL;
}

/*
 * Test for bytes that two items share, or that belong to no item: PostgreSQL
 * closes the gap whenever it removes a tuple.  Requires that no item has a
 * problem of its own.
 */
char *
spq_page_overlap_problem(Page page, OffsetNumber *item)
{
	PageHeader	header = (PageHeader) page;
	OffsetNumber max = PageGetMaxOffsetNumber(page);
	OffsetNumber owner[BLCKSZ / MAXIMUM_ALIGNOF] = {0};

	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
	{
		ItemId		id = PageGetItemId(page, i);
		int			first = ItemIdGetOffset(id) / MAXIMUM_ALIGNOF;
		int			end = (ItemIdGetOffset(id) + ItemIdGetLength(id)) / MAXIMUM_ALIGNOF;

		for (int unit = first; unit < end; unit++)
		{
			if (owner[unit] != InvalidOffsetNumber)
			{
				*item = i;
				return psprintf("tuple overlaps item %d", owner[unit]);
			}
			owner[unit] = i;
		}
	}
	for (int unit = header->pd_upper / MAXIMUM_ALIGNOF;
		 unit < header->pd_special / MAXIMUM_ALIGNOF; unit++)
		if (owner[unit] == InvalidOffsetNumber)
		{
			*item = InvalidOffsetNumber;
			return psprintf("bytes from %d on belong to no item",
							unit * MAXIMUM_ALIGNOF);
		}
	return NULL;
}

/*
 * Test the links of a leaf page.  Requires that no item has a problem of its
 * own.
 *
 * At most one tuple may link to each tuple.  So a tuple without a link to it
 * is the head of a chain, each other tuple is in the chain of one head, and a
 * tuple in no chain is part of a circle, which is a problem.
 *
 *		1 -> 4 -> 2		3 -> 5		6 -> 7
 *		head			head		^----'	circle
 *
 * Set links[1..] to the state of each item, and *item to the one with the
 * problem.
 */
char *
spq_page_chains_problem(Page page, bool root, OffsetNumber *item,
						SpqPageLink *links)
{
	OffsetNumber max = PageGetMaxOffsetNumber(page);
	bool		in_chain[SPQ_PAGE_MAX_ITEMS + 1] = {0};

	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
		links[i] = spq_page_tuple(page, i)->tupstate == SPGIST_LIVE ?
			SPQ_PAGE_CHAIN_HEAD : SPQ_PAGE_NO_LINK;

	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
	{
		OffsetNumber next;

		if (links[i] == SPQ_PAGE_NO_LINK)
			continue;
		next = SGLT_GET_NEXTOFFSET(spq_page_tuple(page, i));
		if (next == InvalidOffsetNumber)
			continue;
		*item = i;
		if (root)
			return psprintf("leaf tuple on the root page has a link to item %d", next);
		if (next > max)
			return psprintf("chain link points to item %d, but the last item is %d",
							next, max);
		if (links[next] == SPQ_PAGE_NO_LINK)
			return psprintf("chain link points to item %d, which is not live", next);
		if (links[next] == SPQ_PAGE_CHAIN_MEMBER)
			return psprintf("chain link points to item %d, and so does another", next);
		links[next] = SPQ_PAGE_CHAIN_MEMBER;
	}

	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
		if (links[i] == SPQ_PAGE_CHAIN_HEAD)
			for (OffsetNumber j = i; j != InvalidOffsetNumber;
				 j = SGLT_GET_NEXTOFFSET(spq_page_tuple(page, j)))
				in_chain[j] = true;
	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
		if (links[i] == SPQ_PAGE_CHAIN_MEMBER && !in_chain[i])
		{
			*item = i;
			return pstrdup("chain is circular");
		}
	return NULL;
}

/*
 * Test the chain that begins with a head.  Requires that the page's header and
 * the head have no problem; the rest of the page may have some.
 */
char *
spq_page_chain_problem(Page page, OffsetNumber head, TupleDesc leaf_desc)
{
	OffsetNumber max = PageGetMaxOffsetNumber(page);
	OffsetNumber next;
	int			n = 0;

	for (OffsetNumber i = head; i != InvalidOffsetNumber; i = next)
	{
		if (i > max || spq_page_item_problem(page, i, false, leaf_desc) ||
			spq_page_tuple(page, i)->tupstate != SPGIST_LIVE)
			return psprintf("the head of a chain that is damaged at item %d", i);
		if (++n > max)
			return pstrdup("the head of a circular chain");
		next = SGLT_GET_NEXTOFFSET(spq_page_tuple(page, i));
	}
	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
		if (line_pointer_problem(page, i) == NULL &&
			spq_page_tuple(page, i)->tupstate == SPGIST_LIVE &&
			SGLT_GET_NEXTOFFSET(spq_page_tuple(page, i)) == head)
			return psprintf("in the middle of a chain, after item %d", i);
	return NULL;
}

/*
 * Test the counts in the special space.  Requires that no item has a problem
 * of its own.
 */
char *
spq_page_counts_problem(Page page, bool root)
{
	SpGistPageOpaque opaque = SpGistPageGetOpaque(page);
	OffsetNumber max = PageGetMaxOffsetNumber(page);
	int			redirections = 0;
	int			placeholders = 0;

	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
	{
		int			state = spq_page_tuple(page, i)->tupstate;

		redirections += state == SPGIST_REDIRECT;
		placeholders += state == SPGIST_PLACEHOLDER;
	}
	if (opaque->nRedirection != redirections)
		return psprintf("special space counts %d redirections, but there are %d",
						opaque->nRedirection, redirections);
	if (opaque->nPlaceholder != placeholders)
		return psprintf("special space counts %d placeholders, but there are %d",
						opaque->nPlaceholder, placeholders);
	if (root && !SpGistPageIsLeaf(page) && max != FirstOffsetNumber)
		return psprintf("root page has %d inner tuples, not 1", max);
	return NULL;
}
