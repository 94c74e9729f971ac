/*-------------------------------------------------------------------------
 *
 * choose.c
 *	  SP-GiST choose methods of both operator classes: one step of an
 *	  insertion.
 *
 * At each inner tuple, one of these cases applies:
 *
 *	  place not in the tuple's region	split the tuple: a tuple for the
 *										smallest region that holds both
 *										becomes its parent
 *	  node does not exist				add the node
 *	  node's bounds do not hold the box add a node with the same number and
 *										wider bounds, a marker
 *	  else								descend
 *
 * The first node of a number has the downlink, the last one the bounds.
 * Markers are the only way in SP-GiST to widen a label without adding a level,
 * as a split does.  Bounds are widened beyond the new box, and in a long tuple
 * to everything that the node can ever hold, which limits the number of
 * markers.  An allTheSame tuple cannot have markers; it is split instead.
 *
 * In a temporary index nodes are not added: PostgreSQL leaks a buffer pin if
 * the inner tuple outgrows its page and moves to its parent's page, which can
 * happen in backend-local buffers only (spgAddNodeAction, at least up to 18).
 * There each tuple is made with all its nodes, with bounds for everything that
 * they can ever hold.
 *
 * Termination: see README.md, "Insertion keeps the invariants and terminates".
 * In short, after a split the box goes to a node that has no downlink; after
 * adding a node, its bounds hold the box.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/spgist.h"
#include "access/spgist_private.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "quadtree/buffer_page.h"
#include "quadtree/damage.h"
#include "quadtree/prefix.h"

PG_FUNCTION_INFO_V1(spq_box_choose);

/*
 * In a tuple of at least this many nodes, labels are widened to everything
 * that the node can ever hold.  At most twice SPQ_QUAD_NODES more nodes can
 * follow.
 */
#define MANY_NODES \
	Min(192, (int) (SPGIST_PAGE_CAPACITY / (SGNTHDRSZ + sizeof(Datum)) / 2))

StaticAssertDecl(BLCKSZ / 2 >
				 (2 * SPQ_QUAD_NODES + 8) * (SGNTHDRSZ + sizeof(int64)),
				 "page too small for an inner tuple with all its nodes");

/*
 * Number of nodes of the longest tuple that a split makes as the new parent
 * (split_for_place): four quadrants, and one for oversize boxes.
 */
#define MIN_NODES		5

/* The box that is inserted. */
typedef struct NewBox
{
	SpqLatticePlace place;
	SpqBoxBounds bounds;
} NewBox;

static void
match_node(spgChooseOut *out, int node, Datum leaf_datum)
{
	out->resultType = spgMatchNode;
	out->result.matchNode.nodeN = node;
	out->result.matchNode.levelAdd = 1;
	out->result.matchNode.restDatum = leaf_datum;
}

static Datum
copy_prefix(const SpqQuadPrefix *prefix)
{
	SpqQuadPrefix *copy = palloc(sizeof(SpqQuadPrefix));

	*copy = *prefix;
	return PointerGetDatum(copy);
}

/* Return the bounds of all boxes below a tuple. */
static SpqBoxBounds
bounds_of_tuple(const spgChooseIn *in, const SpqQuadPrefix *prefix)
{
	SpqLabelFrame frame = spq_quad_frame(prefix);
	SpqBoxBounds bounds = spq_box_bounds_nothing();
	uint32		seen = 0;

	if (prefix->flags & SPQ_QUAD_LABELS_VOID)
		return spq_box_bounds_everything();

	for (int i = in->nNodes - 1; i >= 0; i--)
	{
		uint64		packed = (uint64) DatumGetInt64(in->nodeLabels[i]);
		uint32		bit = (uint32) 1 << spq_label_node(packed);

		if ((seen & bit) == 0)
		{
			SpqBoxBounds node_bounds = spq_label_decode(packed, &frame);

			spq_box_bounds_add(&bounds, &node_bounds);
			seen |= bit;
		}
	}
	return bounds;
}

/*
 * Push the tuple down under a new one for a wider region.  The new tuple has a
 * node for the old tuple and one for the box; in a temporary index, all nodes
 * of a 2 x 2 split.  SP-GiST requires that it is no longer than the old tuple;
 * the old tuple has at least as many nodes, since picksplit makes at least
 * two, or all.
 */
static void
split_for_place(const spgChooseIn *in, spgChooseOut *out, const NewBox *box,
				const SpqQuadPrefix *prefix, const SpqQuadRegion *region)
{
	SpqQuadRegion wider = spq_quad_region_join(region, &box->place);
	SpqQuadPrefix upper = spq_quad_make_prefix(&wider, 1);
	SpqLabelFrame frame = spq_quad_frame(&upper);
	int			old_node = spq_quad_route_region(&upper, region);
	int			box_node = spq_quad_route(&upper, &box->place);
	Datum	   *labels = palloc(SPQ_QUAD_NODES * sizeof(Datum));
	int			n = 0;

	if (old_node == box_node)
		elog(ERROR, "split of quadtree tuple does not separate the old tuple from the new box");

	out->resultType = spgSplitTuple;
	out->result.splitTuple.childNodeN = 0;
	if (!spq_quad_is_temporary(prefix))
	{
		SpqBoxBounds old_bounds = bounds_of_tuple(in, prefix);

		labels[n++] = Int64GetDatum(spq_label_encode(old_node, &old_bounds,
													 &frame));
		labels[n++] = Int64GetDatum(spq_label_encode(box_node, &box->bounds,
													 &frame));
	}
	else
	{
		for (int i = 0; i < SPQ_QUAD_NODES; i++)
		{
			SpqBoxBounds reach;

			if (!spq_quad_has_node(&upper, i))
				continue;
			if (i == old_node)
				out->result.splitTuple.childNodeN = n;
			reach = spq_quad_node_reach(&upper, i);
			labels[n++] = Int64GetDatum(spq_label_encode(i, &reach, &frame));
		}
	}
	out->result.splitTuple.prefixHasPrefix = true;
	out->result.splitTuple.prefixPrefixDatum = copy_prefix(&upper);
	out->result.splitTuple.prefixNNodes = n;
	out->result.splitTuple.prefixNodeLabels = labels;
	out->result.splitTuple.postfixHasPrefix = true;
	out->result.splitTuple.postfixPrefixDatum = copy_prefix(prefix);
}

