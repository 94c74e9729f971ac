/*-------------------------------------------------------------------------
 *
 * areas.c
 *	  Divides space into areas, and boxes into entries.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "miscadmin.h"

#include "box/lanes.h"
#include "join/boxes/bucket_box.h"
#include "join/tiles/areas.h"
#include "large_memory.h"

#define AREA_ITEMS		1024	/* no fewer in an area, on average */
#define AREA_COPIES		1.3		/* most entries of a mean box */
#define MARGIN			(1.0 / 4096)	/* of the extent, on each side */
#define SAMPLE			512
#define STRIDE			UINT64CONST(2654435769)
#define INTERRUPT_STEP	65536

#define FIRST_PIECE		16		/* chunks */
#define LAST_PIECE		(4 * SPQ_HUGE_PAGE / sizeof(SpqJoinEntryChunk))
#define FIRST_WIDE		256

/*
 * Return how many cells a place should have along each axis, for mean boxes of
 * this kind: about as many as wanted, in the proportions of the boxes, but so
 * few that a box is in no more than most_copies of them, on average.
 */
void
spq_join_choose_sides(double cells, double most_copies, const double *most,
					  const SpqJoinMeanBox *mean, uint32 *side)
{
	for (;; cells *= 0.8)
	{
		double		roundness = 0.25 / sqrt(Max(cells, 1)),
					ratio = (mean->side[1] + roundness) / (mean->side[0] + roundness),
					copies;

		side[0] = side[1] = 1;
		if (cells < 2)
			return;
		side[0] = (uint32) Max(Min(rint(sqrt(cells * ratio)), Min(cells, most[0])), 1);
		side[1] = (uint32) Max(Min(floor(cells / side[0]), most[1]), 1);
		copies = 1 + side[0] * mean->side[0] + side[1] * mean->side[1] +
			(double) side[0] * side[1] * mean->area;
		if (copies <= most_copies)
			return;
	}
}

/* Return the mean of a sample of boxes. */
static SpqJoinMeanBox
mean_box(const SpqJoinItem *items, uint32 count, const double *half_extent)
{
	SpqJoinMeanBox mean = {.area = 0};
	uint32		n = Min(count, SAMPLE);

	for (uint32 i = 0; i < n; i++)
	{
		/* not at equal distances: the order of rows may have a period */
		const SpqBox *box = &items[count == n ? i : i * STRIDE % count].box;
		double		share[2];

		for (int axis = 0; axis < 2; axis++)
		{
			share[axis] = fabs(spq_box_high(box)[axis] * 0.5 - spq_box_low(box)[axis] * 0.5) /
				half_extent[axis];
			share[axis] = share[axis] <= 1 ? share[axis] : 1;
			mean.side[axis] += share[axis] / n;
		}
		mean.area += share[0] * share[1] / n;
	}
	return mean;
}

/* Find the extent of boxes.  If there are none, its greatest ends are below its least. */
void
spq_join_find_extent(SpqJoinExtent *extent, const SpqJoinItem *items, uint32 count)
{
	const SpqDoubles infinity = spq_doubles_set(HUGE_VAL),
				largest = spq_doubles_set(DBL_MAX),
				half = spq_doubles_set(0.5);
	SpqDoubles	least = infinity,
				greatest = -infinity;
	SpqDoublesMask ordered = {-1, -1};

	for (uint32 i = 0; i < count; i++)
	{
		SpqBoxCorners box = spq_box_corners(&items[i].box);
		SpqDoubles	low = spq_doubles_load(box.low),
					high = spq_doubles_load(box.high);

		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();

		/* not of infinities */
		ordered &= low <= high;
		least = spq_doubles_min(spq_doubles_choose(spq_doubles_abs(low) <= largest,
												   low * half, infinity), least);
		greatest = spq_doubles_max(spq_doubles_choose(spq_doubles_abs(high) <= largest,
													  high * half, -infinity), greatest);
	}
	for (int axis = 0; axis < 2; axis++)
	{
		extent->least[axis] = least[axis];
		extent->greatest[axis] = greatest[axis];
	}
	extent->swapped = spq_doubles_bits(ordered) != 3;
}

