/*-------------------------------------------------------------------------
 *
 * words.c
 *	  Texts in a picture.
 *
 * The width of letters depends on the viewer, so the estimated width of a text
 * is generous.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "picture/elements/elements.h"

/*
 * Return the number of letters of a text.  A reference such as &#183; is one.
 */
int
spq_picture_letters(const char *text)
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
 * Append a line of text, smaller if it is wider than the room.  The text must
 * be escaped for XML.
 */
void
spq_picture_append_text(StringInfo svg, float8 x, float8 y, const char *attributes,
						float8 size, float8 room, const char *text)
{
	float8		width = spq_picture_letters(text) * size * SPQ_PICTURE_LETTER_WIDTH;

	appendStringInfo(svg, "<text x=\"%g\" y=\"%g\" font-size=\"%.3g\" %s>%s</text>\n",
					 x, y, width > room ? size * room / width : size, attributes, text);
}

/* Append a number and its noun. */
void
spq_picture_append_number(StringInfo text, int64 n, const char *one, const char *many)
{
	spq_picture_append_count(text, n);
	appendStringInfo(text, " %s", n == 1 ? one : many);
}
