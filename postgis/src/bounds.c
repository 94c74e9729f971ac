/*-------------------------------------------------------------------------
 *
 * bounds.c
 *	  spqtree_bounds(): the box of a geometry, for joins.
 *
 * PostGIS compares boxes of single precision, rounded outward.  Those of most
 * geometries are in the header, which is read without the rest; that of points
 * and lines of two points is computed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "fmgr.h"
#include "utils/geo_decls.h"

#include "compat.h"
#include "gserialized.h"

PG_FUNCTION_INFO_V1(spq_gis_bounds);
PG_FUNCTION_INFO_V1(spq_gis_bounds_within);

static inline float8
round_down(float8 x)
{
	float4		result = (float4) x;

	return (float8) result <= x ? result : nextafterf(result, -FLT_MAX);
}

static inline float8
round_up(float8 x)
{
	float4		result = (float4) x;

	return (float8) result >= x ? result : nextafterf(result, FLT_MAX);
}

/* A body of one part whose points are few, such as has no box in the header. */
typedef struct Bounds
{
	SpqGisReader reader;
	bool		empty;
	float8		low[2];
	float8		high[2];
} Bounds;

static bool
add_points(Bounds *bounds, uint32 count)
{
	const char *points = spq_gis_read_points(&bounds->reader, count);

	if (points == NULL)
		return false;
	for (uint32 i = 0; i < count; i++)
	{
		for (int axis = 0; axis < 2; axis++)
		{
			float8		x;

			memcpy(&x, points + (i * bounds->reader.axes + axis) * sizeof(float8), sizeof(x));
			if (isnan(x))
				return false;
			bounds->low[axis] = bounds->empty ? x : Min(bounds->low[axis], x);
			bounds->high[axis] = bounds->empty ? x : Max(bounds->high[axis], x);
		}
		bounds->empty = false;
	}
	return true;
}

/*
 * Add a body to the bounds.  Return false if it is not one that is known, or has a NaN,
 * of which PostGIS' box depends on where it is.
 */
static bool
add_body(Bounds *bounds, int depth)
{
	uint32		type,
				count;

	if (depth > 16 || !spq_gis_read_counts(&bounds->reader, &type, &count))
		return false;
	switch (type)
	{
		case SPQ_GIS_POINT:
		case SPQ_GIS_LINE:
			return add_points(bounds, count);
		case SPQ_GIS_POLYGON:
			{
				SpqGisReader counts = bounds->reader;
				Size		size = ((Size) count + count % 2) * sizeof(uint32);

				if (size > counts.length - counts.at)
					return false;
				bounds->reader.at += size;
				for (uint32 i = 0; i < count; i++)
				{
					uint32		npoints;

					if (!spq_gis_read_number(&counts, &npoints) || !add_points(bounds, npoints))
						return false;
				}
				return true;
			}
		case SPQ_GIS_MULTIPOINT:
		case SPQ_GIS_MULTILINE:
		case SPQ_GIS_MULTIPOLYGON:
		case SPQ_GIS_COLLECTION:
			for (uint32 i = 0; i < count; i++)
				if (!add_body(bounds, depth + 1))
					return false;
			return true;
		default:
			return false;
	}
}

/* Set the box of what is not known: it meets all others. */
static void
set_unknown(BOX *box)
{
	box->low.x = box->low.y = -FLT_MAX;
	box->high.x = box->high.y = FLT_MAX;
}

/*
 * Set the box of a geometry, grown by a distance.  Return false if it is empty.
 */
static bool
get_bounds(Datum geometry, float8 distance, BOX *box)
{
	struct varlena *header_part = spq_gis_get_header(geometry);
	SpqGisHeader header;
	Bounds		bounds = {{0}, true, {0}, {0}};

	if (!spq_gis_read_header(VARDATA_ANY(header_part), VARSIZE_ANY_EXHDR(header_part), &header))
		set_unknown(box);
	else if (header.has_box)
	{
		box->low.x = header.box[0];
		box->high.x = header.box[1];
		box->low.y = header.box[2];
		box->high.y = header.box[3];
		if (isnan(box->low.x) || isnan(box->low.y) || isnan(box->high.x) || isnan(box->high.y))
			set_unknown(box);
	}
	else
	{
		struct varlena *whole = PG_DETOAST_DATUM_PACKED(geometry);

		bounds.reader.bytes = VARDATA_ANY(whole);
		bounds.reader.length = VARSIZE_ANY_EXHDR(whole);
		bounds.reader.at = header.body;
		bounds.reader.axes = header.axes;
		if (!add_body(&bounds, 0))
			set_unknown(box);
		else if (bounds.empty)
			return false;
		else
		{
			box->low.x = round_down(bounds.low[0]);
			box->low.y = round_down(bounds.low[1]);
			box->high.x = round_up(bounds.high[0]);
			box->high.y = round_up(bounds.high[1]);
		}
	}
	if (distance == 0)
		return true;
	distance += distance * (4 * DBL_EPSILON);
	box->low.x -= distance + fabs(box->low.x) * (4 * DBL_EPSILON);
	box->low.y -= distance + fabs(box->low.y) * (4 * DBL_EPSILON);
	box->high.x += distance + fabs(box->high.x) * (4 * DBL_EPSILON);
	box->high.y += distance + fabs(box->high.y) * (4 * DBL_EPSILON);
	return true;
}

/*
 * spqtree_bounds(geometry): the box that PostGIS' operators compare.  NULL for an empty
 * geometry.
 */
Datum
spq_gis_bounds(PG_FUNCTION_ARGS)
{
	BOX		   *box = palloc(sizeof(BOX));

	if (!get_bounds(PG_GETARG_DATUM(0), 0, box))
		PG_RETURN_NULL();
	PG_RETURN_BOX_P(box);
}

/*
 * spqtree_bounds(geometry, distance): a box that overlaps those of all geometries
 * within the distance.  One below zero counts as zero, so that the function that gets
 * it can raise the error.
 */
Datum
spq_gis_bounds_within(PG_FUNCTION_ARGS)
{
	float8		distance = PG_GETARG_FLOAT8(1);
	BOX		   *box = palloc(sizeof(BOX));

	if (isnan(distance) || !get_bounds(PG_GETARG_DATUM(0), Max(distance, 0), box))
		PG_RETURN_NULL();
	PG_RETURN_BOX_P(box);
}
