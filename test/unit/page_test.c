/*-------------------------------------------------------------------------
 *
 * page_test.c
 *	  Pages of the access method: rtree/page/page.c.
 *
 *		entries appended		are read back unchanged, until the page is full
 *		rows removed			the others are unchanged
 *		bytes changed at random	a page without a page_problem() can be read, and
 *								nothing outside of the page is read
 *
 * A page has its own malloc(), so that AddressSanitizer reports reads beyond
 * its end.
 *
 *-------------------------------------------------------------------------
 */
#include "shapes.h"

#include "access/itup.h"

#include "rtree/page/append_row.h"
#include "rtree/page/page.h"
#include "rtree/page/shrink.h"

#define MOST	((int) (SPQ_RTREE_LEAF_MAX + SPQ_RTREE_INNER_MAX))

/* A sum of the bytes read, so that the compiler keeps the reads. */
volatile int64 sum;

/* Return a payload of this size.  Pages interpret only its header. */
static char *
make_payload(int size)
{
	char	   *payload = palloc(size);

	for (int i = 0; i < size; i++)
		payload[i] = (char) random_int(0, 255);
	((IndexTuple) payload)->t_info = size;
	return payload;
}

/* Return a code: an integer below 2^52, often one of few. */
static float8
make_code(uint16 flags)
{
	if (!(flags & SPQ_RTREE_KEYED))
		return SPQ_RTREE_NO_CODE;
	return random_int(0, 2) ? random_int(0, 3) : random_int(0, 1) ? (float8) (PG_INT64_MAX >> 11) :
		(float8) ((int64) lrand48() << 20 | random_int(0, 1 << 20));
}

static SpqRtreeRow
make_row(int kind, int i, uint16 flags)
{
	SpqRtreeRow row;

	memset(&row, 0, sizeof(row));
	if (kind == ODD)
		make_ends(row.ends, NULL);
	else
	{
		SpqRtreeBounds bounds = shape(kind, i);

		spq_rtree_bounds_ends(&bounds, SPQ_DIM, row.ends);
	}
	ItemPointerSet(&row.tid, random_int(0, 1000000), random_int(1, 200));
	row.dead = random_int(0, 5) == 0;
	row.code = make_code(flags);
	return row;
}

/* Make a row a point, or the whole plane if it has a NaN. */
static void
make_point(SpqRtreeRow *row)
{
	bool		has_nan = false;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		has_nan |= isnan(row->ends[axis]);
	for (int axis = 0; axis < SPQ_DIM; axis++)
		row->ends[SPQ_DIM + axis] = has_nan ? get_float8_nan() : row->ends[axis];
}

/* Make the ends of a row numbers that a float4 can be. */
static void
make_floats(SpqRtreeRow *row)
{
	for (int end = 0; end < ENDS; end++)
	{
		float8		number = row->ends[end];

		row->ends[end] = isinf(number) || fabs(number) <= FLT_MAX || isnan(number) ?
			(float4) number : copysign(get_float4_infinity(), number);
	}
}

/* Append rows until the page is full or has "most".  Return their number. */
static int
fill_leaf(char *page, SpqRtreeRow *rows, int kind, uint16 flags, int most)
{
	int			count = 0;

	spq_rtree_page_init(page, 0, flags);
	for (; count < most; count++)
	{
		SpqRtreeRow row = make_row(kind, count, flags);
		Size		size = 0;

		if (flags & SPQ_RTREE_FLOATS)
			make_floats(&row);
		if (flags & SPQ_RTREE_POINTS)
			make_point(&row);
		if (flags & SPQ_RTREE_IS_NULLS)
			memset(row.ends, 0, sizeof(row.ends));	/* a row without a box */
		if ((flags & SPQ_RTREE_ONE_CODE) && count > 0)
			row.code = rows[0].code;

		if (flags & SPQ_RTREE_WIDE)
		{
			size = MAXALIGN(random_int(0, 4) ? random_int(8, 60) :
							random_int(8, spq_rtree_payload_max(flags)));
			row.payload = make_payload(size);
		}
		rows[count] = row;
		if (!spq_rtree_page_has_room(page, size))
		{
			if (row.payload)
				pfree((char *) row.payload);
			break;
		}
		spq_rtree_append_row(page, &row);
	}
	return count;
}

