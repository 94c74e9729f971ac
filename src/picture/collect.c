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
#include "quadtree/match.h"

/* Cells smaller than this, in units of the paper, are folded. */
#define MIN_CELL		2.0

/* Bytes that a shape takes in the picture, about. */
#define TILE_BYTES		26
#define GRID_BYTES		70

/* Boxes that are drawn: this many, or up to half as many. */
#define MAX_BOXES		4000

/* What is known of an inner tuple on the way down. */
typedef struct Above
{
	int			shape;			/* that what is below belongs to */
	bool		visited;
	SpqInspectQuery query;		/* entered here */
} Above;

typedef struct Collector
{
	SpqPicture *picture;
	int			most_shapes;
} Collector;

/* ---- first walk: where the boxes are ---- */

typedef struct Extent
{
	SpqBounds	fence;
	SpqBounds	bounds;
} Extent;

static bool
spread_visit(void *arg, SpqPageStep *node)
{
	if (node->of_nulls)
		return false;
	if (!node->inner)
		spq_page_foreach_in_chain(item, node)
	{
		BOX			box = spq_page_chain_box(node, item);

		spq_picture_spread_add((SpqPictureSpread *) arg, &box);
	}
	return true;
}

static bool
extent_visit(void *arg, SpqPageStep *node)
{
	Extent	   *extent = (Extent *) arg;

	if (node->of_nulls)
		return false;
	if (!node->inner)
		spq_page_foreach_in_chain(item, node)
	{
		BOX			box = spq_page_chain_box(node, item);

		spq_picture_extent_add(&extent->bounds, &extent->fence, &box);
	}
	return true;
}

/*
 * The view of an index.  A second walk is needed only if there are boxes far
 * off.
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
 * Fold all that is smaller than the limit.  "place" is where each shape is
 * afterwards, or the one that it was folded into.
 */
