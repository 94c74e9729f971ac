/*-------------------------------------------------------------------------
 *
 * nodes.c
 *	  spqtree_nodes: one row for each inner tuple and each leaf chain.
 *
 * The row of an inner tuple comes after those below it, because it counts their
 * tuples.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/tuplestore.h"

#include "inspect/inspect.h"
#include "inspect/node_columns.h"
#include "inspect/tree_inspect.h"
#include "quadtree_pages/walk.h"

PG_FUNCTION_INFO_V1(spq_inspect_nodes);

/* Return a corner of a cell; nothing is beyond the largest cells. */
static inline float8
cell_corner(float8 v)
{
	if (v >= spq_lattice_pow2(SPQ_LATTICE_MAX_EXP))
		return get_float8_infinity();
	if (v <= -spq_lattice_pow2(SPQ_LATTICE_MAX_EXP))
		return -get_float8_infinity();
	return v;
}

static BOX
box_of_cell(const SpqLatticeCell *cell)
{
	float8		side = spq_lattice_pow2(cell->exp);
	BOX			box;

	box.low.x = cell_corner(cell->x);
	box.low.y = cell_corner(cell->y);
	box.high.x = cell_corner(cell->x + side);
	box.high.y = cell_corner(cell->y + side);
	return box;
}

static BOX
box_of_bounds(const SpqBoxBounds *bounds)
{
	BOX			box;

	box.low.x = bounds->xmin;
	box.low.y = bounds->ymin;
	box.high.x = bounds->xmax;
	box.high.y = bounds->ymax;
	return box;
}

/* Return the largest side of a box of a size class. */
static float8
side_of_size(int size)
{
	return size >= SPQ_LATTICE_MAX_EXP ? get_float8_infinity() : spq_lattice_pow2(size);
}

static void
put_row(void *arg, SpqPageStep *step)
{
	ReturnSetInfo *result = (ReturnSetInfo *) arg;
	BOX			cell = box_of_cell(&step->cell);
	BOX			bounds = box_of_bounds(&step->bounds);
	text	   *kind = cstring_to_text(step->inner ? "inner" : "leaf");
	Datum		values[N_COLUMNS] = {0};
	bool		nulls[N_COLUMNS] = {false};

	values[LEVEL] = Int32GetDatum(step->level);
	values[KIND] = PointerGetDatum(kind);
	values[CELL] = BoxPGetDatum(&cell);
	values[SIZE_BOUND] = Float8GetDatum(side_of_size(step->size));
	values[BOUNDS] = BoxPGetDatum(&bounds);
	nulls[CELL] = nulls[SIZE_BOUND] = step->of_nulls;
	nulls[BOUNDS] = step->of_nulls || step->parent == NULL;
	values[TUPLES] = Int64GetDatum(step->tuples);
	values[NODES] = Int32GetDatum(step->n_downlinks);
	values[MARKERS] = Int32GetDatum(step->n_markers);
	values[ALL_THE_SAME] = BoolGetDatum(step->all_the_same);
	nulls[NODES] = nulls[MARKERS] = nulls[ALL_THE_SAME] = !step->inner;
	values[BLOCK] = Int64GetDatum(step->tid.block);
	values[ITEM] = Int32GetDatum(step->tid.offset);
	if (step->parent)
	{
		values[PARENT_BLOCK] = Int64GetDatum(step->parent->tid.block);
		values[PARENT_ITEM] = Int32GetDatum(step->parent->tid.offset);
		values[PARENT_NODE] = Int32GetDatum(step->node);
	}
	nulls[PARENT_BLOCK] = nulls[PARENT_ITEM] = nulls[PARENT_NODE] = step->parent == NULL;
	values[OVERSIZE] = BoolGetDatum(step->oversize);
	values[NULL_KEYS] = BoolGetDatum(step->of_nulls);
	nulls[BOUNDS3] = true;
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	pfree(kind);
}

static bool
visit(void *arg, SpqPageStep *step)
{
	if (!step->inner)
		put_row(arg, step);
	return true;
}

/*
 * spqtree_nodes(index regclass) returns setof record
 */
Datum
spq_inspect_nodes(PG_FUNCTION_ARGS)
{
	SpqInspectIndex inspected;
	SpqPageVisitor visitor = {
		.visit = visit,
		.left = put_row,
		.arg = fcinfo->resultinfo
	};

	InitMaterializedSRF(fcinfo, 0);
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_nodes(relid)");
	if (inspected.is_tree)
		spq_tree_nodes(&inspected.tree, (ReturnSetInfo *) fcinfo->resultinfo);
	else
		spq_page_walk(&inspected.reader, &visitor);
	spq_inspect_close(&inspected);
	return (Datum) 0;
}
