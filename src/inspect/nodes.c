/*-------------------------------------------------------------------------
 *
 * nodes.c
 *	  spqtree_nodes: one row for each inner tuple and each leaf chain of a
 *	  quadtree, or each page of an R-tree.
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

PG_FUNCTION_INFO_V1(spq_inspect_nodes);

/* The columns of the result. */
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
	BOUNDS3,
	N_COLUMNS
};

typedef struct Row
{
	Datum		values[N_COLUMNS];
	bool		nulls[N_COLUMNS];

	/* values passed by reference */
	BOX			cell;
	BOX			bounds;
	float8		bounds3[6];
} Row;

typedef struct Nodes
{
	ReturnSetInfo *result;
	int			axes;			/* of the index */
} Nodes;

/* Return a coordinate of a cell.  The outermost cells extend to infinity. */
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
	BOX			box = {
		{cell_corner(cell->x + side), cell_corner(cell->y + side)},
		{cell_corner(cell->x), cell_corner(cell->y)}
	};

	return box;
}

/* Return the largest side that boxes of a size class may have. */
static float8
side_of_size(int size)
{
	return size >= SPQ_LATTICE_MAX_EXP ? get_float8_infinity() : spq_lattice_pow2(size);
}

static void
set(Row *row, int column, Datum value)
{
	row->values[column] = value;
	row->nulls[column] = false;
}

static void
set_bounds(Row *row, const SpqInspectBounds *bounds, int axes)
{
	const SpqBoxBounds *plane = &bounds->plane;
	const BOX	box = {{plane->xmax, plane->ymax}, {plane->xmin, plane->ymin}};
	const float8 ends[6] = {
		plane->xmax, plane->ymax, bounds->depth.high,
		plane->xmin, plane->ymin, bounds->depth.low
	};

	row->bounds = box;
	memcpy(row->bounds3, ends, sizeof(ends));
	if (axes == 3)
		set(row, BOUNDS3, PointerGetDatum(row->bounds3));
	else
		set(row, BOUNDS, BoxPGetDatum(&row->bounds));
}

static void
set_quadtree_columns(Row *row, const SpqPageStep *step)
{
	set(row, ITEM, Int32GetDatum(step->tid.offset));
	if (!step->of_nulls)
	{
		row->cell = box_of_cell(&step->cell);
		set(row, CELL, BoxPGetDatum(&row->cell));
		set(row, SIZE_BOUND, Float8GetDatum(side_of_size(step->size)));
	}
	if (step->inner)
	{
		set(row, NODES, Int32GetDatum(step->n_downlinks));
		set(row, MARKERS, Int32GetDatum(step->n_markers));
		set(row, ALL_THE_SAME, BoolGetDatum(step->all_the_same));
	}
	if (step->parent)
	{
		set(row, PARENT_ITEM, Int32GetDatum(step->parent->tid.offset));
		set(row, PARENT_NODE, Int32GetDatum(step->node));
	}
}

static void
set_rtree_columns(Row *row, const SpqTreeStep *step)
{
	if (step->level > 0)
		set(row, NODES, Int32GetDatum(spq_rtree_count(step->page)));
	if (step->parent)
		set(row, PARENT_ITEM, Int32GetDatum(step->entry + 1));
}

static void
put_row(void *arg, SpqInspectStep *step)
{
	const Nodes *nodes = (const Nodes *) arg;
	text	   *kind = cstring_to_text(step->inner ? "inner" : "leaf");
	Row			row = {0};

	memset(row.nulls, true, sizeof(row.nulls));
	set(&row, LEVEL, Int32GetDatum(step->level));
	set(&row, KIND, PointerGetDatum(kind));
	set(&row, TUPLES, Int64GetDatum(step->tuples));
	set(&row, BLOCK, Int64GetDatum(step->block));
	set(&row, OVERSIZE, BoolGetDatum(step->oversize));
	set(&row, NULL_KEYS, BoolGetDatum(step->of_nulls));
	if (step->parent)
		set(&row, PARENT_BLOCK, Int64GetDatum(step->parent->block));
	if (step->has_bounds)
		set_bounds(&row, &step->bounds, nodes->axes);
	if (step->in_quadtree)
		set_quadtree_columns(&row, step->in_quadtree);
	else
		set_rtree_columns(&row, step->in_rtree);
	tuplestore_putvalues(nodes->result->setResult, nodes->result->setDesc, row.values, row.nulls);
	pfree(kind);
}

static void
visit(void *arg, SpqInspectStep *step)
{
	if (!step->inner)
		put_row(arg, step);
}

/*
 * spqtree_nodes(index regclass) returns setof record
 */
Datum
spq_inspect_nodes(PG_FUNCTION_ARGS)
{
	SpqInspectIndex inspected;
	Nodes		nodes = {.result = (ReturnSetInfo *) fcinfo->resultinfo};
	SpqInspectVisitor visitor = {
		.visit = visit,
		.left = put_row,
		.arg = &nodes
	};

	InitMaterializedSRF(fcinfo, 0);
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_nodes(relid)");
	nodes.axes = inspected.axes;
	spq_inspect_walk(&inspected, &visitor);
	spq_inspect_close(&inspected);
	return (Datum) 0;
}
