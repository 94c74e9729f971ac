/*-------------------------------------------------------------------------
 *
 * nodes.c
 *	  spqtree_nodes: one row for each inner tuple and each leaf chain.
 *
 * An inner tuple's row comes after those of what is below it, because it has
 * their number of tuples.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "inspect/tree.h"

PG_FUNCTION_INFO_V1(spq_nodes);

/* Columns of the result. */
enum
{
	LEVEL,
	KIND,
	CELL,
	SIZE_BOUND,
	BOUNDS,
	TUPLES,
	NODES,
	MARKERS,
	BLOCK,
	ITEM,
	PARENT_BLOCK,
	PARENT_ITEM,
	PARENT_NODE,
	OVERSIZE,
	ALL_THE_SAME,
	NULL_KEYS,
	N_COLUMNS
};

static void
put_row(void *arg, SpqPageStep *tree_node)
{
	ReturnSetInfo *result = (ReturnSetInfo *) arg;
	BOX			cell = spq_inspect_cell_to_box(&tree_node->cell);
	BOX			bounds = spq_inspect_bounds_to_box(&tree_node->bounds);
	text	   *kind = cstring_to_text(tree_node->inner ? "inner" : "leaf");
	Datum		values[N_COLUMNS] = {0};
	bool		nulls[N_COLUMNS] = {false};

	values[LEVEL] = Int32GetDatum(tree_node->level);
	values[KIND] = PointerGetDatum(kind);
	values[CELL] = BoxPGetDatum(&cell);
	values[SIZE_BOUND] = Float8GetDatum(spq_inspect_size_bound(tree_node->size));
	values[BOUNDS] = BoxPGetDatum(&bounds);
	nulls[CELL] = nulls[SIZE_BOUND] = tree_node->of_nulls;
	nulls[BOUNDS] = tree_node->of_nulls || tree_node->parent == NULL;
	values[TUPLES] = Int64GetDatum(tree_node->tuples);
	values[NODES] = Int32GetDatum(tree_node->n_downlinks);
	values[MARKERS] = Int32GetDatum(tree_node->n_markers);
	values[ALL_THE_SAME] = BoolGetDatum(tree_node->all_the_same);
	nulls[NODES] = nulls[MARKERS] = nulls[ALL_THE_SAME] = !tree_node->inner;
	values[BLOCK] = Int64GetDatum(tree_node->at.block);
	values[ITEM] = Int32GetDatum(tree_node->at.offset);
	if (tree_node->parent)
	{
		values[PARENT_BLOCK] = Int64GetDatum(tree_node->parent->at.block);
		values[PARENT_ITEM] = Int32GetDatum(tree_node->parent->at.offset);
		values[PARENT_NODE] = Int32GetDatum(tree_node->node);
	}
	nulls[PARENT_BLOCK] = nulls[PARENT_ITEM] = nulls[PARENT_NODE] = tree_node->parent == NULL;
	values[OVERSIZE] = BoolGetDatum(tree_node->oversize);
	values[NULL_KEYS] = BoolGetDatum(tree_node->of_nulls);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	pfree(kind);
}

static bool
visit(void *arg, SpqPageStep *tree_node)
{
	if (!tree_node->inner)
		put_row(arg, tree_node);
	return true;
}

/*
 * spqtree_nodes(index regclass) returns setof record
 */
Datum
spq_nodes(PG_FUNCTION_ARGS)
{
	SpqInspectIndex inspected;
	SpqPageVisitor visitor = {NULL, visit, put_row, fcinfo->resultinfo};

	InitMaterializedSRF(fcinfo, 0);
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_nodes(relid)");
	spq_page_walk(&inspected, &visitor);
	spq_inspect_close(&inspected);
	return (Datum) 0;
}
