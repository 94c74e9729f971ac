/*-------------------------------------------------------------------------
 *
 * legend.c
 *	  The text around the map.
 *
 *		title
 *		counts
 *		+----------------------------------------+
 *		|				 the map				 |
 *		+----------------------------------------+
 *		|--- 500 ---|		  boxes per 10 x 10  ########
 *		x 0 ... 2000								1  10  100
 *		[] a note	[] another note
 *
 * In a narrow frame, the colors are below the scale.  notes.c paints the notes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "picture/elements/elements.h"
#include "picture/elements/palette.h"
#include "picture/paint/paint.h"

/* At most this many decades are labeled on the scale of colors. */
#define MAX_LABELS 6

/*
 * Least width, as a multiple of the font size, for scale and colors side by
 * side.
 */
#define MIN_SIDE_BY_SIDE 46

/*
 * Paint title and counts.
 */
void
spq_picture_paint_title(StringInfo svg, const SpqPicture *picture,
						const SpqPictureFrame *frame, const char *title, float8 size)
{
	const SpqPictureTally *tally = &picture->tally;
	const SpqPictureWords *words = picture->words;
	StringInfoData text;

	spq_picture_append_text(svg, frame->left, frame->top - 2.6 * size,
							"font-weight=\"600\" fill=\"" SPQ_PICTURE_TEXT "\"", 1.5 * size, 0.9 * frame->width,
							title);

	initStringInfo(&text);
	spq_picture_append_number(&text, tally->boxes, "box", "boxes");
	if (tally->inner > 0)
	{
		appendStringInfoString(&text, " &#183; ");
		spq_picture_append_number(&text, tally->inner, words->inner, words->inners);
		appendStringInfoString(&text, " &#183; ");
		spq_picture_append_number(&text, tally->leaves, words->leaf, words->leaves);
		appendStringInfo(&text, " &#183; depth %d", tally->deepest - 1);
	}
	else if (tally->boxes > 0)
		appendStringInfoString(&text, " &#183; all on the root page, not split yet");
	if (tally->nulls > 0)
	{
		appendStringInfoString(&text, " &#183; ");
		spq_picture_append_number(&text, tally->nulls, "null", "nulls");
	}
	spq_picture_append_text(svg, frame->left, frame->top - size, "fill=\"" SPQ_PICTURE_FAINT "\"", size,
							frame->width, text.data);
	pfree(text.data);
}

/* Return whether a frame has no room for scale and colors side by side. */
static bool
is_narrow(const SpqPictureFrame *frame, float8 size)
{
	return frame->width < MIN_SIDE_BY_SIDE * size;
}

