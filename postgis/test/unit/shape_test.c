/*-------------------------------------------------------------------------
 *
 * shape_test.c
 *	  Tests of shapes, and of the answers that are given without PostGIS.
 *
 * The tests make geometries in PostGIS' format.  With coordinates that are small
 * integers, all answers can be computed exactly, and certain answers must agree
 * with them.  Bytes that are not a geometry, or are cut off, must not be read
 * beyond their end.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "geometry/edges.h"
#include "geometry/pure_cells.h"
#include "geometry/within.h"
#include "stubs.h"

#define MAX_POINTS	400

/* A geometry under construction, without the varlena header. */
typedef struct Bytes
{
	char		data[64 + MAX_POINTS * 40];
	int			length;
	int			axes;
} Bytes;

static void
put(Bytes *bytes, const void *data, int length)
{
	memcpy(bytes->data + bytes->length, data, length);
	bytes->length += length;
}

static void
put_number(Bytes *bytes, uint32 number)
{
	put(bytes, &number, sizeof(number));
}

/* Put a header, optionally with a box, which shapes do not read. */
static void
put_header(Bytes *bytes, int axes, bool box)
{
	uint8		header[4] = {0, 0, 0, 0x40};
	float4		zeros[8] = {0};

	bytes->length = 0;
	bytes->axes = axes;
	header[3] |= (axes > 2 ? 0x01 : 0) | (axes > 3 ? 0x02 : 0) | (box ? 0x04 : 0);
	put(bytes, header, sizeof(header));
	if (box)
		put(bytes, zeros, 2 * axes * sizeof(float4));
}

static void
put_points(Bytes *bytes, const SpqGisPoint *points, int count)
{
	float8		zeros[2] = {0};

	for (int i = 0; i < count; i++)
	{
		put(bytes, &points[i], sizeof(points[i]));
		put(bytes, zeros, (bytes->axes - 2) * sizeof(float8));
	}
}

/* Put a point, a line or a polygon without holes. */
static void
put_body(Bytes *bytes, uint32 type, const SpqGisPoint *points, int count)
{
	put_number(bytes, type);
	if (type == SPQ_GIS_POLYGON)
		put_number(bytes, 1);
	put_number(bytes, count);
	if (type == SPQ_GIS_POLYGON)
		put_number(bytes, 0);
	put_points(bytes, points, count);
}

/* Make a shape from a copy of exactly these bytes, so that sanitizers see reads beyond. */
static SpqGisShape *
make_shape(const char *data, int length)
{
	char	   *copy = malloc(Max(length, 1));
	SpqGisShape *shape;

	memcpy(copy, data, length);
	shape = spq_gis_make_shape(copy, length);
	if (spq_gis_is_small(copy, length))
	{
		SpqGisSmallShape room;
		SpqGisShape *small;

		memset(&room, 0x7f, sizeof(room));
		small = spq_gis_small_shape(copy, length, &room);
		check(small == NULL || (shape != NULL && small->cells == NULL && small->itself == 0 &&
								small->npoints == shape->npoints &&
								small->nruns == shape->nruns &&
								memcmp(&small->box, &shape->box, sizeof(SpqGisBox)) == 0),
			  "a small shape is the same");
	}
	free(copy);
	return shape;
}

/*
 * Set points with integer coordinates, no two neighbors equal; close a ring.
 * Return their number.
 */
static int
walk(SpqGisPoint *points, int count, int size, bool ring)
{
	int			n = 0;

	while (n < count)
	{
		points[n].x = random_int(0, size);
		points[n].y = random_int(0, size);
		if (n == 0 || !spq_gis_same_point(&points[n], &points[n - 1]))
			n++;
	}
	if (ring && !spq_gis_same_point(&points[0], &points[n - 1]))
		points[n++] = points[0];
	return n;
}

static int
exact_side(const SpqGisPoint *a, const SpqGisPoint *b, const SpqGisPoint *c)
{
	int64		l = (int64) (a->x - c->x) * (int64) (b->y - c->y),
				r = (int64) (a->y - c->y) * (int64) (b->x - c->x);

	return l > r ? 1 : l < r ? -1 : 0;
}

static bool
between(const SpqGisPoint *a, const SpqGisPoint *b, const SpqGisPoint *p)
{
	return exact_side(a, b, p) == 0 && Min(a->x, b->x) <= p->x && p->x <= Max(a->x, b->x) &&
		Min(a->y, b->y) <= p->y && p->y <= Max(a->y, b->y);
}

static bool
exact_cross(const SpqGisPoint *p, const SpqGisPoint *q)
{
	return exact_side(&p[0], &p[1], &q[0]) * exact_side(&p[0], &p[1], &q[1]) < 0 &&
		exact_side(&q[0], &q[1], &p[0]) * exact_side(&q[0], &q[1], &p[1]) < 0;
}

