/*-------------------------------------------------------------------------
 *
 * legend.c
 *	  What is written around the map.
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
 * The width of letters depends on the viewer, so widths of texts are estimated
 * generously.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "picture/legend.h"
#include "picture/numbers.h"
#include "picture/palette.h"

/* Width of a letter, as a multiple of the font size. */
#define LETTER_WIDTH	0.56

/* At most this many decades are labeled on the scale of colors. */
#define MAX_LABELS 6

/* The notes below the map, and the position of the next one. */
typedef struct Notes
{
	StringInfo	svg;
	float8		left;
	float8		right;
	float8		size;			/* of the font */
	float8		x;
	float8		y;				/* base line */
} Notes;

/* The mark before a note: a small rectangle. */
typedef struct Mark
{
	const char *fill;
	const char *stroke;
	float8		line;			/* width, as a multiple of the font size */
} Mark;

static const Mark oversize_mark = {"none", SPQ_PICTURE_OVERSIZE, 0.08};
static const Mark box_mark = {"#3a3d4c", SPQ_PICTURE_BOX, 0.08};
static const Mark query_mark = {"none", SPQ_PICTURE_QUERY, 0.15};

/* Return the number of letters of a text, in which &#183; is one. */
static int
letters(const char *text)
{
	int			n = 0;

	for (const char *p = text; *p; p += pg_mblen(p))
	{
		if (*p == '&')
			p = strchr(p, ';') ? strchr(p, ';') : p;
		n++;
	}
	return n;
}

/*
 * Append a line of text, smaller if it does not fit.  The text is XML already.
 */
static void
append_text(StringInfo svg, float8 x, float8 y, const char *attributes,
			float8 size, float8 room, const char *text)
{
	float8		width = letters(text) * size * LETTER_WIDTH;

	appendStringInfo(svg, "<text x=\"%g\" y=\"%g\" font-size=\"%.3g\" %s>%s</text>\n",
					 x, y, width > room ? size * room / width : size, attributes, text);
}

/* Append a number of things. */
static void
append_number(StringInfo text, int64 n, const char *one, const char *many)
{
	spq_picture_append_count(text, n);
	appendStringInfo(text, " %s", n == 1 ? one : many);
}

/*
 * Paint title and counts.
 */
void
spq_picture_paint_title(StringInfo svg, const SpqPicture *picture, const char *title,
						float8 size)
{
	const SpqPictureView *view = &picture->view;
	const SpqPictureTally *tally = &picture->tally;
	const SpqPictureWords *words = picture->words;
	StringInfoData text;

	append_text(svg, view->left, view->top - 2.6 * size,
				"font-weight=\"600\" fill=\"" SPQ_PICTURE_TEXT "\"", 1.5 * size, 0.9 * view->width,
				title);

	initStringInfo(&text);
	append_number(&text, tally->boxes, "box", "boxes");
	if (tally->inner > 0)
	{
		appendStringInfoString(&text, " &#183; ");
		append_number(&text, tally->inner, words->inner, words->inners);
		appendStringInfoString(&text, " &#183; ");
		append_number(&text, tally->leaves, words->leaf, words->leaves);
		appendStringInfo(&text, " &#183; depth %d", tally->deepest - 1);
	}
	else if (tally->boxes > 0)
		appendStringInfoString(&text, " &#183; all on the root page, not split yet");
	if (tally->nulls > 0)
	{
		appendStringInfoString(&text, " &#183; ");
		append_number(&text, tally->nulls, "null", "nulls");
	}
	append_text(svg, view->left, view->top - size, "fill=\"" SPQ_PICTURE_FAINT "\"", size,
				view->width, text.data);
	pfree(text.data);
}

/* Return the largest of 1, 2, 5, 10, 20, ... that does not exceed the value. */
static float8
round_down(float8 value)
{
	float8		decade = pow(10, floor(log10(value)));
	float8		part = value / decade;

	return decade * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

/* Paint a bar of a round length. */
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
	append_text(svg, x + on_paper + size / 2, y, "fill=\"" SPQ_PICTURE_TEXT "\"", size,
				12 * size, text.data);
	pfree(text.data);
}

/*
 * Paint the scale bar, one for each axis if they differ, and the range shown.
 * Return the y coordinate of the end.
 */
