/*-------------------------------------------------------------------------
 *
 * cuts.c
 *	  Divides rows into bins by cuts of space, each of one axis.
 *
 * Cuts are chosen from the top down, as when an R-tree is packed that way
 * (Garcia, Lopez, Leutenegger 1998), on a sample of the rows.  Each cut leaves
 * on each side a number of rows in proportion to its bins.  Of the possible
 * cuts, it takes the one that copies the fewest probes, if probes are like
 * these rows: a probe is copied into each bin whose bounds it meets.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "utils/float.h"

#include "join/bins/bins.h"

/* A cut by size must save this share of the copies. */
#define GAIN_BY_SIZE	0.9

/* A row of the sample, with what the rows are sorted by. */
typedef struct SampledRow
{
	double		key;
	const SpqJoinItem *item;
} SampledRow;

/* Ends of boxes, of their centers, and the largest widths. */
typedef struct Extent
{
	double		low[SPQ_DIM],
				high[SPQ_DIM],
				low_center[SPQ_DIM],
				high_center[SPQ_DIM],
				width[SPQ_DIM];
} Extent;

/* A cut that may be chosen. */
typedef struct Choice
{
	double		at;
	int			by;
	uint32		nleft;			/* rows below it */
	int			left_bins;
} Choice;

static inline double
no_nan(double x)
{
	return isnan(x) ? get_float8_infinity() : x;
}

static inline double
row_center(const SpqJoinItem *item, int axis)
{
	return no_nan(spq_box_low(&item->box)[axis] / 2 + spq_box_high(&item->box)[axis] / 2);
}

static inline double
row_width(const SpqJoinItem *item, int axis)
{
	return no_nan(fabs(spq_box_high(&item->box)[axis] - spq_box_low(&item->box)[axis]));
}

/* Return what a cut compares. */
static inline double
cut_key(const SpqJoinItem *item, int by)
{
	double		size = 0;

	if (by < SPQ_DIM)
		return row_center(item, by);
	if (by == SPQ_JOIN_CUT_BY_HASH)
		return spq_join_item_hash(item);
	spq_each_axis(axis)
		size = Max(size, row_width(item, axis));
	return size;
}

#define ST_SORT sort_rows
#define ST_ELEMENT_TYPE SampledRow
#define ST_COMPARE(a, b) ((a)->key < (b)->key ? -1 : (a)->key > (b)->key)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

static void
sort_by(SampledRow *rows, uint32 count, int by)
{
	for (uint32 i = 0; i < count; i++)
		rows[i].key = cut_key(rows[i].item, by);
	sort_rows(rows, count);
}

static void
clear_extent(Extent *extent)
{
	const double infinity = get_float8_infinity();

	spq_each_axis(axis)
	{
		extent->low[axis] = extent->low_center[axis] = infinity;
		extent->high[axis] = extent->high_center[axis] = -infinity;
		extent->width[axis] = 0;
	}
}

static void
add_to_extent(Extent *extent, const SpqJoinItem *item)
{
	spq_each_axis(axis)
	{
		extent->low[axis] = Min(extent->low[axis], spq_box_low(&item->box)[axis]);
		extent->high[axis] = Max(extent->high[axis], spq_box_high(&item->box)[axis]);
		extent->low_center[axis] = Min(extent->low_center[axis], row_center(item, axis));
		extent->high_center[axis] = Max(extent->high_center[axis], row_center(item, axis));
		extent->width[axis] = Max(extent->width[axis], row_width(item, axis));
	}
}

static bool
extent_meets(const Extent *extent, const SpqJoinItem *item)
{
	bool		meet = true;

	spq_each_axis(axis)
		meet &= spq_box_low(&item->box)[axis] <= extent->high[axis] &&
		extent->low[axis] <= spq_box_high(&item->box)[axis];
	return meet;
}

/*
 * Return how often a probe is copied if rows with this extent are cut in space into
 * a number of bins.  A bin is a cell, and all axes have the same number of cells.
 * The bounds of a cell reach beyond it by the width of the widest box, and overlap
 * those of its neighbors there.
 */
static double
expected_copies(const Extent *extent, int bins)
{
	double		cells = SPQ_DIM == 2 ? sqrt(bins) : cbrt(bins),
				copies = 1;

	spq_each_axis(axis)
	{
		double		range = extent->high_center[axis] - extent->low_center[axis];

		copies *= 1 + (range > 0 ? cells * extent->width[axis] / range : 0);
	}
	return copies < bins ? copies : bins;	/* NaN: bins */
}

/*
 * Make a choice of the place next to row "place" of sorted rows where a cut leaves
 * rows on both sides.  Return false if all keys are equal.
 */
static bool
cut_at(Choice *choice, const SampledRow *rows, uint32 count, uint32 place, int by, int bins)
{
	uint32		nleft = place;

	while (nleft > 0 && rows[nleft - 1].key == rows[place].key)
		nleft--;
	if (nleft == 0)
	{
		nleft = place + 1;
		while (nleft < count && rows[nleft].key == rows[place].key)
			nleft++;
		if (nleft == count)
			return false;
	}
	choice->at = rows[nleft].key;
	choice->by = by;
	choice->nleft = nleft;
	choice->left_bins = (int) rint((double) bins * nleft / count);
	choice->left_bins = Max(1, Min(choice->left_bins, bins - 1));
	return true;
}

