/*-------------------------------------------------------------------------
 *
 * leaf_consistent.c
 *	  SP-GiST leaf_consistent methods of both operator classes: the operators
 *	  themselves, on the boxes of a leaf.
 *
 * Nearly all calls of a scan are to these functions, so the operators are
 * evaluated in line (match.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "fmgr.h"
#include "storage/bufpage.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "prefetch.h"
#include "quadtree/compact_box.h"
#include "box/distance.h"
#include "quadtree/match.h"
#include "quadtree/recent_pages.h"
#include "quadtree/shared_page.h"
#include "quadtree/strategy.h"

PG_FUNCTION_INFO_V1(spq_box_leaf_consistent);
PG_FUNCTION_INFO_V1(spq_box_compact_leaf_consistent);

/*
 * Have the page of a leaf tuple brought to the processor's cache.
 *
 * The tuples of a chain are scattered over their page, and core finds each
 * by way of the one before it: line pointer, tuple, next line pointer, every
 * one a cache miss that waits for the last.  Asked for all at once they come
 * in about the time of a few.  This is a hint: a wrong guess at the page
 * costs time and nothing else.
 */
static inline void
prefetch_page(const void *datum)
{
	static const char *last_page = NULL;
	const char *page = spq_quad_buffer_page(datum);
	const PageHeaderData *header = (const PageHeaderData *) page;

	if (page == NULL || page == last_page)
		return;
	last_page = page;
	spq_quad_remember_page(page);

	/* all but the hole between line pointers and tuples */
	for (int i = 0; i < header->pd_lower; i += SPQ_LINE_SIZE)
		spq_prefetch(page + i);
	for (int i = header->pd_upper; i < BLCKSZ; i += SPQ_LINE_SIZE)
		spq_prefetch(page + i);
}

/* The ORDER BY distances of a box. */
static float8 *
distances_of_box(const spgLeafConsistentIn *in, const BOX *box)
{
	float8	   *distances = palloc(in->norderbys * sizeof(float8));

	for (int i = 0; i < in->norderbys; i++)
	{
		ScanKey		key = &in->orderbys[i];

		if (key->sk_strategy == SPQ_QUAD_CENTER_DISTANCE)
			distances[i] =
				spq_box_center_distance(box, DatumGetBoxP(key->sk_argument));
		else
			distances[i] =
				spq_box_point_distance(box, DatumGetPointP(key->sk_argument));
	}
	return distances;
}

/*
 * spqtree_box_leaf_consistent(internal, internal) returns bool
 */
Datum
spq_box_leaf_consistent(PG_FUNCTION_ARGS)
{
	const spgLeafConsistentIn *in =
	(const spgLeafConsistentIn *) PG_GETARG_POINTER(0);
	spgLeafConsistentOut *out = (spgLeafConsistentOut *) PG_GETARG_POINTER(1);
	const BOX  *box = DatumGetBoxP(in->leafDatum);

	prefetch_page(box);
	for (int i = 0; i < in->nkeys; i++)
		if (!spq_box_matches(box, in->scankeys[i].sk_strategy,
							 in->scankeys[i].sk_argument))
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

/* What the ORDER BY distances of the true box are not below. */
static float8 *
least_distances(const spgLeafConsistentIn *in, const SpqCompactBox *leaf,
				const BOX *outer)
{
	float8	   *distances = palloc(in->norderbys * sizeof(float8));

	for (int i = 0; i < in->norderbys; i++)
	{
		ScanKey		key = &in->orderbys[i];
		SpqBounds	bounds;

		if (key->sk_strategy == SPQ_QUAD_CENTER_DISTANCE)
		{
			BOX			inner = spq_quad_inner_box(leaf);
			Point		centre =
			spq_box_center(DatumGetBoxP(key->sk_argument));

			bounds = spq_quad_center_bounds(outer, &inner);
			distances[i] = spq_box_min_distance(&bounds, &centre);
		}
		else
		{
			BOX			box = spq_quad_tree_box(leaf);

			bounds = spq_box_bounds(&box);
			distances[i] =
				spq_box_min_distance(&bounds, DatumGetPointP(key->sk_argument));
		}
	}
	return distances;
}

/*
 * spqtree_box_compact_leaf_consistent(internal, internal) returns bool
 *
 * A scan that has no condition and wants no box may be an index-only one; it
 * makes a tuple with some box nevertheless.
 */
Datum
spq_box_compact_leaf_consistent(PG_FUNCTION_ARGS)
{
	const spgLeafConsistentIn *in =
	(const spgLeafConsistentIn *) PG_GETARG_POINTER(0);
	spgLeafConsistentOut *out = (spgLeafConsistentOut *) PG_GETARG_POINTER(1);
	const SpqCompactBox *leaf = DatumGetSpqCompactBox(in->leafDatum);
	BOX			outer = spq_quad_outer_box(leaf);
	bool		recheck = false;

	prefetch_page(leaf);
	for (int i = 0; i < in->nkeys; i++)
		if (!spq_leaf_may_match(leaf, &outer, in->scankeys[i].sk_strategy,
								in->scankeys[i].sk_argument))
			PG_RETURN_BOOL(false);
	for (int i = 0; i < in->nkeys; i++)
		recheck |= !spq_leaf_matches(leaf, in->scankeys[i].sk_strategy,
									 in->scankeys[i].sk_argument);

	if (in->returnData)
		out->leafValue =
			PointerGetDatum(memcpy(palloc(sizeof(BOX)), &outer, sizeof(BOX)));
	out->recheck = recheck;
	if (in->norderbys > 0)
	{
		out->distances = least_distances(in, leaf, &outer);
		out->recheckDistances = true;
	}
	PG_RETURN_BOOL(true);
}