static bool
exact_meet(const SpqGisPoint *p, const SpqGisPoint *q)
{
	return exact_cross(p, q) || between(&p[0], &p[1], &q[0]) || between(&p[0], &p[1], &q[1]) ||
		between(&q[0], &q[1], &p[0]) || between(&q[0], &q[1], &p[1]);
}

/* Return the winding number, or set *on_edge. */
static int
exact_winding(const SpqGisShape *ring, const SpqGisPoint *p, bool *on_edge)
{
	int			number = 0;

	*on_edge = false;
	for (int i = 0; i + 1 < ring->npoints; i++)
	{
		const SpqGisPoint *a = &ring->points[i];

		*on_edge |= between(&a[0], &a[1], p);
		if (a[0].y <= p->y && a[1].y > p->y && exact_side(&a[0], &a[1], p) > 0)
			number++;
		else if (a[0].y > p->y && a[1].y <= p->y && exact_side(&a[0], &a[1], p) < 0)
			number--;
	}
	return number;
}

static SpqGisShape *
random_shape(uint32 type, int size)
{
	SpqGisPoint points[MAX_POINTS + 1];
	Bytes		bytes;
	int			count = random_int(0, 3) == 0 ? random_int(3, MAX_POINTS) : random_int(3, 20);

	count = walk(points, count, size, type == SPQ_GIS_POLYGON);
	put_header(&bytes, random_int(2, 4), random_int(0, 1));
	put_body(&bytes, type, points, count);
	return make_shape(bytes.data, bytes.length);
}

static void
test_edges(void)
{
	int			sure = 0,
				total = 0;

	for (int round = 0; round < 3000; round++)
	{
		int			size = 1 << random_int(2, 20);
		SpqGisShape *a = random_shape(SPQ_GIS_LINE, size),
				   *b = random_shape(SPQ_GIS_LINE, size);
		int			found;
		bool		meet = false,
					cross = false;

		if (a == NULL || b == NULL)
			continue;
		found = spq_gis_edges(a, b, 0);
		for (int i = 0; i + 1 < a->npoints; i++)
			for (int j = 0; j + 1 < b->npoints; j++)
			{
				meet |= exact_meet(&a->points[i], &b->points[j]);
				cross |= exact_cross(&a->points[i], &b->points[j]);
			}
		check(!(found & SPQ_GIS_CROSSING) || cross, "edges that cross do");
		check(!cross || (found & (SPQ_GIS_CROSSING | SPQ_GIS_UNSURE)), "a crossing is seen");
		check(found != 0 || !meet, "nothing is missed");
		check(!(found & ~SPQ_GIS_UNSURE) || meet, "what is found meets");
		sure += !(found & SPQ_GIS_UNSURE);
		total++;
		pfree(a);
		pfree(b);
	}
	check(sure > total / 4, "most is sure: %d of %d", sure, total);
	finish_test("edges that meet");
}

/* Make the shape of a point, of this number of axes. */
static SpqGisShape *
point_of(const SpqGisPoint *p, int axes)
{
	Bytes		bytes;

	put_header(&bytes, axes, false);
	put_body(&bytes, SPQ_GIS_POINT, p, 1);
	return make_shape(bytes.data, bytes.length);
}

/* A plain point is read in a way of its own: as all others. */
static void
test_points(void)
{
	const float8 numbers[] = {0, -0.0, 1.5, -3e99, 1e-320, 1e100, -1e100, 1e300, NAN, INFINITY, -INFINITY};

	for (int round = 0; round < 2000; round++)
	{
		SpqGisPoint p = {numbers[random_int(0, 10)], numbers[random_int(0, 10)]};
		bool		usual = fabs(p.x) < 1e100 && fabs(p.y) < 1e100;
		Bytes		bytes;
		SpqGisSmallShape room;
		SpqGisShape *small,
				   *shape;

		put_header(&bytes, random_int(2, 4), random_int(0, 1));
		put_body(&bytes, SPQ_GIS_POINT, &p, 1);
		for (int i = 0; i < 3; i++)
			bytes.data[i] = random_int(0, 255);
		memset(&room, random_int(0, 255), sizeof(room));
		small = spq_gis_small_shape(bytes.data, bytes.length, &room);
		shape = spq_gis_make_shape(bytes.data, bytes.length);
		check((small != NULL) == usual && (shape != NULL) == usual, "%g %g", p.x, p.y);
		if (shape == NULL || small == NULL)
			continue;
		check(memcmp(small->srid, bytes.data, 3) == 0 && memcmp(shape->srid, bytes.data, 3) == 0, "SRID");
		check(small->dimension == 0 && small->npoints == 1 && small->nparts == 1 &&
			  small->nruns == 0 && small->ngroups == 0 && small->itself == 0 &&
			  memcmp(&small->box, &shape->box, sizeof(SpqGisBox)) == 0 &&
			  memcmp(small->points, shape->points, sizeof(SpqGisPoint)) == 0 &&
			  small->parts[0].first == 0 && small->parts[0].count == 1 && !small->parts[0].hole &&
			  small->parts[0].first_run == 0 && small->parts[0].end_run == 0, "a plain point");
		pfree(shape);
	}
	finish_test("points");
}