static float8
paint_scale(StringInfo svg, const SpqPictureView *view, float8 y, float8 size)
{
	float8		width = view->shown.xmax - view->shown.xmin;
	float8		height = view->shown.ymax - view->shown.ymin;
	StringInfoData range;

	paint_bar(svg, view->left, y + size, view->x_scale, 0.16 * view->width, size,
			  view->stretched ? " along x" : "");
	if (view->stretched)
	{
		y += 1.6 * size;
		paint_bar(svg, view->left, y + size, view->y_scale, 0.16 * view->width, size,
				  " along y");
	}
	initStringInfo(&range);
	appendStringInfoString(&range, "x ");
	spq_picture_append_coordinate(&range, view->shown.xmin, width);
	appendStringInfoString(&range, " to ");
	spq_picture_append_coordinate(&range, view->shown.xmax, width);
	appendStringInfoString(&range, " &#183; y ");
	spq_picture_append_coordinate(&range, view->shown.ymin, height);
	appendStringInfoString(&range, " to ");
	spq_picture_append_coordinate(&range, view->shown.ymax, height);
	append_text(svg, view->left, y + 2.5 * size, "fill=\"" SPQ_PICTURE_FAINT "\"", size,
				0.5 * view->width, range.data);
	pfree(range.data);
	return y + 2.5 * size;
}

/*
 * Paint the scale of colors with the boxes per area that they stand for.  The
 * unit of area is a square of a round side for which the lowest label is at
 * least one.
 */
static void
paint_colors(StringInfo svg, const SpqPictureView *view, const SpqPictureScale *scale, float8 y,
			 float8 size)
{
	float8		width = 16 * size;
	float8		left = view->left + view->width - width;
	int			lowest = (int) ceil(scale->low - 1e-9);
	int			highest = (int) floor(scale->high + 1e-9);
	int			step = (highest - lowest) / MAX_LABELS + 1;
	int			side_exp = (int) ceil(-lowest / 2.0);
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
		spq_picture_append_short(&text, pow(10, i + 2 * side_exp));
		appendStringInfo(svg, "<path stroke=\"%s\" stroke-width=\"%g\" d=\"M%.1f %.1fv%.1f\"/>\n",
						 SPQ_PICTURE_FAINT, size / 12, x, y + size, 0.4 * size);
		append_text(svg, x, y + 2.5 * size, "text-anchor=\"middle\" fill=\"" SPQ_PICTURE_FAINT "\"",
					size, 6 * size, text.data);
	}
	resetStringInfo(&text);
	appendStringInfoString(&text, "boxes per ");
	spq_picture_append_short(&text, pow(10, side_exp));
	appendStringInfoString(&text, " &#215; ");
	spq_picture_append_short(&text, pow(10, side_exp));
	append_text(svg, left - 0.8 * size, y + size, "text-anchor=\"end\" fill=\"" SPQ_PICTURE_TEXT "\"",
				size, 20 * size, text.data);
	pfree(text.data);
}

/* Append a note, on this line or the next.  The mark may be NULL. */
static void
add_note(Notes *notes, const Mark *mark, const char *text)
{
	float8		size = notes->size;
	float8		indent = mark ? 1.8 * size : 0;
	float8		width = indent + letters(text) * size * LETTER_WIDTH;

	if (notes->x > notes->left && notes->x + width > notes->right)
	{
		notes->x = notes->left;
		notes->y += 1.7 * size;
	}
	if (mark)
		appendStringInfo(notes->svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%g\"/>\n",
						 notes->x + 0.05 * size, notes->y - 0.85 * size, 1.2 * size, 0.9 * size,
						 mark->fill, mark->stroke, mark->line * size);
	append_text(notes->svg, notes->x + indent, notes->y, "fill=\"" SPQ_PICTURE_FAINT "\"", size,
				notes->right - notes->x - indent, text);
	notes->x += width + 1.5 * size;
}

static void
note_query(Notes *notes, const SpqPicture *picture)
{
	const SpqPictureTally *tally = &picture->tally;
	const SpqPictureWords *words = picture->words;
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "query %s%s",
					 DatumGetCString(DirectFunctionCall1(box_out, BoxPGetDatum(picture->query))),
					 spq_picture_query_on_map(picture) ? "" : " (off the map)");
	add_note(notes, &query_mark, text.data);

	resetStringInfo(&text);
	appendStringInfoString(&text, "a scan for it visits ");
	spq_picture_append_count(&text, tally->inner_visited);
	appendStringInfoString(&text, " of ");
	spq_picture_append_count(&text, tally->inner);
	appendStringInfo(&text, " %s and ", words->inners);
	spq_picture_append_count(&text, tally->leaves_visited);
	appendStringInfoString(&text, " of ");
	spq_picture_append_count(&text, tally->leaves);
	appendStringInfo(&text, " %s", words->visited_leaves);
	add_note(notes, NULL, text.data);

	resetStringInfo(&text);
	spq_picture_append_count(&text, tally->boxes_matching);
	appendStringInfoString(&text, " of the ");
	spq_picture_append_count(&text, tally->boxes_visited);
	appendStringInfo(&text, " boxes there overlap the query%s",
					 tally->rounded ? " (rounded boxes)" : "");
	add_note(notes, NULL, text.data);
	if (tally->leaves > tally->leaves_visited)
	{
		Mark		gray = {spq_picture_grays[SPQ_PICTURE_COLORS / 2], "none", 0.08};

		add_note(notes, &gray, "not visited");
	}
	pfree(text.data);
}

