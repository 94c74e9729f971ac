/*-------------------------------------------------------------------------
 *
 * part_functions.c
 *	  The parts of boxes, points and pairs as SQL functions.
 *
 * Every row has a part.  Rows that no part holds (NULL, NaN) are in part 0, as
 * are boxes that touch too many parts.  So a table copied part by part is
 * complete.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/float.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "divide/part_text.h"
#include "solid/geometry/solid.h"
#include "sql_function.h"

PG_FUNCTION_INFO_V1(spq_renumber);
PG_FUNCTION_INFO_V1(spq_part_list);

/* A box is an array of numbers: all high ends, then all low ends. */
StaticAssertDecl(offsetof(BOX, high) == 0 && sizeof(BOX) == 4 * sizeof(float8),
				 "box is an array of numbers");

/* A large partitioning as stored, and its detoasted value. */
typedef struct StoredTree
{
	struct varlena *stored;
	SpqPartTree *tree;
} StoredTree;

/*
 * Read a partitioning.  Keep one that is compressed or in a TOAST table for
 * the next call, since it is usually the same in all rows.
 */
static const SpqPartTree *
read_tree(FunctionCallInfo fcinfo, int n)
{
	struct varlena *stored = (struct varlena *) PG_GETARG_POINTER(n);
	StoredTree *last = fcinfo->flinfo->fn_extra;
	MemoryContext old;

	if (!VARATT_IS_COMPRESSED(stored) && !VARATT_IS_EXTERNAL(stored))
		return PG_GETARG_PART_TREE(n);
	if (last != NULL && VARSIZE_ANY(stored) == VARSIZE_ANY(last->stored) &&
		memcmp(stored, last->stored, VARSIZE_ANY(stored)) == 0)
		return last->tree;

	old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	fcinfo->flinfo->fn_extra = NULL;
	if (last == NULL)
		last = palloc(sizeof(StoredTree));
	else
	{
		pfree(last->stored);
		pfree(last->tree);
	}
	last->tree = PG_GETARG_PART_TREE(n);
	last->stored = palloc(VARSIZE_ANY(stored));
	memcpy(last->stored, stored, VARSIZE_ANY(stored));
	fcinfo->flinfo->fn_extra = last;
	MemoryContextSwitchTo(old);
	return last->tree;
}

/*
 * Read a partitioning, and raise an error if it does not have this number of
 * axes.
 */
static const SpqPartTree *
tree_argument(FunctionCallInfo fcinfo, int n, int axes)
{
	const SpqPartTree *tree = read_tree(fcinfo, n);

	if (tree->axes != axes)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("partitioning has %d dimensions, not %d", tree->axes, axes),
				 errhint("Make another with spqtree_partition, from a query that returns values of this type.")));
	return tree;
}

static ArrayType *
integer_array(const int32 *numbers, int count)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(count, 1));

	for (int i = 0; i < count; i++)
		elements[i] = Int32GetDatum(numbers[i]);
	return construct_array(elements, count, INT4OID, sizeof(int32), true, TYPALIGN_INT);
}

/*
 * Return the parts that a box without NaN touches, after part 0 if that is
 * included.
 */
static ArrayType *
touched_parts(const SpqPartTree *tree, const float8 *box, bool and_everywhere)
{
	int32	   *numbers = palloc(sizeof(int32) * (tree->parts + 1));
	int			first = 0;

	if (and_everywhere)
		numbers[first++] = SPQ_PART_EVERYWHERE;
	return integer_array(numbers, first +
						 spq_part_touched(tree, box, numbers + first, tree->parts));
}

static Datum
parts(FunctionCallInfo fcinfo, int axes)
{
	const SpqPartTree *tree;
	const float8 *box;

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	tree = tree_argument(fcinfo, 1, axes);
	box = PG_ARGISNULL(0) ? NULL : (const float8 *) PG_GETARG_POINTER(0);
	if (box == NULL || spq_part_has_nan(box, 2 * axes) || spq_part_is_everywhere(tree, box))
	{
		const int32 everywhere = SPQ_PART_EVERYWHERE;

		PG_RETURN_ARRAYTYPE_P(integer_array(&everywhere, 1));
	}
	PG_RETURN_ARRAYTYPE_P(touched_parts(tree, box, false));
}

/*
 * spqtree_parts(box or box3, spqtree_partitioning) returns integer[]
 *
 * Return the parts that a box touches.  Return only part 0 if the box touches
 * more parts than max_copies, is NULL or has a NaN.
 */
SPQ_SQL_FUNCTION(spq_parts, return parts(fcinfo, 2))
SPQ_SQL_FUNCTION(spq_parts3, return parts(fcinfo, 3))

static Datum
window_parts(FunctionCallInfo fcinfo, int axes)
{
	const SpqPartTree *tree = tree_argument(fcinfo, 1, axes);
	const float8 *box = (const float8 *) PG_GETARG_POINTER(0);

	if (spq_part_has_nan(box, 2 * axes))
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(INT4OID));
	PG_RETURN_ARRAYTYPE_P(touched_parts(tree, box, tree->max_copies > 0));
}

/*
 * spqtree_window_parts(box or box3, spqtree_partitioning) returns integer[]
 *
 * Return the parts that may contain rows whose boxes overlap a box.
 */
SPQ_SQL_FUNCTION(spq_window_parts, return window_parts(fcinfo, 2))
SPQ_SQL_FUNCTION(spq_window_parts3, return window_parts(fcinfo, 3))