static void
test_locate(void)
{
	int			sure = 0,
				total = 0;

	for (int round = 0; round < 3000; round++)
	{
		int			size = 1 << random_int(2, 20);
		SpqGisShape *ring = random_shape(SPQ_GIS_POLYGON, size);

		for (int i = 0; ring != NULL && i < 20; i++)
		{
			SpqGisPoint p = {random_int(-1, size + 1), random_int(-1, size + 1)};
			bool		on_edge;
			int			number;
			SpqGisPlace place;
			bool		is_vertex = false;
			SpqGisShape *point;

			/* also exact vertices, and points as high as one */
			if (i % 4 == 0)
				p = ring->points[random_int(0, ring->npoints - 1)];
			else if (i % 4 == 1)
				p.y = ring->points[random_int(0, ring->npoints - 1)].y;
			number = exact_winding(ring, &p, &on_edge);
			place = spq_gis_locate(ring, &p);
			for (int j = 0; j < ring->npoints; j++)
				is_vertex |= spq_gis_same_point(&ring->points[j], &p);
			check(spq_gis_is_vertex(ring, &p) == is_vertex, "vertex");
			point = point_of(&p, 2);
			check(spq_gis_intersects(point, ring) ==
				  (is_vertex ? SPQ_GIS_YES : place == SPQ_GIS_PLACE_UNSURE ? SPQ_GIS_ASK :
				   place == SPQ_GIS_INSIDE ? SPQ_GIS_YES : SPQ_GIS_NO), "a point and a polygon");
			check(!is_vertex || spq_gis_contains(ring, point) == SPQ_GIS_ASK,
				  "a vertex is not in the interior");
			pfree(point);
			if (on_edge)
				check(place == SPQ_GIS_PLACE_UNSURE, "a point on an edge");
			else if (place != SPQ_GIS_PLACE_UNSURE)
				check((place == SPQ_GIS_INSIDE) == (number != 0) && abs(number) < 2,
					  "winding number %d", number);
			sure += place != SPQ_GIS_PLACE_UNSURE;
			total++;
		}
		if (ring)
			pfree(ring);
	}
	check(sure > total / 4, "most is sure: %d of %d", sure, total);
	finish_test("points in polygons");
}

static long double
point_to_edge(const SpqGisPoint *p, const SpqGisPoint *q)
{
	long double dx = q[1].x - q[0].x,
				dy = q[1].y - q[0].y,
				t = ((p->x - q[0].x) * dx + (p->y - q[0].y) * dy) / (dx * dx + dy * dy),
				x,
				y;

	t = t < 0 ? 0 : t > 1 ? 1 : t;
	x = p->x - q[0].x - t * dx;
	y = p->y - q[0].y - t * dy;
	return sqrtl(x * x + y * y);
}

static void
test_within(void)
{
	for (int round = 0; round < 2000; round++)
	{
		int			size = 1 << random_int(2, 20);
		SpqGisShape *a = random_shape(SPQ_GIS_LINE, size),
				   *b = random_shape(SPQ_GIS_LINE, size);
		long double least = 1e300;

		if (a == NULL || b == NULL)
			continue;
		pfree(b);
		b = random_shape(SPQ_GIS_LINE, Max(size / 4, 4));
		for (int i = 0; i + 1 < a->npoints; i++)
			for (int j = 0; j + 1 < b->npoints; j++)
			{
				const SpqGisPoint *p = &a->points[i],
						   *q = &b->points[j];

				if (exact_meet(p, q))
					least = 0;
				least = Min(least, Min(Min(point_to_edge(&p[0], q), point_to_edge(&p[1], q)),
									   Min(point_to_edge(&q[0], p), point_to_edge(&q[1], p))));
			}
		for (int i = 0; i < 6; i++)
		{
			const float8 factors[] = {0.5, 2, 1 - 1e-9, 1, 1 + 1e-9, 0};
			float8		distance = (float8) least * factors[i];
			SpqGisAnswer answer = spq_gis_within(a, b, distance);

			check(answer != SPQ_GIS_YES || least <= distance, "within %g", distance);
			check(answer != SPQ_GIS_NO || least > distance, "not within %g", distance);
			check(answer != SPQ_GIS_ASK || least < 1e-6 || i > 1, "sure of %g", distance);
		}
		pfree(a);
		pfree(b);
	}
	finish_test("distances");
}

/* Return whether three bodies in a multi-type have a shape. */
static bool
have_shape(uint32 type, uint32 type_of_parts, int npoints)
{
	SpqGisPoint points[] = {{1, 1}, {2, 1}, {2, 2}, {1, 1}};
	Bytes		bytes;
	SpqGisShape *shape;

	put_header(&bytes, 2, false);
	put_number(&bytes, type);
	put_number(&bytes, 3);
	for (int i = 0; i < 3; i++)
		put_body(&bytes, type_of_parts, points, npoints);
	shape = make_shape(bytes.data, bytes.length);
	if (shape)
		pfree(shape);
	return shape != NULL;
}

