/*-------------------------------------------------------------------------
 *
 * inner_format.c
 *	  The format of an inner tuple: its prefix, the numbers of its nodes, and
 *	  their labels.  inner_format.h draws it.
 *
 * quadtree/prefix.h explains prefixes and labels.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "quadtree_pages/inner_format.h"

#define PREFIX_FLAGS \
	(SPQ_QUAD_BASE_UNIFORM | SPQ_QUAD_RANGE_UNIFORM | SPQ_QUAD_HAS_RANGE | SPQ_QUAD_LABELS_VOID)

/* Bits of a label that are always zero. */
#define LABEL_SPARE		((uint64) 7 << 56)

/* Return whether this is a cell of the lattice. */
static bool
is_cell(float8 x, float8 y, int exp)
{
	if (exp < SPQ_LATTICE_MIN_EXP || exp > SPQ_LATTICE_TOP_EXP)
		return false;
	if (!(fabs(x) <= spq_lattice_pow2(SPQ_LATTICE_MAX_EXP)) ||
		!(fabs(y) <= spq_lattice_pow2(SPQ_LATTICE_MAX_EXP)))
		return false;
	return spq_lattice_edge(x, exp) == x && spq_lattice_edge(y, exp) == y;
}

static char *
prefix_problem(const SpqQuadPrefix *prefix, bool all_the_same)
{
	bool		base_uniform = (prefix->flags & SPQ_QUAD_BASE_UNIFORM) != 0;
	bool		range_uniform = (prefix->flags & SPQ_QUAD_RANGE_UNIFORM) != 0;
	bool		has_range = (prefix->flags & SPQ_QUAD_HAS_RANGE) != 0;

	if (!is_cell(prefix->x, prefix->y, prefix->exp))
		return psprintf("cell at (%g,%g) with side 2^%d is not on the lattice",
						prefix->x, prefix->y, prefix->exp);
	if (prefix->range_exp < prefix->exp || prefix->range_exp > SPQ_LATTICE_TOP_EXP ||
		(!has_range && prefix->range_exp != prefix->exp))
		return psprintf("invalid range of side 2^%d around a cell of side 2^%d",
						prefix->range_exp, prefix->exp);
	if (prefix->cuts > 2 || (prefix->cuts != 1 && prefix->exp == SPQ_LATTICE_TOP_EXP) ||
		(prefix->cuts > 0 && prefix->exp - prefix->cuts < SPQ_LATTICE_MIN_EXP))
		return psprintf("cell of side 2^%d cannot be cut %d times",
						prefix->exp, prefix->cuts);
	if ((prefix->flags & ~PREFIX_FLAGS) != 0 ||
		(range_uniform && !(has_range && base_uniform)) ||
		((prefix->flags & SPQ_QUAD_LABELS_VOID) && !all_the_same))
		return psprintf("invalid prefix flags %02X", prefix->flags);
	if (base_uniform ?
		prefix->size < prefix->exp || prefix->size > SPQ_LATTICE_TOP_EXP :
		prefix->size != 0)
		return psprintf("invalid size bound 2^%d of a cell of side 2^%d",
						prefix->size, prefix->exp);
	return NULL;
}

/* Return whether the tuple's region has a node with this number. */
static bool
is_node_number(const SpqQuadPrefix *prefix, int number)
{
	return number < SPQ_QUAD_NODES && spq_quad_has_node(prefix, number);
}

/*
 * Test the labels.  All labels of an allTheSame tuple are equal.  In other
 * tuples the prefix allows each node number, and a node that repeats an
 * earlier number is a marker, with bounds but without a downlink.
 */
static char *
labels_problem(SpGistInnerTuple tuple, const SpqQuadPrefix *prefix,
			   const SpqPageNode *nodes)
{
	uint32		seen = 0;

	for (int i = 0; i < (int) tuple->nNodes; i++)
	{
		uint64		label = nodes[i].label;
		int			number = spq_label_node(label);
		SpqLabel	codes;

		if (tuple->allTheSame)
		{
			if (label != nodes[0].label)
				return psprintf("labels of nodes 0 and %d of an allTheSame tuple differ", i);
		}
		else if (OffsetNumberIsValid(nodes[i].offset) &&
				 (seen & ((uint32) 1 << number)))
			return psprintf("node %d has a duplicate downlink for node number %d", i, number);
		seen |= (uint32) 1 << number;

		spq_label_unpack(label, &codes);
		if ((label & LABEL_SPARE) != 0 || !is_node_number(prefix, number) ||
			codes.xmin < -SPQ_LABEL_CODE_INF || codes.ymin < -SPQ_LABEL_CODE_INF ||
			codes.xmax < -SPQ_LABEL_CODE_INF || codes.ymax < -SPQ_LABEL_CODE_INF)
			return psprintf("invalid label %08X%08X of node %d",
							(uint32) ((uint64) label >> 32), (uint32) label, i);
	}
	return NULL;
}

