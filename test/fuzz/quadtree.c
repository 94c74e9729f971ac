/*-------------------------------------------------------------------------
 *
 * quadtree.c
 *	  Fuzzer of the quadtree's geometry: places, regions, routes, labels, limits
 *	  and minimum distances, for a few boxes in one inner tuple.
 *
 * It requires what correct answers depend on (prefix.h, label.h, limits.h):
 * regions contain and separate places, a box is within its node's label, a true
 * operator passes the limits, and no distance is below the minimum.
 *
 *-------------------------------------------------------------------------
 */
#include "fuzz.h"

#include "box/distance.h"
#include "lattice/limits.h"
#include "quadtree/prefix.h"
#include "quadtree/query.h"

#define MAX_BOXES	12

typedef struct Sample
{
	int			n;
	BOX			box[MAX_BOXES];
	SpqLatticePlace place[MAX_BOXES];
	SpqBoxBounds bounds[MAX_BOXES];
} Sample;

/*
 * The server's hypotenuse, without errors.  The last bit may differ, which is
 * far below the tolerance.
 */
float8
pg_hypot(float8 x, float8 y)
{
	return hypot(x, y);
}

static bool
same_place(const SpqLatticePlace *a, const SpqLatticePlace *b)
{
	SpqLatticeCell cell = spq_lattice_cell(a->x, a->y, SPQ_LATTICE_MIN_EXP);

	return a->size == b->size && spq_lattice_cell_holds(&cell, b->x, b->y);
}

static bool
holds(int strategy, const BOX *b, const BOX *q)
{
	switch (strategy)
	{
		case RTLeftStrategyNumber:
			return FPlt(b->high.x, q->low.x);
		case RTOverLeftStrategyNumber:
			return FPle(b->high.x, q->high.x);
		case RTOverlapStrategyNumber:
			return FPle(b->low.x, q->high.x) && FPle(q->low.x, b->high.x) &&
				FPle(b->low.y, q->high.y) && FPle(q->low.y, b->high.y);
		case RTOverRightStrategyNumber:
			return FPge(b->low.x, q->low.x);
		case RTRightStrategyNumber:
			return FPgt(b->low.x, q->high.x);
		case RTSameStrategyNumber:
			return spq_box_related(SPQ_BOX_SAME, 0, b, q);
		case RTContainsStrategyNumber:
			return FPge(b->high.x, q->high.x) && FPle(b->low.x, q->low.x) &&
				FPge(b->high.y, q->high.y) && FPle(b->low.y, q->low.y);
		case RTContainedByStrategyNumber:
			return holds(RTContainsStrategyNumber, q, b);
		case RTOverBelowStrategyNumber:
			return FPle(b->high.y, q->high.y);
		case RTBelowStrategyNumber:
			return FPlt(b->high.y, q->low.y);
		case RTAboveStrategyNumber:
			return FPgt(b->low.y, q->high.y);
		case RTOverAboveStrategyNumber:
			return FPge(b->low.y, q->low.y);
		case SPQ_BOX_CONTAINS_POINT_STRATEGY:
			return b->high.x >= q->low.x && b->low.x <= q->low.x &&
				b->high.y >= q->low.y && b->low.y <= q->low.y;
	}
	abort();
}

static const int strategies[] = {
	RTLeftStrategyNumber, RTOverLeftStrategyNumber, RTOverlapStrategyNumber,
	RTOverRightStrategyNumber, RTRightStrategyNumber, RTSameStrategyNumber,
	RTContainsStrategyNumber, RTContainedByStrategyNumber,
	RTOverBelowStrategyNumber, RTBelowStrategyNumber, RTAboveStrategyNumber,
	RTOverAboveStrategyNumber, SPQ_BOX_CONTAINS_POINT_STRATEGY
};

/*
 * Check that the smallest region around places separates them if they differ.
 */
