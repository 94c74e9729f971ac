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

#include "picture/collect.h"

/* Parts smaller than this, in units of the paper, are folded. */
#define MIN_PART		2.0

/* Approximate size of a shape in the SVG, in bytes. */
#define TILE_BYTES		26
#define GRID_BYTES		70

/* Of more boxes than this, between half as many and this many are drawn. */
#define MAX_BOXES		4000

/* ---- first walk: where the boxes are ---- */

typedef struct Extent
{
	SpqPictureBounds fence;
	SpqPictureBounds bounds;
} Extent;

static void
add_to_spread(void *arg, const SpqPictureBox *box)
{
	spq_picture_spread_add((SpqPictureSpread *) arg, box);
}

static void
add_to_extent(void *arg, const SpqPictureBox *box)
{
	Extent	   *extent = (Extent *) arg;

	spq_picture_extent_add(&extent->bounds, &extent->fence, box);
}

/*
 * Return what is to be shown of an index.  A second walk is needed only if some boxes
 * are far away from the others.
 */
SpqPictureBounds
spq_picture_find_extent(const SpqPictureTree *tree, SpqInspectIndex *inspected)
{
	SpqPictureSpread spread;
	Extent		extent;

	spq_picture_spread_init(&spread);
	tree->boxes(inspected, add_to_spread, &spread);
	extent.bounds = spread.bounds;
	if (spq_picture_spread_fence(&spread, &extent.fence))
	{
		extent.bounds = spq_picture_no_bounds();
		tree->boxes(inspected, add_to_extent, &extent);
	}
	pfree(spread.sample);
	return extent.bounds;
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
		if (!shape.tile && shape.part_size < picture->fold)
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
		bytes += picture->shapes[i].tile || picture->outlined ? TILE_BYTES : GRID_BYTES;
	return bytes;
}

/*
 * Raise the limit until half of the array is free.  The grids on the path get
 * the new numbers of their shapes.
 */
static void
make_room(SpqPictureCollector *collector, SpqPictureAbove *path)
{
	SpqPicture *picture = collector->picture;
	int		   *moved_to = palloc(picture->n_shapes * sizeof(int));

	while (picture->n_shapes > collector->max_shapes / 2)
	{
		CHECK_FOR_INTERRUPTS();
		picture->fold *= 1.25;
		fold_small(picture, moved_to);
		for (SpqPictureAbove *above = path; above != NULL; above = above->above)
			above->shape = moved_to[above->shape];
	}
	pfree(moved_to);
}

/*
 * Add a shape of a level (1: the root), unless what it is in is folded: then it
 * becomes part of that.  Return the number of the one or the other.
 */
int
spq_picture_add_shape(SpqPictureCollector *collector, SpqPictureAbove *above,
					  int level, const SpqPictureShape *shape)
{
	SpqPicture *picture = collector->picture;
	SpqPictureShape *added;

	if (above != NULL && picture->shapes[above->shape].tile)
	{
		SpqPictureShape *folded = &picture->shapes[above->shape];

		folded->visited |= shape->visited;
		folded->tuples += shape->tuples;
		return above->shape;
	}
	if (picture->n_shapes == collector->max_shapes)
		make_room(collector, above);
	added = &picture->shapes[picture->n_shapes];
	*added = *shape;
	added->parent = above ? above->shape : -1;
	if (!added->tile)
		added->tile = added->folded = level >= picture->max_level ||
			!spq_picture_view_shows(&picture->view, &shape->bounds) ||
			shape->part_size < picture->fold;
	return picture->n_shapes++;
}

/* Add a box that is on the map; every stride-th one is kept. */
static void
keep_box(SpqPicture *picture, const SpqPictureBox *box)
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

/* Count a box that is not on the map; draw another one. */
void
spq_picture_add_box(SpqPicture *picture, const SpqPictureBox *box, bool draw)
{
	SpqPictureBounds bounds = spq_picture_box_bounds(box);

	if (!spq_picture_can_draw(box) || !spq_picture_view_shows(&picture->view, &bounds))
		picture->tally.not_shown++;
	else if (draw)
		keep_box(picture, box);
}

/*
 * Fill in shapes, boxes and tally of a picture whose view is known.
 */
void
spq_picture_collect(SpqPicture *picture, const SpqPictureTree *tree,
					SpqInspectIndex *inspected)
{
	SpqPictureCollector collector;
	int		   *moved_to;

	collector.picture = picture;
	collector.max_shapes = Max(64, picture->room / TILE_BYTES * 2);
	picture->words = &tree->words;
	picture->outlined = tree->outlined;
	picture->fold = MIN_PART;
	picture->shapes = palloc(collector.max_shapes * sizeof(SpqPictureShape));
	picture->boxes = palloc(MAX_BOXES * sizeof(SpqPictureBox));
	picture->boxes_stride = 1;
	tree->shapes(inspected, &collector);

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