/*
 * Unpack the nodes of an inner tuple that has no problem.  Return their
 * number, which is tuple->nNodes.
 */
int
spq_page_read_nodes(SpGistInnerTuple tuple, SpqPageNode *nodes)
{
	SpGistNodeTuple node;
	int			i;

	SGITITERATE(tuple, i, node)
	{
		nodes[i].label = 0;
		if (!(node->t_info & INDEX_NULL_MASK))
			memcpy(&nodes[i].label, SGNTDATAPTR(node), sizeof(uint64));
		nodes[i].block = InvalidBlockNumber;
		nodes[i].offset = InvalidOffsetNumber;
		if (ItemPointerIsValid(&node->t_tid))
		{
			nodes[i].block = ItemPointerGetBlockNumber(&node->t_tid);
			nodes[i].offset = ItemPointerGetOffsetNumber(&node->t_tid);
		}
	}
	return i;
}

/*
 * Return the valid label of a node: the last label with its number, or
 * SPQ_LABEL_BOUNDLESS if the label of the node above is valid instead.
 */
uint64
spq_page_valid_label(const SpqPageNode *nodes, int n_nodes, int node, bool all_the_same,
					 const SpqQuadPrefix *prefix)
{
	uint64		label = nodes[node].label;

	if (prefix->flags & SPQ_QUAD_LABELS_VOID)
		return SPQ_LABEL_BOUNDLESS;
	if (!all_the_same)
		for (int i = n_nodes - 1; i > node; i--)
			if (spq_label_node(nodes[i].label) == spq_label_node(label))
				return nodes[i].label;
	return label;
}

/*
 * Test a live inner tuple, given the length of its item.  Return a description
 * of the first problem, or NULL.
 */
char *
spq_page_inner_problem(SpGistInnerTuple tuple, Size length, bool of_nulls)
{
	Size		prefix_size = of_nulls ? 0 : MAXALIGN(sizeof(SpqQuadPrefix));
	Size		node_size = SGNTHDRSZ + (of_nulls ? 0 : sizeof(uint64));
	SpqPageNode *nodes;
	SpGistNodeTuple node;
	char	   *problem;

	if (tuple->size != length)
		return psprintf("inner tuple size is %u, but its line pointer has length %zu",
						tuple->size, length);
	if (tuple->prefixSize != prefix_size)
		return psprintf("inner tuple has a prefix of %u bytes, not %zu",
						tuple->prefixSize, prefix_size);
	if (tuple->nNodes == 0 ||
		length != SGITHDRSZ + prefix_size + tuple->nNodes * node_size)
		return psprintf("inner tuple of %zu bytes cannot have %u nodes",
						length, tuple->nNodes);
	if (of_nulls && !tuple->allTheSame)
		return pstrdup("inner tuple of nulls is not allTheSame");

	node = SGITNODEPTR(tuple);
	for (int i = 0; i < (int) tuple->nNodes; i++)
	{
		if (IndexTupleSize(node) != node_size ||
			((node->t_info & INDEX_NULL_MASK) != 0) != of_nulls)
			return psprintf("node %d has size %zu, not %zu",
							i, (Size) IndexTupleSize(node), node_size);
		node = (SpGistNodeTuple) ((char *) node + node_size);
	}
	if (of_nulls)
		return NULL;

	problem = prefix_problem(spq_page_inner_prefix(tuple), tuple->allTheSame);
	if (problem)
		return problem;
	nodes = palloc(tuple->nNodes * sizeof(SpqPageNode));
	spq_page_read_nodes(tuple, nodes);
	problem = labels_problem(tuple, spq_page_inner_prefix(tuple), nodes);
	pfree(nodes);
	return problem;
}
