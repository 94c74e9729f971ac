/*-------------------------------------------------------------------------
 *
 * nearest_test.c
 *	  The nearest boxes of a packed tree, against all distances: the same boxes,
 *	  in the same order, for boxes of all kinds, in any order of searches.  And the
 *	  nearest values that boxes bound, also if the tree's lower levels
 *	  are the caller's.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <math.h>

#include "nearest_join/search.h"

#define MOST	3000

/* Kinds of boxes. */
enum
{
	UNIFORM, POINTS, GRID, SAME, CLUSTERS, MAGNITUDES, ODD, KINDS
};

static float8
coordinate(int kind)
{
	switch (kind)
	{
		case GRID:
			return random_int(0, 6);
		case SAME:
			return 3;
		case CLUSTERS:
			return random_int(0, 5) * 1e6 + drand48();
		case MAGNITUDES:
			return (drand48() - 0.5) * exp(drand48() * 1400 - 700);
		case ODD:
			for (;;)
			{
				float8		number = random_int(0, 9) > 0 ? odd_number() :
					get_float8_infinity() * (random_int(0, 1) - 0.5);

				if (!isnan(number))
					return number;
			}
		default:
			return drand48() * 1000;
	}
}

static void
make_box(int kind, int axes, float8 *ends)
{
	for (int axis = 0; axis < axes; axis++)
	{
		float8		a = coordinate(kind),
					b = kind == POINTS || kind == GRID ? a :
			kind == UNIFORM || kind == CLUSTERS ? a + drand48() * 10 : coordinate(kind);

		ends[axis] = Max(a, b);
		ends[axes + axis] = Min(a, b);
	}
}