static void
test_leaf(void)
{
	char	   *page = palloc(BLCKSZ);

	for (int round = 0; round < cases(3000); round++)
	{
		static SpqRtreeRow rows[MOST + 1];
		uint16		flags = AXES_FLAG | (round & 1 ? SPQ_RTREE_WIDE : 0) |
			(round & 2 ? SPQ_RTREE_KEYED : 0) |
			(round & 64 ? SPQ_RTREE_POINTS : round & 128 ? SPQ_RTREE_FLOATS : 0) |
			(round / 4 % 16 == 0 ? SPQ_RTREE_IS_NULLS : 0);
		int			kind = random_int(0, ODD);
		int			count = fill_leaf(page, rows, kind, flags, random_int(0, 1) ? MOST : random_int(0, 20));
		SpqRtreeBounds hull = spq_rtree_bounds_nothing();
		bool		has_nan = false;
		const SpqRtreeSpecial *special = spq_rtree_special(page);

		check(count == spq_rtree_count(page), "count");
		check(spq_rtree_page_problem(page) == NULL, "%s", spq_rtree_page_problem(page));
		for (int i = 0; i < count; i++)
		{
			SpqRtreeRow row = spq_rtree_get_row(page, i);
			SpqRtreeBounds bounds = spq_rtree_row_bounds(&rows[i], SPQ_DIM);

			spq_rtree_bounds_add(&hull, &bounds);
			check(row.code == rows[i].code, "code");
			check(memcmp(row.ends, rows[i].ends, ENDS * sizeof(float8)) == 0, "ends");
			check(memcmp(&row.tid, &rows[i].tid, sizeof(row.tid)) == 0 &&
				  memcmp(spq_rtree_tid(page, i), &rows[i].tid, sizeof(row.tid)) == 0, "tid");
			check(row.dead == rows[i].dead, "dead");
			check((row.payload != NULL) == (rows[i].payload != NULL), "payload");
			if (row.payload)
			{
				check(memcmp(row.payload, rows[i].payload,
							 IndexTupleSize((IndexTuple) rows[i].payload)) == 0, "payload");
				check(row.payload == (char *) MAXALIGN(row.payload), "alignment");
				pfree((char *) rows[i].payload);
			}
			for (int end = 0; end < ENDS; end++)
				has_nan |= isnan(rows[i].ends[end]);
		}
		if (!(flags & SPQ_RTREE_IS_NULLS))
		{
			SpqRtreeBounds page_hull = spq_rtree_page_hull(page);

			SpqRtreeBounds promise = spq_rtree_promise(page);

			check(spq_rtree_bounds_equal(&hull, &promise), "bounds");
			check(spq_rtree_bounds_equal(&hull, &page_hull), "hull");
			check(has_nan == ((special->flags & SPQ_RTREE_HAS_NAN) != 0), "NaN");
		}
		/* unused places of the last group are zero */
		if (count % SPQ_RTREE_GROUP != 0)
		{
			int			group = count / SPQ_RTREE_GROUP;

			for (int i = count % SPQ_RTREE_GROUP; i < SPQ_RTREE_GROUP; i++)
				check(spq_rtree_get_end(spq_rtree_layout(page), spq_rtree_group(page, group), 0, i) == 0 &&
					  !(*spq_rtree_dead(page, group) >> i & 1), "place %d", i);
		}
	}
	pfree(page);
	finish_test("leaf");
}

/*
 * Check that a leaf with one code takes no other, until its rows get codes of
 * their own.
 */
