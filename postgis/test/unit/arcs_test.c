/*-------------------------------------------------------------------------
 *
 * arcs_test.c
 *	  Tests of the answers about distances of geographies that are given without
 *	  PostGIS.
 *
 * The tests make geographies in PostGIS' format.  A certain answer must be that
 * of the distance on the sphere, computed here in another way and with more
 * digits, also if the spheroid makes it as long or as short as it can.  Cases in
 * which PostGIS is known to find another distance must not be certain.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "geometry/arcs_within.h"
#include "stubs.h"

#define MAX_POINTS	120

/* Radii of curvature of WGS 84, to the meter. */
#define LEAST	6335440.0L
#define MOST	6399593.0L

/* A geography under construction, without the varlena header. */
typedef struct Bytes
{
	char		data[256 + MAX_POINTS * 32];
	int			length;
	int			axes;
} Bytes;

typedef struct Degrees
{
	float8		lon;
	float8		lat;
} Degrees;

typedef struct Exact
{
	long double x[3];
} Exact;

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

/* Put the header of a geography of WGS 84, optionally with a box, which is not read. */
static void
put_header(Bytes *bytes, int axes, bool box)
{
	uint8		header[4] = {0, 0x10, 0xe6, 0x48};
	float4		zeros[6] = {0};

	bytes->length = 0;
	bytes->axes = axes;
	header[3] |= (axes > 2 ? 0x01 : 0) | (axes > 3 ? 0x02 : 0) | (box ? 0x04 : 0);
	put(bytes, header, sizeof(header));
	if (box)
		put(bytes, zeros, sizeof(zeros));
}

/* Put a point, a line or a polygon without holes. */
static void
put_body(Bytes *bytes, uint32 type, const Degrees *points, int count)
{
	float8		zeros[2] = {0};

	put_number(bytes, type);
	if (type == SPQ_GIS_POLYGON)
		put_number(bytes, 1);
	put_number(bytes, count);
	if (type == SPQ_GIS_POLYGON)
		put_number(bytes, 0);
	for (int i = 0; i < count; i++)
	{
		put(bytes, &points[i], sizeof(points[i]));
		put(bytes, zeros, (bytes->axes - 2) * sizeof(float8));
	}
}

/* Make arcs from a copy of exactly these bytes, so that sanitizers see reads beyond. */
static SpqGisArcs *
make_arcs(const Bytes *bytes)
{
	char	   *copy = malloc(Max(bytes->length, 1));
	SpqGisPointArcs room;
	SpqGisArcs *arcs;

	memcpy(copy, bytes->data, bytes->length);
	arcs = spq_gis_make_arcs(copy, bytes->length);
	if (spq_gis_point_arcs(copy, bytes->length, &room))
		check(arcs != NULL && arcs->nelements == 1 && room.arcs.dimension == 0 && room.arcs.step == 0 &&
			  room.arcs.nelements == 1 && room.arcs.nruns == 1 && !room.arcs.has_tiny &&
			  memcmp(&room.arcs.box, &arcs->box, sizeof(arcs->box)) == 0, "a point is the same");
	free(copy);
	return arcs;
}

static SpqGisArcs *
make_one(uint32 type, const Degrees *points, int count)
{
	Bytes		bytes;

	put_header(&bytes, random_int(2, 4), random_int(0, 1));
	put_body(&bytes, type, points, count);
	return make_arcs(&bytes);
}

static Exact
exact_place(const Degrees *p)
{
	long double lon = M_PIl * p->lon / 180,
				lat = M_PIl * p->lat / 180;
	Exact		result = {{cosl(lat) * cosl(lon), cosl(lat) * sinl(lon), sinl(lat)}};

	return result;
}

static long double
dot(const Exact *a, const Exact *b)
{
	return a->x[0] * b->x[0] + a->x[1] * b->x[1] + a->x[2] * b->x[2];
}

static Exact
cross(const Exact *a, const Exact *b)
{
	Exact		result = {{
			a->x[1] * b->x[2] - a->x[2] * b->x[1],
			a->x[2] * b->x[0] - a->x[0] * b->x[2],
			a->x[0] * b->x[1] - a->x[1] * b->x[0]
	}};

	return result;
}

static long double
angle(const Exact *a, const Exact *b)
{
	Exact		normal = cross(a, b);

	return atan2l(sqrtl(dot(&normal, &normal)), dot(a, b));
}

