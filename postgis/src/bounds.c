/*-------------------------------------------------------------------------
 *
 * bounds.c
 *	  spqtree_bounds(): the box of a geometry, for joins.
 *
 * PostGIS compares boxes of single precision, rounded outward.  Most
 * geometries have their box in the header, which is read without the rest.
 * The box of points and of lines of two points is computed.
 *
 * Empty geometries of any type have no box.  Geometries that this code does
 * not understand get an infinite box.  It overlaps all others, including the
 * box that a join gives to values without a box if these may be equal to each
 * other (spatial/extension/extension_clause.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "fmgr.h"
#include "utils/float.h"
#include "utils/geo_decls.h"

#include "compat.h"
#include "geometry/gserialized.h"
#include "solid/geometry/solid.h"

#include "descriptors.h"

PG_FUNCTION_INFO_V1(spq_gis_bounds);
PG_FUNCTION_INFO_V1(spq_gis_bounds_within);
PG_FUNCTION_INFO_V1(spq_gis_bounds3);

/* The box of a value, and the body from which it is computed. */
typedef struct Bounds
{
	SpqGisReader reader;
	int			axes;			/* of the box: x, y, and z if the value has
								 * one */
	bool		empty;
	float8		low[3];
	float8		high[3];
} Bounds;

static bool
add_points(Bounds *bounds, uint32 count)
{
	const char *points = spq_gis_read_points(&bounds->reader, count);

	if (points == NULL)
		return false;
	for (uint32 i = 0; i < count; i++)
	{
		for (int axis = 0; axis < bounds->axes; axis++)
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
 * Add a body to the bounds.  Return false if its type is not known, or if it
 * has a NaN: then PostGIS' box depends on the position of the NaN.
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
		case SPQ_GIS_TRIANGLE:
			return add_points(bounds, count);
		case SPQ_GIS_CIRCULAR:
			return count == 0;	/* arcs extend beyond their points */
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
		default:
			if (!spq_gis_has_bodies(type))
				return false;
			for (uint32 i = 0; i < count; i++)
				if (!add_body(bounds, depth + 1))
					return false;
			return true;
	}
}

/* Set an infinite box, which overlaps all others. */
static void
set_unknown(Bounds *bounds)
{
	for (int axis = 0; axis < 3; axis++)
	{
		bounds->low[axis] = -get_float8_infinity();
		bounds->high[axis] = get_float8_infinity();
	}
}

/* Set the box from the header; infinite if it has a NaN. */
static void
use_header(const SpqGisHeader *header, Bounds *bounds)
{
	for (int axis = 0; axis < bounds->axes; axis++)
	{
		bounds->low[axis] = header->box[2 * axis];
		bounds->high[axis] = header->box[2 * axis + 1];
		if (isnan(bounds->low[axis]) || isnan(bounds->high[axis]))
		{
			set_unknown(bounds);
			return;
		}
	}
}

/*
 * Set the box of a geometry, on up to this many axes.  Return false if it is
 * empty.
 */
static bool
get_bounds(Datum geometry, int axes, Bounds *bounds)
{
	struct varlena *header_part = spq_gis_get_header(geometry),
			   *whole;
	SpqGisHeader header;

	bounds->axes = axes;
	bounds->empty = true;
	if (!spq_gis_read_header(VARDATA_ANY(header_part), VARSIZE_ANY_EXHDR(header_part), &header))
	{
		set_unknown(bounds);
		return true;
	}
	bounds->axes = header.has_z ? axes : 2;
	if (header.has_box)
	{
		use_header(&header, bounds);
		return true;
	}
	whole = PG_DETOAST_DATUM_PACKED(geometry);
	bounds->reader.bytes = VARDATA_ANY(whole);
	bounds->reader.length = VARSIZE_ANY_EXHDR(whole);
	bounds->reader.at = header.body;
	bounds->reader.axes = header.axes;
	if (!add_body(bounds, 0))
		set_unknown(bounds);
	else if (bounds->empty)
		return false;
	else
		for (int axis = 0; axis < bounds->axes; axis++)
		{
			bounds->low[axis] = spq_gis_round_down(bounds->low[axis]);
			bounds->high[axis] = spq_gis_round_up(bounds->high[axis]);
		}
	return true;
}