/* Return the largest of 1, 2, 5, 10, 20, ... that does not exceed the value. */
static float8
round_down(float8 value)
{
	float8		decade = pow(10, floor(log10(value)));
	float8		part = value / decade;

	return decade * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

/* Paint a bar of a round length, at most as long as given on the paper. */
static void
paint_bar(StringInfo svg, float8 x, float8 y, float8 scale, float8 longest,
		  float8 size, const char *label)
{
	float8		length = round_down(longest / scale);
	float8		on_paper = length * scale;
	StringInfoData text;

	appendStringInfo(svg, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" d=\"M%.1f %.1fv%.1fh%.1fv%.1f\"/>\n",
					 SPQ_PICTURE_TEXT, size / 9, x, y - size / 3, size / 3, on_paper, -size / 3);
	initStringInfo(&text);
	spq_picture_append_short(&text, length);
	appendStringInfoString(&text, label);
	spq_picture_append_text(svg, x + on_paper + size / 2, y, "fill=\"" SPQ_PICTURE_TEXT "\"", size,
							12 * size, text.data);
	pfree(text.data);
}

static void
append_range(StringInfo text, const char *axis, float8 low, float8 high)
{
	appendStringInfo(text, "%s%s ", text->len > 0 ? " &#183; " : "", axis);
	spq_picture_append_coordinate(text, low, high - low);
	appendStringInfoString(text, " to ");
	spq_picture_append_coordinate(text, high, high - low);
}

/*
 * Paint the scale bar, or one for each axis if their scales differ, and the
 * ranges shown.  Return the y coordinate of the end.
 */
static float8
paint_scale(StringInfo svg, const SpqPicture *picture, const SpqPictureFrame *frame, float8 size)
{
	const SpqPictureView *view = &picture->view;
	bool		space = picture->axes == 3;
	float8		longest = (space ? 0.3 : 0.16) * frame->width;
	float8		y = frame->top;
	StringInfoData range;

	paint_bar(svg, frame->left, y + size, view->x_scale, longest, size,
			  view->stretched ? " along x" : "");
	if (view->stretched)
	{
		y += 1.6 * size;
		paint_bar(svg, frame->left, y + size, view->y_scale, longest, size, " along y");
	}
	if (view->stretched && space)
	{
		y += 1.6 * size;
		paint_bar(svg, frame->left, y + size, view->depth_scale, longest, size, " along z");
	}
	initStringInfo(&range);
	append_range(&range, "x", view->shown.xmin, view->shown.xmax);
	append_range(&range, "y", view->shown.ymin, view->shown.ymax);
	if (space)
		append_range(&range, "z", view->depth.low, view->depth.high);
	spq_picture_append_text(svg, frame->left, y + 2.5 * size, "fill=\"" SPQ_PICTURE_FAINT "\"", size,
							(is_narrow(frame, size) ? 1 : 0.5) * frame->width, range.data);
	pfree(range.data);
	return y + 2.5 * size;
}

/*
 * Paint the scale of colors with labels of boxes per area, or volume.  The
 * unit is a square, or a cube, whose side is the least power of ten for which
 * the lowest label is at least 1.  Return the y coordinate of the end.
 */
static float8
paint_colors(StringInfo svg, const SpqPicture *picture, const SpqPictureScale *scale,
			 const SpqPictureFrame *frame, float8 y, float8 size)
{
	bool		narrow = is_narrow(frame, size);
	float8		width = 16 * size;
	float8		left = narrow ? frame->left : frame->left + frame->width - width;
	float8		label_y = narrow ? y - 0.6 * size : y + size;
	int			lowest = (int) ceil(scale->low - 1e-9);
	int			highest = (int) floor(scale->high + 1e-9);
	int			step = (highest - lowest) / MAX_LABELS + 1;
	int			side_exp = (int) ceil(-lowest / (float8) picture->axes);
	StringInfoData text;

	appendStringInfoString(svg, "<g shape-rendering=\"crispEdges\">\n");
	for (int i = 0; i < SPQ_PICTURE_COLORS; i++)
		appendStringInfo(svg, "<path fill=\"%s\" d=\"M%.1f %.1fh%.1fv%.1fh%.1fz\"/>\n",
						 spq_picture_colors[i], left + i * width / SPQ_PICTURE_COLORS, y,
						 width / SPQ_PICTURE_COLORS + (i < SPQ_PICTURE_COLORS - 1 ? 0.5 : 0), size,
						 -width / SPQ_PICTURE_COLORS - (i < SPQ_PICTURE_COLORS - 1 ? 0.5 : 0));
	appendStringInfoString(svg, "</g>\n");
	initStringInfo(&text);
	for (int i = lowest; i <= highest; i += step)
	{
		float8		x = left + (i - scale->low) / (scale->high - scale->low) * width;

		resetStringInfo(&text);
		spq_picture_append_short(&text, pow(10, i + picture->axes * side_exp));
		appendStringInfo(svg, "<path stroke=\"%s\" stroke-width=\"%g\" d=\"M%.1f %.1fv%.1f\"/>\n",
						 SPQ_PICTURE_FAINT, size / 12, x, y + size, 0.4 * size);
		spq_picture_append_text(svg, x, y + 2.5 * size, "text-anchor=\"middle\" fill=\"" SPQ_PICTURE_FAINT "\"",
								size, 6 * size, text.data);
	}
	resetStringInfo(&text);
	appendStringInfoString(&text, "boxes per ");
	for (int axis = 0; axis < picture->axes; axis++)
	{
		if (axis > 0)
			appendStringInfoString(&text, " &#215; ");
		spq_picture_append_short(&text, pow(10, side_exp));
	}
	spq_picture_append_text(svg, narrow ? left : left - 0.8 * size, label_y,
							narrow ? "fill=\"" SPQ_PICTURE_TEXT "\"" :
							"text-anchor=\"end\" fill=\"" SPQ_PICTURE_TEXT "\"",
							size, 20 * size, text.data);
	pfree(text.data);
	return y + 2.5 * size;
}

/*
 * Write the names of the axes beside a view.
 */
void
spq_picture_paint_axes(StringInfo svg, const SpqPictureView *view,
					   const SpqPictureProjection *projection, float8 size)
{
	static const char *const names[] = {"x", "y", "z"};
	const char *attributes = "text-anchor=\"end\" fill=\"" SPQ_PICTURE_FAINT "\"";

	spq_picture_append_text(svg, view->left + view->width, view->top + view->height + 1.2 * size,
							attributes, size, 4 * size,
							psprintf("%s &#8594;", names[projection->across]));
	spq_picture_append_text(svg, view->left - 0.4 * size, view->top + 0.9 * size, attributes, size,
							4 * size, names[projection->up]);
}

/*
 * Paint the legend below the map, or between views.  Return the y coordinate
 * of the end.
 */
float8
spq_picture_paint_legend(StringInfo svg, const SpqPicture *picture, const SpqPictureScale *scale,
						 const SpqPictureFrame *frame, float8 size)
{
	const SpqPictureView *view = &picture->view;
	float8		end = frame->top - 1.1 * size;

	if (picture->tally.boxes == picture->tally.not_shown)
		spq_picture_append_text(svg, view->left + view->width / 2, view->top + view->height / 2,
								"text-anchor=\"middle\" fill=\"" SPQ_PICTURE_FAINT "\"", size,
								view->width, "nothing to show");
	else
		end = paint_scale(svg, picture, frame, size);
	if (scale->used)
	{
		if (is_narrow(frame, size))
			end = paint_colors(svg, picture, scale, frame, end + 3 * size, size);
		else
			paint_colors(svg, picture, scale, frame, frame->top, size);
	}
	return spq_picture_paint_notes(svg, picture, frame, end, size);
}
