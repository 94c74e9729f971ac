/*-------------------------------------------------------------------------
 *
 * tree_nodes.c
 *	  spqtree_nodes of an index of access method spqtree: one row for each page of
 *	  the tree.
 *
 * The row of an inner page comes after those below it, because it counts their
 * rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "inspect/node_columns.h"
#include "inspect/tree_inspect.h"
#include "rtree_pages/tree_walk.h"

/* Return bounds of two dimensions as a box. */
static BOX
box_of_bounds(const SpqRtreeBounds *bounds)
{
	BOX			box;

	box.high.x = bounds->high[0];
	box.high.y = bounds->high[1];
	box.low.x = bounds->low[0];
	box.low.y = bounds->low[1];
	return box;
}

static void
put_row(void *arg, SpqTreeStep *step)
{
	ReturnSetInfo *result = (ReturnSetInfo *) arg;
	SpqRtreeBounds bounds = step->of_nulls ? spq_rtree_bounds_nothing() :
		step->parent ? spq_rtree_promise(step->page) : spq_rtree_page_hull(step->page);
	BOX			box = box_of_bounds(&bounds);
	float8		ends[SPQ_RTREE_ENDS];	/* a box3 of three axes */
	text	   *kind = cstring_to_text(step->level > 0 ? "inner" : "leaf");
	Datum		values[N_COLUMNS] = {0};
	bool		nulls[N_COLUMNS] = {false};

	spq_rtree_bounds_ends(&bounds, spq_rtree_page_axes(step->page), ends);
	values[LEVEL] = Int32GetDatum(step->depth);
	values[KIND] = PointerGetDatum(kind);
	nulls[CELL] = nulls[SIZE_BOUND] = true;
	nulls[BOUNDS] = nulls[BOUNDS3] = true;
	if (spq_rtree_page_axes(step->page) == 3)
	{
		values[BOUNDS3] = PointerGetDatum(ends);
		nulls[BOUNDS3] = spq_rtree_bounds_are_nothing(&bounds);
	}
	else
	{
		values[BOUNDS] = BoxPGetDatum(&box);
		nulls[BOUNDS] = spq_rtree_bounds_are_nothing(&bounds);
	}
	values[TUPLES] = Int64GetDatum(step->rows);
	values[NODES] = Int32GetDatum(spq_rtree_count(step->page));
	nulls[NODES] = step->level == 0;
	nulls[MARKERS] = nulls[ALL_THE_SAME] = nulls[ITEM] = true;
	values[BLOCK] = Int64GetDatum(step->block);
	if (step->parent)
	{
		values[PARENT_BLOCK] = Int64GetDatum(step->parent->block);
		values[PARENT_ITEM] = Int32GetDatum(step->entry + 1);
	}
	nulls[PARENT_BLOCK] = nulls[PARENT_ITEM] = step->parent == NULL;
	nulls[PARENT_NODE] = true;
	values[OVERSIZE] = BoolGetDatum(false);
	values[NULL_KEYS] = BoolGetDatum(step->of_nulls);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	pfree(kind);
}

static bool
visit(void *arg, SpqTreeStep *step)
{
	if (step->level == 0)
		put_row(arg, step);
	return true;
}

void
spq_tree_nodes(SpqTreeReader *reader, ReturnSetInfo *result)
{
	SpqTreeVisitor visitor = {.visit = visit,.left = put_row,.arg = result};

	spq_tree_walk(reader, &visitor);
}
