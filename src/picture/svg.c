/*-------------------------------------------------------------------------
 *
 * svg.c
 *	  spqtree_svg: the tree of an index as a picture.
 *
 *		view.c		which part of the plane it shows
 *		collect.c	collects what of_quadtree.c or of_rtree.c tells of the tree, and
 *					folds what is too small
 *		map.c		the map; its cells are in tiles.c
 *		legend.c	what is written around it
 *
 * The same index gives the same picture, to the byte.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/xml.h"

#include "picture/collect.h"
#include "picture/legend.h"
#include "picture/map.h"
#include "picture/palette.h"

PG_FUNCTION_INFO_V1(spq_picture_svg);

#define MIN_WIDTH		100
#define MAX_WIDTH		10000

/* Narrower pictures are drawn with this width, and scaled down. */
#define MIN_CANVAS	600

/* Bytes for the shapes: proportional to the width, up to a limit. */
#define BYTES_PER_WIDTH	300
#define MAX_BYTES		300000

/*
 * Return a name as XML text.  Characters not allowed in XML become blanks.
 */
static char *
escape_name(const char *name)
{
	char	   *clean = pstrdup(name);
	char	   *text;

	for (char *p = clean; *p; p += pg_mblen(p))
	{
		if ((unsigned char) *p < 0x20)
			*p = ' ';
		else if (GetDatabaseEncoding() == PG_UTF8 &&
				 (strncmp(p, "\xEF\xBF\xBE", 3) == 0 ||
				  strncmp(p, "\xEF\xBF\xBF", 3) == 0))
			memset(p, ' ', 3);	/* U+FFFE, U+FFFF */
	}
	text = escape_xml(clean);

	pfree(clean);
	return text;
}

static char *
title_of(const SpqInspectIndex *inspected)
{
	char	   *index = escape_name(RelationGetRelationName(inspected->index));
	char	   *heap = escape_name(RelationGetRelationName(inspected->heap));

	return psprintf("%s on %s", index, heap);
}

/*
 * Return the whole picture.
 */
static StringInfo
paint(SpqPicture *picture, SpqInspectIndex *inspected, int width)
{
	StringInfo	svg = makeStringInfo();
	StringInfoData legend;
	char	   *title = title_of(inspected);
	float8		canvas = Max(width, MIN_CANVAS);
	float8		line = Max(1.0, canvas / 1000);
	float8		size = 12 * line;
	float8		margin = 16 * line;
	float8		top;
	float8		height;
	SpqPictureScale scale;
	const SpqPictureTree *tree = inspected->is_tree ? &spq_picture_rtree : &spq_picture_quadtree;

	picture->room = Min(width * BYTES_PER_WIDTH, MAX_BYTES);
	picture->view = spq_picture_find_view(tree, inspected, margin, margin + 4.1 * size,
										  canvas - 2 * margin);
	spq_picture_collect(picture, tree, inspected);
	spq_picture_spread_oversize(picture);
	scale = spq_picture_density_scale(picture);

	initStringInfo(&legend);
	top = picture->view.top + picture->view.height + 1.1 * size;
	height = ceil(spq_picture_paint_legend(&legend, picture, &scale, top, size) + 0.4 * size +
				  margin);

	appendStringInfo(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %g %g\" role=\"img\" font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif\">\n",
					 width, ceil(height * width / canvas), canvas, height);
	appendStringInfo(svg, "<title>%s of index %s</title>\n", picture->words->tree, title);
	appendStringInfo(svg, "<rect width=\"%g\" height=\"%g\" rx=\"%g\" fill=\"%s\"/>\n",
					 canvas, height, 6 * line, SPQ_PICTURE_PAPER);
	spq_picture_paint_title(svg, picture, title, size);
	spq_picture_paint_map(svg, picture, &scale, line);
	appendBinaryStringInfo(svg, legend.data, legend.len);
	appendStringInfoString(svg, "</svg>");
	return svg;
}

/*
 * spqtree_svg(index regclass, width integer, max_level integer,
 *			   show_boxes boolean, query box) returns text
 *
 * Return NULL if the index is NULL.  Any other argument that is NULL has its
 * default.
 */
Datum
spq_picture_svg(PG_FUNCTION_ARGS)
{
	int			width = PG_ARGISNULL(1) ? 800 : PG_GETARG_INT32(1);
	SpqPicture	picture = {0};
	SpqInspectIndex inspected;
	MemoryContext context;
	MemoryContext old_context;
	StringInfo	svg;
	text	   *result;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (width < MIN_WIDTH || width > MAX_WIDTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("width %d is not between %d and %d", width, MIN_WIDTH,
						MAX_WIDTH),
				 errhint("The width is in pixels; the height follows from the boxes.")));
	picture.max_level = PG_ARGISNULL(2) ? PG_INT32_MAX : PG_GETARG_INT32(2);
	if (picture.max_level < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_level %d is less than 1", picture.max_level),
				 errhint("The root has level 1; NULL draws all levels.")));
	picture.show_boxes = !PG_ARGISNULL(3) && PG_GETARG_BOOL(3);
	picture.query = PG_ARGISNULL(4) ? NULL : PG_GETARG_BOX_P(4);

	context = AllocSetContextCreate(CurrentMemoryContext, "spqtree_svg",
									ALLOCSET_DEFAULT_SIZES);
	old_context = MemoryContextSwitchTo(context);
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_svg(relid)");
	svg = paint(&picture, &inspected, width);
	spq_inspect_close(&inspected);
	MemoryContextSwitchTo(old_context);
	result = cstring_to_text_with_len(svg->data, svg->len);
	MemoryContextDelete(context);
	PG_RETURN_TEXT_P(result);
}