/* Enlarge an extent by another. */
void
spq_join_add_extent(SpqJoinExtent *extent, const SpqJoinExtent *other)
{
	for (int axis = 0; axis < 2; axis++)
	{
		extent->least[axis] = Min(extent->least[axis], other->least[axis]);
		extent->greatest[axis] = Max(extent->greatest[axis], other->greatest[axis]);
	}
	extent->swapped |= other->swapped;
}

/*
 * Make areas that fit this number of boxes with this extent, of which some are
 * known.  tile_size, if not 0, is the least side of a tile of an area.  Return
 * false if the numbers are too large or too small.
 */
bool
spq_join_fit_areas(SpqJoinAreas *areas, const SpqJoinExtent *extent, uint64 count,
				   const SpqJoinItem *sample, uint32 nsampled, double tile_size)
{
	double		half_extent[2],
				most[2];
	SpqJoinMeanBox mean;

	memset(areas, 0, sizeof(SpqJoinAreas));
	areas->swapped = extent->swapped;
	for (int axis = 0; axis < 2; axis++)
	{
		double		least = extent->least[axis];

		half_extent[axis] = extent->greatest[axis] - least;
		if (!(half_extent[axis] >= 0 && half_extent[axis] < DBL_MAX / 4))
			return false;
		if (half_extent[axis] == 0)
			half_extent[axis] = fabs(least) * 1e-9 + 1e-3;
		areas->low[axis] = 2 * (least - half_extent[axis] * MARGIN);
		half_extent[axis] *= 1 + 2 * MARGIN;
		if (!(fabs(areas->low[axis]) <= DBL_MAX))
			return false;
		most[axis] = tile_size > 0 ?
			Min(floor(half_extent[axis] * 2 / tile_size), SPQ_JOIN_MAX_AREAS) : SPQ_JOIN_MAX_AREAS;
	}
	mean = mean_box(sample, nsampled, half_extent);
	spq_join_choose_sides(Min(count / AREA_ITEMS, SPQ_JOIN_MAX_AREAS), AREA_COPIES, most, &mean,
						  areas->side);
	for (int axis = 0; axis < 2; axis++)
	{
		areas->scale[axis] = (double) SPQ_JOIN_POSITIONS * areas->side[axis] * 0.5 /
			half_extent[axis];
		areas->last[axis] = (double) SPQ_JOIN_POSITIONS * areas->side[axis] - 1;
		if (!(areas->scale[axis] >= DBL_MIN && areas->scale[axis] <= DBL_MAX))
			return false;
	}
	return true;
}

/* Return positions along both axes, from 0 on, but not rounded yet. */
static pg_attribute_always_inline SpqDoubles
positions(const SpqJoinAreas *areas, SpqDoubles ends)
{
	ends = (ends - spq_doubles_load(areas->low)) * spq_doubles_load(areas->scale);
	return spq_doubles_min(spq_doubles_max(ends, spq_doubles_set(0)),
						   spq_doubles_load(areas->last));
}

/* Return the positions of a box that is moved outward: low, then high ones. */
static pg_attribute_always_inline SpqWords
box_positions(const SpqJoinAreas *areas, SpqDoubles low, SpqDoubles high, double slack)
{
	return spq_words_of_doubles(positions(areas, low - spq_doubles_set(slack)),
								positions(areas, high + spq_doubles_set(slack)));
}

/*
 * Find the areas of a box, moved outward by "slack", which is finite.  NaN
 * counts as infinity.  Return false if it is a probe, and no build box can meet
 * it.
 */
