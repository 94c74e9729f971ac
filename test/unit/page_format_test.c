/*-------------------------------------------------------------------------
 *
 * page_format_test.c
 *	  What spqtree_check reports about a single page of an SP-GiST index:
 *	  quadtree_pages/page_format.c, inner_format.c.
 *
 *		a page as SP-GiST makes it		has no problem
 *		one bit changed					is reported, if the page alone shows it
 *		bytes changed at random			nothing outside of the page is read,
 *										whether a problem is reported or not
 *
 * A page has its own malloc(), so that AddressSanitizer reports reads beyond
 * its end.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "access/spgist_private.h"

#include "compat.h"
#include "quadtree/prefix.h"
#include "quadtree_pages/inner_format.h"
#include "quadtree_pages/page_format.h"

#define SPECIAL		(BLCKSZ - (int) MAXALIGN(sizeof(SpGistPageOpaqueData)))
#define BLOCK		7			/* not a root page */
#define PAGES		200			/* sound pages, each damaged many times */
#define DAMAGES		1500

/* Kinds of columns after the key of a leaf tuple. */
typedef struct Column
{
	int			length;
	bool		by_value;
	char		align;
} Column;

static const Column columns[] = {
	{4, true, 'i'}, {8, true, 'd'}, {1, true, 'c'}, {2, true, 's'},
	{16, false, 'c'}, {12, false, 'i'}, {6, false, 's'}, {24, false, 'd'},
	{-1, false, 'i'}, {-1, false, 'd'}, {-2, false, 'c'}
};

typedef struct TestPage
{
	char	   *bytes;
	TupleDesc	desc;
	bool		leaf;
	bool		nulls;
	bool		root;
} TestPage;

/* Return a descriptor of the box and n more columns. */
static TupleDesc
make_desc(int n)
{
	/* 18 has a second array before this one; leave room for it */
	TupleDesc	desc = calloc(1, sizeof(struct TupleDescData) +
							  (n + 1) * (sizeof(FormData_pg_attribute) + 64));

	desc->natts = n + 1;
	for (int i = 0; i <= n; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		Column		column = {sizeof(BOX), false, 'd'};

		if (i > 0)
			column = columns[lrand48() % lengthof(columns)];
		att->attlen = column.length;
		att->attbyval = column.by_value;
		att->attalign = column.align;
	}
	return desc;
}

static int
align_at(int at, char align)
{
	int			to = align == 'd' ? 8 : align == 'i' ? 4 : align == 's' ? 2 : 1;

	return TYPEALIGN(to, at);
}

/* Return the free bytes of a page, less a line pointer. */
static int
room(Page page)
{
	return ((PageHeader) page)->pd_upper - ((PageHeader) page)->pd_lower -
		(int) sizeof(ItemIdData);
}

static void
add_item(Page page, const void *tuple, int length)
{
	PageHeader	header = (PageHeader) page;
	ItemId		id = (ItemId) (page + header->pd_lower);

	header->pd_lower += sizeof(ItemIdData);
	header->pd_upper -= length;
	memcpy(page + header->pd_upper, tuple, length);
	ItemIdSetNormal(id, header->pd_upper, length);
}

/* Add a tuple that is not live. */
static void
add_dead(Page page, int state)
{
	SpGistDeadTupleData tuple;

	memset(&tuple, 0, sizeof(tuple));
	tuple.tupstate = state;
	tuple.size = SGDTSIZE;
	ItemPointerSetInvalid(&tuple.pointer);
	if (state == SPGIST_REDIRECT)
		ItemPointerSet(&tuple.pointer, random_int(3, 100), random_int(1, 50));
	add_item(page, &tuple, SGDTSIZE);
	if (state == SPGIST_REDIRECT)
		SpGistPageGetOpaque(page)->nRedirection++;
	if (state == SPGIST_PLACEHOLDER)
		SpGistPageGetOpaque(page)->nPlaceholder++;
}

