/*-------------------------------------------------------------------------
 *
 * bounds_of.c
 *	  Boxes of the results of PostGIS' functions, without calling them.
 *
 * Estimates read rows that a query may never return, so they must not call
 * functions that may raise an error.  For a join by a buffer of a column, or
 * by a column in another reference system, _spqtree_bounds_f(...) computes the
 * box of f(...) from the box of the geometry.  An approximation is enough,
 * since only estimates use it:
 *
 *		 ________________		_spqtree_bounds_st_buffer(a, r)
 *		|	  ______	 |
 *		|	 |	a	| r	 |
 *		|	 |______|	 |
 *		|________________|		NULL: it is empty, or not known
 *
 * The results of many functions have the same box as the argument, or lie
 * within it.  For these, _spqtree_bounds_f is spq_gis_bounds() itself, which
 * ignores further arguments.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/geo_decls.h"

#include "compat.h"
#include "geometry/gserialized.h"
#include "solid/geometry/solid.h"

#include "descriptors.h"

PG_FUNCTION_INFO_V1(spq_gis_bounds_of_buffer);
PG_FUNCTION_INFO_V1(spq_gis_bounds_of_expand);
PG_FUNCTION_INFO_V1(spq_gis_bounds_of_center);
PG_FUNCTION_INFO_V1(spq_gis_bounds_of_transform);
PG_FUNCTION_INFO_V1(spq_gis_bounds_of_geography);
PG_FUNCTION_INFO_V1(spq_gis_bounds_of_geography_within);

/* Radii of the sphere of EPSG:3857, and of the mean sphere, in meters. */
#define MERCATOR_RADIUS	6378137.0
#define EARTH_RADIUS	6371008.8

/*
 * Set the box of a geometry.  Return false if it is empty, or its box is not
 * finite.
 */
static bool
get_box(Datum geometry, BOX *box)
{
	spq_gis_geometry_box(NULL, geometry, (float8 *) box);
	return isfinite(box->low.x) && isfinite(box->low.y) &&
		isfinite(box->high.x) && isfinite(box->high.y);
}

static Datum
box_datum(const BOX *box)
{
	return PointerGetDatum(memcpy(palloc(sizeof(BOX)), box, sizeof(BOX)));
}

/* Return a box enlarged on each axis; NULL if nothing remains of it. */
static Datum
grown(FunctionCallInfo fcinfo, float8 dx, float8 dy)
{
	BOX			box;

	if (!get_box(PG_GETARG_DATUM(0), &box))
		PG_RETURN_NULL();
	box.low.x -= dx;
	box.low.y -= dy;
	box.high.x += dx;
	box.high.y += dy;
	/* this is true for a NaN, too */
	if (!(box.low.x <= box.high.x && box.low.y <= box.high.y))
		PG_RETURN_NULL();
	return box_datum(&box);
}

/*
 * Return the box of ST_Buffer(geometry, distance, ...), and of
 * ST_Expand(geometry, distance).
 */
Datum
spq_gis_bounds_of_buffer(PG_FUNCTION_ARGS)
{
	return grown(fcinfo, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(1));
}

/* Return the box of ST_Expand(geometry, dx, dy, ...). */
Datum
spq_gis_bounds_of_expand(PG_FUNCTION_ARGS)
{
	return grown(fcinfo, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2));
}

/*
 * Return the box of a point in the middle of a geometry, such as
 * ST_Centroid(geometry).
 */
Datum
spq_gis_bounds_of_center(PG_FUNCTION_ARGS)
{
	BOX			box;

	if (!get_box(PG_GETARG_DATUM(0), &box))
		PG_RETURN_NULL();
	box.low.x = box.high.x = box.low.x / 2 + box.high.x / 2;
	box.low.y = box.high.y = box.low.y / 2 + box.high.y / 2;
	return box_datum(&box);
}

/* Return the SRID of a geometry; -1 if its header cannot be read. */
static int
srid_of(Datum geometry)
{
	struct varlena *start = spq_gis_get_header(geometry);
	SpqGisHeader header;

	if (!spq_gis_read_header(VARDATA_ANY(start), VARSIZE_ANY_EXHDR(start), &header))
		return -1;
	return header.srid[0] << 16 | header.srid[1] << 8 | header.srid[2];
}