static int
compare_hits(const void *a, const void *b)
{
	const SpqNearestHit *x = a,
			   *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Set "hits" to the k nearest of the boxes and of those already there. */
static uint32
by_all(const float8 *boxes, const int64 *ids, uint32 count, int axes, const float8 *box,
	   uint32 k, float8 most, SpqNearestHit *hits, uint32 n)
{
	SpqNearestHit *all = palloc((n + count) * sizeof(SpqNearestHit));

	memcpy(all, hits, n * sizeof(SpqNearestHit));
	for (uint32 i = 0; i < count; i++)
	{
		all[n].id = ids[i];
		all[n].distance = spq_nearest_distance(box, boxes + 2 * axes * i, axes);
		if (all[n].distance <= most)
			n++;
	}
	qsort(all, n, sizeof(SpqNearestHit), compare_hits);
	n = Min(n, k);
	memcpy(hits, all, n * sizeof(SpqNearestHit));
	pfree(all);
	return n;
}

/* Compare searches of a tree, or of two trees in turn. */
static void
try_searches(int kind, int axes)
{
	uint32		count = random_int(0, 4) == 0 ? random_int(0, 40) : random_int(1, MOST),
				first = (uint32) (random_int(0, 1) ? (int) count : random_int(0, count)),
				k = random_int(0, 3) == 0 ? random_int(0, 300) : random_int(1, 12);
	float8	   *boxes = palloc((count + 1) * 2 * axes * sizeof(float8));
	int64	   *ids = palloc((count + 1) * sizeof(int64));
	float8		most = random_int(0, 2) > 0 ? get_float8_infinity() :
		random_int(0, 3) == 0 ? 0 : drand48() * 100;
	SpqNearestHit *hits = palloc((k + 1) * sizeof(SpqNearestHit)),
			   *truth = palloc((k + 1) * sizeof(SpqNearestHit));
	SpqPackedTree *tree[2];
	SpqNearestSearch *search[2];

	for (uint32 i = 0; i < count; i++)
	{
		ids[i] = random_int(0, 9) == 0 ? (int64) (i / 2) : (int64) i * 7919 % 100003;
		make_box(kind, axes, boxes + 2 * axes * i);
	}
	tree[0] = spq_packed_tree_build(boxes, ids, first, axes);
	tree[1] = spq_packed_tree_build(boxes + 2 * axes * first, ids + first, count - first, axes);
	for (int t = 0; t < 2; t++)
		search[t] = spq_nearest_search_begin(tree[t], k, most);

	for (int q = 0; q < 12; q++)
	{
		float8		box[2 * SPQ_NEAREST_AXES];
		uint32		n = 0,
					n_truth = 0;

		make_box(random_int(0, 3) > 0 ? kind : UNIFORM, axes, box);
		for (int t = 0; t < 2; t++)
		{
			uint32		from = t == 0 ? 0 : first;

			n = spq_nearest_search(search[t], box, hits, n);
			n_truth = by_all(boxes + 2 * axes * from, ids + from, t == 0 ? first : count - first,
							 axes, box, k, most, truth, n_truth);
			check(n == n_truth, "kind %d, %d axes, k %u of %u: %u hits, not %u", kind, axes, k,
				  count, n, n_truth);
			for (uint32 i = 0; i < Min(n, n_truth); i++)
				check(hits[i].distance == truth[i].distance && hits[i].id == truth[i].id,
					  "kind %d, %d axes, k %u of %u, hit %u: " INT64_FORMAT " at %g, not " INT64_FORMAT " at %g",
					  kind, axes, k, count, i, hits[i].id, hits[i].distance, truth[i].id, truth[i].distance);
		}
	}
	for (int t = 0; t < 2; t++)
	{
		spq_nearest_search_end(search[t]);
		spq_packed_tree_free(tree[t]);
	}
	pfree(boxes);
	pfree(ids);
	pfree(hits);
	pfree(truth);
}

/* Values: the distance is that of the boxes twice, and something for some. */
typedef struct Values
{
	const float8 *boxes;
	int			axes;
	const float8 *box;			/* searched for */
} Values;

#define UNIT	2

/* Measure a value.  Return whether it is wanted. */
static bool
measure_one(const Values *values, SpqNearestHit *hit)
{
	const float8 *box = values->boxes + 2 * values->axes * hit->id;

	hit->distance = UNIT * spq_nearest_distance(values->box, box, values->axes) +
		(double) (hit->id % 3) * 0.5;
	return hit->id % 7 != 5;
}

static uint32
measure(void *argument, SpqNearestHit *hits, uint32 count)
{
	uint32		n = 0;

	for (uint32 i = 0; i < count; i++)
	{
		SpqNearestHit hit = hits[i];

		if (measure_one(argument, &hit))
			hits[n++] = hit;
	}
	return n;
}

/* A tree whose two lower levels are those of another. */
static const float8 *
load(void *argument, int level, uint32 group)
{
	return spq_packed_tree_group(argument, level, group);
}

static SpqPackedTree *
tree_above(SpqPackedTree *whole, uint32 count, int axes)
{
	float8	   *bounds = palloc((count / 256 + 1) * 2 * axes * sizeof(float8));
	SpqPackedTree *tree;

	if (whole->nlevels > 2)
		for (uint32 entry = 0; entry < whole->nentries[2]; entry++)
			for (int end = 0; end < 2 * axes; end++)
				bounds[2 * axes * entry + end] =
					spq_packed_tree_group(whole, 2, entry / SPQ_PACKED_GROUP)[end * SPQ_PACKED_GROUP + entry % SPQ_PACKED_GROUP];
	tree = spq_packed_tree_above(bounds, count, axes);
	tree->load = load;
	tree->argument = whole;
	pfree(bounds);
	return tree;
}

/* Compare searches for values with all of them. */
static void
try_values(int kind, int axes)
{
	uint32		count = random_int(0, 4) == 0 ? random_int(0, 300) : random_int(1, MOST),
				k = random_int(1, 20);
	float8	   *boxes = palloc((count + 1) * 2 * axes * sizeof(float8));
	int64	   *ids = palloc((count + 1) * sizeof(int64));
	SpqNearestHit *hits = palloc((8 * k + 1) * sizeof(SpqNearestHit)),
			   *truth = palloc((count + 1) * sizeof(SpqNearestHit));
	Values		values = {boxes, axes, NULL};
	SpqNearestValues how = {measure, &values, UNIT};
	SpqPackedTree *whole,
			   *tree;
	SpqNearestSearch *search;

	for (uint32 i = 0; i < count; i++)
	{
		ids[i] = i;
		make_box(kind, axes, boxes + 2 * axes * i);
	}
	whole = spq_packed_tree_build(boxes, ids, count, axes);
	tree = tree_above(whole, count, axes);
	tree->ids = whole->ids;
	search = spq_nearest_search_begin(tree, k, get_float8_infinity());
	spq_nearest_search_values(search, &how);
	for (int q = 0; q < 8; q++)
	{
		float8		box[2 * SPQ_NEAREST_AXES];
		uint32		n,
					n_truth = 0;

		if (q == 4)
			spq_nearest_search_set_k(search, k *= 8);
		make_box(random_int(0, 3) > 0 ? kind : UNIFORM, axes, box);
		values.box = box;
		for (uint32 i = 0; i < count; i++)
		{
			truth[n_truth].id = i;
			n_truth += measure_one(&values, &truth[n_truth]);
		}
		qsort(truth, n_truth, sizeof(SpqNearestHit), compare_hits);
		n_truth = Min(n_truth, k);
		n = spq_nearest_search(search, box, hits, 0);
		check(n == n_truth, "values, kind %d, %d axes, k %u of %u: %u hits, not %u", kind, axes, k,
			  count, n, n_truth);
		for (uint32 i = 0; i < Min(n, n_truth); i++)
			check(hits[i].distance == truth[i].distance && hits[i].id == truth[i].id,
				  "values, kind %d, %d axes, k %u of %u, hit %u: " INT64_FORMAT " at %g, not " INT64_FORMAT " at %g",
				  kind, axes, k, count, i, hits[i].id, hits[i].distance, truth[i].id, truth[i].distance);
	}
	spq_nearest_search_end(search);
	tree->ids = NULL;
	spq_packed_tree_free(tree);
	spq_packed_tree_free(whole);
	pfree(boxes);
	pfree(ids);
	pfree(hits);
	pfree(truth);
}

/*
 * Boxes in clusters, which may have clusters of their own, that are very small on the map: the
 * groups of the tree are small, too, but for those that have boxes of two clusters.
 */
static void
try_clusters(int axes)
{
	const uint32 count = 20000;
	int			nclusters = random_int(2, 150),
				inner = random_int(0, 1) ? 1 : random_int(2, 5);
	float8		width = exp(-drand48() * 20),
			   *boxes = palloc(count * 2 * axes * sizeof(float8)),
				at[150 * 5][SPQ_NEAREST_AXES],
				usual = 16.0 / count;
	int64	   *ids = palloc(count * sizeof(int64));
	SpqPackedTree *tree;
	uint32		large = 0;

	for (int c = 0; c < nclusters * inner; c++)
		for (int axis = 0; axis < axes; axis++)
			at[c][axis] = inner > 1 && c % inner > 0 ? at[c - c % inner][axis] + drand48() * 1000 * width :
				drand48() * 1e6;
	for (uint32 i = 0; i < count; i++)
	{
		ids[i] = i;
		for (int axis = 0; axis < axes; axis++)
			boxes[2 * axes * i + axis] = boxes[2 * axes * i + axes + axis] =
				at[i % (nclusters * inner)][axis] + drand48() * width;
	}
	tree = spq_packed_tree_build(boxes, ids, count, axes);
	usual *= nclusters * inner;
	for (int axis = 0; axis < axes; axis++)
		usual *= width;
	for (uint32 group = 0; group < tree->nentries[1]; group++)
	{
		const float8 *ends = spq_packed_tree_group(tree, 1, group / SPQ_PACKED_GROUP) + group % SPQ_PACKED_GROUP;
		float8		size = 1;

		for (int axis = 0; axis < axes; axis++)
			size *= ends[axis * SPQ_PACKED_GROUP] - ends[(axes + axis) * SPQ_PACKED_GROUP];
		large += size > 16 * usual;
	}
	check(large <= nclusters * inner + tree->nentries[1] / 10,
		  "%d axes, %d clusters of %d, %g wide: %u of %u groups are large", axes, nclusters, inner, width,
		  large, tree->nentries[1]);
	spq_packed_tree_free(tree);
	pfree(boxes);
	pfree(ids);
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	for (int axes = 2; axes <= 3; axes++)
	{
		for (int i = 0; i < cases(40 * KINDS); i++)
			try_searches(i % KINDS, axes);
		finish_test(axes == 2 ? "the nearest boxes in the plane" : "the nearest boxes in space");
		for (int i = 0; i < cases(40 * KINDS); i++)
			try_values(i % KINDS, axes);
		finish_test(axes == 2 ? "the nearest values in the plane" : "the nearest values in space");
		for (int i = 0; i < cases(30); i++)
			try_clusters(axes);
		finish_test(axes == 2 ? "clusters in the plane" : "clusters in space");
	}
	return tests_failed > 0;
}