static pg_attribute_always_inline bool
find_span(SpqJoinAreas *areas, bool build, const SpqBox *box, double slack, SpqJoinSpan *span)
{
	SpqBoxCorners corners = spq_box_corners(box);
	SpqDoubles	one = spq_join_without_nan(spq_doubles_load(corners.low)),
				other = spq_join_without_nan(spq_doubles_load(corners.high)),
				low = spq_doubles_min(one, other),
				high = spq_doubles_max(one, other);
	SpqWords	at = box_positions(areas, low, high, slack),
				area = at >> SPQ_JOIN_POSITION_BITS,
				end = (at & (SPQ_JOIN_POSITIONS - 1)) + 1;
	const uint32 last[2] = {(uint32) areas->last[0], (uint32) areas->last[1]};
	const SpqWords first_low_last_high = {0, 0, last[0], last[1]},
				last_low_first_high = {last[0], last[1], 0, 0};

	span->unsure = false;
	if (!build)
	{
		SpqFloatsMask same = {-1, -1, -1, -1};

		if (slack > 0)
			same = (SpqFloatsMask) (at == box_positions(areas, low, high, 0));
		span->unsure = spq_floats_bits(same) != 15 || spq_doubles_bits(one <= other) != 3;
	}
	if (build)
		areas->outside |= spq_floats_bits((SpqFloatsMask) (at == first_low_last_high)) != 0;
	else if (!areas->outside && spq_floats_bits((SpqFloatsMask) (at == last_low_first_high)) != 0)
		return false;
	for (int axis = 0; axis < 2; axis++)
	{
		span->from[axis] = area[axis];
		span->to[axis] = area[2 + axis];
		span->low[axis] = end[axis];
		span->high[axis] = end[2 + axis];
	}
	return true;
}

/* Find the areas of a probe.  Return false if no build box can meet it. */
bool
spq_join_span(const SpqJoinAreas *areas, const SpqBox *box, double slack, SpqJoinSpan *span)
{
	return find_span(unconstify(SpqJoinAreas *, areas), false, box, slack, span);
}

/* Return the number of areas of a box. */
static inline uint32
span_areas(const SpqJoinSpan *span)
{
	return (span->to[0] - span->from[0] + 1) * (span->to[1] - span->from[1] + 1);
}

/* Begin without entries, and without memory for them. */
void
spq_join_entries_init(SpqJoinEntries *entries, MemoryContext context)
{
	memset(entries, 0, sizeof(SpqJoinEntries));
	entries->context = AllocSetContextCreate(context, "spatial join entries",
											 ALLOCSET_SMALL_SIZES);
}

/* Remove all entries, and free their memory. */
void
spq_join_entries_free(SpqJoinEntries *entries)
{
	MemoryContext context = entries->context;

	MemoryContextReset(context);
	memset(entries, 0, sizeof(SpqJoinEntries));
	entries->context = context;
}

/* Remove all entries.  Keep the memory for the next ones. */
void
spq_join_entries_clear(SpqJoinEntries *entries)
{
	for (int i = 0; i < SPQ_JOIN_MAX_AREAS; i++)
	{
		SpqJoinAreaEntries *area = &entries->area[i];

		if (area->first == NULL)
			continue;
		area->last->next = entries->unused;
		entries->unused = area->first;
		memset(area, 0, sizeof(SpqJoinAreaEntries));
	}
	entries->nchunks = 0;
	entries->nwide = 0;
}

/* Make room for some chunks, as one piece of memory.  What is not written costs nothing. */
void
spq_join_entries_reserve(SpqJoinEntries *entries, uint32 nchunks)
{
	entries->nfresh = nchunks;
	entries->fresh = spq_large_alloc(entries->context, nchunks * sizeof(SpqJoinEntryChunk));
}

/* Append a chunk to those of an area. */
static pg_noinline void
add_chunk(SpqJoinEntries *entries, SpqJoinAreaEntries *area)
{
	SpqJoinEntryChunk *chunk = entries->unused;

	if (chunk != NULL)
		entries->unused = chunk->next;
	else
	{
		if (entries->nfresh == 0)
		{
			entries->piece = Min(Max(2 * entries->piece, FIRST_PIECE), LAST_PIECE);
			spq_join_entries_reserve(entries, entries->piece);
		}
		entries->nfresh--;
		chunk = entries->fresh++;
	}
	chunk->next = NULL;
	if (area->last == NULL)
		area->first = chunk;
	else
		area->last->next = chunk;
	area->last = chunk;
	area->next = chunk->entry;
	area->end = chunk->entry + SPQ_JOIN_CHUNK_ENTRIES;
	entries->nchunks++;
}

