/*-------------------------------------------------------------------------
 *
 * collect.c
 *	  The shapes, boxes and counts of a picture, by a walk over the tree.
 *
 * An inner tuple or page becomes a grid, a leaf a tile.  In a quadtree a shape
 * is a cell.  In an R-tree it is a rectangle, the bounds that a page promises:
 * scans use these bounds, so the picture also does, even where they are wider
 * than the boxes.  Bounds made infinite by an infinite box cover the whole
 * map.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "inspect/inspect.h"
#include "picture/collect/collect.h"

/*
 * At most this many boxes are drawn, and of more boxes at least half as many.
 */
#define MAX_BOXES		4000

static const SpqPictureWords quadtree_words = {
	.tree = "quadtree",
	.inner = "inner tuple",
	.inners = "inner tuples",
	.leaf = "chain of leaf tuples",
	.leaves = "chains of leaf tuples",
	.visited_leaves = "chains",
	.tile = "cell"
};

static const SpqPictureWords rtree_words = {
	.tree = "R-tree",
	.inner = "inner page",
	.inners = "inner pages",
	.leaf = "leaf page",
	.leaves = "leaf pages",
	.visited_leaves = "leaf pages",
	.tile = "page"
};

static SpqBoxBounds
cell_bounds(const SpqLatticeCell *cell)
{
	float8		side = spq_lattice_pow2(cell->exp);
	SpqBoxBounds bounds = {cell->x, cell->y, cell->x + side, cell->y + side};

	return bounds;
}

static void
set_cell(SpqPictureShape *shape, const SpqPictureView *view, const SpqPageStep *step)
{
	const SpqLatticeCell *cell = step->inner ? &step->region.cell : &step->cell;
	SpqLatticeCell base;

	shape->bounds.plane = cell_bounds(cell);
	shape->rank = cell->exp;
	if (!step->inner)
		return;
	base = spq_quad_base_cell(&step->prefix);
	shape->base = cell_bounds(&base);
	shape->cuts = step->prefix.cuts;
	shape->halved = (step->prefix.flags & SPQ_QUAD_HAS_RANGE) != 0;
	shape->part_size = spq_picture_size(view, &shape->bounds.plane) / (1 << shape->cuts);
	shape->all_the_same = step->all_the_same;
}

/*
 * Return the side that the parts of a page would have if they were squares, or
 * cubes.  They are drawn at least one unit of the paper wide.
 */
static float8
part_size(const SpqPictureView *view, const SpqInspectBounds *bounds, int parts)
{
	float8		area = spq_picture_area(view, bounds, 1) / parts;

	return view->depth_scale == 0 ? sqrt(area) : cbrt(area);
}

static void
set_rectangle(SpqPictureShape *shape, const SpqPictureView *view, const SpqInspectStep *step)
{
	shape->bounds = step->bounds;
	shape->rank = step->in_rtree->level;
	if (step->inner)
		shape->part_size = part_size(view, &shape->bounds, spq_rtree_count(step->in_rtree->page));
}

static void
count_step(SpqPictureTally *tally, const SpqInspectStep *step)
{
	tally->deepest = Max(tally->deepest, step->level);
	if (step->inner)
	{
		tally->inner++;
		tally->inner_visited += step->visited;
		return;
	}
	tally->leaves++;
	tally->boxes += step->tuples;
	if (step->below_oversize)
		tally->oversize_boxes += step->tuples;
	if (step->visited)
	{
		tally->leaves_visited++;
		tally->boxes_visited += step->tuples;
		tally->boxes_matching += step->matching;
	}
}

/* Draw a box, if boxes are drawn, or count it as not on the map. */
static void
add_box(SpqPicture *picture, const SpqInspectBox *box, bool draw)
{
	SpqInspectBounds bounds = spq_picture_box_bounds(box);

	if (!spq_picture_can_draw(box) || !spq_picture_view_shows(&picture->view, &bounds))
		picture->tally.not_shown++;
	else if (draw)
		spq_picture_sample_add(&picture->boxes, box);
}

static void
visit(void *arg, SpqInspectStep *step)
{
	SpqPictureCollector *collector = (SpqPictureCollector *) arg;
	SpqPicture *picture = collector->picture;
	bool		is_only_leaf = !step->inner && step->parent == NULL;
	SpqPictureShape shape = {0};

	if (step->of_nulls)
	{
		if (!step->inner)
			picture->tally.nulls += step->tuples;
		return;
	}
	count_step(&picture->tally, step);
	for (int64 i = 0; !step->inner && i < step->tuples; i++)
		add_box(picture, &step->boxes[i], picture->show_boxes || is_only_leaf);

	/*
	 * a root that is a leaf has no cell or bounds; its boxes are drawn
	 * instead
	 */
	if (is_only_leaf)
		return;
	shape.tile = !step->inner;
	shape.tuples = step->inner ? 0 : step->tuples;
	shape.oversize = step->below_oversize;
	shape.visited = step->visited;
	if (step->in_quadtree)
		set_cell(&shape, &picture->view, step->in_quadtree);
	else
		set_rectangle(&shape, &picture->view, step);
	spq_picture_add_shape(collector, step, &shape);
}

/*
 * Fill in shapes, boxes and counts of a picture whose view is known.
 */
void
spq_picture_collect(SpqPicture *picture, SpqInspectIndex *inspected)
{
	SpqPictureCollector collector;
	SpqInspectVisitor visitor = {
		.visit = visit,
		.arg = &collector,
		.query = picture->query ? &picture->query->condition : NULL,
		.boxes = true
	};

	picture->words = inspected->is_rtree ? &rtree_words : &quadtree_words;
	picture->outlined = inspected->is_rtree;
	spq_picture_sample_init(&picture->boxes, MAX_BOXES);
	spq_picture_begin_shapes(&collector, picture);
	spq_inspect_walk(inspected, &visitor);
	spq_picture_end_shapes(&collector);
}