/*
 * Geometries that are left to PostGIS: a multipoint with an empty point, very
 * large coordinates, and bodies that PostGIS does not write: a point of two
 * points, a line in a multipoint.
 */
static void
test_no_shape(void)
{
	for (int empty = -1; empty < 3; empty++)
		for (float8 x = 1e90; x < 1e160; x *= 1e60)
		{
			SpqGisPoint point = {x, -1};
			Bytes		bytes;
			SpqGisShape *shape;

			put_header(&bytes, 2, false);
			put_number(&bytes, SPQ_GIS_MULTIPOINT);
			put_number(&bytes, 3);
			for (int i = 0; i < 3; i++)
				put_body(&bytes, SPQ_GIS_POINT, &point, i != empty);
			shape = make_shape(bytes.data, bytes.length);
			check((shape != NULL) == (empty == -1 && x < 1e100), "empty %d, x %g", empty, x);
			if (shape)
				pfree(shape);
		}
	check(have_shape(SPQ_GIS_MULTIPOINT, SPQ_GIS_POINT, 1), "multipoint");
	check(have_shape(SPQ_GIS_MULTILINE, SPQ_GIS_LINE, 2), "multiline");
	check(!have_shape(SPQ_GIS_MULTIPOINT, SPQ_GIS_POINT, 2), "a point of two points");
	check(!have_shape(SPQ_GIS_MULTIPOINT, SPQ_GIS_LINE, 2), "a line in a multipoint");
	check(!have_shape(SPQ_GIS_MULTILINE, SPQ_GIS_POINT, 1), "a point in a multiline");
	finish_test("geometries without a shape");
}

/* Make a polygon of a square and a triangle: a hole in it, or a second part. */
static SpqGisShape *
two_rings(const SpqGisPoint *square, const SpqGisPoint *triangle, bool hole)
{
	Bytes		bytes;

	put_header(&bytes, 2, false);
	if (hole)
	{
		put_number(&bytes, SPQ_GIS_POLYGON);
		put_number(&bytes, 2);
		put_number(&bytes, 5);
		put_number(&bytes, 4);
		put_points(&bytes, square, 5);
		put_points(&bytes, triangle, 4);
	}
	else
	{
		put_number(&bytes, SPQ_GIS_MULTIPOLYGON);
		put_number(&bytes, 2);
		put_body(&bytes, SPQ_GIS_POLYGON, square, 5);
		put_body(&bytes, SPQ_GIS_POLYGON, triangle, 4);
	}
	return make_shape(bytes.data, bytes.length);
}

/*
 * Where a triangle touches a square's edge, a line that crosses the edge need not
 * go inside and outside.  Then PostGIS decides; elsewhere the crossing does.
 */
static void
test_touching_rings(void)
{
	for (int round = 0; round < 2000; round++)
	{
		float8		size = random_int(2, 1000),
					far = random_int(0, 1) * random_int(0, 1000000),
					at = far + size * random_int(3, 7) / 10,
					up = round % 2 == 0 ? size : -size,
					x = round % 3 == 0 ? far + size * random_int(30, 70) / 100 : at,
					steep = random_int(-10, 10) / 40.0 * size;
		const SpqGisPoint square[] = {{far, far}, {far + size, far}, {far + size, far + size}, {far, far + size}, {far, far}};
		SpqGisPoint triangle[] = {
			{at, far + size}, {at - size / 20, far + size - up / 2}, {at + size / 20, far + size - up / 2}, {at, far + size}
		};
		const SpqGisPoint across[] = {{x - steep, far + size - size / 4}, {x + steep, far + size + size / 4}};
		SpqGisShape *polygon = two_rings(square, triangle, up > 0),
				   *line;
		Bytes		bytes;
		bool		sure = fabs(x - at) > size / 1000;

		put_header(&bytes, 2, false);
		put_body(&bytes, SPQ_GIS_LINE, across, 2);
		line = make_shape(bytes.data, bytes.length);
		check(spq_gis_intersects(line, polygon) == SPQ_GIS_YES, "a crossing intersects");
		check(spq_gis_crosses(line, polygon) == (sure ? SPQ_GIS_YES : SPQ_GIS_ASK), "crosses");
		check(spq_gis_touches(polygon, line) == (sure ? SPQ_GIS_NO : SPQ_GIS_ASK), "touches");

		/*
		 * the end of a line that leaves the square is outside of the box, or
		 * in the other part
		 */
		check(spq_gis_contains(polygon, line) == (sure || up > 0 ? SPQ_GIS_NO : SPQ_GIS_ASK), "contains");
		pfree(line);

		/* of two polygons, one with a single ring suffices */
		put_header(&bytes, 2, false);
		triangle[0] = triangle[3] = across[0];
		triangle[1] = across[1];
		triangle[2].x = far + 2 * size;
		triangle[2].y = far + size + size / 4;
		put_body(&bytes, SPQ_GIS_POLYGON, triangle, 4);
		line = make_shape(bytes.data, bytes.length);
		check(spq_gis_overlaps(polygon, line) == SPQ_GIS_YES, "overlaps");
		check(spq_gis_contains(polygon, line) == SPQ_GIS_NO, "contains a polygon");
		pfree(line);
		pfree(polygon);
	}
	finish_test("a crossing where rings touch");
}

