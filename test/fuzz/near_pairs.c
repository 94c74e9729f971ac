/*-------------------------------------------------------------------------
 *
 * near_pairs.c
 *	  Fuzzer of the near pairs of two samples, from which joins are estimated.
 *
 * The planner calls this for any table, so it must end without errors.  The
 * pairs are of sampled rows, each once, with the correct result of the
 * predicate.  If the list was not cut short, it has every match, except for ~=
 * of boxes EPSILON apart that && just misses; that suffices for an estimate.
 *
 *-------------------------------------------------------------------------
 */
#include "fuzz.h"

#include "utils/memutils.h"

#include "estimate/pairs/near_pairs.h"
#include "stubs.h"

#define MAX_BOXES	24			/* before repetition */
#define MOST	320

typedef struct Boxes
{
	SpqEstimateSample sample;
	BOX			box[MOST];
	SpqEstimateRow row[MOST];
} Boxes;

static Boxes left,
			right;
static uint8 seen[MOST][MOST];

static void
take_sample(Input *input, Boxes *boxes, SpqRelation predicate)
{
	int			n = take_int(input, 1, MAX_BOXES);
	int			times = take_int(input, 1, 16);
	float8		step = take_number(input);
	int			count = 0;

	memset(&boxes->sample, 0, sizeof(boxes->sample));
	boxes->sample.axes = 2;
	boxes->sample.ends = (float8 *) boxes->box;
	boxes->sample.row = boxes->row;
	boxes->sample.source = boxes == &left ? 1 : 2;
	boxes->sample.complete = times % 2;
	for (int i = 0; i < n; i++)
	{
		BOX			box = take_box(input);

		for (int j = 0; j < times && count < MOST; j++)
		{
			/* a sample has only boxes that can match */
			if (spq_box_can_match(predicate, &box))
				boxes->box[count++] = box;
			box.low.y += step;
			box.high.y += step;
			if (box.low.y > box.high.y)
				break;
		}
	}
	for (int i = 0; i < count; i++)
	{
		boxes->row[i].number = i;
		boxes->row[i].block = (uint16) (i / 8);
	}
	boxes->sample.count = boxes->sample.rows = count;
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	static const SpqRelation predicates[] = {
		SPQ_BOX_OVERLAPS, SPQ_BOX_CONTAINS, SPQ_BOX_CONTAINED,
		SPQ_BOX_SAME, SPQ_BOX_MEETS
	};
	Input		input = {data, size, 0.0};
	SpqRelation predicate = predicates[take_int(&input, 0, lengthof(predicates) - 1)];
	uint8		flags = take_byte(&input);
	bool		same = flags % 4 == 0;
	bool		other_rows = (flags & 4) != 0;
	const Boxes *other = same ? &left : &right;
	SpqEstimatePairs near;
	MemoryContext old_context = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "fuzz",
												  ALLOCSET_DEFAULT_SIZES);

	take_sample(&input, &left, predicate);
	take_sample(&input, &right, predicate);
	if (left.sample.count > 0 && other->sample.count > 0)
	{
		CurrentMemoryContext = context;
		spq_estimate_near_pairs_init(&near, &left.sample, &other->sample, predicate,
									 other_rows, false);
		spq_estimate_near_pairs_find(&near);
		CurrentMemoryContext = old_context;

		require(near.nleft >= 1 && near.nleft <= left.sample.count &&
				near.nright == other->sample.count, "%d, %d boxes", near.nleft,
				near.nright);
		memset(seen, 0, sizeof(seen));
		for (int i = 0; i < near.pairs; i++)
		{
			const SpqEstimatePair *pair = &near.pair[i];

			require(pair->left >= 0 && pair->left < near.nleft &&
					pair->right >= 0 && pair->right < near.nright,
					"%d, %d", pair->left, pair->right);
			require(seen[pair->left][pair->right]++ == 0, "%d, %d again",
					pair->left, pair->right);
			require(pair->gap >= 0, "gap %g", pair->gap);
			require(pair->match ==
					spq_box_related(predicate, 0, &left.box[pair->left],
									&other->box[pair->right]),
					"%d, %d", pair->left, pair->right);
		}
		for (int l = 0; l < near.nleft && predicate != SPQ_BOX_SAME; l++)
			for (int r = 0; r < near.nright; r++)
				require(seen[l][r] || (near.same && l == r) ||
						spq_box_has_nan(&left.box[l]) ||
						!spq_box_related(predicate, 0, &left.box[l], &other->box[r]),
						"%d, %d match, of %d, %d", l, r, near.nleft, near.nright);
	}
	MemoryContextDelete(context);
	require(stub_contexts == 0 && stub_chunks == 0 && stub_files == 0,
			"%ld contexts, %ld chunks, %ld files are left", stub_contexts,
			stub_chunks, stub_files);
	return 0;
}
