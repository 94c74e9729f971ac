/*-------------------------------------------------------------------------
 *
 * geography.c
 *	  spqtree_bounds(): the box of a geography, for joins.
 *
 * The box is in space, around the geography on a sphere of radius 1.  Most
 * geographies have it in the header.  Those without are points, and lines of
 * two points, which are arcs of great circles:
 *
 *			 ___
 *		   /  s   \			points of an arc up to a half circle are as near
 *		  a---m----b		to the middle m of its chord as the ends are:
 *		   \	  /			s = 1 - cos(t / 2) is at most sin(t / 2),
 *			\_t__/			the half chord
 *
 * Distances are in meters along the surface of a spheroid.  If a point moves
 * by ds on it, the point of the same longitude and latitude on the sphere
 * moves by at most ds over the least radius of curvature, which is that of the
 * meridian at the equator: a (1 - e^2), 6,335,439 m for WGS 84.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "fmgr.h"

#include "compat.h"
#include "geometry/gserialized.h"
#include "geometry/sphere.h"
#include "solid/geometry/solid.h"

PG_FUNCTION_INFO_V1(spq_gis_geography_bounds);
PG_FUNCTION_INFO_V1(spq_gis_geography_bounds_within);

/*
 * EPSG's numbers of reference systems with longitude and latitude on the
 * Earth.
 */
#define FIRST_EARTH_SRID	4000
#define LAST_EARTH_SRID		4999

/*
 * Geographies intersect according to PostGIS if they are at most 0.00001 m
 * apart.  The margin also covers the rounding in this file.
 */
#define MARGIN	1e-10

typedef struct Bounds
{
	SpqGisReader reader;
	bool		empty;
	SpqBox3		box;
} Bounds;

static void
add_ball(Bounds *bounds, const float8 *center, float8 radius)
{
	SpqBox3    *box = &bounds->box;

	for (int axis = 0; axis < 3; axis++)
	{
		float8		low = center[axis] - radius,
					high = center[axis] + radius;

		box->low[axis] = bounds->empty ? low : Min(box->low[axis], low);
		box->high[axis] = bounds->empty ? high : Max(box->high[axis], high);
	}
	bounds->empty = false;
}

/*
 * Add points, and if "arcs" the arcs between consecutive points.  Return false
 * if they are incomplete or have a NaN.
 */
static bool
add_points(Bounds *bounds, uint32 count, bool arcs)
{
	const char *points = spq_gis_read_points(&bounds->reader, count);
	float8		last[3] = {0};

	if (points == NULL)
		return false;
	for (uint32 i = 0; i < count; i++)
	{
		float8		x[3],
					middle[3],
					square = 0;

		spq_gis_place_on_sphere(points + i * bounds->reader.axes * sizeof(float8), x);
		if (isnan(x[0] + x[1] + x[2]))
			return false;
		add_ball(bounds, x, 0);
		for (int axis = 0; axis < 3; axis++)
		{
			middle[axis] = (x[axis] + last[axis]) / 2;
			square += (x[axis] - last[axis]) * (x[axis] - last[axis]) / 4;
		}
		if (arcs && i > 0)
			add_ball(bounds, middle, sqrt(square));
		memcpy(last, x, sizeof(last));
	}
	return true;
}

/*
 * Add a body.  Return false if it has a type that always has a box in the
 * header, or has a NaN.
 */
static bool
add_body(Bounds *bounds, bool nested)
{
	uint32		type,
				count;

	if (!spq_gis_read_counts(&bounds->reader, &type, &count))
		return false;
	switch (type)
	{
		case SPQ_GIS_POINT:
		case SPQ_GIS_LINE:
			return add_points(bounds, count, type == SPQ_GIS_LINE);
		case SPQ_GIS_MULTIPOINT:
		case SPQ_GIS_MULTILINE:
			for (uint32 i = 0; i < count; i++)
				if (nested || !add_body(bounds, true))
					return false;
			return true;
		default:
			return count == 0;
	}
}