/* Set the box of a value without a box (src/types/type.h). */
static void
set_absent(float8 *numbers, int axes)
{
	for (int axis = 0; axis < axes; axis++)
	{
		numbers[axis] = -get_float8_infinity();
		numbers[axes + axis] = get_float8_infinity();
	}
}

/* Set the box that PostGIS' operators compare. */
void
spq_gis_geometry_box(const SpqTypeBoxOf *how, Datum geometry, float8 *numbers)
{
	Bounds		bounds;

	if (!get_bounds(geometry, 2, &bounds))
	{
		set_absent(numbers, 2);
		return;
	}
	memcpy(numbers, bounds.high, 2 * sizeof(float8));
	memcpy(numbers + 2, bounds.low, 2 * sizeof(float8));
}

/*
 * spqtree_bounds(geometry) returns box
 *
 * Return this box; NULL for an empty geometry.
 */
Datum
spq_gis_bounds(PG_FUNCTION_ARGS)
{
	BOX		   *box = palloc(sizeof(BOX));

	spq_gis_geometry_box(NULL, PG_GETARG_DATUM(0), (float8 *) box);
	if (box->high.x < box->low.x)
		PG_RETURN_NULL();
	PG_RETURN_BOX_P(box);
}

/*
 * spqtree_bounds(geometry, distance) returns box
 *
 * Return a box that overlaps the boxes of all geometries within the distance.
 * A negative distance counts as zero, so that PostGIS' function, which gets it
 * later, can raise the error.
 */
Datum
spq_gis_bounds_within(PG_FUNCTION_ARGS)
{
	float8		distance = PG_GETARG_FLOAT8(1);
	BOX		   *box = palloc(sizeof(BOX));

	spq_gis_geometry_box(NULL, PG_GETARG_DATUM(0), (float8 *) box);
	if (isnan(distance) || box->high.x < box->low.x)
		PG_RETURN_NULL();
	if (distance > 0)
	{
		distance += distance * (4 * DBL_EPSILON);
		box->low.x -= distance + fabs(box->low.x) * (4 * DBL_EPSILON);
		box->low.y -= distance + fabs(box->low.y) * (4 * DBL_EPSILON);
		box->high.x += distance + fabs(box->high.x) * (4 * DBL_EPSILON);
		box->high.y += distance + fabs(box->high.y) * (4 * DBL_EPSILON);
	}
	PG_RETURN_BOX_P(box);
}

/*
 * Set the box with z, for operators that compare all axes that both geometries
 * have; without z, the box is infinite on that axis.  The operators also ignore
 * an axis on which a box ends at the largest float4, to which PostGIS reduces
 * larger numbers.
 */
void
spq_gis_geometry_box3(const SpqTypeBoxOf *how, Datum geometry, float8 *numbers)
{
	Bounds		bounds;

	if (!get_bounds(geometry, 3, &bounds))
	{
		set_absent(numbers, 3);
		return;
	}
	for (int axis = 0; axis < 3; axis++)
	{
		bool		exists = axis < bounds.axes && bounds.high[axis] < FLT_MAX;

		numbers[axis] = exists ? bounds.high[axis] : get_float8_infinity();
		numbers[3 + axis] = exists ? bounds.low[axis] : -get_float8_infinity();
	}
}

/*
 * spqtree_bounds3(geometry) returns box3
 *
 * Return this box; NULL for an empty geometry.
 */
Datum
spq_gis_bounds3(PG_FUNCTION_ARGS)
{
	SpqBox3    *box = palloc(sizeof(SpqBox3));

	spq_gis_geometry_box3(NULL, PG_GETARG_DATUM(0), (float8 *) box);
	if (box->high[0] < box->low[0])
		PG_RETURN_NULL();
	PG_RETURN_POINTER(box);
}
