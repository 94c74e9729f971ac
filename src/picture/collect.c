/*-------------------------------------------------------------------------
 *
 * collect.c
 *	  Collecting what is to be drawn of an index.  See picture.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/builtins.h"

#include "inspect/query.h"
#include "pages/walk.h"
#include "picture/collect.h"

/* Cells smaller than this, in units of the paper, are folded. */
#define MIN_CELL		2.0

/* Approximate size of a shape in the SVG, in bytes. */
#define TILE_BYTES		26
#define GRID_BYTES		70

/* Of more boxes than this, between half as many and this many are drawn. */
#define MAX_BOXES		4000

/* An inner tuple on the path of the walk. */
typedef struct Above
{
	int			shape;			/* of what is below */
	bool		visited;
	SpqInspectQuery query;		/* entered here */
} Above;

typedef struct Collector
{
	SpqPicture *picture;
	int			max_shapes;
} Collector;

/* ---- first walk: where the boxes are ---- */

typedef struct Extent
{
	SpqBoxBounds fence;
	SpqBoxBounds bounds;
} Extent;

static bool
spread_visit(void *arg, SpqPageStep *step)
{
	if (step->of_nulls)
		return false;
	if (!step->inner)
		spq_page_foreach_in_chain(item, step)
	{
		BOX			box = spq_page_chain_box(step, item);

		spq_picture_spread_add((SpqPictureSpread *) arg, &box);
	}
	return true;
}

static bool
extent_visit(void *arg, SpqPageStep *step)
{
	Extent	   *extent = (Extent *) arg;

	if (step->of_nulls)
		return false;
	if (!step->inner)
		spq_page_foreach_in_chain(item, step)
	{
		BOX			box = spq_page_chain_box(step, item);

		spq_picture_extent_add(&extent->bounds, &extent->fence, &box);
	}
	return true;
}

/*
 * Return the view of an index.  A second walk is needed only if some boxes are
 * far away from the others.
 */
SpqPictureView
spq_picture_find_view(SpqInspectIndex *inspected, float8 left, float8 top, float8 width)
{
	SpqPictureSpread spread;
	Extent		extent;
	SpqPageVisitor visitor = {0};

	spq_picture_spread_init(&spread);
	visitor.visit = spread_visit;
	visitor.arg = &spread;
	spq_page_walk(&inspected->reader, &visitor);

	extent.bounds = spread.bounds;
	if (spq_picture_spread_fence(&spread, &extent.fence))
	{
		extent.bounds = spq_box_bounds_nothing();
		visitor.visit = extent_visit;
		visitor.arg = &extent;
		spq_page_walk(&inspected->reader, &visitor);
	}
	pfree(spread.sample);
	return spq_picture_make_view(&extent.bounds, left, top, width);
}

/* ---- last walk: the shapes ---- */

/*
 * Fold all shapes smaller than the limit.  moved_to[] is the new number of each
 * shape, or of the one that it was folded into.
 */
static void
fold_small(SpqPicture *picture, int *moved_to)
{
	int			n = 0;

	for (int i = 0; i < picture->n_shapes; i++)
	{
		SpqPictureShape shape = picture->shapes[i];

		if (shape.parent >= 0)
		{
			SpqPictureShape *parent = &picture->shapes[moved_to[shape.parent]];

			/* all below a tile is in it */
			if (parent->tile)
			{
				parent->tuples += shape.tuples;
				parent->visited |= shape.visited;
				moved_to[i] = moved_to[shape.parent];
				continue;
			}
			shape.parent = moved_to[shape.parent];
		}
		if (!shape.tile &&
			spq_picture_cell_size(&picture->view, &shape.cell) < picture->fold * (1 << shape.prefix.cuts))
		{
			shape.tile = true;
			shape.folded = true;
		}
		moved_to[i] = n;
		picture->shapes[n++] = shape;
	}
	picture->n_shapes = n;
}

