/*-------------------------------------------------------------------------
 *
 * projection.c
 *	  Three views of space.  See projection.h.
 *
 * What is collected is the same for all three: parts are folded by their volume.  So
 * a projection of a picture is the same picture with its axes exchanged.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/projection.h"

/* Empty space around the extent, as a fraction of it. */
#define MARGIN		0.04

/* Length of the shortest axis, as a fraction of that of the longest. */
#define MIN_LENGTH	0.3

/* A shorter extent gets empty space up to this factor before it is stretched. */
#define MAX_SPACE	2.5

/* Height of the sheet, as a fraction of its width. */
#define MAX_HEIGHT	1.2

/* A smaller extent is widened to this part of its numbers, or of the others. */
#define MIN_PART	1e-9
#define SMALLEST	1e-280

const SpqPictureProjection spq_picture_projections[SPQ_PICTURE_PROJECTIONS] = {
	{0, 1, 2},
	{0, 2, 1},
	{1, 2, 0}
};

static void
to_ranges(const SpqPictureBounds *bounds, SpqPictureRange *ranges)
{
	ranges[0].low = bounds->plane.xmin;
	ranges[0].high = bounds->plane.xmax;
	ranges[1].low = bounds->plane.ymin;
	ranges[1].high = bounds->plane.ymax;
	ranges[2] = bounds->depth;
}

static float8
length_of(SpqPictureRange range)
{
	return range.high - range.low;
}

static void
widen(SpqPictureRange *range, float8 length)
{
	float8		more = (length - length_of(*range)) / 2;

	if (more > 0)
	{
		range->low -= more;
		range->high += more;
	}
}

/*
 * Widen an extent, which may be empty, a point, a line or flat, to what doubles can
 * tell apart, with a margin.  Return the length of its longest axis.
 */
static float8
widen_all(SpqPictureRange *axes)
{
	float8		longest = 0;

	for (int axis = 0; axis < 3; axis++)
	{
		if (!(axes[axis].low <= axes[axis].high))
		{
			axes[axis].low = 0;
			axes[axis].high = 1;
		}
		longest = Max(longest, length_of(axes[axis]));
	}
	for (int axis = 0; axis < 3; axis++)
	{
		float8		far = Max(fabs(axes[axis].low), fabs(axes[axis].high));

		if (length_of(axes[axis]) < Max(Max(far * 1e-12, longest * MIN_PART), SMALLEST))
			widen(&axes[axis], longest > SMALLEST && longest > far * 1e-12 ?
				  longest * MIN_LENGTH : Max(far * 1e-3, 1));
	}
	longest = 0;
	for (int axis = 0; axis < 3; axis++)
	{
		widen(&axes[axis], length_of(axes[axis]) * (1 + MARGIN));
		longest = Max(longest, length_of(axes[axis]));
	}
	return longest;
}

/*
 * Return the views of an extent.
 */
SpqPictureSheet
spq_picture_make_sheet(const SpqPictureBounds *extent, float8 left, float8 top,
					   float8 width, float8 gap)
{
	SpqPictureSheet sheet;
	SpqPictureRange axes[3];
	float8		lengths[3];
	float8		longest;
	float8		unit;
	bool		stretched = false;

	to_ranges(extent, axes);
	longest = widen_all(axes);
	for (int axis = 0; axis < 3; axis++)
	{
		float8		part = length_of(axes[axis]) / longest;

		if (part < MIN_LENGTH && part * MAX_SPACE >= MIN_LENGTH)
			widen(&axes[axis], longest * MIN_LENGTH);
		else
			stretched |= part < MIN_LENGTH;
		lengths[axis] = Max(part, MIN_LENGTH);
	}
	unit = Min((width - gap) / (lengths[0] + lengths[1]),
			   (width * MAX_HEIGHT - gap) / (lengths[1] + lengths[2]));
	for (int axis = 0; axis < 3; axis++)
		lengths[axis] = rint(unit * lengths[axis]);

	for (int i = 0; i < SPQ_PICTURE_PROJECTIONS; i++)
	{
		const SpqPictureProjection *projection = &spq_picture_projections[i];
		SpqPictureView *view = &sheet.views[i];
		SpqPictureRange across = axes[projection->across];
		SpqPictureRange up = axes[projection->up];

		view->shown.xmin = across.low;
		view->shown.xmax = across.high;
		view->shown.ymin = up.low;
		view->shown.ymax = up.high;
		view->depth = axes[projection->depth];
		view->width = lengths[projection->across];
		view->height = lengths[projection->up];
		view->left = projection->across == 0 ? left : left + lengths[0] + gap;
		view->top = projection->up == 2 ? top : top + lengths[2] + gap;
		view->x_scale = view->width / length_of(across);
		view->y_scale = view->height / length_of(up);
		view->depth_scale = lengths[projection->depth] / length_of(view->depth);
		view->stretched = stretched;
	}
	sheet.width = lengths[0] + gap + lengths[1];
	sheet.height = lengths[2] + gap + lengths[1];
	return sheet;
}

/* Exchange the axes of bounds. */
static SpqPictureBounds
project(const SpqPictureProjection *projection, const SpqPictureBounds *bounds)
{
	SpqPictureRange ranges[3];
	SpqPictureBounds projected;

	to_ranges(bounds, ranges);
	projected.plane.xmin = ranges[projection->across].low;
	projected.plane.xmax = ranges[projection->across].high;
	projected.plane.ymin = ranges[projection->up].low;
	projected.plane.ymax = ranges[projection->up].high;
	projected.depth = ranges[projection->depth];
	return projected;
}

/* The same with a box, which may have a NaN. */
static SpqPictureBox
project_box(const SpqPictureProjection *projection, const SpqPictureBox *box)
{
	const SpqPictureRange ranges[3] = {
		{box->plane.low.x, box->plane.high.x},
		{box->plane.low.y, box->plane.high.y},
		box->depth
	};
	SpqPictureBox projected;

	projected.plane.low.x = ranges[projection->across].low;
	projected.plane.high.x = ranges[projection->across].high;
	projected.plane.low.y = ranges[projection->up].low;
	projected.plane.high.y = ranges[projection->up].high;
	projected.depth = ranges[projection->depth];
	return projected;
}

/*
 * Return a picture as it is seen in another projection.
 */
SpqPicture
spq_picture_project(const SpqPicture *plan, const SpqPictureProjection *projection,
					const SpqPictureView *view)
{
	SpqPicture	picture = *plan;

	picture.view = *view;
	picture.shapes = palloc(Max(plan->n_shapes, 1) * sizeof(SpqPictureShape));
	for (int i = 0; i < plan->n_shapes; i++)
	{
		picture.shapes[i] = plan->shapes[i];
		picture.shapes[i].bounds = project(projection, &plan->shapes[i].bounds);
	}
	picture.boxes = palloc(Max(plan->n_boxes, 1) * sizeof(SpqPictureBox));
	for (int i = 0; i < plan->n_boxes; i++)
		picture.boxes[i] = project_box(projection, &plan->boxes[i]);
	if (plan->query)
	{
		SpqPictureQuery *query = palloc(sizeof(SpqPictureQuery));

		*query = *plan->query;
		query->box = project_box(projection, &plan->query->box);
		picture.query = query;
	}
	return picture;
}