/*
 * Put a ring around the x axis, from x on, with an uneven coast.  Return the number of
 * its points.
 */
static int
coast(SpqGisPoint *points, int x, int length)
{
	int			n = 0;

	for (int i = 0; i < length; i++)
	{
		points[n].x = x + i;
		points[n++].y = -random_int(1, 1000);
	}
	for (int i = length - 1; i >= 0; i--)
	{
		points[n].x = x + i;
		points[n++].y = random_int(1, 1000);
	}
	points[n++] = points[0];
	return n;
}

/* Groups of groups of runs, of rings that end within them. */
static void
test_large_rings(void)
{
	for (int round = 0; round < 60; round++)
	{
		int			nrings = random_int(1, 3),
					most = round % 4 == 0 ? 40000 : 3000,
					x = 0,
					length,
					sure = 0;
		SpqGisPoint *points = malloc((2 * most + 1) * sizeof(SpqGisPoint));
		char	   *data = malloc(64 + nrings * (16 + (2 * most + 1) * sizeof(SpqGisPoint)));
		Bytes		bytes;
		SpqGisShape *shape;

		put_header(&bytes, 2, false);
		put_number(&bytes, SPQ_GIS_MULTIPOLYGON);
		put_number(&bytes, nrings);
		length = bytes.length;
		memcpy(data, bytes.data, length);
		for (int i = 0; i < nrings; i++)
		{
			int			wide = random_int(10, most),
						n = coast(points, x, wide);

			/* as put_body(), a number of points that is even needs no padding */
			bytes.length = 0;
			put_number(&bytes, SPQ_GIS_POLYGON);
			put_number(&bytes, 1);
			put_number(&bytes, n);
			put_number(&bytes, 0);
			memcpy(data + length, bytes.data, bytes.length);
			length += bytes.length;
			memcpy(data + length, points, n * sizeof(SpqGisPoint));
			length += n * sizeof(SpqGisPoint);
			x += wide + random_int(1, 5);
		}
		shape = make_shape(data, length);
		check(shape != NULL && shape->nparts == nrings, "a shape of large rings");
		if (shape->cells && round % 3 > 0)
			spq_gis_make_cells(shape);
		for (int i = 0; i < 100; i++)
		{
			SpqGisPoint p = {random_int(-1, x), random_int(-1100, 1100)};
			bool		on_edge = false;
			int			number = 0;
			SpqGisPlace place;

			if (i % 4 == 0)
				p = shape->points[random_int(0, shape->npoints - 1)];
			for (int j = 0; j < shape->nparts; j++)
			{
				SpqGisShape ring = {.points = &shape->points[shape->parts[j].first],.npoints = shape->parts[j].count};
				bool		on_ring;

				number += exact_winding(&ring, &p, &on_ring);
				on_edge |= on_ring;
			}
			place = spq_gis_locate(shape, &p);
			check(place == (on_edge ? SPQ_GIS_PLACE_UNSURE : number != 0 ? SPQ_GIS_INSIDE : SPQ_GIS_OUTSIDE) ||
				  (place == SPQ_GIS_PLACE_UNSURE && !on_edge),
				  "a point in %d rings: %d, not %d", nrings, place, number);
			sure += place != SPQ_GIS_PLACE_UNSURE;
		}
		check(sure > 60, "most is sure: %d", sure);
		pfree(shape);
		free(data);
		free(points);
	}
	finish_test("points in large rings");
}

/* The polygons of test_pure_cells(). */
typedef enum Kind
{
	COASTS,						/* polygons side by side, or overlapping */
	COAST_WITH_HOLES,
	TANGLE,						/* a ring that crosses and touches itself */
	STAIRS,						/* edges on the borders of cells */
	BAND,						/* with long edges */
	BARCODE,					/* long edges everywhere */
	ISLANDS,					/* many small polygons */
	FLAT,						/* a ring without height */
	KINDS
} Kind;

#define MOST_RING_POINTS	20000

/* Rings of a polygon, or each of a polygon of its own. */
typedef struct Rings
{
	SpqGisPoint points[MOST_RING_POINTS];
	int			counts[MOST_RING_POINTS / 4];
	int			npoints;
	int			nrings;
	bool		holes;
} Rings;