static void
test_one_code(void)
{
	char	   *page = palloc(BLCKSZ),
			   *given = palloc(BLCKSZ);

	for (int round = 0; round < cases(3000); round++)
	{
		static SpqRtreeRow rows[MOST + 1];
		uint16		flags = AXES_FLAG | SPQ_RTREE_KEYED | SPQ_RTREE_ONE_CODE |
			(round & 1 ? SPQ_RTREE_WIDE : 0) |
			(round & 2 ? SPQ_RTREE_POINTS : round & 4 ? SPQ_RTREE_FLOATS : 0);
		int			count = fill_leaf(page, rows, random_int(0, ODD), flags,
									  random_int(0, 2) ? random_int(1, 200) : MOST),
					end;
		SpqRtreeBounds promise = spq_rtree_promise(page),
					after;
		SpqRtreeRow another = rows[0];
		Size		size = spq_rtree_payload_size(&another);

		check(promise.low_code == rows[0].code && promise.high_code == rows[0].code, "code");
		check(spq_rtree_takes_code(page, rows[0].code), "the same code");
		another.code++;
		check(!spq_rtree_takes_code(page, another.code), "another code");
		if (spq_rtree_has_room_for_codes(page, size))
		{
			memcpy(given, page, BLCKSZ);
			spq_rtree_give_codes(given);
			check(spq_rtree_page_problem(given) == NULL, "%s", spq_rtree_page_problem(given));
			check(spq_rtree_takes_code(given, another.code), "another code");
			after = spq_rtree_promise(given);
			check(spq_rtree_bounds_equal(&promise, &after), "promise");
			check(spq_rtree_count(given) == count, "count");
			for (int i = 0; i < count; i++)
			{
				SpqRtreeRow row = spq_rtree_get_row(given, i);

				check(memcmp(row.ends, rows[i].ends, ENDS * sizeof(float8)) == 0, "ends");
				check(memcmp(&row.tid, &rows[i].tid, sizeof(row.tid)) == 0, "tid");
				check(row.dead == rows[i].dead, "dead");
				check(row.code == rows[i].code, "code");
				check((row.payload != NULL) == (rows[i].payload != NULL), "payload");
				if (row.payload)
					check(memcmp(row.payload, rows[i].payload,
								 IndexTupleSize((IndexTuple) rows[i].payload)) == 0, "payload");
			}
			end = ((PageHeader) given)->pd_lower;
			for (int i = end; i < ((PageHeader) given)->pd_upper; i++)
				check(given[i] == 0, "hole");
			check(spq_rtree_page_has_room(given, size), "room");
			spq_rtree_append_row(given, &another);
			check(spq_rtree_get_row(given, count).code == another.code, "new code");
			check(spq_rtree_get_row(given, 0).code == rows[0].code, "old code");
		}
		for (int i = 0; i < count; i++)
			if (rows[i].payload)
				pfree((char *) rows[i].payload);
	}
	pfree(page);
	pfree(given);
	finish_test("one code");
}

/* Check that the rows that stay, when others are removed, are unchanged. */
static void
test_removal(void)
{
	char	   *page = palloc(BLCKSZ);

	for (int round = 0; round < cases(2000); round++)
	{
		static SpqRtreeRow rows[MOST + 1];
		uint16		flags = AXES_FLAG | (round & 1 ? SPQ_RTREE_WIDE : 0) |
			(round & 2 ? SPQ_RTREE_KEYED : 0) |
			(round & 4 ? SPQ_RTREE_POINTS : round & 8 ? SPQ_RTREE_FLOATS : 0);
		int			count = fill_leaf(page, rows, random_int(0, ODD), flags,
									  random_int(0, 1) ? MOST : random_int(1, 20)),
					share = random_int(0, 10),
					nleft = 0;
		SpqRtreeEntrySet removed = {{0}};
		SpqRtreeBounds hull = spq_rtree_bounds_nothing(),
					promise;

		/* a row's block is its number, so that it is found wherever it moves */
		for (int i = 0; i < count; i++)
		{
			ItemPointerSet(&rows[i].tid, i, 1);
			*spq_rtree_tid(page, i) = rows[i].tid;
			if (random_int(0, 9) < share)
				spq_rtree_entry_set_add(&removed, i);
			else
			{
				SpqRtreeBounds bounds = spq_rtree_row_bounds(&rows[i], SPQ_DIM);

				spq_rtree_bounds_add(&hull, &bounds);
				nleft++;
			}
		}
		check(spq_rtree_page_remove_rows(page, &removed) == NULL, "payloads");
		check(spq_rtree_page_problem(page) == NULL, "%s", spq_rtree_page_problem(page));
		check(spq_rtree_count(page) == nleft, "count");
		promise = spq_rtree_promise(page);
		check(spq_rtree_bounds_equal(&promise, &hull), "promise");
		for (int entry = 0; entry < spq_rtree_count(page); entry++)
		{
			SpqRtreeRow row = spq_rtree_get_row(page, entry);
			int			i = ItemPointerGetBlockNumber(&row.tid);

			check(i < count && !spq_rtree_entry_set_has(&removed, i), "row %d", i);
			spq_rtree_entry_set_add(&removed, i);	/* not twice */
			check(memcmp(row.ends, rows[i].ends, ENDS * sizeof(float8)) == 0, "ends");
			check(row.dead == rows[i].dead && row.code == rows[i].code, "dead, code");
			if (row.payload)
				check(memcmp(row.payload, rows[i].payload,
							 IndexTupleSize((IndexTuple) rows[i].payload)) == 0, "payload");
		}
		for (int i = ((PageHeader) page)->pd_lower; i < ((PageHeader) page)->pd_upper; i++)
			check(page[i] == 0, "hole");
		for (int i = 0; i < count; i++)
			if (rows[i].payload)
				pfree((char *) rows[i].payload);
	}
	pfree(page);
	finish_test("removal");
}

