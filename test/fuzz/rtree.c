/*-------------------------------------------------------------------------
 *
 * rtree.c
 *	  Fuzzer of the parts of the access method that need no server.
 *
 *		first byte even		boxes and a query: conditions agree with the
 *							operators, on leaves and on bounds around rows;
 *							splits and packing keep their contracts
 *		odd					a page, some of whose bytes the input overwrites:
 *							if it has no spq_rtree_page_problem(), it can be
 *							read
 *
 * Boxes have SPQ_DIM axes; rtree3.c is the same in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#include "fuzz.h"

#include "access/itup.h"

#include "rtree/class/box_condition.h"
#include "rtree/class/kernel.h"
#include "rtree/page/append_row.h"
#include "rtree/place/choose.h"
#include "rtree/place/curve.h"
#include "rtree/place/pack.h"
#include "rtree/place/split.h"

#define ENDS		(2 * SPQ_DIM)
#define AXES_FLAG	(SPQ_DIM == 3 ? SPQ_RTREE_THREE_AXES : 0)
#define BOXES		40
#define RELATIONS	(SPQ_BOX_LEFT + SPQ_DIM * SPQ_BOX_AXIS_RELATIONS)

/* A sum of the bytes read, so that the compiler keeps the reads. */
volatile int64 sum;

/* Take a box of SPQ_DIM axes.  In two dimensions, it equals take_box()'s. */
static SpqBox
take_any_box(Input *input)
{
	float8		first[SPQ_DIM],
				ends[ENDS];
	SpqBox		box;

	for (int axis = 0; axis < SPQ_DIM; axis++)
		first[axis] = take_number(input);
	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		float8		second;

		input->last = isfinite(first[axis]) ? first[axis] : 0.0;
		second = take_number(input);
		ends[axis] = float8_max(first[axis], second);
		ends[SPQ_DIM + axis] = float8_min(first[axis], second);
	}
	memcpy(&box, ends, sizeof(box));
	return box;
}

static void
try_conditions(const SpqBox *boxes, const SpqBox *query)
{
	for (int relation = 0; relation < RELATIONS; relation++)
	{
		SpqBox		asked = *query;
		float8		leaf[ENDS][SPQ_RTREE_GROUP];
		float8		inner[ENDS][SPQ_RTREE_GROUP];
		SpqRtreeBounds bounds = spq_rtree_bounds_nothing();
		SpqRtreeCondition condition;
		float8		around[ENDS];
		uint8		matches,
					may_match;

		if (relation == SPQ_BOX_WITHIN)
			continue;
		if (relation == SPQ_BOX_MEETS)
			memcpy((float8 *) &asked + SPQ_DIM, &asked, SPQ_DIM * sizeof(float8));
		condition = spq_rtree_box_comparisons(relation, spq_box_corners(&asked));

		/* bounds of all boxes up to this one */
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			SpqRtreeBounds more = spq_rtree_bounds_of((const float8 *) &boxes[i], SPQ_DIM);

			spq_rtree_bounds_add(&bounds, &more);
			spq_rtree_bounds_ends(&bounds, SPQ_DIM, around);
			for (int end = 0; end < ENDS; end++)
			{
				leaf[end][i] = ((const float8 *) &boxes[i])[end];
				inner[end][i] = around[end];
			}
		}
		matches = spq_rtree_match_group((const float8 (*)[SPQ_RTREE_GROUP]) leaf,
										condition.comparisons, condition.ncomparisons);
		for (int i = 0; i < condition.ncomparisons; i++)
			condition.comparisons[i].end = spq_rtree_bounding_end(&condition.comparisons[i], SPQ_DIM);
		may_match = spq_rtree_match_group((const float8 (*)[SPQ_RTREE_GROUP]) inner,
										  condition.comparisons, condition.ncomparisons);
		for (int i = 0; i < SPQ_RTREE_GROUP; i++)
		{
			bool		related = spq_box_related(relation, 0, &boxes[i], &asked);

			if (!spq_box_has_nan(&boxes[i]))
			{
				require((matches >> i & 1) || !related, "relation %d", relation);
				require(!condition.exact || !(matches >> i & 1) || related,
						"relation %d", relation);
			}
			require((may_match >> i & 1) || !related, "relation %d", relation);
		}
	}
}