static void
add_point(Rings *rings, float8 x, float8 y)
{
	rings->points[rings->npoints].x = x;
	rings->points[rings->npoints++].y = y;
	rings->counts[rings->nrings]++;
}

/* The next points are another ring. */
static void
close_ring(Rings *rings)
{
	const SpqGisPoint *first = &rings->points[rings->npoints - rings->counts[rings->nrings]];

	add_point(rings, first->x, first->y);
	rings->counts[++rings->nrings] = 0;
}

static void
add_triangle(Rings *rings, float8 x, float8 y)
{
	add_point(rings, x, y);
	add_point(rings, x + 0.5, y);
	add_point(rings, x, y + 0.5);
	close_ring(rings);
}

/* A coast that is less rough than that of coast(). */
static void
add_coast(Rings *rings, int x, int length)
{
	int			y = length;

	for (int i = 0; i < 2 * length; i++)
	{
		y = Max(1, Min(2 * length, y + random_int(-3, 3)));
		add_point(rings, x + (i < length ? i : 2 * length - 1 - i), i < length ? -y : y);
	}
	close_ring(rings);
}

/* Make as many cells as stairs have columns, so that their edges are on borders. */
static void
add_stairs(Rings *rings, int side)
{
	for (int x = 0; x < side; x++)
	{
		int			y = x == 0 ? side : random_int(1, side);

		add_point(rings, x, y);
		add_point(rings, x + 1, y);
	}
	for (int i = side * side - 2 * side - 1; i > 0; i--)
		add_point(rings, (float8) side * i / (side * side), 0);
	close_ring(rings);
}

static void
make_rings(Rings *rings, Kind kind)
{
	int			size = random_int(50, 2000);
	bool		overlap = random_int(0, 1) == 0;

	rings->npoints = rings->nrings = rings->counts[0] = 0;
	rings->holes = kind == COAST_WITH_HOLES;
	switch (kind)
	{
		case COASTS:
			for (int i = 0, x = 0; i < 3; i++, x += overlap ? size / 2 : size + 3)
				add_coast(rings, x, size);
			break;
		case COAST_WITH_HOLES:
			add_coast(rings, 0, size);
			for (int x = 1; x < size - 1; x += random_int(1, 20))
				add_triangle(rings, x, random_int(-1, 1) / 4.0);
			break;
		case TANGLE:
			rings->npoints = walk(rings->points, random_int(64, MAX_POINTS), 1 << random_int(2, 20), true);
			rings->counts[0] = rings->npoints;
			rings->counts[++rings->nrings] = 0;
			break;
		case STAIRS:
			add_stairs(rings, random_int(8, 40));
			break;
		case BAND:
			add_point(rings, size, 0);
			add_point(rings, 9 * size, 8 * size);
			add_point(rings, 8 * size, 9 * size);
			for (int i = 0; i < size; i++)
				add_point(rings, 8.0 * size * (size - i) / size, 1 + 9 * (size - 1.0 * i));
			close_ring(rings);
			break;
		case BARCODE:
			for (int i = 0; i < size; i++)
				add_point(rings, i, i % 2 * size);
			add_point(rings, size, -1);
			add_point(rings, 0, -1);
			close_ring(rings);
			break;
		case ISLANDS:
			for (int i = 0; i < 200; i++)
				add_triangle(rings, random_int(0, 100), random_int(0, 100));
			break;
		default:
			for (int i = 0; i < size; i++)
				add_point(rings, i % 50, 7);
			close_ring(rings);
	}
}

/* Make the shape of rings, moved and enlarged. */
static SpqGisShape *
shape_of_rings(const Rings *rings, float8 scale, float8 move)
{
	char	   *data = malloc(64 + rings->nrings * 16 + rings->npoints * sizeof(SpqGisPoint));
	int			length,
				first = 0;
	Bytes		bytes;
	SpqGisShape *shape;

	put_header(&bytes, 2, false);
	put_number(&bytes, rings->holes ? SPQ_GIS_POLYGON : SPQ_GIS_MULTIPOLYGON);
	put_number(&bytes, rings->nrings);
	memcpy(data, bytes.data, bytes.length);
	length = bytes.length;
	if (rings->holes)
	{
		memcpy(data + length, rings->counts, rings->nrings * sizeof(int));
		length += (rings->nrings + 1) / 2 * 2 * sizeof(int);
	}
	for (int i = 0; i < rings->nrings; i++)
	{
		if (!rings->holes)
		{
			/* as put_body() */
			bytes.length = 0;
			put_number(&bytes, SPQ_GIS_POLYGON);
			put_number(&bytes, 1);
			put_number(&bytes, rings->counts[i]);
			put_number(&bytes, 0);
			memcpy(data + length, bytes.data, bytes.length);
			length += bytes.length;
		}
		for (int j = 0; j < rings->counts[i]; j++)
		{
			SpqGisPoint p = rings->points[first + j];

			p.x = (p.x + move) * scale;
			p.y = (p.y - move) * scale;
			memcpy(data + length, &p, sizeof(p));
			length += sizeof(p);
		}
		first += rings->counts[i];
	}
	shape = make_shape(data, length);
	free(data);
	return shape;
}