/* Return the distance of a point and an arc shorter than a half circle. */
static long double
point_to_arc(const Exact *p, const Exact *a, const Exact *b)
{
	Exact		normal = cross(a, b),
				after = cross(&normal, a),
				before = cross(b, &normal);
	long double length = sqrtl(dot(&normal, &normal));

	if (length > 0 && dot(&after, p) >= 0 && dot(&before, p) >= 0)
		return asinl(Min(fabsl(dot(&normal, p)) / length, 1.0L));
	return Min(angle(p, a), angle(p, b));
}

/* Return whether two short arcs cross each other, on the same half of the sphere. */
static bool
exact_cross(const Exact *p, const Exact *q)
{
	Exact		m = cross(&p[0], &p[1]),
				n = cross(&q[0], &q[1]);

	return dot(&m, &q[0]) * dot(&m, &q[1]) < 0 && dot(&n, &p[0]) * dot(&n, &p[1]) < 0;
}

static long double
exact_distance(const Degrees *a, int na, const Degrees *b, int nb)
{
	long double least = 10;

	for (int i = 0; i < Max(na - 1, 1); i++)
		for (int j = 0; j < Max(nb - 1, 1); j++)
		{
			Exact		p[2] = {exact_place(&a[i]), exact_place(&a[Min(i + 1, na - 1)])},
						q[2] = {exact_place(&b[j]), exact_place(&b[Min(j + 1, nb - 1)])};

			if (na > 1 && nb > 1 && exact_cross(p, q))
				return 0;
			least = Min(least, Min(Min(point_to_arc(&p[0], &q[0], &q[1]), point_to_arc(&p[1], &q[0], &q[1])),
								   Min(point_to_arc(&q[0], &p[0], &p[1]), point_to_arc(&q[1], &p[0], &p[1]))));
		}
	return least;
}

/* Set points of a walk near a place, no two neighbors nearly equal. */
static void
walk(Degrees *points, int count, const Degrees *start, float8 size)
{
	for (int i = 0; i < count; i++)
	{
		points[i].lon = (i == 0 ? start->lon : points[i - 1].lon) + (drand48() - 0.5) * size;
		points[i].lat = (i == 0 ? start->lat : points[i - 1].lat) + (0.01 + drand48() * 0.49) * (drand48() < 0.5 ? -size : size);
		points[i].lon -= points[i].lon > 180 ? 360 : points[i].lon < -180 ? -360 : 0;
		points[i].lat = Min(Max(points[i].lat, -90), 90);
	}
}

static int
random_count(void)
{
	return random_int(0, 3) == 0 ? 1 : random_int(0, 3) == 0 ? random_int(2, MAX_POINTS) : random_int(2, 8);
}

static void
test_within(void)
{
	int			sure = 0,
				total = 0;

	for (int round = 0; round < 4000; round++)
	{
		Degrees		start[] = {{drand48() * 360 - 180, drand48() * 168 - 84}, {179.9999, 1}, {10, 84.7}, {0, 0}};
		Degrees		pa[MAX_POINTS],
					pb[MAX_POINTS],
					near = start[random_int(0, 3)];
		float8		size = pow(10, drand48() * 6 - 5);
		int			na = random_count(),
					nb = random_count();
		SpqGisArcs *a,
				   *b;
		long double least;

		walk(pa, na, &near, size);
		near = pa[random_int(0, na - 1)];
		near.lat += random_int(0, 1) * (drand48() - 0.5) * size * 10;
		walk(pb, nb, &near, size * pow(10, -drand48()));
		if (random_int(0, 9) == 0)
			pb[random_int(0, nb - 1)] = pa[random_int(0, na - 1)];
		a = make_one(na > 1 ? SPQ_GIS_LINE : SPQ_GIS_POINT, pa, na);
		b = make_one(nb > 1 ? SPQ_GIS_LINE : SPQ_GIS_POINT, pb, nb);
		least = exact_distance(pa, na, pb, nb);
		for (int i = 0; a && b && i < 9; i++)
		{
			const float8 factors[] = {0.5, 2, 0.9, 0.99, 1 - 1e-5, 1, 1 + 1e-5, 1.01, 1.1};
			float8		distance = least * (random_int(0, 1) ? LEAST : MOST) * factors[i];
			SpqGisAnswer answer = spq_gis_arcs_within(a, b, distance);

			check(answer == spq_gis_arcs_within(b, a, distance), "in either order: %g", distance);
			check(answer != SPQ_GIS_YES || least * MOST <= distance, "within %g", distance);
			check(answer != SPQ_GIS_NO || least * LEAST > distance, "not within %g", distance);
			check(answer != SPQ_GIS_ASK || na + nb > 2 || distance < 1 || least > 0.1 || i > 2, "sure of points: %g", distance);
			sure += i < 2 && least > 1e-5 && answer != SPQ_GIS_ASK;
			total += i < 2 && least > 1e-5;
		}
		if (a)
			pfree(a);
		if (b)
			pfree(b);
	}
	check(sure > total * 0.8, "most is sure: %d of %d", sure, total);
	finish_test("distances on the sphere");
}