static void
try_regions(const Sample *sample)
{
	SpqQuadRegion region = spq_quad_region_around(sample->place, sample->n);

	for (int cuts = 1; cuts <= 2; cuts++)
	{
		SpqQuadPrefix prefix = spq_quad_make_prefix(&region, cuts);
		bool		differ = false;
		bool		separated = false;

		for (int i = 0; i < sample->n; i++)
		{
			require(spq_quad_region_holds(&region, &sample->place[i]), "place %d", i);
			differ |= !same_place(&sample->place[0], &sample->place[i]);
			separated |= spq_quad_route(&prefix, &sample->place[0]) !=
				spq_quad_route(&prefix, &sample->place[i]);
		}
		/* with 4 x 4 cells more boxes are oversize, which picksplit handles */
		require(cuts == 1 ? differ == separated : differ || !separated,
				"%d places, %d cuts", sample->n, cuts);
	}
}

/*
 * Check that a region and a place outside of it get different nodes of the
 * region that joins them.
 */
static void
try_join(const Sample *sample)
{
	const SpqLatticePlace *more = &sample->place[sample->n - 1];
	SpqQuadRegion region = spq_quad_region_around(sample->place, sample->n - 1);
	SpqQuadRegion wider;
	SpqQuadPrefix prefix;
	int			node;

	if (spq_quad_region_holds(&region, more))
		return;
	wider = spq_quad_region_join(&region, more);
	prefix = spq_quad_make_prefix(&wider, 1);
	node = spq_quad_route_region(&prefix, &region);
	require(spq_quad_region_holds(&wider, more), "exp %d", wider.cell.exp);
	require(spq_quad_route(&prefix, more) != node, "exp %d", wider.cell.exp);
	for (int i = 0; i < sample->n - 1; i++)
	{
		require(spq_quad_region_holds(&wider, &sample->place[i]), "place %d", i);
		require(spq_quad_route(&prefix, &sample->place[i]) == node, "place %d", i);
	}
}

/* Check what a scan decides about one label. */
static void
try_label(const Sample *sample, int i, uint64 label, const SpqLabelFrame *frame,
		  const BOX *query)
{
	const BOX  *box = &sample->box[i];
	SpqBoxBounds decoded = spq_label_decode(label, frame);
	SpqLabelLimits all = spq_label_no_limits();
	BOX			point = {.high = query->low,.low = query->low};
	Point		center = spq_box_center(query);
	float8		least,
				distance;

	require(spq_box_bounds_hold(&decoded, &sample->bounds[i]), "box %d", i);
	for (int s = 0; s < (int) lengthof(strategies); s++)
	{
		SpqLabelLimits limits = spq_label_no_limits();
		SpqRelation relation = spq_box_relation(strategies[s]);
		const BOX  *asked = relation == SPQ_BOX_MEETS ? &point : query;

		require(spq_label_passes(&limits, label), "no limits");
		spq_label_limit(&limits, relation, spq_box_corners(asked), frame);
		if (!holds(strategies[s], box, query))
			continue;
		require(spq_label_passes(&limits, label), "box %d, strategy %d", i,
				strategies[s]);

		/* limit by all operators that are true, at once */
		spq_label_limit(&all, relation, spq_box_corners(asked), frame);
		require(spq_label_passes(&all, label), "box %d, strategy %d and others",
				i, strategies[s]);
	}

	/* NaN sorts last */
	least = spq_box_min_distance(&decoded, &query->low);
	distance = spq_box_point_distance(box, &query->low);
	require(isnan(distance) || least <= distance, "box %d: %.17g, least %.17g",
			i, distance, least);
	least = spq_box_min_distance(&decoded, &center);
	distance = spq_box_center_distance(box, query);
	require(isnan(distance) || least <= distance,
			"box %d: center %.17g, least %.17g", i, distance, least);
}

/* Check what a scan decides about a leaf. */
static void
try_leaf(const BOX *box, const BOX *query)
{
	for (int s = 0; s < (int) lengthof(strategies); s++)
	{
		SpqQuadQuery parsed =
			spq_quad_query(strategies[s], strategies[s] == SPQ_BOX_CONTAINS_POINT_STRATEGY ?
						   PointPGetDatum(&query->low) : BoxPGetDatum(query));

		require(spq_quad_matches(parsed, box) == holds(strategies[s], box, query),
				"strategy %d", strategies[s]);
	}
}