static void
note_boxes(Notes *notes, const SpqPicture *picture)
{
	StringInfoData text;

	initStringInfo(&text);
	if (picture->n_boxes < picture->boxes_seen)
	{
		spq_picture_append_count(&text, picture->n_boxes);
		appendStringInfoString(&text, " of ");
	}
	append_number(&text, picture->boxes_seen, "box", "boxes");
	if (picture->n_boxes < picture->boxes_seen)
		appendStringInfo(&text, ", one in " INT64_FORMAT, picture->boxes_stride);
	add_note(notes, &box_mark, text.data);
	pfree(text.data);
}

/* What the outlines of each level are of, from the root down. */
static void
note_outlines(Notes *notes, const SpqPicture *picture)
{
	const SpqPictureWords *words = picture->words;
	StringInfoData text;

	initStringInfo(&text);
	for (int rank = picture->tally.deepest - 1; rank > 0; rank--)
	{
		Mark		mark = {"none", spq_picture_outline(rank), 0.08};
		int64		n = 0;

		for (int i = 0; i < picture->n_shapes; i++)
			n += !picture->shapes[i].tile && picture->shapes[i].rank == rank;
		if (n == 0)
			continue;
		resetStringInfo(&text);
		append_number(&text, n, words->inner, words->inners);
		appendStringInfo(&text, " of level %d", picture->tally.deepest - rank);
		add_note(notes, &mark, text.data);
	}
	pfree(text.data);
}

static void
paint_notes(Notes *notes, const SpqPicture *picture)
{
	const SpqPictureTally *tally = &picture->tally;
	bool		folded = false;
	StringInfoData text;

	initStringInfo(&text);
	if (picture->query)
		note_query(notes, picture);
	if (picture->outlined)
		note_outlines(notes, picture);
	if (picture->n_boxes > 0)
		note_boxes(notes, picture);
	if (tally->oversize_boxes > 0)
	{
		spq_picture_append_count(&text, tally->oversize_boxes);
		appendStringInfo(&text, " %s stored above the leaves, too large for %s",
						 tally->oversize_boxes == 1 ? "box is" : "boxes are",
						 tally->oversize_boxes == 1 ? "the parts of its cell" : "the parts of their cells");
		add_note(notes, &oversize_mark, text.data);
	}
	if (tally->not_shown > 0)
	{
		resetStringInfo(&text);
		spq_picture_append_count(&text, tally->not_shown);
		appendStringInfo(&text, " %s not on the map: far from the others, infinite or NaN",
						 tally->not_shown == 1 ? "box is" : "boxes are");
		add_note(notes, NULL, text.data);
	}
	for (int i = 0; i < picture->n_shapes; i++)
		folded |= picture->shapes[i].folded;
	if (folded)
	{
		resetStringInfo(&text);
		appendStringInfo(&text, "parts smaller than %.2g pixels", picture->fold);
		if (picture->max_level < PG_INT32_MAX)
			appendStringInfo(&text, ", or below level %d,", picture->max_level);
		appendStringInfo(&text, " are drawn as one %s", picture->words->tile);
		add_note(notes, NULL, text.data);
	}
	pfree(text.data);
}

/*
 * Paint what is below the map.  Return the y coordinate of the end.
 */
float8
spq_picture_paint_legend(StringInfo svg, const SpqPicture *picture, const SpqPictureScale *scale,
						 float8 top, float8 size)
{
	const SpqPictureView *view = &picture->view;
	Notes		notes;
	float8		end;

	if (picture->tally.boxes == picture->tally.not_shown)
	{
		append_text(svg, view->left + view->width / 2, view->top + view->height / 2,
					"text-anchor=\"middle\" fill=\"" SPQ_PICTURE_FAINT "\"", size, view->width,
					"nothing to show");
		end = top - 1.1 * size;
	}
	else
		end = paint_scale(svg, view, top, size);
	if (scale->used)
		paint_colors(svg, view, scale, top, size);
	notes.svg = svg;
	notes.left = notes.x = view->left;
	notes.right = view->left + view->width;
	notes.size = size;
	notes.y = end + 2.1 * size;
	paint_notes(&notes, picture);
	return notes.x > notes.left ? notes.y : end;
}