/* Return the answer for two lines of two points. */
static SpqGisAnswer
two_lines(Degrees a, Degrees b, Degrees c, Degrees d, float8 distance)
{
	Degrees		p[] = {a, b},
				q[] = {c, d};
	SpqGisArcs *one = make_one(SPQ_GIS_LINE, p, 2),
			   *two = make_one(SPQ_GIS_LINE, q, 2);
	SpqGisAnswer answer = spq_gis_arcs_within(one, two, distance);

	check(answer == spq_gis_arcs_within(two, one, distance), "in either order");
	pfree(one);
	pfree(two);
	return answer;
}

#define AT(lon, lat)	((Degrees) {lon, lat})

/* Cases in which PostGIS may find another distance than that on the sphere. */
static void
test_unsure(void)
{
	/* 5 m and 15 m beside each other: some versions find the distance 0 */
	check(two_lines(AT(10, 50), AT(10, 50.01), AT(10.00007, 50), AT(10.00007, 50.01), 1) == SPQ_GIS_ASK,
		  "in nearly the same plane");
	check(two_lines(AT(10, 50), AT(10, 50.01), AT(10.00021, 50), AT(10.00021, 50.01), 1) == SPQ_GIS_NO,
		  "in other planes");
	/* one behind the other, 55 m and 110 m apart */
	check(two_lines(AT(10, 50), AT(10, 50.01), AT(10, 50.0105), AT(10, 50.02), 20) == SPQ_GIS_ASK,
		  "in the same plane");
	check(two_lines(AT(10, 50), AT(10, 50.01), AT(10.001, 50.0105), AT(10.001, 50.02), 20) == SPQ_GIS_NO,
		  "beside each other");
	check(two_lines(AT(10, 50), AT(10, 50.01), AT(10, 50.02), AT(10, 50.03), 20) == SPQ_GIS_NO,
		  "far apart in the same plane");
	/* they cross: the distance is not that of an end */
	check(two_lines(AT(10, 50), AT(11, 51), AT(10, 51), AT(11, 50), 1000) == SPQ_GIS_ASK, "a crossing");
	check(two_lines(AT(10, 50), AT(10.001, 50.001), AT(10, 50.001), AT(10.001, 50), 10) == SPQ_GIS_ASK,
		  "a small crossing");
	/* 11 m apart, but ends of both are within 1e-12 of the plane of the other */
	check(two_lines(AT(10, 50), AT(10, 50.001), AT(10 + 1e-11, 50.0011), AT(10 + 5e-10, 50.002), 1) == SPQ_GIS_ASK,
		  "an end in the plane of the other");
	check(two_lines(AT(10, 50), AT(10, 50.001), AT(10 + 1e-8, 50.0011), AT(10 + 5e-7, 50.002), 1) == SPQ_GIS_NO,
		  "no end in the plane of the other");
	/* no distance */
	check(two_lines(AT(10, 50), AT(10, 50.01), AT(10.001, 50), AT(10.001, 50.01), -1) == SPQ_GIS_ASK, "negative");
	check(two_lines(AT(10, 50), AT(11, 51), AT(10, 50), AT(11, 50), get_float8_nan()) == SPQ_GIS_ASK, "NaN");
	check(two_lines(AT(10, 50), AT(11, 51), AT(10, 50), AT(11, 50), get_float8_infinity()) == SPQ_GIS_ASK,
		  "infinity");
	check(two_lines(AT(10, 50), AT(11, 51), AT(30, 50), AT(31, 50), 20) == SPQ_GIS_ASK, "very far apart");
	check(two_lines(AT(10, 50), AT(10, 50.01), AT(10.001, 50), AT(10.001, 50.01), 10) == SPQ_GIS_NO, "no");
	check(two_lines(AT(10, 50), AT(10, 50.01), AT(10.001, 50), AT(10.001, 50.01), 100) == SPQ_GIS_YES, "yes");
	finish_test("distances that differ");
}

