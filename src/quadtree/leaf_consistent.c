/*-------------------------------------------------------------------------
 *
 * leaf_consistent.c
 *	  SP-GiST leaf_consistent method.
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
	for (int i = 0; i < in->nkeys; i++)
		if (!spq_quad_key_matches(&in->scankeys[i], box))
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
