/*-------------------------------------------------------------------------
 *
 * notes.c
 *	  Notes of the legend: the query, the meaning of marks, boxes and parts
 *	  that are not drawn.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "picture/elements/elements.h"
#include "picture/elements/palette.h"
#include "picture/paint/paint.h"

/* The notes, and the position of the next one. */
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

/* Paint a note, on this line or the next.  The mark may be NULL. */
static void
add_note(Notes *notes, const Mark *mark, const char *text)
{
	float8		size = notes->size;
	float8		indent = mark ? 1.8 * size : 0;
	float8		width = indent + spq_picture_letters(text) * size * SPQ_PICTURE_LETTER_WIDTH;

	if (notes->x > notes->left && notes->x + width > notes->right)
	{
		notes->x = notes->left;
		notes->y += 1.7 * size;
	}
	if (mark)
		appendStringInfo(notes->svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%g\"/>\n",
						 notes->x + 0.05 * size, notes->y - 0.85 * size, 1.2 * size, 0.9 * size,
						 mark->fill, mark->stroke, mark->line * size);
	spq_picture_append_text(notes->svg, notes->x + indent, notes->y, "fill=\"" SPQ_PICTURE_FAINT "\"", size,
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
	appendStringInfo(&text, "query %s%s", picture->query->text,
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
	appendStringInfoString(&text, " boxes there overlap the query");
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
	if (picture->boxes.n < picture->boxes.seen)
	{
		spq_picture_append_count(&text, picture->boxes.n);
		appendStringInfoString(&text, " of ");
	}
	spq_picture_append_number(&text, picture->boxes.seen, "box", "boxes");
	if (picture->boxes.n < picture->boxes.seen)
		appendStringInfo(&text, ", one in " INT64_FORMAT, picture->boxes.stride);
	add_note(notes, &box_mark, text.data);
	pfree(text.data);
}

/* Explain the outlines of each level, from the root down. */
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
		spq_picture_append_number(&text, n, words->inner, words->inners);
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
	if (picture->boxes.n > 0)
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
 * Paint the notes below y.  Return the y coordinate of the end.
 */
float8
spq_picture_paint_notes(StringInfo svg, const SpqPicture *picture, const SpqPictureFrame *frame,
						float8 y, float8 size)
{
	Notes		notes;

	notes.svg = svg;
	notes.left = notes.x = frame->left;
	notes.right = frame->left + frame->width;
	notes.size = size;
	notes.y = y + 2.1 * size;
	paint_notes(&notes, picture);
	return notes.x > notes.left ? notes.y : y;
}