static void
test_capacity(void)
{
	char	   *page = palloc(BLCKSZ);

	for (int round = 0; round < 4; round++)
	{
		uint16		keyed = AXES_FLAG | (round & 1 ? SPQ_RTREE_KEYED : 0) |
			(round & 2 ? SPQ_RTREE_FLOATS : 0);
		int			largest = spq_rtree_payload_max(keyed);
		SpqRtreeRow row = make_row(TILES, 0, keyed);
		SpqRtreeDownlink downlink = {shape(TILES, 0), 1, 2};
		char	   *payload = make_payload(largest);

		make_floats(&row);
		spq_rtree_page_init(page, 0, keyed);
		while (spq_rtree_page_has_room(page, 0))
			spq_rtree_append_row(page, &row);
		check(spq_rtree_count(page) == spq_rtree_page_max(0, keyed), "%d", spq_rtree_count(page));
		check(spq_rtree_count(page) <= (int) SPQ_RTREE_LEAF_MAX, "%d", spq_rtree_count(page));
		spq_rtree_page_init(page, 1, keyed);
		while (spq_rtree_page_has_room(page, 0))
			spq_rtree_append_downlink(page, &downlink);
		check(spq_rtree_count(page) == spq_rtree_page_max(1, keyed), "%d", spq_rtree_count(page));
		check(spq_rtree_count(page) <= SPQ_RTREE_INNER_MAX, "%d", spq_rtree_count(page));

		/* a page has room for at least four rows of the largest size */
		row.payload = payload;
		spq_rtree_page_init(page, 0, keyed | SPQ_RTREE_WIDE);
		while (spq_rtree_page_has_room(page, largest))
			spq_rtree_append_row(page, &row);
		check(spq_rtree_count(page) >= 4, "%d", spq_rtree_count(page));
		check(spq_rtree_page_problem(page) == NULL, "%s", spq_rtree_page_problem(page));
		pfree(payload);
	}
	pfree(page);
	finish_test("capacity");
}

/*
 * Return bounds, with an interval of codes if the page is keyed and they are
 * not empty.
 */
static SpqRtreeBounds
inner_bounds(int kind, int i, uint16 flags)
{
	SpqRtreeBounds bounds = shape(kind, i);

	if ((flags & SPQ_RTREE_KEYED) && !spq_rtree_bounds_are_nothing(&bounds))
	{
		float8		a = make_code(flags),
					b = make_code(flags);

		bounds.low_code = Min(a, b);
		bounds.high_code = Max(a, b);
	}
	return bounds;
}

