/*-------------------------------------------------------------------------
 *
 * inner_consistent.c
 *	  SP-GiST inner_consistent method of spqtree_box_ops: which nodes of an
 *	  inner tuple a scan visits.
 *
 * It goes by the labels alone (limits.h).  Nothing is handed down from
 * parent to child, neither level nor traversal value: a tuple that a
 * concurrent insertion has split or widened since the scan read its parent
 * is read as it is now.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "quadtree/distance.h"
#include "quadtree/limits.h"
#include "quadtree/prefix.h"
#include "quadtree/strategy.h"

PG_FUNCTION_INFO_V1(spq_box_inner_consistent);

/* All scan keys in terms of this tuple's labels. */
static SpqLimits
limits_of_keys(const spgInnerConsistentIn *in, const SpqFrame *frame)
{
	SpqLimits	limits = spq_no_limits();

	for (int i = 0; i < in->nkeys; i++)
	{
		ScanKey		key = &in->scankeys[i];

		if (key->sk_strategy == SPQ_CONTAINS_POINT_STRATEGY)
			spq_limit_by_point(&limits, DatumGetPointP(key->sk_argument),
							   frame);
		else
			spq_limit_by_box(&limits, key->sk_strategy,
							 DatumGetBoxP(key->sk_argument), frame);
	}
	return limits;
}

/* Lower bounds of the ORDER BY distances of a node. */
static float8 *
distances_of_node(const spgInnerConsistentIn *in, const SpqBounds *bounds)
{
	float8	   *distances = palloc(in->norderbys * sizeof(float8));

	for (int i = 0; i < in->norderbys; i++)
	{
		ScanKey		key = &in->orderbys[i];

		if (key->sk_strategy == SPQ_CENTRE_DISTANCE_STRATEGY)
		{
			Point		centre =
			spq_box_centre(DatumGetBoxP(key->sk_argument));

			distances[i] = spq_least_distance(bounds, &centre);
		}
		else
			distances[i] =
				spq_least_distance(bounds, DatumGetPointP(key->sk_argument));
	}
	return distances;
}

/*
 * spqtree_box_inner_consistent(internal, internal) returns void
 */
Datum
spq_box_inner_consistent(PG_FUNCTION_ARGS)
{
	const spgInnerConsistentIn *in =
	(const spgInnerConsistentIn *) PG_GETARG_POINTER(0);
	spgInnerConsistentOut *out = (spgInnerConsistentOut *) PG_GETARG_POINTER(1);
	const SpqPrefix *prefix = DatumGetSpqPrefix(in->prefixDatum);
	SpqCell		cell = spq_core_cell(prefix);
	SpqFrame	frame = spq_frame(&cell);
	SpqLimits	limits = limits_of_keys(in, &frame);
	bool		is_void = (prefix->flags & SPQ_LABELS_VOID) != 0;
	uint32		seen = 0;
	int			slot[SPQ_NODES];

	out->nodeNumbers = palloc(in->nNodes * sizeof(int));
	if (in->norderbys > 0)
		out->distances = palloc(in->nNodes * sizeof(float8 *));

	/*
	 * Backwards, since the last node of a number has its bounds; the first
	 * has the downlink, so overwrite the choice down to that.
	 */
	for (int i = in->nNodes - 1; i >= 0; i--)
	{
		uint64		packed = (uint64) DatumGetInt64(in->nodeLabels[i]);
		int			number = (int) (packed >> 59);

		if (in->allTheSame || (seen & ((uint32) 1 << number)) == 0)
		{
			SpqLabel	label;

			seen |= (uint32) 1 << number;
			slot[number] = -1;
			spq_unpack_label(packed, &label);
			if (!is_void && !spq_limits_pass(&limits, &label))
				continue;
			slot[number] = out->nNodes++;
			if (in->norderbys > 0)
			{
				SpqBounds	bounds = is_void ? spq_bounds_everything() :
				spq_decode_label(packed, &frame);

				out->distances[slot[number]] = distances_of_node(in, &bounds);
			}
		}
		if (slot[number] >= 0)
			out->nodeNumbers[slot[number]] = i;
	}
	PG_RETURN_VOID();
}