/*
 * Distances of a point that PostGIS may find too small, beyond the end of a very
 * short arc, or too large, by its search in a line of many points.
 */
static void
test_errors(void)
{
	Degrees		arc[] = {{10, 50}, {10.0000015, 50}},
				beyond = {10.000004, 50},
				line[60],
				place = {10.01, 50.05};
	SpqGisArcs *point = make_one(SPQ_GIS_POINT, &beyond, 1),
			   *arcs = make_one(SPQ_GIS_LINE, arc, 2);

	/* 0.18 m */
	check(spq_gis_arcs_within(point, arcs, 0.05) == SPQ_GIS_ASK, "beyond an end");
	pfree(arcs);
	pfree(point);
	point = make_one(SPQ_GIS_POINT, &place, 1);
	for (int i = 0; i < 60; i++)
		line[i] = AT(10.0114, 50 + i * (0.1 / 59));
	/* 100.2 m, and at most 100.7 on the spheroid */
	for (int many = 0; many < 2; many++)
	{
		arcs = make_one(SPQ_GIS_LINE, line + (many ? 0 : 29), many ? 60 : 2);
		check(spq_gis_arcs_within(point, arcs, 102) == (many ? SPQ_GIS_ASK : SPQ_GIS_YES), "near a line");
		check(spq_gis_arcs_within(point, arcs, 120) == SPQ_GIS_YES, "very near a line");
		check(spq_gis_arcs_within(point, arcs, 99) == SPQ_GIS_NO, "not near a line");
		pfree(arcs);
	}
	pfree(point);
	finish_test("errors of PostGIS' distances");
}

/* Answers that are never certain for some kinds of geographies. */
static void
test_kinds(void)
{
	Degrees		line[] = {{10, 50}, {10.01, 50}, {10.01, 50.01}, {10, 50}},
				repeated[] = {{10, 50}, {10.01, 50}, {10.01, 50}, {10, 50.01}},
				other[] = {{10.05, 49.99}, {10.06, 49.99}, {10.06, 50}},
				place = {10.03, 50};
	SpqGisArcs *point = make_one(SPQ_GIS_POINT, &place, 1),
			   *arcs;
	Bytes		bytes;

	arcs = make_one(SPQ_GIS_LINE, line, 4);
	check(spq_gis_arcs_within(point, arcs, 100) == SPQ_GIS_NO, "a line");
	check(spq_gis_arcs_within(point, arcs, 2000) == SPQ_GIS_YES, "a line");
	pfree(arcs);
	arcs = make_one(SPQ_GIS_POLYGON, line, 4);
	check(spq_gis_arcs_within(point, arcs, 100) == SPQ_GIS_ASK, "a polygon");
	check(spq_gis_arcs_within(point, arcs, 2000) == SPQ_GIS_YES, "a polygon");
	pfree(arcs);
	arcs = make_one(SPQ_GIS_LINE, repeated, 4);
	check(spq_gis_arcs_within(point, arcs, 100) == SPQ_GIS_ASK, "repeated points");
	check(spq_gis_arcs_within(point, arcs, 2000) == SPQ_GIS_YES, "repeated points");
	pfree(arcs);

	/* parts: with a single arc, or all with more */
	for (int single = 0; single < 2; single++)
	{
		put_header(&bytes, 2, false);
		put_number(&bytes, SPQ_GIS_MULTILINE);
		put_number(&bytes, 2);
		put_body(&bytes, SPQ_GIS_LINE, line, 4);
		put_body(&bytes, SPQ_GIS_LINE, line, single ? 2 : 3);
		arcs = make_arcs(&bytes);
		check(spq_gis_arcs_within(point, arcs, 100) == SPQ_GIS_NO, "a multiline");
		check(spq_gis_arcs_within(point, arcs, 2000) == (single ? SPQ_GIS_ASK : SPQ_GIS_YES), "a multiline");
		pfree(arcs);
	}

	/* the point is between two parts, each a line of three points */
	put_header(&bytes, 2, false);
	put_number(&bytes, SPQ_GIS_MULTILINE);
	put_number(&bytes, 2);
	put_body(&bytes, SPQ_GIS_LINE, line, 3);
	put_body(&bytes, SPQ_GIS_LINE, other, 3);
	arcs = make_arcs(&bytes);
	check(arcs->nruns == 2 && spq_gis_arcs_within(point, arcs, 1000) == SPQ_GIS_NO, "between parts");
	pfree(arcs);

	/* many points */
	put_header(&bytes, 2, false);
	put_number(&bytes, SPQ_GIS_MULTIPOINT);
	put_number(&bytes, 40);
	for (int i = 0; i < 40; i++)
	{
		Degrees		at = {10 + i * 0.001, 50.01};

		put_body(&bytes, SPQ_GIS_POINT, &at, 1);
	}
	arcs = make_arcs(&bytes);
	check(arcs->nruns == 3 && arcs->nelements == 40, "runs of points");
	check(spq_gis_arcs_within(point, arcs, 1050) == SPQ_GIS_NO, "points");
	check(spq_gis_arcs_within(point, arcs, 1200) == SPQ_GIS_YES, "points");
	pfree(arcs);
	pfree(point);
	finish_test("kinds of geographies");
}