static void
test_inner(void)
{
	char	   *page = palloc(BLCKSZ);

	for (int round = 0; round < cases(2000); round++)
	{
		SpqRtreeDownlink downlinks[SPQ_RTREE_INNER_MAX];
		uint16		flags = AXES_FLAG | (round & 1 ? SPQ_RTREE_KEYED : 0);
		int			count = random_int(1, spq_rtree_page_max(1, flags));
		SpqRtreeBounds hull;

		spq_rtree_page_init(page, random_int(1, SPQ_RTREE_LEVELS - 1), flags);
		for (int i = 0; i < count; i++)
		{
			downlinks[i].bounds = inner_bounds(round % SHAPES, i, flags);
			downlinks[i].child = 1000 + 2 * i;
			downlinks[i].stop = random_int(0, 1) ? 0 : random_int(0, 5000);
			check(spq_rtree_page_has_room(page, 0), "room for %d", i);
			spq_rtree_append_downlink(page, &downlinks[i]);
		}
		for (int i = 0; i < count; i += random_int(1, 5))
		{
			downlinks[i].bounds = inner_bounds(round % SHAPES, i, flags);
			downlinks[i].stop = i;
			spq_rtree_put_downlink(page, i, &downlinks[i]);
		}
		hull = spq_rtree_bounds_nothing();
		for (int i = 0; i < count; i++)
		{
			SpqRtreeDownlink downlink = spq_rtree_get_downlink(page, i);

			check(memcmp(&downlink, &downlinks[i], sizeof(downlink)) == 0, "downlink %d", i);
			check(spq_rtree_find_child(page, downlinks[i].child) == i, "child %d", i);
			spq_rtree_bounds_add(&hull, &downlinks[i].bounds);
		}
		check(spq_rtree_find_child(page, 1001) == -1, "no child");
		check(spq_rtree_page_problem(page) == NULL, "%s", spq_rtree_page_problem(page));
		{
			SpqRtreeBounds page_hull = spq_rtree_page_hull(page);

			check(spq_rtree_bounds_equal(&hull, &page_hull), "hull");
		}

		/* the last entry moves to the place of a removed one */
		while (count > 1)
		{
			int			gone = random_int(0, count - 1),
						entry = spq_rtree_find_child(page, downlinks[gone].child);
			const PageHeaderData *header = (const PageHeaderData *) page;

			spq_rtree_remove_downlink(page, entry);
			downlinks[gone] = downlinks[--count];
			check(spq_rtree_count(page) == count, "count %d", count);
			check(spq_rtree_page_problem(page) == NULL, "%s", spq_rtree_page_problem(page));
			for (int i = 0; i < count; i++)
			{
				int			place = spq_rtree_find_child(page, downlinks[i].child);
				SpqRtreeDownlink downlink;

				check(place >= 0 && place < count, "child %d", i);
				downlink = spq_rtree_get_downlink(page, place);
				check(memcmp(&downlink, &downlinks[i], sizeof(downlink)) == 0, "downlink %d", i);
			}
			for (int byte = header->pd_lower; byte < header->pd_upper; byte++)
				check(page[byte] == 0, "byte %d", byte);
			if (random_int(0, 20) == 0)
				break;
		}
	}
	pfree(page);
	finish_test("inner page");
}

/*
 * Check that a free leaf keeps what scans need: its right link and split count.
 */
static void
test_free(void)
{
	char	   *page = palloc(BLCKSZ);

	for (int kind = 0; kind < 4; kind++)
	{
		SpqRtreeSpecial *special;

		spq_rtree_page_init(page, 0, AXES_FLAG | (kind & 1 ? SPQ_RTREE_WIDE : 0) |
							(kind & 2 ? SPQ_RTREE_KEYED : 0));
		special = spq_rtree_special(page);
		special->next = 17;
		special->splits = 5;
		check(!spq_rtree_is_free(page), "not free");
		check(spq_rtree_ends_span(page, 5) && !spq_rtree_ends_span(page, 4), "end of a part");
		spq_rtree_page_set_free(page, FullTransactionIdFromEpochAndXid(3, 1000), 12);
		check(spq_rtree_is_free(page) && spq_rtree_is_leaf(page), "free");
		check(spq_rtree_free_content(page)->next == 12, "next free page");
		check(U64FromFullTransactionId(spq_rtree_free_content(page)->xid) == (UINT64CONST(3) << 32 | 1000), "transaction");
		check(special->next == 17 && spq_rtree_ends_span(page, 5), "right link");
		check(spq_rtree_count(page) == 0, "no rows");
		check(spq_rtree_page_problem(page) == NULL, "%s", spq_rtree_page_problem(page));
		special->level = 1;
		check(spq_rtree_page_problem(page) != NULL, "a free inner page");
		special->level = 0;
		special->count = 1;
		check(spq_rtree_page_problem(page) != NULL, "a free page with a row");
	}
	pfree(page);
	finish_test("free page");
}

