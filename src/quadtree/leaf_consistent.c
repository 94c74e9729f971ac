/*-------------------------------------------------------------------------
 *
 * leaf_consistent.c
 *	  SP-GiST leaf_consistent methods of both operator classes.
 *
 * They evaluate the operators on the box of a leaf.  A scan calls no other
 * method as often, so the leaf tests are inlined (query.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "box/distance.h"
#include "quadtree/buffer_page.h"
#include "quadtree/query.h"

PG_FUNCTION_INFO_V1(spq_box_leaf_consistent);
PG_FUNCTION_INFO_V1(spq_box_compact_leaf_consistent);

/* Return the ORDER BY distances of a box. */
static float8 *
distances_of_box(const spgLeafConsistentIn *in, const BOX *box)
{
	float8	   *distances = palloc(in->norderbys * sizeof(float8));

	for (int i = 0; i < in->norderbys; i++)
	{
		ScanKey		key = &in->orderbys[i];

		spq_expect_argument(key->sk_argument);
		if (key->sk_strategy == SPQ_BOX_CENTER_DISTANCE_STRATEGY)
			distances[i] =
				spq_box_center_distance(box, DatumGetBoxP(key->sk_argument));
		else
			distances[i] =
				spq_box_point_distance(box, DatumGetPointP(key->sk_argument));
	}
	return distances;
}

/*
 * _spqtree_box_leaf_consistent(internal, internal) returns bool
 */
Datum
spq_box_leaf_consistent(PG_FUNCTION_ARGS)
{
	const spgLeafConsistentIn *in =
		(const spgLeafConsistentIn *) PG_GETARG_POINTER(0);
	spgLeafConsistentOut *out = (spgLeafConsistentOut *) PG_GETARG_POINTER(1);
	const BOX  *box = DatumGetBoxP(in->leafDatum);

	spq_quad_prefetch_leaves(box);
	if (spq_quad_decide_keys(in->scankeys, in->nkeys, box,
							 SPQ_QUAD_LEAF_BOX) == SPQ_QUAD_NO)
		PG_RETURN_BOOL(false);

	out->leafValue = in->leafDatum;
	out->recheck = false;
	if (in->norderbys > 0)
	{
		out->distances = distances_of_box(in, box);
		out->recheckDistances = false;
	}
	PG_RETURN_BOOL(true);
}

/* Return lower bounds of the ORDER BY distances of the true box. */
static float8 *
min_distances(const spgLeafConsistentIn *in, const SpqCompactBox *leaf)
{
	float8	   *distances = palloc(in->norderbys * sizeof(float8));

	for (int i = 0; i < in->norderbys; i++)
	{
		ScanKey		key = &in->orderbys[i];
		SpqBoxBounds bounds;

		spq_expect_argument(key->sk_argument);
		if (key->sk_strategy == SPQ_BOX_CENTER_DISTANCE_STRATEGY)
		{
			BOX			outer = spq_compact_outer_box(leaf);
			BOX			inner = spq_compact_inner_box(leaf);
			Point		center = spq_box_center(DatumGetBoxP(key->sk_argument));

			bounds = spq_compact_center_bounds(&outer, &inner);
			distances[i] = spq_box_min_distance(&bounds, &center);
		}
		else
		{
			BOX			box = spq_compact_tree_box(leaf);

			bounds = spq_box_bounds(&box);
			distances[i] =
				spq_box_min_distance(&bounds, DatumGetPointP(key->sk_argument));
		}
	}
	return distances;
}

/*
 * _spqtree_box_compact_leaf_consistent(internal, internal) returns bool
 *
 * A scan that neither tests nor returns the box can be index-only.  SP-GiST
 * still forms a tuple with a box, and the rounded box is good enough for that.
 */
Datum
spq_box_compact_leaf_consistent(PG_FUNCTION_ARGS)
{
	const spgLeafConsistentIn *in =
		(const spgLeafConsistentIn *) PG_GETARG_POINTER(0);
	spgLeafConsistentOut *out = (spgLeafConsistentOut *) PG_GETARG_POINTER(1);
	const SpqCompactBox *leaf = DatumGetSpqCompactBox(in->leafDatum);
	SpqQuadAnswer answer;

	spq_quad_prefetch_leaves(leaf);
	answer = spq_quad_decide_keys(in->scankeys, in->nkeys, leaf,
								  SPQ_QUAD_LEAF_COMPACT);
	if (answer == SPQ_QUAD_NO)
		PG_RETURN_BOOL(false);

	if (in->returnData)
	{
		BOX		   *outer = palloc(sizeof(BOX));

		*outer = spq_compact_outer_box(leaf);
		out->leafValue = BoxPGetDatum(outer);
	}
	out->recheck = answer == SPQ_QUAD_RECHECK;
	if (in->norderbys > 0)
	{
		out->distances = min_distances(in, leaf);
		out->recheckDistances = true;
	}
	PG_RETURN_BOOL(true);
}