static void
add_leaf(TestPage *test)
{
	char		bytes[1024] = {0};
	SpGistLeafTuple tuple = (SpGistLeafTuple) bytes;
	uint8	   *bitmap = (uint8 *) (bytes + sizeof(SpGistLeafTupleData));
	bool		has_nulls = false;
	bool		null[INDEX_MAX_KEYS];
	char	   *data;
	int			at = 0;

	for (int i = 0; i < test->desc->natts; i++)
	{
		null[i] = i == 0 ? test->nulls : lrand48() % 5 == 0;
		has_nulls |= null[i] && test->desc->natts > 1;
	}
	SGLT_SET_HASNULLMASK(tuple, has_nulls);
	for (int i = 0; has_nulls && i < test->desc->natts; i++)
		if (!null[i])
			bitmap[i / 8] |= 1 << (i % 8);
	data = bytes + SGLTHDRSZ(has_nulls);

	for (int i = 0; i < test->desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(test->desc, i);
		int			length = att->attlen;

		if (null[i])
			continue;
		if (length == -1)
		{
			length = random_int(0, 30);
			if (lrand48() % 2)	/* a short header, not aligned */
			{
				SET_VARSIZE_1B(data + at, ++length);
				memset(data + at + 1, lrand48(), length - 1);
			}
			else
			{
				at = align_at(at, att->attalign);
				length += VARHDRSZ;
				SET_VARSIZE_4B(data + at, length);
				memset(data + at + VARHDRSZ, lrand48(), length - VARHDRSZ);
			}
		}
		else
		{
			at = align_at(at, att->attalign);
			if (length == -2)
			{
				length = random_int(1, 20);
				memset(data + at, random_int(1, 255), length - 1);
			}
			else if (i == 0)
			{
				BOX			box = any_box();

				memcpy(data + at, &box, sizeof(box));
			}
			else
				memset(data + at, lrand48(), length);
		}
		at += length;
	}
	tuple->tupstate = SPGIST_LIVE;
	tuple->size = Max(SGLTHDRSZ(has_nulls) + MAXALIGN(at), SGDTSIZE);
	ItemPointerSet(&tuple->heapPtr, random_int(0, 1000), random_int(1, 200));
	if (room(test->bytes) >= (int) tuple->size)
		add_item(test->bytes, bytes, tuple->size);
}

/* Append a node, with or without a downlink. */
static void
add_node(char *bytes, int *at, bool null, uint64 label, bool downlink)
{
	SpGistNodeTuple node = (SpGistNodeTuple) (bytes + *at);
	int			size = SGNTHDRSZ + (null ? 0 : sizeof(label));

	ItemPointerSetInvalid(&node->t_tid);
	if (downlink)
		ItemPointerSet(&node->t_tid, random_int(3, 1000), random_int(1, 100));
	node->t_info = size | (null ? INDEX_NULL_MASK : 0);
	if (!null)
		memcpy(SGNTDATAPTR(node), &label, sizeof(label));
	*at += size;
}

static void
add_inner(TestPage *test)
{
	char		bytes[2048] = {0};
	SpGistInnerTuple tuple = (SpGistInnerTuple) bytes;
	int			at = SGITHDRSZ;
	int			n = 0;
	bool		same = test->nulls || lrand48() % 5 == 0;
	SpqQuadPrefix prefix;
	SpqLabelFrame frame;

	if (!test->nulls)
	{
		SpqLatticePlace places[3];
		SpqQuadRegion core;
		SpqQuadRegion range;

		for (int i = 0; i < 3; i++)
		{
			BOX			box = any_box();

			places[i] = spq_lattice_place(&box);
		}
		core = spq_quad_region_around(places, random_int(1, 2));
		range = spq_quad_region_around(places, 3);
		prefix = spq_quad_make_prefix(&core, random_int(1, 2));
		if (lrand48() % 2 && !same)
			spq_quad_add_range(&prefix, &range);
		frame = spq_quad_frame(&prefix);
		memcpy(bytes + at, &prefix, sizeof(prefix));
		at += sizeof(prefix);
	}

	if (same)
	{
		SpqBoxBounds everything = spq_box_bounds_everything();
		uint64		label = test->nulls ? 0 :
			spq_label_encode(SPQ_QUAD_NODE_OVERSIZE, &everything, &frame);

		for (n = 0; n < random_int(2, 9); n++)
			add_node(bytes, &at, test->nulls, label, lrand48() % 4 != 0);
	}
	else
		for (int turn = 0; turn < 2; turn++)
			for (int number = 0; number < SPQ_QUAD_NODES; number++)
			{
				BOX			box = any_box();
				SpqBoxBounds bounds = spq_box_bounds(&box);

				/* on the second turn the nodes are markers */
				if (!spq_quad_has_node(&prefix, number) || (turn == 1 && lrand48() % 3))
					continue;
				add_node(bytes, &at, false,
						 spq_label_encode(number, &bounds, &frame), turn == 0);
				n++;
			}

	tuple->tupstate = SPGIST_LIVE;
	tuple->allTheSame = same;
	tuple->nNodes = n;
	tuple->prefixSize = test->nulls ? 0 : sizeof(SpqQuadPrefix);
	tuple->size = at;
	if (room(test->bytes) >= at)
		add_item(test->bytes, bytes, at);
}

