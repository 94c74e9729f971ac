/*-------------------------------------------------------------------------
 *
 * inner_consistent.c
 *	  SP-GiST inner_consistent method of both operator classes: choose the
 *	  nodes of an inner tuple that a scan visits.
 *
 * The labels alone decide (limits.h).  Nothing is passed from parent to child,
 * neither level nor traversal value, so a tuple that was split or widened since
 * the scan read its parent is simply read as it is now.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "fmgr.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "box/distance.h"
#include "lattice/limits.h"
#include "quadtree/buffer_page.h"
#include "quadtree/damage.h"
#include "quadtree/prefix.h"
#include "quadtree/query.h"

PG_FUNCTION_INFO_V1(spq_box_inner_consistent);

/* Return the limits that all scan keys together set for the tuple's labels. */
static SpqLabelLimits
limits_of_keys(const spgInnerConsistentIn *in, const SpqLabelFrame *frame)
{
	SpqLabelLimits limits = spq_label_no_limits();

	for (int i = 0; i < in->nkeys; i++)
	{
		SpqQuadQuery query = spq_quad_query(in->scankeys[i].sk_strategy,
											in->scankeys[i].sk_argument);

		spq_label_limit(&limits, query.relation, query.box, frame);
	}
	return limits;
}

/* Return lower bounds of the ORDER BY distances of a node. */
static float8 *
distances_of_node(const spgInnerConsistentIn *in, const SpqBoxBounds *bounds)
{
	float8	   *distances = palloc(in->norderbys * sizeof(float8));

	for (int i = 0; i < in->norderbys; i++)
	{
		ScanKey		key = &in->orderbys[i];

		spq_expect_argument(key->sk_argument);
		if (key->sk_strategy == SPQ_BOX_CENTER_DISTANCE_STRATEGY)
		{
			Point		center = spq_box_center(DatumGetBoxP(key->sk_argument));

			distances[i] = spq_box_min_distance(bounds, &center);
		}
		else
			distances[i] =
				spq_box_min_distance(bounds, DatumGetPointP(key->sk_argument));
	}
	return distances;
}

/* Make the scan visit a node. */
static inline void
visit_node(const spgInnerConsistentIn *in, spgInnerConsistentOut *out,
		   int node, uint64 label, const SpqLabelFrame *frame)
{
	if (in->norderbys > 0)
	{
		SpqBoxBounds bounds = spq_label_decode(label, frame);

		out->distances[out->nNodes] = distances_of_node(in, &bounds);
	}
	out->nodeNumbers[out->nNodes++] = node;
}

/*
 * _spqtree_box_inner_consistent(internal, internal) returns void
 */
Datum
spq_box_inner_consistent(PG_FUNCTION_ARGS)
{
	const spgInnerConsistentIn *in =
		(const spgInnerConsistentIn *) PG_GETARG_POINTER(0);
	spgInnerConsistentOut *out =
		(spgInnerConsistentOut *) PG_GETARG_POINTER(1);
	const SpqQuadPrefix *prefix = DatumGetSpqQuadPrefix(in->prefixDatum);
	SpqLabelFrame frame;
	SpqLabelLimits limits;
	uint32		seen = 0;
	uint32		visit = 0;
	int			first[32];
	uint64		last[32];

	spq_quad_expect_prefix(in);
	frame = spq_quad_frame(prefix);
	limits = limits_of_keys(in, &frame);
	out->nodeNumbers = palloc(in->nNodes * sizeof(int));
	if (in->norderbys > 0)
		out->distances = palloc(in->nNodes * sizeof(float8 *));

	if (in->allTheSame)
	{
		uint64		label = (prefix->flags & SPQ_QUAD_LABELS_VOID) ?
			SPQ_LABEL_BOUNDLESS : (uint64) DatumGetInt64(in->nodeLabels[0]);

		if (spq_label_passes(&limits, label))
			for (int i = 0; i < in->nNodes; i++)
				visit_node(in, out, i, label, &frame);
		PG_RETURN_VOID();
	}

	/*
	 * Of the nodes of one number, the last has the bounds and the first the
	 * downlink.  Avoid branches: whether a node passes is unpredictable, and
	 * a mispredicted branch costs more than the rest of the loop.
	 */
	for (int i = in->nNodes - 1; i >= 0; i--)
	{
		uint64		label = (uint64) DatumGetInt64(in->nodeLabels[i]);
		int			number = spq_label_node(label);
		uint32		bit = (uint32) 1 << number;
		uint32		pass = spq_label_passes(&limits, label);

		visit |= bit & ~seen & -pass;
		last[number] = (seen & bit) ? last[number] : label;
		first[number] = i;
		seen |= bit;
	}
	while (visit != 0)
	{
		int			number = pg_rightmost_one_pos32(visit);

		visit &= visit - 1;
		visit_node(in, out, first[number], last[number], &frame);
	}

	/* a scan ordered by distance may visit few of the children */
	if (in->norderbys == 0)
		spq_quad_prefetch_children(prefix, out->nodeNumbers, out->nNodes);
	PG_RETURN_VOID();
}
