/*-------------------------------------------------------------------------
 *
 * arcs.c
 *	  A geography as points on a sphere of radius 1, and arcs between them.
 *
 * The bytes are read twice, as for a shape (shape.c): first to count parts and
 * points, then to write everything into one chunk of memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "geometry/arcs.h"
#include "geometry/sphere.h"

/* EPSG's number of WGS 84, the spheroid for which limits are known. */
#define WGS84_SRID	4326

/*
 * The largest |z|, the sine of a latitude of 84.8 degrees.  PostGIS computes
 * directions, which get inaccurate near a pole.
 */
#define LARGEST_Z	0.996

/* Bodies being counted or copied. */
typedef struct Maker
{
	SpqGisReader reader;
	SpqGisArcs *arcs;			/* the copy; NULL while counting */
	int			dimension;
	int			nparts;
	int			npoints;
	int			nruns;
	bool		has_single;
} Maker;

/* Add an element to the last run, or to a new one. */
static void
add_element(SpqGisArcs *arcs, int first, bool begins_part)
{
	const SpqGisVector *p = &arcs->points[first],
			   *q = &p[arcs->step];
	SpqGisArcRun *run = arcs->nelements > 0 ? &arcs->runs[arcs->nruns - 1] : NULL;

	if (run == NULL || begins_part || run->end - run->first == SPQ_GIS_ARC_RUN)
	{
		CHECK_FOR_INTERRUPTS();
		run = &arcs->runs[arcs->nruns++];
		run->first = first;
		spq_gis_start_space(&run->box, p);
	}
	run->end = first + 1;
	spq_gis_add_to_space(&run->box, p, p);
	spq_gis_add_to_space(&run->box, q, q);
	arcs->nelements++;
}

/*
 * Place a point on the sphere.  Return false if it has no longitude and
 * latitude.
 */
static bool
place_point(SpqGisVector *p, const char *stored)
{
	float8		angles[2],
				x[3];

	memcpy(angles, stored, sizeof(angles));
	if (!(fabs(angles[0]) <= 180 && fabs(angles[1]) <= 90))
		return false;
	spq_gis_place_on_sphere(stored, x);
	p->x = x[0];
	p->y = x[1];
	p->z = x[2];
	return fabs(p->z) <= LARGEST_Z;
}

/* Copy the points of a part. */
static bool
copy_part(Maker *maker, const char *stored, int count)
{
	SpqGisArcs *arcs = maker->arcs;
	SpqGisVector *points = &arcs->points[maker->npoints];
	float8		least = 1,
				most = 0;

	for (int i = 0; i < count; i++)
	{
		if (!place_point(&points[i], stored + i * maker->reader.axes * sizeof(float8)))
			return false;
		if (i > 0)
		{
			SpqGisVector chord = spq_gis_difference(&points[i], &points[i - 1]);
			float8		square = spq_gis_dot(&chord, &chord);

			least = Min(least, square);
			most = Max(most, square);
		}
		if (i >= arcs->step)
			add_element(arcs, maker->npoints + i - arcs->step, i > 0 && i == arcs->step);
	}
	arcs->has_tiny |= least < SPQ_GIS_TINY_ARC * SPQ_GIS_TINY_ARC;
	arcs->longest = Max(arcs->longest, sqrt(most));
	return true;
}

/* Count or copy a part. */
static bool
do_part(void *context, const char *stored, uint32 count, uint32 ring)
{
	static const uint32 least[] = {1, 2, 4};
	Maker	   *maker = context;

	if (count < least[maker->dimension] || count > PG_INT32_MAX / 64)
		return false;
	if (maker->arcs && !copy_part(maker, stored, count))
		return false;
	maker->nparts++;
	maker->npoints += count;
	maker->nruns += (count - 1) / SPQ_GIS_ARC_RUN + 1;
	maker->has_single |= count == 2;
	return true;
}

/* Start to read a geography.  Return its type, or 0 if it has no arcs. */
static uint32
start(Maker *maker, const char *bytes, Size length)
{
	SpqGisHeader header;
	uint32		type;

	memset(maker, 0, sizeof(*maker));
	type = spq_gis_start_parts(bytes, length, &header, &maker->reader);
	if (type == 0 || !header.geodetic ||
		(header.srid[0] << 16 | header.srid[1] << 8 | header.srid[2]) != WGS84_SRID)
		return 0;
	maker->dimension = (type - SPQ_GIS_POINT) % 3;
	return type;
}

/* Set the box.  Return false if it is too large. */
static bool
finish(SpqGisArcs *arcs)
{
	arcs->box = arcs->runs[0].box;
	for (int i = 1; i < arcs->nruns; i++)
		spq_gis_add_to_space(&arcs->box, &arcs->runs[i].box.low, &arcs->runs[i].box.high);
	return spq_gis_space_square(&arcs->box) <= SPQ_GIS_LARGEST_ARCS * SPQ_GIS_LARGEST_ARCS;
}

/*
 * Make the arcs of a point, in memory of the caller.  Return NULL for other
 * geographies.
 */
SpqGisArcs *
spq_gis_point_arcs(const char *bytes, Size length, SpqGisPointArcs *room)
{
	Maker		maker;

	if (length > SPQ_GIS_HEADER_SIZE + 4 * sizeof(float8) || start(&maker, bytes, length) != SPQ_GIS_POINT)
		return NULL;
	memset(&room->arcs, 0, sizeof(room->arcs));
	room->arcs.points = &room->point;
	room->arcs.runs = &room->run;
	room->arcs.npoints = room->arcs.nparts = 1;
	room->arcs.size = sizeof(SpqGisPointArcs);
	maker.arcs = &room->arcs;
	return spq_gis_read_parts(&maker.reader, do_part, &maker) && finish(&room->arcs) ? &room->arcs : NULL;
}

/*
 * Make the arcs of a geography, in one chunk of the current memory context.
 * Return NULL if it has none.
 */
SpqGisArcs *
spq_gis_make_arcs(const char *bytes, Size length)
{
	Maker		maker,
				counted;
	SpqGisArcs *arcs;
	Size		points = MAXALIGN(sizeof(SpqGisArcs)),
				runs,
				size;

	if (start(&counted, bytes, length) == 0)
		return NULL;
	maker = counted;
	if (!spq_gis_read_parts(&counted.reader, do_part, &counted))
		return NULL;
	runs = points + counted.npoints * sizeof(SpqGisVector);
	size = runs + counted.nruns * sizeof(SpqGisArcRun);
	arcs = MemoryContextAllocHuge(CurrentMemoryContext, size);
	memset(arcs, 0, sizeof(*arcs));
	arcs->dimension = counted.dimension;
	arcs->step = arcs->dimension > 0 ? 1 : 0;
	arcs->npoints = counted.npoints;
	arcs->nparts = counted.nparts;
	arcs->has_single = counted.nparts > 1 && counted.has_single;
	arcs->points = (SpqGisVector *) ((char *) arcs + points);
	arcs->runs = (SpqGisArcRun *) ((char *) arcs + runs);
	arcs->size = size;
	maker.arcs = arcs;
	if (!spq_gis_read_parts(&maker.reader, do_part, &maker) || !finish(arcs))
	{
		pfree(arcs);
		return NULL;
	}
	return arcs;
}
