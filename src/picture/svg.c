/*-------------------------------------------------------------------------
 *
 * svg.c
 *	  spqtree_svg, spqtree_svg3: the tree of an index as a picture.
 *
 *		collect		the extent of the boxes; then shapes, boxes and counts
 *		model		the view of the plane, or three views of space; density
 *		paint		the map, and the text around it
 *
 * The same index gives the same picture, to the byte.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/xml.h"

#include "inspect/query_operator.h"
#include "picture/collect/collect.h"
#include "picture/elements/palette.h"
#include "picture/model/projection.h"
#include "picture/paint/paint.h"
#include "sql_function.h"

PG_FUNCTION_INFO_V1(spq_picture_svg);

#define MIN_WIDTH		100
#define MAX_WIDTH		10000

/* Narrower pictures are painted with this width, and scaled down. */
#define MIN_CANVAS	600

/* Room for the shapes, in bytes: proportional to the width, up to a limit. */
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
 * Collect and paint three views of an index of space.  The legend's frame
 * becomes the corner between them, or is below them if the corner is too
 * narrow.
 */
static void
paint_space(StringInfo svg, SpqPicture *plan, SpqInspectIndex *inspected, float8 line, SpqPictureFrame *frame,
			SpqPictureScale *scale)
{
	float8		size = 12 * line;
	SpqInspectBounds extent = spq_picture_find_extent(inspected);
	SpqPictureSheet sheet = spq_picture_make_sheet(&extent, frame->left, frame->top,
												   frame->width, 2.4 * size);
	const SpqPictureView *view = &sheet.views[0];

	/* the same shapes are painted in each view */
	plan->room /= SPQ_PICTURE_PROJECTIONS;
	plan->view = *view;
	spq_picture_collect(plan, inspected);
	*scale = spq_picture_density_scale(plan);
	for (int i = 0; i < SPQ_PICTURE_PROJECTIONS; i++)
	{
		SpqPicture	seen = spq_picture_project(plan, &spq_picture_projections[i],
											   &sheet.views[i]);

		spq_picture_paint_map(svg, &seen, scale, line);
		spq_picture_paint_axes(svg, &sheet.views[i], &spq_picture_projections[i], size);
		pfree(seen.shapes);
		pfree(seen.boxes.boxes);
	}
	if (sheet.views[2].width >= SPQ_PICTURE_MIN_FRAME * size)
	{
		frame->left = sheet.views[2].left;
		frame->top = view->top;
		frame->width = sheet.views[2].width;
	}
	else
		frame->top = view->top + view->height + 2.4 * size;
	frame->bottom = view->top + view->height;
}

/*
 * Collect and paint an index of the plane.  The legend's frame is below the
 * map.
 */
static void
paint_plane(StringInfo svg, SpqPicture *picture, SpqInspectIndex *inspected, float8 line, SpqPictureFrame *frame,
			SpqPictureScale *scale)
{
	SpqInspectBounds extent = spq_picture_find_extent(inspected);

	picture->view = spq_picture_make_view(&extent.plane, frame->left, frame->top, frame->width);
	spq_picture_collect(picture, inspected);
	spq_picture_spread_oversize(picture);
	*scale = spq_picture_density_scale(picture);
	spq_picture_paint_map(svg, picture, scale, line);
	frame->bottom = picture->view.top + picture->view.height;
	frame->top = frame->bottom + 1.1 * 12 * line;
}

/*
 * Return the whole picture.
 */
static StringInfo
paint(SpqPicture *picture, SpqInspectIndex *inspected, int width)
{
	StringInfo	svg = makeStringInfo();
	StringInfoData maps;
	StringInfoData legend;
	char	   *title = title_of(inspected);
	float8		canvas = Max(width, MIN_CANVAS);
	float8		line = Max(1.0, canvas / 1000);
	float8		size = 12 * line;
	float8		margin = 16 * line;
	float8		height;
	SpqPictureFrame above = {margin, margin + 4.1 * size, canvas - 2 * margin, 0};
	SpqPictureFrame frame = above;
	SpqPictureScale scale;

	initStringInfo(&maps);
	initStringInfo(&legend);
	picture->room = Min(width * BYTES_PER_WIDTH, MAX_BYTES);
	picture->axes = inspected->axes;
	(picture->axes == 3 ? paint_space : paint_plane) (&maps, picture, inspected, line, &frame,
													  &scale);
	height = spq_picture_paint_legend(&legend, picture, &scale, &frame, size);
	height = ceil(Max(height, frame.bottom) + 0.4 * size + margin);

	appendStringInfo(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %g %g\" role=\"img\" font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif\">\n",
					 width, ceil(height * width / canvas), canvas, height);
	appendStringInfo(svg, "<title>%s of index %s</title>\n", picture->words->tree, title);
	appendStringInfo(svg, "<rect width=\"%g\" height=\"%g\" rx=\"%g\" fill=\"%s\"/>\n",
					 canvas, height, 6 * line, SPQ_PICTURE_PAPER);
	spq_picture_paint_title(svg, picture, &above, title, size);
	appendBinaryStringInfo(svg, maps.data, maps.len);
	appendBinaryStringInfo(svg, legend.data, legend.len);
	appendStringInfoString(svg, "</svg>");
	return svg;
}

/*
 * Return the query of a call, or NULL.
 */
static SpqPictureQuery *
query_of(FunctionCallInfo fcinfo, const SpqInspectIndex *inspected)
{
	SpqPictureQuery *query;
	Oid		   *types;
	int			ntypes;
	Oid			output;
	bool		is_varlena;

	if (PG_ARGISNULL(4))
		return NULL;
	query = palloc0(sizeof(SpqPictureQuery));
	query->condition.box = PG_GETARG_DATUM(4);

	/* the declared type: that of the argument may be a domain */
	get_func_signature(fcinfo->flinfo->fn_oid, &types, &ntypes);
	spq_inspect_check_axes(inspected, types[4], "spqtree_svg");
	spq_inspect_find_overlap(inspected, types[4], &query->condition);
	if (types[4] == BOXOID)
		query->box.plane = *DatumGetBoxP(query->condition.box);
	else
	{
		/* a box3: the high ends of the three axes, then the low ones */
		const float8 *ends = (const float8 *) DatumGetPointer(query->condition.box);

		query->box.plane.high.x = ends[0];
		query->box.plane.high.y = ends[1];
		query->box.depth.high = ends[2];
		query->box.plane.low.x = ends[3];
		query->box.plane.low.y = ends[4];
		query->box.depth.low = ends[5];
	}
	getTypeOutputInfo(types[4], &output, &is_varlena);
	query->text = OidOutputFunctionCall(output, query->condition.box);
	return query;
}

/*
 * spqtree_svg(index regclass, width integer, max_level integer,
 *			   show_boxes boolean, query box) returns text, and spqtree_svg3, with
 * a query box3.
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

	context = AllocSetContextCreate(CurrentMemoryContext, "spqtree_svg",
									ALLOCSET_DEFAULT_SIZES);
	old_context = MemoryContextSwitchTo(context);
	spq_inspect_open(&inspected, PG_GETARG_OID(0), "spqtree_svg(relid)");
	picture.query = query_of(fcinfo, &inspected);
	svg = paint(&picture, &inspected, width);
	spq_inspect_close(&inspected);
	MemoryContextSwitchTo(old_context);
	result = cstring_to_text_with_len(svg->data, svg->len);
	MemoryContextDelete(context);
	PG_RETURN_TEXT_P(result);
}

/* the catalog has a symbol for each function */
SPQ_SQL_FUNCTION(spq_picture_svg3, return spq_picture_svg(fcinfo))