static void
fold_small(SpqPicture *picture, int *place)
{
	int			n = 0;

	for (int i = 0; i < picture->n_shapes; i++)
	{
		SpqPictureShape shape = picture->shapes[i];

		if (shape.parent >= 0)
		{
			SpqPictureShape *parent = &picture->shapes[place[shape.parent]];

			/* all below a tile is in it */
			if (parent->tile)
			{
				parent->tuples += shape.tuples;
				parent->visited |= shape.visited;
				place[i] = place[shape.parent];
				continue;
			}
			shape.parent = place[shape.parent];
		}
		if (!shape.tile &&
			spq_picture_cell_size(&picture->view, &shape.cell) < picture->fold * (1 << shape.prefix.cuts))
		{
			shape.tile = true;
			shape.folded = true;
		}
		place[i] = n;
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
 * Raise the limit until there is room for more.  "above" are those on the
 * way down to where the walk is; their shapes get new numbers.
 */
static void
make_room(Collector *collector, SpqPageStep *path)
{
	SpqPicture *picture = collector->picture;
	int		   *place = palloc(picture->n_shapes * sizeof(int));

	while (picture->n_shapes > collector->most_shapes / 2)
	{
		CHECK_FOR_INTERRUPTS();
		picture->fold *= 1.25;
		fold_small(picture, place);
		for (SpqPageStep *node = path; node != NULL; node = node->parent)
		{
			Above	   *above = (Above *) node->own;

			above->shape = place[above->shape];
		}
	}
	pfree(place);
}

/* A new shape, below the inner tuple "parent". */
static int
add_shape(Collector *collector, SpqPageStep *parent, const SpqPictureShape *shape)
{
	SpqPicture *picture = collector->picture;

	if (picture->n_shapes == collector->most_shapes)
		make_room(collector, parent);
	picture->shapes[picture->n_shapes] = *shape;
	picture->shapes[picture->n_shapes].parent =
		parent ? ((Above *) parent->own)->shape : -1;
	return picture->n_shapes++;
}

/* Is there a shape that takes all that is below the parent? */
static SpqPictureShape *
tile_above(const SpqPicture *picture, const SpqPageStep *node)
{
	SpqPictureShape *shape;

	if (node->parent == NULL)
		return NULL;
	shape = &picture->shapes[((Above *) node->parent->own)->shape];
	return shape->tile ? shape : NULL;
}

/* One box that is on the map; every stride-th is kept. */
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
look_at_chain(SpqPicture *picture, const SpqPageStep *chain, bool visited)
{
	SpqPictureTally *tally = &picture->tally;

	tally->chains++;
	tally->boxes += chain->tuples;
	tally->rounded |= chain->leaf_kind == SPQ_QUAD_LEAF_COMPACT;
	if (chain->below_oversize)
		tally->oversize_boxes += chain->tuples;
	if (visited)
	{
		tally->chains_visited++;
		tally->boxes_visited += chain->tuples;
	}
	spq_page_foreach_in_chain(item, chain)
	{
		BOX			box = spq_page_chain_box(chain, item);
		SpqBounds	bounds = spq_box_bounds(&box);

		if (visited && spq_box_matches(&box, RTOverlapStrategyNumber,
									   BoxPGetDatum(picture->query)))
			tally->boxes_matching++;
		if (!spq_picture_can_show(&box) || !spq_picture_view_shows(&picture->view, &bounds))
			tally->not_shown++;
		else if (picture->show_boxes || chain->parent == NULL)
			keep_box(picture, &box);
	}
}

/* Does the query's scan come to it? */
static bool
scan_comes_to(const SpqPicture *picture, const SpqPageStep *node)
{
	const Above *above;

	if (picture->query == NULL || node->parent == NULL)
		return picture->query != NULL;
	above = (const Above *) node->parent->own;
	return above->visited && spq_inspect_query_follows(&above->query, node->label);
}

/* Is an inner tuple drawn as one tile? */
static bool
is_folded(const SpqPicture *picture, const SpqPageStep *inner)
{
	SpqBounds	bounds = spq_picture_cell_bounds(&inner->region.cell);

	return inner->level >= picture->max_level ||
		!spq_picture_view_shows(&picture->view, &bounds) ||
		spq_picture_cell_size(&picture->view, &inner->region.cell) <
		picture->fold * (1 << inner->prefix.cuts);
}

/*
 * The number of the shape that an inner tuple or a chain belongs to: the one that
 * is above it if that is folded, or else a new one.
 */
static int
shape_of(Collector *collector, const SpqPageStep *node, bool visited)
{
	SpqPictureShape *folded_into = tile_above(collector->picture, node);
	SpqPictureShape shape = {0};

	if (folded_into != NULL)
	{
		folded_into->visited |= visited;
		if (!node->inner)
			folded_into->tuples += node->tuples;
		return ((Above *) node->parent->own)->shape;
	}
	shape.oversize = node->below_oversize;
	shape.visited = visited;
	if (node->inner)
	{
		shape.prefix = node->prefix;
		shape.of_one_place = node->all_the_same;
		shape.cell = node->region.cell;
		shape.tile = shape.folded = is_folded(collector->picture, node);
	}
	else
	{
		shape.cell = node->cell;
		shape.tile = true;
		shape.tuples = node->tuples;
	}
	return add_shape(collector, node->parent, &shape);
}

static bool
picture_visit(void *arg, SpqPageStep *node)
{
	Collector  *collector = (Collector *) arg;
	SpqPicture *picture = collector->picture;
	Above	   *above;
	bool		visited;
	int			number;

	if (node->of_nulls)
	{
		if (!node->inner)
			picture->tally.nulls += node->tuples;
		return true;
	}
	visited = scan_comes_to(picture, node);
	picture->tally.deepest = Max(picture->tally.deepest, node->level);
	if (node->inner)
	{
		picture->tally.inner_tuples++;
		picture->tally.inner_visited += visited;
	}
	else
		look_at_chain(picture, node, visited);

	/* a root that is a chain has no cell */
	if (node->parent == NULL && !node->inner)
		return true;

	number = shape_of(collector, node, visited);
	if (node->inner)
	{
		above = palloc(sizeof(Above));
		above->shape = number;
		above->visited = visited;
		if (visited)
		{
			above->query.strategy = RTOverlapStrategyNumber;
			above->query.box = *picture->query;
			spq_inspect_query_enter(&above->query, node);
		}
		node->own = above;
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
 * Fill in shapes, boxes and tally.  The view is known.
 */
void
spq_picture_collect(SpqPicture *picture, SpqInspectIndex *inspected)
{
	SpqPageVisitor visitor = {0};
	Collector	collector;
	int		   *place;

	collector.picture = picture;
	collector.most_shapes = Max(64, picture->room / TILE_BYTES * 2);
	picture->fold = MIN_CELL;
	picture->shapes = palloc(collector.most_shapes * sizeof(SpqPictureShape));
	picture->boxes = palloc(MAX_BOXES * sizeof(BOX));
	picture->boxes_stride = 1;

	visitor.visit = picture_visit;
	visitor.left = picture_left;
	visitor.arg = &collector;
	spq_page_walk(&inspected->reader, &visitor);

	/* what was there before the limit rose */
	place = palloc(Max(picture->n_shapes, 1) * sizeof(int));
	fold_small(picture, place);
	while (bytes_of_shapes(picture) > picture->room)
	{
		CHECK_FOR_INTERRUPTS();
		picture->fold *= 1.1;
		fold_small(picture, place);
	}
	pfree(place);
}
