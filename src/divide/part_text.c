/*-------------------------------------------------------------------------
 *
 * part_text.c
 *	  Text and binary form of a partitioning.
 *
 *		2d x5 y3 1 2 3			the example in part_tree.h
 *		3d/8 z0.5 1 2			3-D; boxes in more than 8 parts are everywhere
 *
 * The dimensions are followed by the nodes in preorder: an axis and the place
 * of its split, or the number of a part.  The binary form is the text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "common/shortest_dec.h"
#include "libpq/pqformat.h"
#include "utils/builtins.h"

#include "compat.h"
#include "divide/part_text.h"
#include "solid/functions/solid_io.h"

PG_FUNCTION_INFO_V1(spq_partitioning_in);
PG_FUNCTION_INFO_V1(spq_partitioning_out);
PG_FUNCTION_INFO_V1(spq_partitioning_recv);
PG_FUNCTION_INFO_V1(spq_partitioning_send);

static const char axis_names[] = "xyz";

static int
compare_numbers(const void *a, const void *b)
{
	int32		x = *(const int32 *) a,
				y = *(const int32 *) b;

	return x < y ? -1 : x > y;
}

/*
 * Return whether the numbers of all parts are positive and distinct.  If not,
 * set *wrong to one that is not.
 */
bool
spq_part_numbers_valid(const SpqPartTree *tree, int32 *wrong)
{
	int32	   *numbers = palloc_extended(sizeof(int32) * tree->parts, MCXT_ALLOC_HUGE);
	int			n = 0;
	bool		valid;

	for (int i = 0; i < 2 * tree->parts - 1; i++)
		if (tree->node[i].axis == SPQ_PART_LEAF)
			numbers[n++] = tree->node[i].next;
	qsort(numbers, n, sizeof(int32), compare_numbers);
	*wrong = numbers[0];
	valid = numbers[0] > 0;
	for (int i = 1; i < n && valid; i++)
	{
		*wrong = numbers[i];
		valid = numbers[i] != numbers[i - 1];
	}
	pfree(numbers);
	return valid;
}

/* Read an integer in a range. */
static bool
whole_number(SpqInput *input, int32 least, int32 most, int32 *result)
{
	float8		number;

	if (!spq_input_number(input, &number))
		return false;
	if (!(number >= least && number <= most && number == rint(number)))
		return spq_input_invalid(input);
	*result = (int32) number;
	return true;
}

/* Read "2d", or "2d/8". */
static bool
header(SpqInput *input, SpqPartTree *tree)
{
	return whole_number(input, 2, SPQ_PART_MAX_AXES, &tree->axes) &&
		spq_input_expect(input, 'd') &&
		(!spq_input_take(input, '/') ||
		 whole_number(input, 1, SPQ_PART_MAX_PARTS, &tree->max_copies));
}

/*
 * Read the name of an axis, if there is one.  Otherwise return SPQ_PART_LEAF.
 */
static int
axis_name(SpqInput *input, int axes)
{
	for (int axis = 0; axis < axes; axis++)
		if (spq_input_take(input, axis_names[axis]))
			return axis;
	return SPQ_PART_LEAF;
}

/*
 * Read the nodes.  "open" contains the splits whose right child has not been
 * read.
 */
static bool
nodes(SpqInput *input, SpqPartTree **tree)
{
	int32		open[SPQ_PART_MAX_DEPTH];
	int			depth = 0,
				room = 1;

	for (int at = 0;; at++)
	{
		SpqPartNode *node;

		if (at == 2 * room - 1)
		{
			room *= 2;
			*tree = repalloc(*tree, SPQ_PART_TREE_SIZE(room));
		}
		node = &(*tree)->node[at];
		node->split = 0;
		node->axis = axis_name(input, (*tree)->axes);
		if (node->axis != SPQ_PART_LEAF)
		{
			if (!spq_input_number(input, &node->split))
				return false;
			if (!isfinite(node->split))
				return spq_input_invalid(input);
			if (depth == SPQ_PART_MAX_DEPTH)
				spq_ereturn(input->escontext, false,
							(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
							 errmsg("partitioning is more than %d splits deep",
									SPQ_PART_MAX_DEPTH)));
			open[depth++] = at;
			continue;
		}
		if (!whole_number(input, 1, PG_INT32_MAX, &node->next))
			return false;
		if (++(*tree)->parts > SPQ_PART_MAX_PARTS)
			spq_ereturn(input->escontext, false,
						(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						 errmsg("partitioning has more than %d parts", SPQ_PART_MAX_PARTS)));
		if (depth == 0)
			return true;
		(*tree)->node[open[--depth]].next = at + 1;
	}
}

static SpqPartTree *
read_tree(SpqInput input)
{
	SpqPartTree *tree = palloc0(SPQ_PART_TREE_SIZE(1));
	int32		wrong;

	if (!header(&input, tree) || !nodes(&input, &tree) || !spq_input_end(&input))
		return NULL;
	if (!spq_part_numbers_valid(tree, &wrong))
	{
		spq_ereturn(input.escontext, NULL,
					(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					 errmsg("duplicate part number %d in partitioning", wrong)));
	}
	SET_VARSIZE(tree, SPQ_PART_TREE_SIZE(tree->parts));
	return tree;
}

/*
 * Write a partitioning, with all digits, because rows are assigned to parts by
 * exact comparison.
 */
static void
write_tree(StringInfo out, const SpqPartTree *tree)
{
	appendStringInfo(out, "%dd", tree->axes);
	if (tree->max_copies > 0)
		appendStringInfo(out, "/%d", tree->max_copies);
	for (int i = 0; i < 2 * tree->parts - 1; i++)
	{
		const SpqPartNode *node = &tree->node[i];

		appendStringInfoChar(out, ' ');
		if (node->axis == SPQ_PART_LEAF)
			appendStringInfo(out, "%d", node->next);
		else
		{
			char		split[DOUBLE_SHORTEST_DECIMAL_LEN];

			double_to_shortest_decimal_buf(node->split, split);
			appendStringInfo(out, "%c%s", axis_names[node->axis], split);
		}
	}
}

Datum
spq_partitioning_in(PG_FUNCTION_ARGS)
{
	SpqPartTree *tree = read_tree(spq_input(fcinfo, "spqtree_partitioning"));

	if (tree == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(tree);
}

Datum
spq_partitioning_out(PG_FUNCTION_ARGS)
{
	StringInfoData out;

	initStringInfo(&out);
	write_tree(&out, PG_GETARG_PART_TREE(0));
	PG_RETURN_CSTRING(out.data);
}

Datum
spq_partitioning_recv(PG_FUNCTION_ARGS)
{
	StringInfo	message = (StringInfo) PG_GETARG_POINTER(0);
	int			length;
	SpqInput	input = {.type = "spqtree_partitioning"};

	input.at = input.string = pq_getmsgtext(message, message->len - message->cursor, &length);
	PG_RETURN_POINTER(read_tree(input));
}

Datum
spq_partitioning_send(PG_FUNCTION_ARGS)
{
	StringInfoData message,
	text;

	initStringInfo(&text);
	write_tree(&text, PG_GETARG_PART_TREE(0));
	pq_begintypsend(&message);
	pq_sendtext(&message, text.data, text.len);
	PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}