static void
try_pages(const SpqBox *boxes, const float8 *codes, int count, int max_count)
{
	uint16		flags = AXES_FLAG | (codes ? SPQ_RTREE_KEYED : 0);
	SpqRtreeBounds bounds[BOXES];
	bool		right[BOXES];
	Size		sizes[BOXES];
	SpqRtreePackItem items[BOXES];
	int			page_end[BOXES];
	int			pages,
				lefts = 0,
				begin = 0;
	SpqRtreeLeafLimits limits = {SPQ_DIM, NULL, max_count, 100, max_count, 0};
	char	   *page = palloc(BLCKSZ);
	SpqRtreeUnits units;

	spq_rtree_page_init(page, 1, flags);
	for (int i = 0; i < count; i++)
	{
		SpqRtreeDownlink downlink = {spq_rtree_bounds_of((const float8 *) &boxes[i], SPQ_DIM), i, i};

		if (codes)
			downlink.bounds.low_code = downlink.bounds.high_code = codes[i];
		bounds[i] = downlink.bounds;
		sizes[i] = 8 + 8 * (i % 5);
		memset(&items[i], 0, sizeof(items[i]));
		items[i].bounds = bounds[i];
		items[i].size = sizes[i];
		spq_rtree_append_downlink(page, &downlink);
	}
	require(spq_rtree_page_problem(page) == NULL, "sound page");
	units = spq_rtree_choose_units(bounds, count, SPQ_DIM);
	for (int i = 0; i < count; i++)
		(void) spq_rtree_curve_key(&bounds[i], SPQ_DIM, &units);
	for (int i = 0; i < count; i++)
		require(spq_rtree_choose_child(page, &bounds[i]) < count, "child");

	for (int sized = 0; sized < 2 && count >= 2; sized++)
	{
		lefts = 0;
		spq_rtree_choose_split(bounds, sized ? sizes : NULL, count, SPQ_DIM, BLCKSZ, right);
		for (int i = 0; i < count; i++)
			lefts += !right[i];
		require(lefts > 0 && lefts < count, "%d of %d", lefts, count);
	}
	if (codes && count >= 2)
	{
		bool		several = false;

		for (int i = 1; i < count; i++)
			several |= codes[i] != codes[0];
		require(spq_rtree_split_by_code(bounds, sizes, count, true, right) == several, "codes");
		for (int i = 0; i < count && several; i++)
			for (int j = 0; j < count; j++)
				require(right[i] || !right[j] || codes[i] < codes[j], "%d and %d", i, j);
	}
	pages = codes ? spq_rtree_pack_by_code(items, count, &limits, page_end) :
		spq_rtree_pack(items, count, SPQ_DIM, NULL, max_count, 100, (count & 1) != 0, page_end);
	for (int i = 0; i < pages; i++)
	{
		Size		size = 0;

		require(page_end[i] > begin && page_end[i] - begin <= max_count, "page %d", i);
		for (; begin < page_end[i]; begin++)
			size += items[begin].size;
		require(size <= 100, "%zu bytes", size);
	}
	require(begin == count, "%d of %d", begin, count);
	pfree(page);
}

static void
try_damage(Input *input)
{
	char	   *page = palloc(BLCKSZ);
	SpqRtreeRow row;
	char		payload[16] = {0};
	uint8		kind = take_byte(input);
	uint16		keyed = AXES_FLAG | (kind & 4 ? SPQ_RTREE_KEYED : 0);

	/* the most that fit a page of any kind */
	int			count = take_int(input, 0, SPQ_DIM == 2 ? 100 : 90);

	memset(&row, 0, sizeof(row));
	((IndexTuple) payload)->t_info = sizeof(payload);
	row.payload = kind & 2 ? payload : NULL;
	row.code = keyed & SPQ_RTREE_KEYED ? 3 : SPQ_RTREE_NO_CODE;
	spq_rtree_page_init(page, kind & 1, keyed | (kind & 2 ? SPQ_RTREE_WIDE : 0));
	for (int i = 0; i < count; i++)
	{
		SpqRtreeDownlink downlink = {spq_rtree_bounds_nothing(), i, i};

		if (kind & 1)
			spq_rtree_append_downlink(page, &downlink);
		else
			spq_rtree_append_row(page, &row);
	}
	require(spq_rtree_page_problem(page) == NULL, "sound page");
	while (input->left > 0)
	{
		/* the header, the special space, or anywhere */
		uint8		where = take_byte(input);
		int			place = where % 3 == 0 ? take_int(input, 0, SizeOfPageHeaderData - 1) :
			where % 3 == 1 ? BLCKSZ - take_int(input, 1, sizeof(SpqRtreeSpecial) + ENDS * sizeof(float8)) :
			take_int(input, 0, BLCKSZ - 1);

		page[place] = (char) take_byte(input);
	}
	if (spq_rtree_page_problem(page) == NULL)
	{
		for (int i = 0; i < spq_rtree_count(page); i++)
		{
			if (spq_rtree_is_leaf(page))
			{
				SpqRtreeRow got = spq_rtree_get_row(page, i);

				sum += got.code > 0;
				for (int byte = 0; got.payload && byte <
					 (int) IndexTupleSize((IndexTuple) got.payload); byte++)
					sum += got.payload[byte];
			}
			else
				sum += spq_rtree_get_downlink(page, i).child;
		}
		sum += spq_rtree_page_hull(page).low[0] > 0;
		sum += spq_rtree_promise(page).low_code > 0;
	}
	pfree(page);
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	Input		input = {data, size, 0.0};

	uint8		kind = take_byte(&input);

	if (kind % 2 == 1)
		try_damage(&input);
	else
	{
		SpqBox		boxes[BOXES];
		float8		codes[BOXES];
		int			count = take_int(&input, SPQ_RTREE_GROUP, BOXES);
		int			max_count = take_int(&input, 1, 12);
		SpqBox		query = take_any_box(&input);

		for (int i = 0; i < count; i++)
		{
			boxes[i] = take_any_box(&input);
			/* arithmetic on boxes can swap corners */
			if (take_byte(&input) % 8 == 1)
			{
				float8	   *ends = (float8 *) &boxes[i];
				float8		swap = ends[SPQ_DIM];

				ends[SPQ_DIM] = ends[0];
				ends[0] = swap;
			}
		}
		try_conditions(boxes, &query);

		/*
		 * take codes after the boxes, so that older inputs keep their meaning
		 */
		for (int i = 0; i < count; i++)
			codes[i] = take_int(&input, 0, 3);
		try_pages(boxes, kind & 2 ? codes : NULL, count, max_count);
	}
	return 0;
}