static pg_attribute_always_inline void
add_entry(SpqJoinEntries *entries, uint32 area, SpqJoinEntry entry)
{
	SpqJoinAreaEntries *to = &entries->area[area];

	if (unlikely(to->next == to->end))
		add_chunk(entries, to);
	*to->next++ = entry;
	to->count++;
}

/* Add an item to the list of those in many areas. */
static void
add_wide(SpqJoinEntries *entries, uint32 item)
{
	if (entries->wide_room == 0)
	{
		entries->wide_room = FIRST_WIDE;
		entries->wide = MemoryContextAlloc(entries->context, FIRST_WIDE * sizeof(uint32));
	}
	else if (entries->nwide == entries->wide_room)
	{
		entries->wide_room *= 2;
		entries->wide = spq_large_realloc(entries->wide, entries->wide_room * sizeof(uint32));
	}
	entries->wide[entries->nwide++] = item;
}

/*
 * Divide build items into entries.  Return false if these would take more than
 * this number of chunks.
 */
bool
spq_join_divide_build(SpqJoinAreas *areas, const SpqJoinItem *items, uint32 count,
					  uint64 most, SpqJoinEntries *entries)
{
	const uint32 across = areas->side[0];
	SpqJoinSpan span;

	for (uint32 i = 0; i < count; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		(void) find_span(areas, true, &items[i].box, 0, &span);
		for (uint32 y = span.from[1]; y <= span.to[1]; y++)
			for (uint32 x = span.from[0]; x <= span.to[0]; x++)
				add_entry(entries, y * across + x, spq_join_entry_in(&span, i, x, y));
		if (entries->nchunks > most)
			return false;
	}
	return true;
}

/*
 * Add the number of entries that build items will have in each area to the numbers
 * of in_area[].
 */
void
spq_join_count_entries(const SpqJoinAreas *areas, const SpqJoinItem *items, uint32 count,
					   uint32 *in_area)
{
	SpqJoinAreas copy = *areas;
	SpqJoinSpan span;

	for (uint32 i = 0; i < count; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		(void) find_span(&copy, true, &items[i].box, 0, &span);
		for (uint32 y = span.from[1]; y <= span.to[1]; y++)
			for (uint32 x = span.from[0]; x <= span.to[0]; x++)
				in_area[y * areas->side[0] + x]++;
	}
}

/*
 * Write the entries of build items, the first of which has this number, to the
 * places of their areas.
 */
void
spq_join_place_entries(SpqJoinAreas *areas, const SpqJoinItem *items, uint32 count,
					   uint32 number, SpqJoinEntry **place)
{
	const uint32 across = areas->side[0];
	SpqJoinSpan span;

	for (uint32 i = 0; i < count; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		(void) find_span(areas, true, &items[i].box, 0, &span);
		for (uint32 y = span.from[1]; y <= span.to[1]; y++)
			for (uint32 x = span.from[0]; x <= span.to[0]; x++)
				*place[y * across + x]++ = spq_join_entry_in(&span, number + i, x, y);
	}
}

/*
 * Divide probes from items[from] to items[to - 1] into entries, in areas that are
 * in use.  Probes in many areas go into a list.
 */
void
spq_join_divide_probes(const SpqJoinAreas *areas, const bool *in_use,
					   const SpqJoinItem *items, uint32 from, uint32 to, double slack,
					   SpqJoinEntries *entries)
{
	const uint32 across = areas->side[0];
	SpqJoinSpan span;

	for (uint32 i = from; i < to; i++)
	{
		if (i % INTERRUPT_STEP == 0)
			CHECK_FOR_INTERRUPTS();
		if (!find_span(unconstify(SpqJoinAreas *, areas), false, &items[i].box, slack, &span))
			continue;
		if (span_areas(&span) > SPQ_JOIN_WIDE_AREAS)
		{
			add_wide(entries, i);
			continue;
		}
		for (uint32 y = span.from[1]; y <= span.to[1]; y++)
		{
			for (uint32 x = span.from[0]; x <= span.to[0]; x++)
			{
				uint32		area = y * across + x;

				if (in_use[area])
					add_entry(entries, area, spq_join_entry_in(&span, i, x, y));
			}
		}
	}
}