/*
 * Check an inner tuple: its base is around the first boxes, its nodes have
 * labels.
 */
static void
try_tuple(const Sample *sample, int in_base, int cuts, bool all_the_same,
		  float8 overhang, bool widen, const BOX *query)
{
	SpqQuadRegion base = spq_quad_region_around(sample->place, in_base);
	SpqQuadRegion whole = spq_quad_region_around(sample->place, sample->n);
	SpqQuadPrefix prefix = spq_quad_make_prefix(&base, cuts);
	SpqLabelFrame frame;
	SpqQuadRegion held;
	SpqBoxBounds bounds[SPQ_QUAD_NODES];
	uint64		label[SPQ_QUAD_NODES];

	/* a wider range of cells on the same path, as picksplit adds it */
	if (in_base < sample->n)
		spq_quad_add_range(&prefix, &whole);
	/* one size serves both regions */
	if (in_base < sample->n && whole.uniform &&
		(!base.uniform || base.size != whole.size))
		return;
	frame = spq_quad_frame(&prefix);
	held = spq_quad_tuple_region(&prefix, all_the_same);
	for (int node = 0; node < SPQ_QUAD_NODES; node++)
		bounds[node] = spq_box_bounds_nothing();

	for (int i = 0; i < sample->n; i++)
	{
		const SpqLatticePlace *place = &sample->place[i];
		int			node;
		SpqLatticeCell cell;
		SpqBoxBounds reach;

		if (!spq_quad_region_holds(&held, place))
		{
			require(all_the_same, "box %d is not in the range", i);
			continue;
		}
		node = spq_quad_route(&prefix, place);
		require(node >= 0 && node < SPQ_QUAD_NODES && spq_quad_has_node(&prefix, node),
				"node %d", node);
		cell = spq_quad_node_cell(&prefix, node);
		require(spq_lattice_cell_holds(&cell, place->x, place->y), "node %d", node);
		reach = spq_quad_node_reach(&prefix, node);
		require(spq_box_bounds_hold(&reach, &sample->bounds[i]), "node %d", node);
		if (widen)
			spq_label_widen(&bounds[node], &sample->bounds[i], &cell,
							spq_quad_node_is_oversize(node));
		else
		{
			spq_box_bounds_add(&bounds[node], &sample->bounds[i]);
			if (overhang >= 0)
				spq_label_foresee(&bounds[node], &cell, overhang);
		}
	}
	for (int node = 0; node < SPQ_QUAD_NODES; node++)
	{
		label[node] = spq_label_encode(node, &bounds[node], &frame);
		require(spq_label_node(label[node]) == node, "node %d", node);
	}
	for (int i = 0; i < sample->n; i++)
		if (spq_quad_region_holds(&held, &sample->place[i]))
			try_label(sample, i, label[spq_quad_route(&prefix, &sample->place[i])],
					  &frame, query);
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	Input		input = {data, size, 0.0};
	Sample		sample;
	BOX			query;
	float8		overhang;
	int			in_base,
				cuts;
	uint8		flags;

	sample.n = take_int(&input, 2, MAX_BOXES);
	in_base = take_int(&input, 1, sample.n);
	flags = take_byte(&input);
	cuts = flags & 1 ? 2 : 1;
	overhang = take_number(&input);
	query = take_box(&input);
	for (int i = 0; i < sample.n; i++)
	{
		/* the previous box again, or a new one */
		if (i > 0 && input.left == 0)
			sample.box[i] = sample.box[i - 1];
		else
			sample.box[i] = take_box(&input);
		sample.place[i] = spq_lattice_place(&sample.box[i]);
		sample.bounds[i] = spq_box_bounds(&sample.box[i]);
	}

	for (int i = 0; i < sample.n; i++)
		try_leaf(&sample.box[i], &query);
	try_regions(&sample);
	try_join(&sample);
	try_tuple(&sample, in_base, cuts, (flags & 2) != 0, overhang,
			  (flags & 4) != 0, flags & 8 ? &sample.box[0] : &query);
	return 0;
}
