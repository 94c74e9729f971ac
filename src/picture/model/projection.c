/*-------------------------------------------------------------------------
 *
 * projection.c
 *	  Three views of space.  See projection.h.
 *
 * All three views show the same shapes, since parts are folded by their
 * volume.  So a projection of a picture is the same picture with its axes
 * exchanged.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/model/projection.h"

/* Length of the shortest axis, as a fraction of that of the longest. */
#define MIN_LENGTH	0.3

/* Height of the sheet, as a fraction of its width. */
#define MAX_HEIGHT	1.2

/* Shorter ranges, as a fraction of the longest and absolutely, are widened. */
#define MIN_PART	1e-9
#define SMALLEST	1e-280

const SpqPictureProjection spq_picture_projections[SPQ_PICTURE_PROJECTIONS] = {
	{0, 1, 2},
	{0, 2, 1},
	{1, 2, 0}
};

static float8
length_of(SpqInspectRange range)
{
	return range.high - range.low;
}

static void
widen(SpqInspectRange *range, float8 length)
{
	spq_picture_widen(&range->low, &range->high, length);
}

/*
 * Widen an extent, which may be empty, a point, a line or flat, so that
 * doubles can tell its ends apart, and add a margin.  Return the length of its
 * longest axis.
 */
static float8
widen_all(SpqInspectRange *axes)
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
		widen(&axes[axis], length_of(axes[axis]) * (1 + SPQ_PICTURE_MARGIN));
		longest = Max(longest, length_of(axes[axis]));
	}
	return longest;
}

/*
 * Return the three views of an extent.
 */
SpqPictureSheet
spq_picture_make_sheet(const SpqInspectBounds *extent, float8 left, float8 top,
					   float8 width, float8 gap)
{
	SpqPictureSheet sheet;
	SpqInspectRange axes[3];
	float8		lengths[3];
	float8		longest;
	float8		unit;
	bool		stretched = false;

	spq_picture_bounds_ranges(extent, axes);
	longest = widen_all(axes);
	for (int axis = 0; axis < 3; axis++)
	{
		float8		part = length_of(axes[axis]) / longest;

		if (part < MIN_LENGTH && part * SPQ_PICTURE_MAX_SPACE >= MIN_LENGTH)
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
		SpqInspectRange across = axes[projection->across];
		SpqInspectRange up = axes[projection->up];

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
static SpqInspectBounds
project(const SpqPictureProjection *projection, const SpqInspectBounds *bounds)
{
	SpqInspectRange ranges[3];
	SpqInspectRange projected[3];

	spq_picture_bounds_ranges(bounds, ranges);
	projected[0] = ranges[projection->across];
	projected[1] = ranges[projection->up];
	projected[2] = ranges[projection->depth];
	return spq_picture_ranges_bounds(projected);
}

/* Exchange the axes of a box, which may have a NaN. */
static SpqInspectBox
project_box(const SpqPictureProjection *projection, const SpqInspectBox *box)
{
	SpqInspectRange ranges[3];
	SpqInspectBox projected;

	spq_picture_box_ranges(box, ranges);
	projected.plane.low.x = ranges[projection->across].low;
	projected.plane.high.x = ranges[projection->across].high;
	projected.plane.low.y = ranges[projection->up].low;
	projected.plane.high.y = ranges[projection->up].high;
	projected.depth = ranges[projection->depth];
	return projected;
}

/*
 * Return a picture in another projection.  Its shapes, boxes and query are
 * copies.
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
	picture.boxes.boxes = palloc(Max(plan->boxes.n, 1) * sizeof(SpqInspectBox));
	for (int i = 0; i < plan->boxes.n; i++)
		picture.boxes.boxes[i] = project_box(projection, &plan->boxes.boxes[i]);
	if (plan->query)
	{
		SpqPictureQuery *query = palloc(sizeof(SpqPictureQuery));

		*query = *plan->query;
		query->box = project_box(projection, &plan->query->box);
		picture.query = query;
	}
	return picture;
}
