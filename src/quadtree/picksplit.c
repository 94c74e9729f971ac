/*-------------------------------------------------------------------------
 *
 * picksplit.c
 *	  SP-GiST picksplit methods of both operator classes: turn a full page of
 *	  boxes into an inner tuple.
 *
 * The tuple's region is the smallest one on the lattice that holds all places;
 * this compresses paths without branches.  If nearly all boxes would go to one
 * node, the tuple's base is the region around those instead, and the region
 * around all is its range (see prefix.h).
 *
 * If all boxes, or all but the last, go to one node, PostgreSQL makes an
 * allTheSame tuple instead, which spreads them at random.  Here that happens
 * only if all those boxes have the same place: the smallest region around
 * places that differ puts them in different nodes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "quadtree/buffer_page.h"
#include "quadtree/prefix.h"

PG_FUNCTION_INFO_V1(spq_box_picksplit);

/*
 * Bounds of new nodes extend beyond their cell by this quantile of the boxes'
 * half sides.  docs/notes/quadtree.md has the measurements behind it.
 */
#define OVERHANG_QUANTILE	0.9

/*
 * If one node has more than this share of the boxes, they determine the base.
 */
#define BASE_SHARE		0.75

typedef struct Split
{
	SpqQuadPrefix prefix;
	int			node[SPQ_QUAD_NODES];	/* number of boxes in each */
	int			fullest;
} Split;

/*
 * Route each box; store its node in "nodes", and count the boxes of each node.
 *
 * On a tie, the node of the first box is the fullest, because PostgreSQL may
 * leave out the second of two boxes (allTheSame).
 */
static void
distribute(Split *split, const SpqLatticePlace *places, int n, int *nodes)
{
	memset(split->node, 0, sizeof(split->node));
	for (int i = 0; i < n; i++)
	{
		nodes[i] = spq_quad_route(&split->prefix, &places[i]);
		split->node[nodes[i]]++;
	}
	split->fullest = nodes[0];
	for (int i = 0; i < SPQ_QUAD_NODES; i++)
		if (split->node[i] > split->node[split->fullest])
			split->fullest = i;
}

/*
 * Return whether one node has such a large share of the boxes that it is
 * better to split the region around these.
 *
 * This includes all but one, whatever the share: PostgreSQL treats a split as
 * failed if all but the last box are in one node.
 */
static bool
is_lopsided(const Split *split, int n)
{
	int			most = split->node[split->fullest];

	return most > BASE_SHARE * n || most >= n - 1;
}

/*
 * Split a region in 4 x 4, or in 2 x 2 if that would be lopsided.
 */
static void
split_region(Split *split, const SpqQuadRegion *region,
			 const SpqLatticePlace *places, int n, int *nodes)
{
	split->prefix = spq_quad_make_prefix(region, 2);
	distribute(split, places, n, nodes);
	if (is_lopsided(split, n))
	{
		split->prefix = spq_quad_make_prefix(region, 1);
		distribute(split, places, n, nodes);
	}
}

/*
 * Return the k-th smallest number, counting from 0.  The numbers must not be
 * NaN; their order changes.
 *
 * Hoare, "Algorithm 65: Find", Communications of the ACM 4, 1961.  A sort took
 * three percent of a build.
 */
static float8
kth_least(float8 *numbers, int n, int k)
{
	int			left = 0;
	int			right = n - 1;

	while (left < right)
	{
		float8		pivot = numbers[k];
		int			i = left;
		int			j = right;

		while (i <= j)
		{
			while (numbers[i] < pivot)
				i++;
			while (numbers[j] > pivot)
				j--;
			if (i <= j)
			{
				float8		swap = numbers[i];

				numbers[i++] = numbers[j];
				numbers[j--] = swap;
			}
		}
		if (j < k)
			left = i;
		if (i > k)
			right = j;
	}
	return numbers[k];
}

/*
 * Predict, from these boxes, how far later boxes will extend beyond their
 * cells.
 *
 * Bounds that allow for this need few markers (choose.c) later.
 */
static float8
likely_overhang(const BOX *const *boxes, int n_boxes, const int *nodes)
{
	float8	   *halves = palloc(2 * n_boxes * sizeof(float8));
	int			n = 0;

	for (int i = 0; i < n_boxes; i++)
	{
		const BOX  *box = boxes[i];
		float8		width = box->high.x - box->low.x;
		float8		height = box->high.y - box->low.y;

		if (spq_quad_node_is_oversize(nodes[i]) || !isfinite(width) ||
			!isfinite(height))
			continue;
		halves[n++] = width / 2;
		halves[n++] = height / 2;
	}
	if (n == 0)
		return 0.0;
	return kth_least(halves, n, (int) ((n - 1) * OVERHANG_QUANTILE));
}