/* Geographies that are left to PostGIS. */
static void
test_no_arcs(void)
{
	Degrees		points[] = {{10, 50}, {10.01, 50}},
				pole = {0, 85},
				beyond = {181, 0},
				unknown = {get_float8_nan(), 0},
				large[] = {{0, 0}, {15, 0}};
	Bytes		bytes;

	check(make_one(SPQ_GIS_POINT, &pole, 1) == NULL, "near a pole");
	check(make_one(SPQ_GIS_POINT, &beyond, 1) == NULL, "no longitude");
	check(make_one(SPQ_GIS_POINT, &unknown, 1) == NULL, "NaN");
	check(make_one(SPQ_GIS_LINE, large, 2) == NULL, "large");
	check(make_one(SPQ_GIS_LINE, points, 1) == NULL, "a line of a point");
	check(make_one(SPQ_GIS_LINE, points, 0) == NULL, "an empty line");
	check(make_one(SPQ_GIS_TRIANGLE, points, 2) == NULL, "another type");
	put_header(&bytes, 2, false);
	put_number(&bytes, SPQ_GIS_MULTILINE);
	put_number(&bytes, 2);
	put_body(&bytes, SPQ_GIS_LINE, points, 2);
	put_body(&bytes, SPQ_GIS_LINE, points, 0);
	check(make_arcs(&bytes) == NULL, "an empty part");
	for (int byte = 1; byte < 4; byte++)
	{
		put_header(&bytes, 2, false);
		put_body(&bytes, SPQ_GIS_LINE, points, 2);
		bytes.data[byte] ^= byte == 3 ? 0x08 : 0x01;
		check(make_arcs(&bytes) == NULL, "another SRID, or a geometry");
	}
	finish_test("geographies without arcs");
}

static void
test_hostile_bytes(void)
{
	for (int round = 0; round < 20000; round++)
	{
		uint32		type = random_int(SPQ_GIS_POINT, SPQ_GIS_COLLECTION);
		Degrees		points[60],
					start = {10, 50};
		Bytes		bytes;
		SpqGisArcs *arcs;

		walk(points, 60, &start, 0.01);
		put_header(&bytes, random_int(2, 4), random_int(0, 1));
		if (type > SPQ_GIS_POLYGON)
		{
			put_number(&bytes, type);
			put_number(&bytes, 2);
			for (int i = 0; i < 2; i++)
				put_body(&bytes, Min(type - 3, SPQ_GIS_POLYGON), points + i * 10, type == SPQ_GIS_MULTIPOINT ? 1 : random_int(1, 40));
		}
		else
			put_body(&bytes, type, points, type == SPQ_GIS_POINT ? 1 : random_int(1, 60));
		for (int i = random_int(0, 3); i > 0; i--)
			bytes.data[random_int(3, bytes.length - 1)] = random_int(0, 255);
		if (random_int(0, 1))
			bytes.length = random_int(0, bytes.length);
		arcs = make_arcs(&bytes);
		if (arcs)
		{
			check(arcs->npoints > 0 && arcs->nruns > 0, "arcs have points");
			check(spq_gis_arcs_within(arcs, arcs, 100) != SPQ_GIS_NO, "the same geography");
			pfree(arcs);
		}
	}
	finish_test("bytes that are no geography");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_within();
	test_unsure();
	test_errors();
	test_kinds();
	test_no_arcs();
	test_hostile_bytes();
	printf("1..%d\n", test_number);
	return tests_failed > 0;
}