/* Chain the live tuples of a leaf page, in any order. */
static void
link_leaves(Page page)
{
	OffsetNumber max = PageGetMaxOffsetNumber(page);
	OffsetNumber last[4] = {0};

	for (int turn = 0; turn < 2; turn++)
		for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
		{
			OffsetNumber item = turn == 0 ? i : max + 1 - i;
			SpGistDeadTuple tuple = spq_page_tuple(page, item);
			int			chain = lrand48() % lengthof(last);

			/* link every other item on the way up, the rest on the way back */
			if (tuple->tupstate != SPGIST_LIVE || item % 2 != turn)
				continue;
			if (last[chain] != 0)
				SGLT_SET_NEXTOFFSET(spq_page_tuple(page, last[chain]), item);
			last[chain] = item;
		}
}

static TestPage
make_page(void)
{
	TestPage	test;
	PageHeader	header;
	int			items = random_int(1, 40);

	test.bytes = calloc(1, BLCKSZ);
	test.leaf = lrand48() % 3 != 0;
	test.nulls = lrand48() % 4 == 0;
	test.root = lrand48() % 6 == 0;
	test.desc = make_desc(lrand48() % 3 == 0 ? 0 : random_int(1, 8));
	header = (PageHeader) test.bytes;
	header->pd_lower = SizeOfPageHeaderData;
	header->pd_upper = header->pd_special = SPECIAL;
	PageSetPageSizeAndVersion(test.bytes, BLCKSZ, PG_PAGE_LAYOUT_VERSION);
	SpGistPageGetOpaque(test.bytes)->flags =
		(test.leaf ? SPGIST_LEAF : 0) | (test.nulls ? SPGIST_NULLS : 0);
	SpGistPageGetOpaque(test.bytes)->spgist_page_id = SPGIST_PAGE_ID;

	if (test.root && !test.leaf)
		items = 1;
	for (int i = 0; i < items; i++)
	{
		static const int dead[] = {SPGIST_REDIRECT, SPGIST_PLACEHOLDER, SPGIST_DEAD};

		if (!test.root && lrand48() % 5 == 0 && room(test.bytes) >= (int) SGDTSIZE)
			add_dead(test.bytes, dead[lrand48() % (test.leaf ? 3 : 2)]);
		else if (test.leaf)
			add_leaf(&test);
		else
			add_inner(&test);
	}
	if (test.leaf && !test.root)
		link_leaves(test.bytes);
	return test;
}

static BlockNumber
block_of(const TestPage *test)
{
	return !test->root ? BLOCK : test->nulls ? SPGIST_NULL_BLKNO : SPGIST_ROOT_BLKNO;
}

/* The number of problems reported, and the last one. */
static long problems;
static char problem_text[200];

static bool
tell(char *problem)
{
	if (problem == NULL)
		return false;
	problems++;
	snprintf(problem_text, sizeof(problem_text), "%s", problem);
	pfree(problem);
	return true;
}

/* Read every byte of a value, as callers do later. */
static volatile unsigned sink;

static void
touch(const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sink += ((const unsigned char *) bytes)[i];
}

/* Read a leaf tuple as the walk and the comparison with the table do. */
static void
use_leaf(const TestPage *test, SpGistLeafTuple tuple, bool nulls)
{
	Datum		values[INDEX_MAX_KEYS];
	bool		null[INDEX_MAX_KEYS];

	if (tell(spq_page_leaf_columns(tuple, test->desc, nulls, values, null)))
		return;
	for (int i = 0; i < test->desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(test->desc, i);

		if (null[i] || att->attbyval)
			continue;
		if (att->attlen == -1)
			touch(DatumGetPointer(values[i]), VARSIZE_ANY(DatumGetPointer(values[i])));
		else if (att->attlen == -2)
			touch(DatumGetPointer(values[i]), strlen(DatumGetPointer(values[i])) + 1);
		else
			touch(DatumGetPointer(values[i]), att->attlen);
	}
	if (!nulls)
	{
		SpqLatticePlace place = spq_lattice_place((const BOX *) SGLTDATAPTR(tuple));
		SpqBoxBounds bounds = spq_box_bounds((const BOX *) SGLTDATAPTR(tuple));

		touch(&place.size, sizeof(place.size));
		touch(&bounds, sizeof(bounds));
	}
}

