/*-------------------------------------------------------------------------
 *
 * of_rtree.c
 *	  The shapes of an index of access method spqtree: a page is a rectangle, the
 *	  bounds that it promises; a leaf is a tile.
 *
 * As scans go by what pages promise, so does the picture, also where that is wider
 * than the boxes.  Bounds that are infinite, because a box is, cover all of the map.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "inspect/tree_query.h"
#include "picture/collect.h"
#include "rtree_pages/tree_walk.h"

/* An inner page on the path of the walk. */
typedef struct Above
{
	SpqPictureAbove above;
	uint8		matches[SPQ_RTREE_GROUPS_MAX];	/* where the scan goes */
} Above;

typedef struct Shapes
{
	SpqPictureCollector *collector;
	SpqTreeQuery query;
	Above		above[SPQ_RTREE_LEVELS];	/* by level */
} Shapes;

static SpqPictureBox
box_of_row(Page page, int entry)
{
	SpqRtreeRow row = spq_rtree_get_row(page, entry);
	int			axes = spq_rtree_page_axes(page);
	SpqPictureBox box = {0};

	box.plane.high.x = row.ends[0];
	box.plane.high.y = row.ends[1];
	box.plane.low.x = row.ends[axes];
	box.plane.low.y = row.ends[axes + 1];
	if (axes == 3)
	{
		box.depth.high = row.ends[2];
		box.depth.low = row.ends[axes + 2];
	}
	return box;
}

/* ---- boxes ---- */

typedef struct BoxVisitor
{
	void		(*add) (void *arg, const SpqPictureBox *box);
	void	   *arg;
} BoxVisitor;

static bool
visit_boxes(void *arg, SpqTreeStep *step)
{
	BoxVisitor *visitor = (BoxVisitor *) arg;

	for (int entry = 0; entry < step->rows; entry++)
	{
		SpqPictureBox box = box_of_row(step->page, entry);

		visitor->add(visitor->arg, &box);
	}
	return true;
}

static void
rtree_boxes(SpqInspectIndex *inspected, void (*add) (void *arg, const SpqPictureBox *box), void *arg)
{
	BoxVisitor	boxes = {add, arg};
	SpqTreeVisitor visitor = {.visit = visit_boxes,.no_nulls = true,.arg = &boxes};

	spq_tree_walk(&inspected->tree, &visitor);
}

/* ---- shapes ---- */

/* Return what a page promises; the root promises nothing. */
static SpqPictureBounds
bounds_of(const SpqTreeStep *step)
{
	SpqRtreeBounds promised = step->parent ? spq_rtree_promise(step->page) :
		spq_rtree_page_hull(step->page);
	SpqPictureBounds bounds = {0};

	bounds.plane.xmin = promised.low[0];
	bounds.plane.ymin = promised.low[1];
	bounds.plane.xmax = promised.high[0];
	bounds.plane.ymax = promised.high[1];
	if (spq_rtree_page_axes(step->page) == 3)
	{
		bounds.depth.low = promised.low[2];
		bounds.depth.high = promised.high[2];
	}
	return bounds;
}

/*
 * Return the side that the parts of a page would have if they were squares, or cubes.
 * They are not thinner than a unit of the paper where they are drawn.
 */
static float8
part_size(const SpqPictureView *view, const SpqPictureBounds *bounds, int parts)
{
	SpqBoxBounds seen = spq_picture_view_clip(view, &bounds->plane);
	float8		width = Max((seen.xmax - seen.xmin) * view->x_scale, 1);
	float8		height = Max((seen.ymax - seen.ymin) * view->y_scale, 1);

	if (view->depth_scale == 0)
		return sqrt(width * height / parts);
	return cbrt(width * height * Max(spq_picture_view_depth(view, bounds->depth), 1) / parts);
}

static Above *
above_of(Shapes *shapes, const SpqTreeStep *step)
{
	return step->parent ? &shapes->above[step->parent->level] : NULL;
}