static Datum
part(FunctionCallInfo fcinfo, int axes)
{
	const SpqPartTree *tree;
	const float8 *point;

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	tree = tree_argument(fcinfo, 1, axes);
	point = PG_ARGISNULL(0) ? NULL : (const float8 *) PG_GETARG_POINTER(0);
	if (point == NULL || spq_part_has_nan(point, axes))
		PG_RETURN_INT32(SPQ_PART_EVERYWHERE);
	PG_RETURN_INT32(spq_part_of_point(tree, point));
}

/*
 * spqtree_part(point or point3, spqtree_partitioning) returns integer
 *
 * Return the part that contains a point; part 0 if it is NULL or has a NaN.
 */
SPQ_SQL_FUNCTION(spq_part, return part(fcinfo, 2))
SPQ_SQL_FUNCTION(spq_part3, return part(fcinfo, 3))

static Datum
pair_part(FunctionCallInfo fcinfo, int axes)
{
	const float8 *a = (const float8 *) PG_GETARG_POINTER(0);
	const float8 *b = (const float8 *) PG_GETARG_POINTER(1);
	const SpqPartTree *tree = tree_argument(fcinfo, 2, axes);

	if (spq_part_has_nan(a, 2 * axes) || spq_part_has_nan(b, 2 * axes))
		PG_RETURN_NULL();
	PG_RETURN_INT32(spq_part_of_pair(tree, a, b));
}

/*
 * spqtree_pair_part(box, box, spqtree_partitioning), also of box3, returns integer
 *
 * Return the part that owns a pair of boxes; NULL if one has a NaN.
 */
SPQ_SQL_FUNCTION(spq_pair_part, return pair_part(fcinfo, 2))
SPQ_SQL_FUNCTION(spq_pair_part3, return pair_part(fcinfo, 3))

/*
 * spqtree_renumber(spqtree_partitioning, integer[]) returns
 * spqtree_partitioning
 *
 * Return the same parts with new numbers.
 */
Datum
spq_renumber(PG_FUNCTION_ARGS)
{
	SpqPartTree *tree = (SpqPartTree *) PG_DETOAST_DATUM_COPY(PG_GETARG_DATUM(0));
	Datum	   *numbers;
	bool	   *nulls;
	int			count,
				n = 0;
	int32		wrong;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), INT4OID, sizeof(int32), true, TYPALIGN_INT,
					  &numbers, &nulls, &count);
	if (count != tree->parts)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("array has %d elements, but the partitioning has %d parts", count, tree->parts),
				 errhint("Specify a number for each part, in the order in which they are listed by spqtree_part_list.")));
	for (int i = 0; i < 2 * tree->parts - 1; i++)
	{
		if (tree->node[i].axis != SPQ_PART_LEAF)
			continue;
		/* NULL is as invalid as 0 */
		tree->node[i].next = nulls[n] ? 0 : DatumGetInt32(numbers[n]);
		n++;
	}
	if (!spq_part_numbers_valid(tree, &wrong))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 wrong > 0 ?
				 errmsg("two parts have the number %d", wrong) :
				 errmsg("numbers of parts must be positive and not null"),
				 wrong > 0 ? 0 :
				 errhint("Part 0 is reserved for rows that are in no other part.")));
	PG_RETURN_POINTER(tree);
}

static Datum
float_array(const float8 *numbers, int count)
{
	Datum		elements[SPQ_PART_MAX_AXES];

	for (int i = 0; i < count; i++)
		elements[i] = Float8GetDatum(numbers[i]);
	return PointerGetDatum(construct_array(elements, count, FLOAT8OID, sizeof(float8),
										   FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* A node that remains to be listed, with its bounds. */
typedef struct PartBounds
{
	int			node;
	float8		low[SPQ_PART_MAX_AXES];
	float8		high[SPQ_PART_MAX_AXES];
} PartBounds;

/*
 * spqtree_part_list(spqtree_partitioning)
 *	returns setof record (part integer, low float8[], high float8[])
 *
 * List the parts.  Each contains the points at or above "low", and below
 * "high", on all axes.
 */
Datum
spq_part_list(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	const SpqPartTree *tree = PG_GETARG_PART_TREE(0);
	PartBounds	stack[SPQ_PART_MAX_DEPTH];
	PartBounds	at = {.node = 0};
	int			depth = 0;

	InitMaterializedSRF(fcinfo, 0);
	for (int axis = 0; axis < tree->axes; axis++)
	{
		at.low[axis] = -get_float8_infinity();
		at.high[axis] = get_float8_infinity();
	}
	for (;;)
	{
		const SpqPartNode *node = &tree->node[at.node];

		if (node->axis == SPQ_PART_LEAF)
		{
			Datum		values[3];
			bool		nulls[3] = {false, false, false};

			values[0] = Int32GetDatum(node->next);
			values[1] = float_array(at.low, tree->axes);
			values[2] = float_array(at.high, tree->axes);
			tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
			if (depth == 0)
				break;
			at = stack[--depth];
			continue;
		}
		/* a split outside the bounds leaves one side empty */
		stack[depth] = at;
		stack[depth].node = node->next;
		stack[depth].low[node->axis] = Max(at.low[node->axis], node->split);
		depth++;
		at.node++;
		at.high[node->axis] = Min(at.high[node->axis], node->split);
	}
	return (Datum) 0;
}
