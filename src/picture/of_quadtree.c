/*-------------------------------------------------------------------------
 *
 * of_quadtree.c
 *	  The shapes of a quadtree: an inner tuple is a grid, a chain of leaf tuples a
 *	  tile.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "inspect/query.h"
#include "picture/collect.h"
#include "quadtree_pages/walk.h"

/* An inner tuple on the path of the walk. */
typedef struct Above
{
	SpqPictureAbove above;		/* first */
	SpqInspectQuery query;		/* entered here */
} Above;

/* ---- boxes ---- */

typedef struct BoxVisitor
{
	void		(*add) (void *arg, const SpqPictureBox *box);
	void	   *arg;
} BoxVisitor;

static bool
visit_boxes(void *arg, SpqPageStep *step)
{
	BoxVisitor *visitor = (BoxVisitor *) arg;

	if (step->of_nulls)
		return false;
	if (!step->inner)
		spq_page_foreach_in_chain(item, step)
	{
		SpqPictureBox box = {.plane = spq_page_chain_box(step, item)};

		visitor->add(visitor->arg, &box);
	}
	return true;
}

static void
quadtree_boxes(SpqInspectIndex *inspected, void (*add) (void *arg, const SpqPictureBox *box), void *arg)
{
	BoxVisitor	boxes = {add, arg};
	SpqPageVisitor visitor = {.visit = visit_boxes,.arg = &boxes};

	spq_page_walk(&inspected->reader, &visitor);
}

/* ---- shapes ---- */

static SpqBoxBounds
bounds_of(const SpqLatticeCell *cell)
{
	SpqBoxBounds bounds;
	float8		side = spq_lattice_pow2(cell->exp);

	bounds.xmin = cell->x;
	bounds.ymin = cell->y;
	bounds.xmax = cell->x + side;
	bounds.ymax = cell->y + side;
	return bounds;
}

static Above *
above_of(const SpqPageStep *step)
{
	return step->parent ? (Above *) step->parent->own : NULL;
}

/* Return whether the query's scan visits a step. */
static bool
is_visited(const SpqPicture *picture, const SpqPageStep *step)
{
	const Above *above = above_of(step);

	if (picture->query == NULL || above == NULL)
		return picture->query != NULL;
	return above->above.visited && spq_inspect_query_follows(&above->query, step->label);
}

static void
add_inner_tuple(SpqPictureCollector *collector, SpqPageStep *step, bool visited)
{
	SpqPicture *picture = collector->picture;
	SpqLatticeCell base = spq_quad_base_cell(&step->prefix);
	SpqPictureShape shape = {0};
	Above	   *own = palloc(sizeof(Above));

	picture->tally.inner++;
	picture->tally.inner_visited += visited;

	shape.bounds.plane = bounds_of(&step->region.cell);
	shape.rank = step->region.cell.exp;
	shape.base = bounds_of(&base);
	shape.cuts = step->prefix.cuts;
	shape.halved = (step->prefix.flags & SPQ_QUAD_HAS_RANGE) != 0;
	shape.part_size = spq_picture_size(&picture->view, &shape.bounds.plane) / (1 << shape.cuts);
	shape.all_the_same = step->all_the_same;
	shape.oversize = step->below_oversize;
	shape.visited = visited;

	own->above.above = step->parent ? &above_of(step)->above : NULL;
	own->above.visited = visited;
	own->above.shape = spq_picture_add_shape(collector, own->above.above, step->level, &shape);
	if (visited)
	{
		spq_inspect_query_init(&own->query, RTOverlapStrategyNumber, &picture->query->box.plane);
		spq_inspect_query_enter(&own->query, step);
	}
	step->own = own;
}

static void
add_chain(SpqPictureCollector *collector, SpqPageStep *step, bool visited)
{
	SpqPicture *picture = collector->picture;
	SpqPictureTally *tally = &picture->tally;
	SpqPictureShape shape = {0};
	SpqInspectQuery query;

	tally->leaves++;
	tally->boxes += step->tuples;
	tally->rounded |= step->leaf_kind == SPQ_QUAD_LEAF_COMPACT;
	if (step->below_oversize)
		tally->oversize_boxes += step->tuples;
	if (visited)
	{
		tally->leaves_visited++;
		tally->boxes_visited += step->tuples;
		spq_inspect_query_init(&query, RTOverlapStrategyNumber, &picture->query->box.plane);
	}
	spq_page_foreach_in_chain(item, step)
	{
		SpqPictureBox box = {.plane = spq_page_chain_box(step, item)};

		if (visited && spq_inspect_query_decide(&query, step, item) != SPQ_QUAD_NO)
			tally->boxes_matching++;
		spq_picture_add_box(picture, &box, picture->show_boxes || step->parent == NULL);
	}

	/* a root that is a chain has no cell to draw */
	if (step->parent == NULL)
		return;
	shape.bounds.plane = bounds_of(&step->cell);
	shape.rank = step->cell.exp;
	shape.tile = true;
	shape.tuples = step->tuples;
	shape.oversize = step->below_oversize;
	shape.visited = visited;
	spq_picture_add_shape(collector, &above_of(step)->above, step->level, &shape);
}

static bool
visit(void *arg, SpqPageStep *step)
{
	SpqPictureCollector *collector = (SpqPictureCollector *) arg;
	SpqPictureTally *tally = &collector->picture->tally;
	bool		visited;

	if (step->of_nulls)
	{
		if (!step->inner)
			tally->nulls += step->tuples;
		return true;
	}
	tally->deepest = Max(tally->deepest, step->level);
	visited = is_visited(collector->picture, step);
	if (step->inner)
		add_inner_tuple(collector, step, visited);
	else
		add_chain(collector, step, visited);
	return true;
}

static void
left(void *arg, SpqPageStep *inner)
{
	if (!inner->of_nulls)
		pfree(inner->own);
}

static void
quadtree_shapes(SpqInspectIndex *inspected, SpqPictureCollector *collector)
{
	SpqPageVisitor visitor = {.visit = visit,.left = left,.arg = collector};

	spq_page_walk(&inspected->reader, &visitor);
}

const SpqPictureTree spq_picture_quadtree = {
	.words = {
		.tree = "quadtree",
		.inner = "inner tuple",
		.inners = "inner tuples",
		.leaf = "chain of leaf tuples",
		.leaves = "chains of leaf tuples",
		.visited_leaves = "chains",
		.tile = "cell"
	},
	.boxes = quadtree_boxes,
	.shapes = quadtree_shapes
};