/*
 * Read everything on a page without a page_problem().  Return a sum, so that
 * the compiler keeps the reads.
 */
static int64
read_page(char *page)
{
	int64		sum_of_page = 0;
	int			count = spq_rtree_count(page);

	for (int i = 0; i < count; i++)
	{
		if (spq_rtree_is_leaf(page))
		{
			SpqRtreeRow row = spq_rtree_get_row(page, i);

			sum_of_page += row.tid.ip_posid;
			sum_of_page += row.code > 0;
			if (row.payload)
				for (int byte = 0; byte < (int) IndexTupleSize((IndexTuple) row.payload); byte++)
					sum_of_page += row.payload[byte];
		}
		else
			sum_of_page += spq_rtree_get_downlink(page, i).child;
	}
	sum_of_page += spq_rtree_page_hull(page).high[0] > 0;
	sum_of_page += spq_rtree_promise(page).low_code > 0;
	return sum_of_page;
}

static void
test_damage(void)
{
	char	   *sound = palloc(BLCKSZ);
	char	   *page = palloc(BLCKSZ);
	int			passed = 0;

	for (int round = 0; round < cases(200); round++)
	{
		static SpqRtreeRow rows[MOST + 1];
		uint16		keyed = AXES_FLAG | (random_int(0, 1) ? SPQ_RTREE_KEYED : 0);
		int			count;

		if (round % 3 == 0)
		{
			SpqRtreeDownlink downlink = {inner_bounds(TILES, 0, keyed), 3, 4};

			spq_rtree_page_init(sound, 1, keyed);
			for (int i = random_int(1, spq_rtree_page_max(1, keyed)); i > 0; i--)
				spq_rtree_append_downlink(sound, &downlink);
		}
		else
		{
			count = fill_leaf(sound, rows, TILES, keyed | (round % 3 == 1 ? SPQ_RTREE_WIDE : 0), MOST);
			for (int i = 0; i < count; i++)
				if (rows[i].payload)
					pfree((char *) rows[i].payload);
		}
		for (int damage = 0; damage < 3000; damage++)
		{
			int			bytes = random_int(1, 4);

			memcpy(page, sound, BLCKSZ);
			for (; bytes > 0; bytes--)
			{
				/* the header, the special space, or anywhere */
				int			where = random_int(0, 2);
				int			place = where == 0 ? random_int(0, SizeOfPageHeaderData - 1) :
					where == 1 ? BLCKSZ - random_int(1, sizeof(SpqRtreeSpecial) + ENDS * sizeof(float8)) :
					random_int(0, BLCKSZ - 1);

				if (random_int(0, 1))
					page[place] ^= 1 << random_int(0, 7);
				else
					page[place] = (char) random_int(0, 255);
			}
			if (spq_rtree_page_problem(page) == NULL)
			{
				passed++;
				sum += read_page(page);
			}
			check(true, "read");
		}
	}
	check(passed > 10000, "%d", passed);

	/* the whole page */
	for (int round = 0; round < cases(2000); round++)
	{
		for (int i = 0; i < BLCKSZ; i++)
			page[i] = (char) lrand48();
		check(spq_rtree_page_problem(page) != NULL, "random bytes");
	}
	memset(page, 0, BLCKSZ);
	check(spq_rtree_page_problem(page) != NULL, "zeros");
	spq_rtree_meta_init(page, SPQ_DIM, random_int(0, 3));
	check(spq_rtree_page_problem(page) != NULL, "metapage");
	pfree(page);
	pfree(sound);
	finish_test("damage");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_leaf();
	test_one_code();
	test_removal();
	test_capacity();
	test_inner();
	test_free();
	test_damage();
	return tests_failed > 0;
}