/* Read an inner tuple as the walk does. */
static void
use_inner(SpGistInnerTuple tuple, bool nulls)
{
	SpqPageNode *nodes = malloc(tuple->nNodes * sizeof(SpqPageNode));
	int			n = spq_page_read_nodes(tuple, nodes);

	check(n == (int) tuple->nNodes, "%d nodes of %d", n, tuple->nNodes);
	if (!nulls)
	{
		const SpqQuadPrefix *prefix = spq_page_inner_prefix(tuple);
		SpqQuadRegion region = spq_quad_tuple_region(prefix, tuple->allTheSame);
		SpqLabelFrame frame = spq_quad_frame(prefix);
		BOX			box = any_box();
		SpqLatticePlace place = spq_lattice_place(&box);

		for (int i = 0; i < n; i++)
		{
			SpqBoxBounds bounds = spq_label_decode(nodes[i].label, &frame);
			SpqLatticeCell cell = spq_quad_node_cell(prefix, spq_label_node(nodes[i].label));

			touch(&bounds, sizeof(bounds));
			touch(&cell.exp, sizeof(cell.exp));
		}
		if (spq_quad_region_holds(&region, &place) && !tuple->allTheSame)
			check(spq_quad_has_node(prefix, spq_quad_route(prefix, &place)), "node %d",
				  spq_quad_route(prefix, &place));
	}
	free(nodes);
}

/*
 * Do what spqtree_check does with one page.  Return false if it has a problem.
 */
static bool
look(const TestPage *test)
{
	Page		page = test->bytes;
	OffsetNumber item = InvalidOffsetNumber;
	SpqPageLink links[SPQ_PAGE_MAX_ITEMS + 1];
	long		before = problems;
	bool		nulls;
	int			max;

	if (PageIsNew(page) || tell(spq_page_header_problem(page, block_of(test))))
		return false;
	nulls = SpGistPageStoresNulls(page) != 0;
	max = PageGetMaxOffsetNumber(page);
	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
	{
		SpGistDeadTuple tuple;

		if (tell(spq_page_item_problem(page, i, test->root, test->desc)))
			continue;
		tuple = spq_page_tuple(page, i);
		if (tuple->tupstate != SPGIST_LIVE)
			touch(tuple, SGDTSIZE);
		else if (SpGistPageIsLeaf(page))
		{
			int			so_far = problems;

			use_leaf(test, (SpGistLeafTuple) tuple, nulls);
			tell(spq_page_chain_problem(page, i, test->desc));
			problems = so_far;
		}
		else
			use_inner((SpGistInnerTuple) tuple, nulls);
	}
	if (problems > before)
		return false;

	tell(spq_page_overlap_problem(page, &item));
	tell(spq_page_counts_problem(page, test->root));
	if (!SpGistPageIsLeaf(page) || tell(spq_page_chains_problem(page, test->root, &item, links)))
		return problems == before;
	for (OffsetNumber i = FirstOffsetNumber; i <= max; i++)
	{
		int			length = 0;

		if (links[i] == SPQ_PAGE_NO_LINK || test->root)
			continue;
		check((spq_page_chain_problem(page, i, test->desc) == NULL) ==
			  (links[i] == SPQ_PAGE_CHAIN_HEAD),
			  "item %d is the head of a chain or is not", i);
		if (links[i] != SPQ_PAGE_CHAIN_HEAD)
			continue;
		for (OffsetNumber j = i; j != InvalidOffsetNumber;
			 j = SGLT_GET_NEXTOFFSET(spq_page_tuple(page, j)))
			if (++length > max)
				break;
		check(length <= max, "chain of item %d has no end", i);
	}
	return problems == before;
}

static void
free_page(TestPage *test)
{
	free(test->bytes);
	free(test->desc);
}

static void
test_sound(void)
{
	long		items = 0;

	for (int i = 0; i < cases(20000); i++)
	{
		TestPage	test = make_page();

		check(look(&test), "%s", problem_text);
		items += PageGetMaxOffsetNumber(test.bytes);
		free_page(&test);
	}
	check(items > cases(100000), "%ld", items);
	finish_test("pages as SP-GiST makes them have no problem");
}