static float8
random_fraction(void)
{
	return random_int(0, 1 << 30) / (float8) (1 << 30);
}

/* Move a coordinate by some units in the last place. */
static float8
nudge(float8 x)
{
	int			steps = random_int(-20, 20);

	for (int i = abs(steps); i > 0; i--)
		x = nextafter(x, steps > 0 ? HUGE_VAL : -HUGE_VAL);
	return x;
}

/* Return a coordinate: anywhere, near that of a vertex, or near the border of a cell. */
static float8
random_coordinate(float8 low, float8 high, float8 vertex, int side)
{
	switch (random_int(0, 5))
	{
		case 0:
			return nudge(vertex);
		case 1:
			return nudge(low + (high - low) * random_int(0, side) / side);
		case 2:
			return low + (high - low) * (1.2 * random_fraction() - 0.1);
		default:
			return low + (high - low) * random_fraction();
	}
}

static SpqGisPoint
random_point(const SpqGisShape *shape)
{
	const SpqGisBox *box = &shape->box;
	const SpqGisPoint *q = &shape->points[random_int(0, shape->npoints - 2)];
	int			side = shape->cells ? shape->cells->side : 10;
	float8		t = random_fraction();
	SpqGisPoint p;

	switch (random_int(0, 9))
	{
		case 0:					/* on an edge, or near it */
			p.x = nudge(q[0].x + t * (q[1].x - q[0].x));
			p.y = nudge(q[0].y + t * (q[1].y - q[0].y));
			break;
		case 1:
			return *q;
		default:
			p.x = random_coordinate(box->xmin, box->xmax, q->x, side);
			p.y = random_coordinate(box->ymin, box->ymax, q->y, side);
	}
	return p;
}

/* Locate a point with the cells, if there are any, and without. */
static void
compare_places(const SpqGisShape *shape, const SpqGisPoint *p, Kind kind, const char *when)
{
	SpqGisPlace by_edges = spq_gis_locate_by_edges(shape, p),
				place = spq_gis_locate(shape, p);

	check(place == by_edges, "kind %d, %s: %.17g %.17g: %d, not %d", kind, when, p->x, p->y, place,
		  by_edges);
}

static bool
has_made_cells(const SpqGisShape *shape)
{
	return shape->cells && shape->cells->made;
}

/*
 * With the cells, each answer is the same as without them.  They are made after as many
 * points in the box as they shall be, unless they do not fit the polygon.
 */