/* Return whether the query's scan visits a page. */
static bool
is_visited(Shapes *shapes, const SpqTreeStep *step)
{
	const Above *above = above_of(shapes, step);

	if (shapes->collector->picture->query == NULL || above == NULL)
		return shapes->collector->picture->query != NULL;
	return above->above.visited && spq_tree_query_has(above->matches, step->entry);
}

static void
add_inner_page(Shapes *shapes, const SpqTreeStep *step, bool visited)
{
	SpqPicture *picture = shapes->collector->picture;
	Above	   *own = &shapes->above[step->level];
	SpqPictureShape shape = {0};

	picture->tally.inner++;
	picture->tally.inner_visited += visited;

	shape.bounds = bounds_of(step);
	shape.rank = step->level;
	shape.part_size = part_size(&picture->view, &shape.bounds, spq_rtree_count(step->page));
	shape.visited = visited;

	own->above.above = step->parent ? &above_of(shapes, step)->above : NULL;
	own->above.visited = visited;
	own->above.shape = spq_picture_add_shape(shapes->collector, own->above.above,
											 step->depth, &shape);
	if (visited)
		spq_rtree_match_inner(&shapes->query.conditions, step->page, own->matches);
}

static void
add_leaf(Shapes *shapes, const SpqTreeStep *step, bool visited)
{
	SpqPicture *picture = shapes->collector->picture;
	SpqPictureTally *tally = &picture->tally;
	SpqPictureShape shape = {0};
	uint8		matches[SPQ_RTREE_GROUPS_MAX];

	tally->leaves++;
	tally->boxes += step->rows;
	if (visited)
	{
		tally->leaves_visited++;
		tally->boxes_visited += step->rows;
		tally->boxes_matching += spq_rtree_match_leaf(&shapes->query.conditions, step->page,
													  false, matches);
	}
	for (int entry = 0; entry < step->rows; entry++)
	{
		SpqPictureBox box = box_of_row(step->page, entry);

		spq_picture_add_box(picture, &box, picture->show_boxes || step->parent == NULL);
	}

	/* of a root that is a leaf the boxes are drawn instead */
	if (step->parent == NULL)
		return;
	shape.bounds = bounds_of(step);
	shape.tile = true;
	shape.tuples = step->rows;
	shape.visited = visited;
	spq_picture_add_shape(shapes->collector, &above_of(shapes, step)->above, step->depth,
						  &shape);
}

static bool
visit(void *arg, SpqTreeStep *step)
{
	Shapes	   *shapes = (Shapes *) arg;
	SpqPictureTally *tally = &shapes->collector->picture->tally;
	bool		visited;

	if (step->of_nulls)
	{
		tally->nulls += step->rows;
		return true;
	}
	tally->deepest = Max(tally->deepest, step->depth);
	visited = is_visited(shapes, step);
	if (step->level > 0)
		add_inner_page(shapes, step, visited);
	else
		add_leaf(shapes, step, visited);
	return true;
}

static void
rtree_shapes(SpqInspectIndex *inspected, SpqPictureCollector *collector)
{
	Shapes	   *shapes = palloc0(sizeof(Shapes));
	SpqTreeVisitor visitor = {.visit = visit,.arg = shapes};
	const SpqPictureQuery *query = collector->picture->query;

	shapes->collector = collector;
	if (query)
		spq_tree_query_init(&shapes->query, inspected->index, query->strategy, query->function,
							query->datum);
	spq_tree_walk(&inspected->tree, &visitor);
	pfree(shapes);
}

const SpqPictureTree spq_picture_rtree = {
	.words = {
		.tree = "R-tree",
		.inner = "inner page",
		.inners = "inner pages",
		.leaf = "leaf page",
		.leaves = "leaf pages",
		.visited_leaves = "leaf pages",
		.tile = "page"
	},
	.outlined = true,
	.boxes = rtree_boxes,
	.shapes = rtree_shapes
};