/* Return whether the page is still valid after this bit has changed. */
static bool
may_be(const TestPage *test, int at, int bit)
{
	static const struct
	{
		int			first;
		int			end;
	}			header_free[] = {
		{0, 12},				/* LSN, checksum, flags: the server's */
		{20, 24}				/* prune xid */
	};
	Page		page = test->bytes;
	PageHeader	header = (PageHeader) page;

	for (size_t i = 0; i < lengthof(header_free); i++)
		if (at >= header_free[i].first && at < header_free[i].end)
			return true;
	/* a page without live tuples may be of either kind */
	if (at == SPECIAL && (bit == 2 || (bit == 3 && !test->root)))
	{
		for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
			if (spq_page_tuple(page, i)->tupstate == SPGIST_LIVE)
				return false;
		return true;
	}
	if (at >= header->pd_lower && at < header->pd_upper)
		return true;

	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
	{
		int			begin = ItemIdGetOffset(PageGetItemId(page, i));
		int			in = at - begin;
		SpGistDeadTuple tuple = spq_page_tuple(page, i);

		if (in < 0 || in >= (int) ItemIdGetLength(PageGetItemId(page, i)))
			continue;

		/*
		 * the state of the tuple, its size, and fields with a single valid
		 * form
		 */
		if (tuple->tupstate == SPGIST_LIVE && !test->leaf)
			return in == 0 ? bit == 2 : in == 6 || in == 7 || in >= (int) SGITHDRSZ;
		if (tuple->tupstate == SPGIST_LIVE)
			return in >= 4 || ItemIdGetLength(PageGetItemId(page, i)) == SGDTSIZE;
		return in >= 4 || (in == 0 && bit < 2);
	}
	return false;
}

static void
test_bits(void)
{
	for (int i = 0; i < cases(60); i++)
	{
		TestPage	test = make_page();

		for (int at = 0; at < BLCKSZ; at++)
			for (int bit = 0; bit < 8; bit++)
			{
				if (may_be(&test, at, bit))
					continue;
				test.bytes[at] ^= 1 << bit;
				check(!look(&test), "byte %d, bit %d, %s, %d items", at, bit,
					  test.leaf ? "leaf" : "inner",
					  (int) PageGetMaxOffsetNumber(test.bytes));
				test.bytes[at] ^= 1 << bit;
			}
		free_page(&test);
	}
	finish_test("each bit of header, line pointers, states, sizes and counts is looked at");
}

/* Change some bytes of a page, preferably the important ones. */
static void
damage(Page page)
{
	int			lower = ((PageHeader) page)->pd_lower;
	int			upper = ((PageHeader) page)->pd_upper;

	for (int n = random_int(1, 6); n > 0; n--)
	{
		int			at = random_int(0, BLCKSZ - 4);
		uint16		word = lrand48();

		switch (lrand48() % 6)
		{
			case 0:
				at = random_int(12, Max(lower, 14) - 2);
				break;
			case 1:
				at = SPECIAL + random_int(0, 4);
				break;
			case 2:				/* the first bytes of a tuple */
				if (lower > (int) SizeOfPageHeaderData && lower <= BLCKSZ)
				{
					ItemId		id = PageGetItemId(page, random_int(1, (lower - SizeOfPageHeaderData) / sizeof(ItemIdData)));

					if (ItemIdGetOffset(id) < BLCKSZ - 40)
						at = ItemIdGetOffset(id) + random_int(0, 38);
				}
				break;
			case 3:
				if (upper < BLCKSZ - 4)
					at = random_int(upper, BLCKSZ - 4);
				break;
			default:
				break;
		}
		switch (lrand48() % 5)
		{
			case 0:
				page[at] ^= 1 << random_int(0, 7);
				break;
			case 1:
				page[at] = lrand48();
				break;
			case 2:				/* copy bytes from elsewhere */
				memmove(page + at, page + random_int(0, BLCKSZ - 4), 4);
				break;
			case 3:
				word = random_int(0, 3) ? random_int(0, 64) : 0xFFFF;
				/* FALLTHROUGH */
			default:
				memcpy(page + at, &word, sizeof(word));
		}
	}
}

static void
test_damages(void)
{
	long		found = 0;
	long		done = 0;
	char	   *sound = malloc(BLCKSZ);

	problems = 0;
	for (int i = 0; i < PAGES; i++)
	{
		TestPage	test = make_page();

		memcpy(sound, test.bytes, BLCKSZ);
		for (int j = 0; j < DAMAGES; j++)
		{
			memcpy(test.bytes, sound, BLCKSZ);
			damage(test.bytes);
			found += !look(&test);
			done++;
		}
		free_page(&test);
	}
	free(sound);
	check(found > done / 3, "%ld of %ld", found, done);
	check(problems >= found * 9 / 10, "%ld problems of %ld pages", problems, found);
	finish_test("damaged pages are looked at, and nothing beside them");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_sound();
	test_bits();
	test_damages();
	return tests_failed > 0;
}