static void
test_pure_cells(void)
{
	Rings	   *rings = malloc(sizeof(Rings));
	int			made = 0,
				left_out = 0;

	for (int round = 0; round < 160; round++)
	{
		const float8 scales[] = {1, 0.25, 1 / 3.0, 1e-5, 1e90},
					moves[] = {0, 0, 64, 1e6, 1e12, 1e15};
		Kind		kind = round % KINDS;
		float8		scale = scales[random_int(0, 4)],
					move = moves[random_int(0, 5)];
		int			npoints,
					pure = 0;
		SpqGisShape *shape;

		make_rings(rings, kind);
		shape = shape_of_rings(rings, scale, move);
		if (shape == NULL)
			continue;			/* rounding made edges without length */
		npoints = shape->npoints;
		check(shape->cells || npoints <= 100, "kind %d has room for cells", kind);

		for (int i = 0; i < npoints + 100 && shape->cells && !shape->cells->made; i++)
		{
			const SpqGisCells *cells = shape->cells;
			SpqGisPoint p = random_point(shape);
			int			awaited = cells->awaited - spq_gis_box_has(&shape->box, &p);

			check(i <= npoints / 2 || i < 100 || kind == FLAT || move > 1e6, "the cells are made");
			compare_places(shape, &p, kind, "before");
			check(shape->cells != cells || (cells->made ? awaited < 0 : awaited == cells->awaited),
				  "%d points awaited", awaited);
		}
		check(kind != FLAT || !shape->cells, "a box without height has no cells");
		check((kind != COASTS && kind != COAST_WITH_HOLES && kind != BAND) ||
			  has_made_cells(shape) || npoints <= 100 || move > 1e6, "kind %d has cells", kind);
		for (int i = 0; i < 2000; i++)
		{
			const float8 unusual[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
			SpqGisPoint p = random_point(shape);

			/* after an error */
			if (i == 1000 && has_made_cells(shape))
			{
				memset(shape->cells->places, random_int(0, 255), shape->cells->side);
				shape->cells->made = false;
			}
			if (i % 100 == 0)
				p.x = unusual[random_int(0, 4)];
			if (i % 100 == 1)
				p.y = unusual[random_int(0, 4)];
			compare_places(shape, &p, kind, "after");
			pure += has_made_cells(shape) && spq_gis_box_has(&shape->box, &p) &&
				spq_gis_cell_place(shape->cells, spq_gis_cell_of(shape, &p)) != SPQ_GIS_PLACE_UNSURE;
		}
		check(kind != BARCODE || !has_made_cells(shape) || npoints < 500, "long edges everywhere: no cells");
		made += has_made_cells(shape);
		left_out += !has_made_cells(shape);
		if ((kind == BAND || kind == COAST_WITH_HOLES) && has_made_cells(shape))
			check(pure > 500, "kind %d: %d of 2000 points in pure cells", kind, pure);
		pfree(shape);
	}
	check(made > 60 && left_out > 10, "%d polygons with cells, %d without", made, left_out);
	free(rings);
	finish_test("cells of large polygons");
}

/* One shape as both arguments, as of one stored value, has the answers of two equal ones. */
static void
test_same_shape(void)
{
	for (int round = 0; round < 1000; round++)
	{
		SpqGisPoint points[MAX_POINTS + 1];
		Bytes		bytes;
		uint32		type = random_int(SPQ_GIS_POINT, SPQ_GIS_POLYGON);
		int			count = type == SPQ_GIS_POINT ? 1 :
			walk(points, random_int(3, 60), 1 << random_int(2, 20), type == SPQ_GIS_POLYGON);
		const SpqGisRelation relations[] = {
			spq_gis_intersects, spq_gis_crosses, spq_gis_touches, spq_gis_overlaps, spq_gis_contains
		};
		SpqGisShape *one,
				   *other;

		if (type == SPQ_GIS_POINT)
			(void) walk(points, 1, 10, false);
		put_header(&bytes, 2, false);
		put_number(&bytes, type + 3);
		put_number(&bytes, 1);
		put_body(&bytes, type, points, count);
		one = make_shape(bytes.data, bytes.length);
		other = make_shape(bytes.data, bytes.length);
		for (int i = 0; one && i < (int) lengthof(relations); i++)
			check(relations[i] (one, one) == relations[i] (one, other), "relation %d", i);
		if (one && type != SPQ_GIS_POINT)
			check(spq_gis_edges(one, one, 0) == spq_gis_edges(one, other, 0) &&
				  (spq_gis_edges(one, one, 0) & SPQ_GIS_OVERLAP), "edges");
		if (one)
		{
			check(spq_gis_within(one, one, 1) == spq_gis_within(one, other, 1), "within");
			pfree(one);
			pfree(other);
		}
	}
	finish_test("one shape as both arguments");
}

static void
test_hostile_bytes(void)
{
	for (int round = 0; round < 20000; round++)
	{
		SpqGisPoint points[MAX_POINTS + 1];
		Bytes		bytes;
		uint32		type = random_int(SPQ_GIS_POINT, SPQ_GIS_COLLECTION);
		int			parts = random_int(0, 3),
					count;
		SpqGisShape *shape;

		put_header(&bytes, random_int(2, 4), random_int(0, 1));
		if (type >= SPQ_GIS_MULTIPOINT)
		{
			put_number(&bytes, type);
			put_number(&bytes, parts);
			for (int i = 0; i < parts; i++)
			{
				count = walk(points, random_int(1, 30), 100, type == SPQ_GIS_MULTIPOLYGON);
				put_body(&bytes, type == SPQ_GIS_COLLECTION ? (uint32) random_int(1, 3) : type - 3,
						 points, type == SPQ_GIS_MULTIPOINT ? 1 : count);
			}
		}
		else
		{
			count = walk(points, random_int(1, 60), 100, type == SPQ_GIS_POLYGON);
			put_body(&bytes, type, points, type == SPQ_GIS_POINT ? 1 : count);
		}
		for (int i = random_int(0, 3); i > 0; i--)
			bytes.data[random_int(3, bytes.length - 1)] = random_int(0, 255);
		if (random_int(0, 1))
			bytes.length = random_int(0, bytes.length);
		shape = make_shape(bytes.data, bytes.length);
		if (shape)
		{
			SpqGisPoint p = {random_int(0, 100), random_int(0, 100)};

			check(shape->npoints > 0 && shape->nparts > 0, "a shape has points");
			(void) spq_gis_edges(shape, shape, 0);
			if (shape->dimension == 2)
				(void) spq_gis_locate(shape, &p);
			(void) spq_gis_intersects(shape, shape);
			(void) spq_gis_contains(shape, shape);
			(void) spq_gis_within(shape, shape, 1);
			pfree(shape);
		}
	}
	finish_test("bytes that are no geometry");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_edges();
	test_points();
	test_locate();
	test_large_rings();
	test_pure_cells();
	test_within();
	test_no_shape();
	test_touching_rings();
	test_same_shape();
	test_hostile_bytes();
	printf("1..%d\n", test_number);
	return tests_failed > 0;
}