/*
 * Sort rows, and make a choice of a cut that leaves half of the bins on each side.
 * Return false if all keys are equal.
 */
static bool
cut_in_half(Choice *choice, SampledRow *rows, uint32 count, int by, int bins)
{
	sort_by(rows, count, by);
	return cut_at(choice, rows, count, (uint64) count * (bins / 2) / bins, by, bins);
}

/* Choose a cut by size, if large boxes are worth bins of their own. */
static bool
choose_size(Choice *choice, SampledRow *rows, uint32 count, int bins)
{
	Extent		above[SPQ_JOIN_MAX_BINS],	/* of the rows from a bin on */
				extent;
	double		best;
	int			found = 0;
	uint32		i = count;

	clear_extent(&extent);
	for (uint32 row = 0; row < count; row++)
		add_to_extent(&extent, rows[row].item);
	best = expected_copies(&extent, bins) * GAIN_BY_SIZE;
	/* after a cut by size, a probe is in one bin on each side at least */
	if (best <= 2)
		return false;

	sort_by(rows, count, SPQ_JOIN_CUT_BY_SIZE);
	clear_extent(&extent);
	for (int bin = bins - 1; bin >= 0; bin--)
	{
		while (i > (uint64) count * bin / bins)
			add_to_extent(&extent, rows[--i].item);
		above[bin] = extent;
	}
	clear_extent(&extent);
	for (int bin = 1; bin < bins; bin++)
	{
		double		copies;

		while (i < (uint64) count * bin / bins)
			add_to_extent(&extent, rows[i++].item);
		copies = expected_copies(&extent, bin) + expected_copies(&above[bin], bins - bin);
		if (copies < best)
		{
			best = copies;
			found = bin;
		}
	}
	return found > 0 &&
		cut_at(choice, rows, count, (uint64) count * found / bins, SPQ_JOIN_CUT_BY_SIZE, bins);
}

/* Choose a cut of space. */
static bool
choose_axis(Choice *best, SampledRow *rows, uint32 count, int bins)
{
	uint32		least = 0;
	double		widest = 0;
	bool		found = false;

	for (int axis = 0; axis < SPQ_DIM; axis++)
	{
		Choice		choice;
		Extent		left,
					right;
		uint32		copies = 0;
		double		range;

		if (!cut_in_half(&choice, rows, count, axis, bins))
			continue;
		clear_extent(&left);
		clear_extent(&right);
		for (uint32 i = 0; i < count; i++)
			add_to_extent(i < choice.nleft ? &left : &right, rows[i].item);
		for (uint32 i = 0; i < count; i++)
			copies += extent_meets(&left, rows[i].item) + extent_meets(&right, rows[i].item);
		range = rows[count - 1].key - rows[0].key;
		if (!found || copies < least || (copies == least && range > widest))
		{
			*best = choice;
			least = copies;
			widest = range;
			found = true;
		}
	}
	return found;
}

/* Cut rows into bins.  Return the number of the first cut, or ~that of the only bin. */
static int
cut_rows(SpqJoinCuts *cuts, int *ncuts, SampledRow *rows, uint32 count, int bins, bool hashed)
{
	Choice		choice;
	SpqJoinCut *cut;
	int			number;

	/* the last is for rows with the same center */
	if (bins < 2 || count < 2 ||
		!((hashed && cut_in_half(&choice, rows, count, SPQ_JOIN_CUT_BY_HASH, bins)) ||
		  choose_size(&choice, rows, count, bins) ||
		  choose_axis(&choice, rows, count, bins) ||
		  cut_in_half(&choice, rows, count, SPQ_JOIN_CUT_BY_SIZE, bins)))
		return ~cuts->nbins++;

	sort_by(rows, count, choice.by);
	number = (*ncuts)++;
	cut = &cuts->cut[number];
	cut->at = choice.at;
	cut->by = choice.by;
	cut->left = cut_rows(cuts, ncuts, rows, choice.nleft, choice.left_bins, hashed);
	cut->right = cut_rows(cuts, ncuts, rows + choice.nleft, count - choice.nleft, bins - choice.left_bins, hashed);
	return number;
}

bool
spq_join_choose_cuts(SpqJoinCuts *cuts, const SpqJoinItem *sample, uint32 count, int most,
					 bool hashed)
{
	SampledRow *rows = palloc(Max(count, 1) * sizeof(SampledRow));
	int			ncuts = 0;

	Assert(most <= SPQ_JOIN_MAX_BINS);
	for (uint32 i = 0; i < count; i++)
		rows[i].item = &sample[i];
	cuts->nbins = 0;
	(void) cut_rows(cuts, &ncuts, rows, count, most, hashed);
	pfree(rows);
	return ncuts > 0;
}

int
spq_join_bin_of(const SpqJoinCuts *cuts, const SpqJoinItem *item)
{
	int			at = cuts->nbins > 1 ? 0 : ~0;

	while (at >= 0)
		at = cut_key(item, cuts->cut[at].by) < cuts->cut[at].at ? cuts->cut[at].left : cuts->cut[at].right;
	return ~at;
}