/*
 * Return whether a reference system has longitude and latitude.  These differ
 * from each other by meters.
 */
static bool
is_degrees(int srid)
{
	return srid == 4326 || srid == 4258 || srid == 4269;
}

static bool
is_mercator(int srid)
{
	return srid == 3857 || srid == 900913 || srid == 3785;
}

static void
to_mercator(Point *p)
{
	double		lat = Min(Max(p->y, -89.9), 89.9) * (M_PI / 180);

	p->x *= MERCATOR_RADIUS * (M_PI / 180);
	p->y = MERCATOR_RADIUS * log(tan(M_PI / 4 + lat / 2));
}

static void
to_degrees(Point *p)
{
	p->x /= MERCATOR_RADIUS * (M_PI / 180);
	p->y = (2 * atan(exp(p->y / MERCATOR_RADIUS)) - M_PI / 2) * (180 / M_PI);
}

/*
 * Return the box of ST_Transform(geometry, srid), between degrees and the
 * Mercator projection of maps; NULL for other reference systems.
 */
Datum
spq_gis_bounds_of_transform(PG_FUNCTION_ARGS)
{
	int			from = srid_of(PG_GETARG_DATUM(0)),
				to = PG_GETARG_INT32(1);
	BOX			box;

	if (!get_box(PG_GETARG_DATUM(0), &box))
		PG_RETURN_NULL();
	if (is_degrees(from) && is_mercator(to))
	{
		to_mercator(&box.low);
		to_mercator(&box.high);
	}
	else if (is_mercator(from) && is_degrees(to))
	{
		to_degrees(&box.low);
		to_degrees(&box.high);
	}
	else if (from != to && !(is_degrees(from) && is_degrees(to)) &&
			 !(is_mercator(from) && is_mercator(to)))
		PG_RETURN_NULL();
	return box_datum(&box);
}

/*
 * Set the least and the largest cosine of the angles from one to another, in
 * degrees.
 */
static void
cosine_range(double from, double to, double *least, double *most)
{
	double		a = cos(from * (M_PI / 180)),
				b = cos(to * (M_PI / 180));

	*least = floor((to - 180) / 360) > floor((from - 180) / 360) ? -1 : Min(a, b);
	*most = floor(to / 360) > floor(from / 360) ? 1 : Max(a, b);
}

/*
 * Return a box in space around a geometry in degrees, cast to geography and
 * enlarged by a distance in meters.
 */
static Datum
geography_box(FunctionCallInfo fcinfo, float8 distance)
{
	BOX			box;
	double		scale[2],		/* radius of the circle of latitude */
				range[2][2];
	SpqBox3    *result;

	if (!get_box(PG_GETARG_DATUM(0), &box) || !(fabs(box.low.x) <= 360) ||
		!(fabs(box.high.x) <= 360) || !(box.low.y >= -90.01) || !(box.high.y <= 90.01) ||
		isnan(distance))
		PG_RETURN_NULL();
	cosine_range(box.low.y, box.high.y, &scale[0], &scale[1]);
	cosine_range(box.low.x, box.high.x, &range[0][0], &range[0][1]);
	cosine_range(box.low.x - 90, box.high.x - 90, &range[1][0], &range[1][1]);
	distance = Max(distance, 0) / EARTH_RADIUS;
	result = palloc(sizeof(SpqBox3));
	for (int axis = 0; axis < 2; axis++)
	{
		result->low[axis] = Min(range[axis][0] * scale[0], range[axis][0] * scale[1]) - distance;
		result->high[axis] = Max(range[axis][1] * scale[0], range[axis][1] * scale[1]) + distance;
	}
	result->low[2] = sin(box.low.y * (M_PI / 180)) - distance;
	result->high[2] = sin(box.high.y * (M_PI / 180)) + distance;
	PG_RETURN_POINTER(result);
}

/* Return the box of geography(geometry). */
Datum
spq_gis_bounds_of_geography(PG_FUNCTION_ARGS)
{
	return geography_box(fcinfo, 0);
}

/*
 * Return the box of everything within a distance of geography(geometry), in
 * meters.
 */
Datum
spq_gis_bounds_of_geography_within(PG_FUNCTION_ARGS)
{
	return geography_box(fcinfo, PG_GETARG_FLOAT8(1));
}