static Size
bytes_of_shapes(const SpqPicture *picture)
{
	Size		bytes = 0;

	for (int i = 0; i < picture->n_shapes; i++)
		bytes += picture->shapes[i].tile ? TILE_BYTES : GRID_BYTES;
	return bytes;
}

/*
 * Raise the limit until half of the array is free.  The steps on the path get
 * the new numbers of their shapes.
 */
static void
make_room(Collector *collector, SpqPageStep *path)
{
	SpqPicture *picture = collector->picture;
	int		   *moved_to = palloc(picture->n_shapes * sizeof(int));

	while (picture->n_shapes > collector->max_shapes / 2)
	{
		CHECK_FOR_INTERRUPTS();
		picture->fold *= 1.25;
		fold_small(picture, moved_to);
		for (SpqPageStep *step = path; step != NULL; step = step->parent)
		{
			Above	   *above = (Above *) step->own;

			above->shape = moved_to[above->shape];
		}
	}
	pfree(moved_to);
}

/* Add a shape below an inner tuple.  Return its number. */
static int
add_shape(Collector *collector, SpqPageStep *parent, const SpqPictureShape *shape)
{
	SpqPicture *picture = collector->picture;

	if (picture->n_shapes == collector->max_shapes)
		make_room(collector, parent);
	picture->shapes[picture->n_shapes] = *shape;
	picture->shapes[picture->n_shapes].parent =
		parent ? ((Above *) parent->own)->shape : -1;
	return picture->n_shapes++;
}

/* Return the tile that the parent was folded into, or NULL. */
static SpqPictureShape *
tile_above(const SpqPicture *picture, const SpqPageStep *step)
{
	SpqPictureShape *shape;

	if (step->parent == NULL)
		return NULL;
	shape = &picture->shapes[((Above *) step->parent->own)->shape];
	return shape->tile ? shape : NULL;
}

/* Add a box that is on the map; every stride-th one is kept. */
static void
keep_box(SpqPicture *picture, const BOX *box)
{
	int64		number = picture->boxes_seen++;

	if (number % picture->boxes_stride != 0)
		return;
	if (picture->n_boxes == MAX_BOXES)
	{
		for (int i = 0; i < MAX_BOXES / 2; i++)
			picture->boxes[i] = picture->boxes[2 * i];
		picture->n_boxes /= 2;
		picture->boxes_stride *= 2;
		if (number % picture->boxes_stride != 0)
			return;
	}
	picture->boxes[picture->n_boxes++] = *box;
}

static void
collect_chain(SpqPicture *picture, const SpqPageStep *chain, bool visited)
{
	SpqPictureTally *tally = &picture->tally;
	SpqInspectQuery query;

	tally->chains++;
	tally->boxes += chain->tuples;
	tally->rounded |= chain->leaf_kind == SPQ_QUAD_LEAF_COMPACT;
	if (chain->below_oversize)
		tally->oversize_boxes += chain->tuples;
	if (visited)
	{
		tally->chains_visited++;
		tally->boxes_visited += chain->tuples;
		spq_inspect_query_init(&query, RTOverlapStrategyNumber, picture->query);
	}
	spq_page_foreach_in_chain(item, chain)
	{
		BOX			box = spq_page_chain_box(chain, item);
		SpqBoxBounds bounds = spq_box_bounds(&box);

		if (visited && spq_inspect_query_decide(&query, chain, item) != SPQ_QUAD_NO)
			tally->boxes_matching++;
		if (!spq_picture_can_draw(&box) || !spq_picture_view_shows(&picture->view, &bounds))
			tally->not_shown++;
		else if (picture->show_boxes || chain->parent == NULL)
			keep_box(picture, &box);
	}
}

/* Return whether the query's scan visits a step. */
static bool
is_visited(const SpqPicture *picture, const SpqPageStep *step)
{
	const Above *above;

	if (picture->query == NULL || step->parent == NULL)
		return picture->query != NULL;
	above = (const Above *) step->parent->own;
	return above->visited && spq_inspect_query_follows(&above->query, step->label);
}