/* Return whether a geography is on the Earth, according to its SRID. */
static bool
is_on_earth(const SpqGisHeader *header)
{
	int			srid = header->srid[0] << 16 | header->srid[1] << 8 | header->srid[2];

	return srid >= FIRST_EARTH_SRID && srid <= LAST_EARTH_SRID;
}

/* Set a box around the whole sphere. */
static void
set_unknown(SpqBox3 *box)
{
	for (int axis = 0; axis < 3; axis++)
	{
		box->low[axis] = -2;
		box->high[axis] = 2;
	}
}

/*
 * Set the box from the header if it is there, else compute it.  Return false
 * if the geography is empty.
 */
static bool
get_box(Datum geography, const SpqGisHeader *header, SpqBox3 *box)
{
	struct varlena *whole;
	Bounds		bounds = {{0}, true, {{0}, {0}}};

	if (header->has_box)
	{
		for (int axis = 0; axis < 3; axis++)
		{
			box->low[axis] = header->box[2 * axis];
			box->high[axis] = header->box[2 * axis + 1];
			if (isnan(box->low[axis] + box->high[axis]))
			{
				set_unknown(box);
				break;
			}
		}
		return true;
	}
	whole = PG_DETOAST_DATUM_PACKED(geography);
	bounds.reader.bytes = VARDATA_ANY(whole);
	bounds.reader.length = VARSIZE_ANY_EXHDR(whole);
	bounds.reader.at = header->body;
	bounds.reader.axes = header->axes;
	if (!add_body(&bounds, false))
	{
		set_unknown(box);
		return true;
	}
	for (int axis = 0; axis < 3; axis++)
	{
		box->low[axis] = spq_gis_round_down(bounds.box.low[axis]);
		box->high[axis] = spq_gis_round_up(bounds.box.high[axis]);
	}
	return !bounds.empty;
}

/*
 * Set the box of a geography, enlarged by a distance.  Return false if it is
 * empty.
 */
static bool
get_bounds(Datum geography, float8 distance, SpqBox3 *box)
{
	struct varlena *start = spq_gis_get_header(geography);
	SpqGisHeader header;

	if (!spq_gis_read_header(VARDATA_ANY(start), VARSIZE_ANY_EXHDR(start), &header) ||
		!header.geodetic)
		set_unknown(box);
	else if (!get_box(geography, &header, box))
		return false;
	else if (distance > 0 && !is_on_earth(&header))
		set_unknown(box);
	distance = distance / SPQ_GIS_LEAST_RADIUS + MARGIN;
	for (int axis = 0; axis < 3; axis++)
	{
		box->low[axis] -= distance;
		box->high[axis] += distance;
	}
	return true;
}

static Datum
copy_box(const SpqBox3 *box)
{
	return PointerGetDatum(memcpy(palloc(sizeof(SpqBox3)), box, sizeof(SpqBox3)));
}

/*
 * spqtree_bounds(geography) returns box3
 *
 * Return a box in space around the geography on a sphere of radius 1; NULL for
 * an empty geography.
 */
Datum
spq_gis_geography_bounds(PG_FUNCTION_ARGS)
{
	SpqBox3		box;

	if (!get_bounds(PG_GETARG_DATUM(0), 0, &box))
		PG_RETURN_NULL();
	return copy_box(&box);
}

/*
 * spqtree_bounds(geography, distance) returns box3
 *
 * Return a box that overlaps the boxes of all geographies within the distance,
 * in meters.
 */
Datum
spq_gis_geography_bounds_within(PG_FUNCTION_ARGS)
{
	float8		distance = PG_GETARG_FLOAT8(1);
	SpqBox3		box;

	if (isnan(distance) || !get_bounds(PG_GETARG_DATUM(0), Max(distance, 0), &box))
		PG_RETURN_NULL();
	return copy_box(&box);
}