/* Return the bounds of a new node, given those of its boxes. */
static SpqBoxBounds
first_bounds(const SpqQuadPrefix *prefix, int node, const SpqBoxBounds *exact,
			 float8 overhang)
{
	SpqLatticeCell cell = spq_quad_node_cell(prefix, node);
	bool		oversize = spq_quad_node_is_oversize(node);
	SpqBoxBounds bounds = spq_box_bounds_nothing();

	spq_label_widen(&bounds, exact, &cell, oversize);
	if (!oversize)
		spq_label_foresee(&bounds, &cell, overhang);
	return bounds;
}

/*
 * Make the nodes that have boxes, with bounds; in a temporary index, make all
 * nodes (see choose.c).
 */
static void
form_nodes(const Split *split, const spgPickSplitIn *in,
		   const BOX *const *boxes, const int *nodes, spgPickSplitOut *out)
{
	SpqLabelFrame frame = spq_quad_frame(&split->prefix);
	SpqBoxBounds exact[SPQ_QUAD_NODES];
	int			position[SPQ_QUAD_NODES];
	bool		all_nodes = spq_quad_is_temporary(DatumGetPointer(in->datums[0]));
	float8		overhang = all_nodes ? 0.0 : likely_overhang(boxes, in->nTuples, nodes);

	for (int i = 0; i < SPQ_QUAD_NODES; i++)
		exact[i] = spq_box_bounds_nothing();
	for (int i = 0; i < in->nTuples; i++)
	{
		SpqBoxBounds box = spq_box_bounds(boxes[i]);

		spq_box_bounds_add(&exact[nodes[i]], &box);
	}

	out->nNodes = 0;
	out->nodeLabels = palloc(SPQ_QUAD_NODES * sizeof(Datum));
	for (int i = 0; i < SPQ_QUAD_NODES; i++)
	{
		SpqBoxBounds bounds;

		if (all_nodes && spq_quad_has_node(&split->prefix, i))
			bounds = spq_quad_node_reach(&split->prefix, i);
		else if (split->node[i] > 0)
			bounds = first_bounds(&split->prefix, i, &exact[i], overhang);
		else
			continue;
		position[i] = out->nNodes;
		out->nodeLabels[out->nNodes++] =
			Int64GetDatum(spq_label_encode(i, &bounds, &frame));
	}

	/* a tuple needs at least two nodes: see split_for_place */
	if (out->nNodes == 1)
	{
		out->nodeLabels[1] = out->nodeLabels[0];
		out->nNodes = 2;
	}

	out->mapTuplesToNodes = palloc(in->nTuples * sizeof(int));
	out->leafTupleDatums = palloc(in->nTuples * sizeof(Datum));
	for (int i = 0; i < in->nTuples; i++)
	{
		out->mapTuplesToNodes[i] = position[nodes[i]];
		out->leafTupleDatums[i] = in->datums[i];
	}
}

/* Split leaves, given the box of each. */
static void
picksplit(const spgPickSplitIn *in, const BOX *const *boxes,
		  spgPickSplitOut *out)
{
	int			n = in->nTuples;
	SpqLatticePlace *places = palloc(n * sizeof(SpqLatticePlace));
	SpqLatticePlace *majority = palloc(n * sizeof(SpqLatticePlace));
	int		   *nodes = palloc(n * sizeof(int));
	SpqQuadRegion whole;
	Split		split;

	for (int i = 0; i < n; i++)
		places[i] = spq_lattice_place(boxes[i]);

	whole = spq_quad_region_around(places, n);
	split_region(&split, &whole, places, n, nodes);
	if (is_lopsided(&split, n) && split.node[split.fullest] < n)
	{
		/*
		 * The region was split in 2 x 2.  So the smallest region around the
		 * boxes of one node does not hold the place of any other box.
		 */
		SpqQuadRegion base;
		int			major = 0;

		for (int i = 0; i < n; i++)
			if (nodes[i] == split.fullest)
				majority[major++] = places[i];
		base = spq_quad_region_around(majority, major);
		split_region(&split, &base, majority, major, nodes);
		spq_quad_add_range(&split.prefix, &whole);
		distribute(&split, places, n, nodes);
	}

	out->hasPrefix = true;
	out->prefixDatum = PointerGetDatum(memcpy(palloc(sizeof(SpqQuadPrefix)),
											  &split.prefix,
											  sizeof(SpqQuadPrefix)));
	form_nodes(&split, in, boxes, nodes, out);
}

/*
 * _spqtree_box_picksplit(internal, internal) returns void
 */
Datum
spq_box_picksplit(PG_FUNCTION_ARGS)
{
	const spgPickSplitIn *in = (const spgPickSplitIn *) PG_GETARG_POINTER(0);
	const BOX **boxes = palloc(in->nTuples * sizeof(BOX *));

	for (int i = 0; i < in->nTuples; i++)
		boxes[i] = DatumGetBoxP(in->datums[i]);
	picksplit(in, boxes, (spgPickSplitOut *) PG_GETARG_POINTER(1));
	PG_RETURN_VOID();
}