/* Return whether an inner tuple is drawn as one tile. */
static bool
is_folded(const SpqPicture *picture, const SpqPageStep *inner)
{
	SpqBoxBounds bounds = spq_picture_cell_bounds(&inner->region.cell);

	return inner->level >= picture->max_level ||
		!spq_picture_view_shows(&picture->view, &bounds) ||
		spq_picture_cell_size(&picture->view, &inner->region.cell) <
		picture->fold * (1 << inner->prefix.cuts);
}

/*
 * Return the number of the shape of an inner tuple or a chain: the one above if
 * that is folded, else a new one.
 */
static int
shape_of(Collector *collector, const SpqPageStep *step, bool visited)
{
	SpqPictureShape *folded_into = tile_above(collector->picture, step);
	SpqPictureShape shape = {0};

	if (folded_into != NULL)
	{
		folded_into->visited |= visited;
		if (!step->inner)
			folded_into->tuples += step->tuples;
		return ((Above *) step->parent->own)->shape;
	}
	shape.oversize = step->below_oversize;
	shape.visited = visited;
	if (step->inner)
	{
		shape.prefix = step->prefix;
		shape.all_the_same = step->all_the_same;
		shape.cell = step->region.cell;
		shape.tile = shape.folded = is_folded(collector->picture, step);
	}
	else
	{
		shape.cell = step->cell;
		shape.tile = true;
		shape.tuples = step->tuples;
	}
	return add_shape(collector, step->parent, &shape);
}

static bool
picture_visit(void *arg, SpqPageStep *step)
{
	Collector  *collector = (Collector *) arg;
	SpqPicture *picture = collector->picture;
	Above	   *above;
	bool		visited;
	int			number;

	if (step->of_nulls)
	{
		if (!step->inner)
			picture->tally.nulls += step->tuples;
		return true;
	}
	visited = is_visited(picture, step);
	picture->tally.deepest = Max(picture->tally.deepest, step->level);
	if (step->inner)
	{
		picture->tally.inner_tuples++;
		picture->tally.inner_visited += visited;
	}
	else
		collect_chain(picture, step, visited);

	/* a root that is a chain has no cell to draw */
	if (step->parent == NULL && !step->inner)
		return true;

	number = shape_of(collector, step, visited);
	if (step->inner)
	{
		above = palloc(sizeof(Above));
		above->shape = number;
		above->visited = visited;
		if (visited)
		{
			spq_inspect_query_init(&above->query, RTOverlapStrategyNumber,
								   picture->query);
			spq_inspect_query_enter(&above->query, step);
		}
		step->own = above;
	}
	return true;
}

static void
picture_left(void *arg, SpqPageStep *inner)
{
	if (!inner->of_nulls)
		pfree(inner->own);
}

/*
 * Fill in shapes, boxes and tally of a picture whose view is known.
 */
void
spq_picture_collect(SpqPicture *picture, SpqInspectIndex *inspected)
{
	SpqPageVisitor visitor = {0};
	Collector	collector;
	int		   *moved_to;

	collector.picture = picture;
	collector.max_shapes = Max(64, picture->room / TILE_BYTES * 2);
	picture->fold = MIN_CELL;
	picture->shapes = palloc(collector.max_shapes * sizeof(SpqPictureShape));
	picture->boxes = palloc(MAX_BOXES * sizeof(BOX));
	picture->boxes_stride = 1;

	visitor.visit = picture_visit;
	visitor.left = picture_left;
	visitor.arg = &collector;
	spq_page_walk(&inspected->reader, &visitor);

	/* fold what was added before the limit rose */
	moved_to = palloc(Max(picture->n_shapes, 1) * sizeof(int));
	fold_small(picture, moved_to);
	while (bytes_of_shapes(picture) > picture->room)
	{
		CHECK_FOR_INTERRUPTS();
		picture->fold *= 1.1;
		fold_small(picture, moved_to);
	}
	pfree(moved_to);
}