/*
 * Push an allTheSame tuple, which cannot have markers, down under a tuple that
 * can.  From then on the label of the new tuple bounds its boxes, and its own
 * labels are void.
 *
 * The new tuple needs only one node, but repeats it to be long enough to be
 * pushed down itself (split_for_place).  It is no longer than the old tuple,
 * as PostgreSQL makes eight nodes in an allTheSame tuple.
 */
static void
split_for_bounds(const spgChooseIn *in, spgChooseOut *out, const NewBox *box,
				 const SpqQuadPrefix *prefix, const SpqQuadRegion *region)
{
	SpqQuadPrefix upper = spq_quad_make_prefix(region, 1);
	SpqQuadPrefix lower = *prefix;
	SpqLabelFrame frame = spq_quad_frame(&upper);
	SpqBoxBounds bounds = bounds_of_tuple(in, prefix);
	Datum	   *labels = palloc(MIN_NODES * sizeof(Datum));

	spq_box_bounds_add(&bounds, &box->bounds);
	for (int i = 0; i < MIN_NODES; i++)
		labels[i] =
			Int64GetDatum(spq_label_encode(spq_quad_route(&upper, &box->place),
										   &bounds, &frame));
	lower.flags |= SPQ_QUAD_LABELS_VOID;

	out->resultType = spgSplitTuple;
	out->result.splitTuple.prefixHasPrefix = true;
	out->result.splitTuple.prefixPrefixDatum = copy_prefix(&upper);
	out->result.splitTuple.prefixNNodes = MIN_NODES;
	out->result.splitTuple.prefixNodeLabels = labels;
	out->result.splitTuple.childNodeN = 0;
	out->result.splitTuple.postfixHasPrefix = true;
	out->result.splitTuple.postfixPrefixDatum = copy_prefix(&lower);
}

/* Perform one step of the insertion of a leaf with this box. */
static void
choose(const spgChooseIn *in, spgChooseOut *out, const BOX *leaf)
{
	const SpqQuadPrefix *prefix = DatumGetSpqQuadPrefix(in->prefixDatum);
	SpqQuadRegion region;
	SpqLabelFrame frame;
	SpqBoxBounds bounds = spq_box_bounds_nothing();
	NewBox		box;
	int			number;
	int			first = -1;
	int			last = -1;

	spq_quad_expect_prefix(in);
	region = spq_quad_tuple_region(prefix, in->allTheSame);
	frame = spq_quad_frame(prefix);
	box.place = spq_lattice_place(leaf);
	box.bounds = spq_box_bounds(leaf);

	if (!spq_quad_region_holds(&region, &box.place))
	{
		split_for_place(in, out, &box, prefix, &region);
		return;
	}

	if (in->allTheSame)
	{
		bounds = bounds_of_tuple(in, prefix);
		if (spq_box_bounds_hold(&bounds, &box.bounds))
			match_node(out, 0, in->leafDatum);
		else
			split_for_bounds(in, out, &box, prefix, &region);
		return;
	}

	number = spq_quad_route(prefix, &box.place);
	/* backwards, so that the last assignment to "first" is the first match */
	for (int i = in->nNodes - 1; i >= 0; i--)
	{
		bool		match =
			spq_label_node((uint64) DatumGetInt64(in->nodeLabels[i])) == number;

		first = match ? i : first;
		last = Max(last, match ? i : -1);
	}
	if (first >= 0)
	{
		bounds = spq_label_decode((uint64) DatumGetInt64(in->nodeLabels[last]),
								  &frame);
		if (spq_box_bounds_hold(&bounds, &box.bounds))
		{
			match_node(out, first, in->leafDatum);
			return;
		}
	}

	if (in->nNodes >= MANY_NODES)
	{
		SpqBoxBounds reach = spq_quad_node_reach(prefix, number);

		spq_box_bounds_add(&bounds, &reach);
		if (!spq_box_bounds_hold(&bounds, &box.bounds))
			bounds = spq_box_bounds_everything();
	}
	else
	{
		SpqLatticeCell node_cell = spq_quad_node_cell(prefix, number);

		spq_label_widen(&bounds, &box.bounds, &node_cell,
						spq_quad_node_is_oversize(number));
	}
	out->resultType = spgAddNode;
	out->result.addNode.nodeLabel =
		Int64GetDatum(spq_label_encode(number, &bounds, &frame));
	out->result.addNode.nodeN = in->nNodes;
}

/*
 * _spqtree_box_choose(internal, internal) returns void
 */
Datum
spq_box_choose(PG_FUNCTION_ARGS)
{
	const spgChooseIn *in = (const spgChooseIn *) PG_GETARG_POINTER(0);

	choose(in, (spgChooseOut *) PG_GETARG_POINTER(1),
		   DatumGetBoxP(in->leafDatum));
	PG_RETURN_VOID();
}
