/*-------------------------------------------------------------------------
 *
 * collect.h
 *	  Collecting what is to be drawn of an index, whatever its tree.
 *
 *		of_quadtree.c, of_rtree.c		walk over the tree, and tell of it
 *		collect.c						folds what is too small
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_PICTURE_COLLECT_H
#define SPQ_PICTURE_COLLECT_H

#include "inspect/inspect.h"
#include "picture/picture.h"

typedef struct SpqPictureCollector
{
	SpqPicture *picture;
	int			max_shapes;
} SpqPictureCollector;

/* A grid on the path of the walk.  Shapes are added below it. */
typedef struct SpqPictureAbove
{
	struct SpqPictureAbove *above;	/* NULL: the root */
	int			shape;			/* its number, or that of the tile it is in */
	bool		visited;		/* by the query's scan */
} SpqPictureAbove;

/* A kind of tree. */
typedef struct SpqPictureTree
{
	SpqPictureWords words;
	bool		outlined;

	/* Call a function for each box. */
	void		(*boxes) (SpqInspectIndex *inspected,
						  void (*add) (void *arg, const SpqPictureBox *box), void *arg);

	/* Count, and add all shapes and boxes. */
	void		(*shapes) (SpqInspectIndex *inspected, SpqPictureCollector *collector);
} SpqPictureTree;

extern const SpqPictureTree spq_picture_quadtree;
extern const SpqPictureTree spq_picture_rtree;

extern SpqPictureBounds spq_picture_find_extent(const SpqPictureTree *tree,
												SpqInspectIndex *inspected);
extern void spq_picture_collect(SpqPicture *picture, const SpqPictureTree *tree,
								SpqInspectIndex *inspected);

extern int	spq_picture_add_shape(SpqPictureCollector *collector, SpqPictureAbove *above,
								  int level, const SpqPictureShape *shape);
extern void spq_picture_add_box(SpqPicture *picture, const SpqPictureBox *box, bool draw);

#endif							/* SPQ_PICTURE_COLLECT_H */
