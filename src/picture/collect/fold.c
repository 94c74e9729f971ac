/*-------------------------------------------------------------------------
 *
 * fold.c
 *	  The array of shapes of a picture.  See collect.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "picture/collect/collect.h"

/* Parts smaller than this, in units of the paper, are folded. */
#define MIN_PART		2.0

/* Approximate size of a shape in the SVG, in bytes. */
#define TILE_BYTES		26
#define GRID_BYTES		70

/*
 * Fold all shapes smaller than the limit.  Set moved_to[] to the new number of
 * each shape, or of the shape that it was folded into.
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
 * Raise the limit until half of the array is free.  Renumber the shapes of the
 * steps on the path.
 */
static void
make_room(SpqPictureCollector *collector, SpqInspectStep *path)
{
	SpqPicture *picture = collector->picture;
	int		   *moved_to = palloc(picture->n_shapes * sizeof(int));

	while (picture->n_shapes > collector->max_shapes / 2)
	{
		CHECK_FOR_INTERRUPTS();
		picture->fold *= 1.25;
		fold_small(picture, moved_to);
		for (SpqInspectStep *step = path; step != NULL; step = step->parent)
			step->own = moved_to[step->own];
	}
	pfree(moved_to);
}

/*
 * Begin with an empty array, whose size follows from the room for shapes in
 * the SVG.
 */
void
spq_picture_begin_shapes(SpqPictureCollector *collector, SpqPicture *picture)
{
	collector->picture = picture;
	collector->max_shapes = Max(64, picture->room / TILE_BYTES * 2);
	picture->fold = MIN_PART;
	picture->shapes = palloc(collector->max_shapes * sizeof(SpqPictureShape));
}

/*
 * Add the shape of a step of the walk, or add to the tile that it is in.  Set
 * the step's own number to that of the shape or the tile.
 */
void
spq_picture_add_shape(SpqPictureCollector *collector, SpqInspectStep *step,
					  const SpqPictureShape *shape)
{
	SpqPicture *picture = collector->picture;
	SpqInspectStep *parent = step->parent;
	SpqPictureShape *added;

	if (parent != NULL && picture->shapes[parent->own].tile)
	{
		SpqPictureShape *folded = &picture->shapes[parent->own];

		folded->visited |= shape->visited;
		folded->tuples += shape->tuples;
		step->own = parent->own;
		return;
	}
	if (picture->n_shapes == collector->max_shapes)
		make_room(collector, parent);
	added = &picture->shapes[picture->n_shapes];
	*added = *shape;
	added->parent = parent ? parent->own : -1;
	if (!added->tile)
		added->tile = added->folded = step->level >= picture->max_level ||
			!spq_picture_view_shows(&picture->view, &shape->bounds) ||
			shape->part_size < picture->fold;
	step->own = picture->n_shapes++;
}

/*
 * Fold the shapes that were added before the limit rose, and until they fit the
 * room.
 */
void
spq_picture_end_shapes(SpqPictureCollector *collector)
{
	SpqPicture *picture = collector->picture;
	int		   *moved_to = palloc(Max(picture->n_shapes, 1) * sizeof(int));

	fold_small(picture, moved_to);
	while (bytes_of_shapes(picture) > picture->room)
	{
		CHECK_FOR_INTERRUPTS();
		picture->fold *= 1.1;
		fold_small(picture, moved_to);
	}
	pfree(moved_to);
}
