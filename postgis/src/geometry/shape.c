/*-------------------------------------------------------------------------
 *
 * shape.c
 *	  Making a shape from a geometry as PostGIS stores it.
 *
 * This takes two passes over the stored bytes.  The first counts parts and
 * points, so that the second can write everything into one chunk of memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "geometry/shape.h"

/* Bodies being counted or copied. */
typedef struct Maker
{
	SpqGisReader reader;
	SpqGisShape *shape;			/* the copy; NULL while counting */
	int			nparts;
	int			npoints;
	int			nruns;
	uint8		srid[3];
} Maker;

/* Number of runs of a part with this number of points. */
#define RUNS_OF(npoints)	(((npoints) - 1 + SPQ_GIS_RUN_EDGES - 1) / SPQ_GIS_RUN_EDGES)

static inline void
start_box(SpqGisBox *box, const SpqGisPoint *p)
{
	box->xmin = box->xmax = p->x;
	box->ymin = box->ymax = p->y;
}

static inline void
add_to_box(SpqGisBox *box, const SpqGisPoint *p)
{
	box->xmin = Min(box->xmin, p->x);
	box->xmax = Max(box->xmax, p->x);
	box->ymin = Min(box->ymin, p->y);
	box->ymax = Max(box->ymax, p->y);
}

static inline void
unite(SpqGisBox *box, const SpqGisBox *with)
{
	box->xmin = Min(box->xmin, with->xmin);
	box->xmax = Max(box->xmax, with->xmax);
	box->ymin = Min(box->ymin, with->ymin);
	box->ymax = Max(box->ymax, with->ymax);
}

/* GEOS' results for coordinates of at least this size may overflow. */
#define LARGEST		1e100

/*
 * Copy the x and y of points, without repeated points.  Return their number,
 * or -1 if one is not finite or is very large.
 */
static int
copy_points(SpqGisPoint *to, const char *from, uint32 count, int axes)
{
	int			n = 0;

	for (uint32 i = 0; i < count; i++)
	{
		SpqGisPoint *p = &to[n];

		memcpy(p, from + i * axes * sizeof(float8), sizeof(SpqGisPoint));
		if (!(fabs(p->x) < LARGEST && fabs(p->y) < LARGEST))
			return -1;
		n += n == 0 || p->x != to[n - 1].x || p->y != to[n - 1].y;
	}
	return n;
}

/*
 * PostGIS ignores edges shorter than this when it locates a point in a
 * polygon.
 */
#define LEAST_EDGE	1e-12

/* Return whether an edge may be shorter than LEAST_EDGE. */
static bool
has_short_edge(const SpqGisPoint *points, int count)
{
	for (int i = 1; i < count; i++)
		if (fabs(points[i].x - points[i - 1].x) < 2 * LEAST_EDGE &&
			fabs(points[i].y - points[i - 1].y) < 2 * LEAST_EDGE)
			return true;
	return false;
}

/*
 * Return whether all points are certainly finite and not very large, and no edge
 * between consecutive points is very short.  Sums decide, without a branch for
 * each point, since a shape may be made for one call.  A NaN is in the sum.
 */
static bool
are_usual(const SpqGisPoint *points, int count)
{
	float8		sum = fabs(points[0].x) + fabs(points[0].y),
				least = LARGEST;

	for (int i = 1; i < count; i++)
	{
		float8		step = fabs(points[i].x - points[i - 1].x) + fabs(points[i].y - points[i - 1].y);

		sum += step;
		least = Min(least, step);
	}
	return sum < LARGEST / 2 && least > 4 * LEAST_EDGE;
}

/* Divide the edges of a part into runs. */
static void
make_runs(SpqGisShape *shape, SpqGisPart *part, SpqGisRun *run)
{
	const SpqGisPoint *points = shape->points;
	int			end = part->first + part->count - 1;

	for (int first = part->first; first < end; first += SPQ_GIS_RUN_EDGES, run++)
	{
		int			last = Min(first + SPQ_GIS_RUN_EDGES, end);
		SpqGisBox	box;

		start_box(&box, &points[first]);
		for (const SpqGisPoint *p = &points[first + 1]; p <= &points[last]; p++)
			add_to_box(&box, p);
		run->first = first;
		run->last = last;
		run->box = box;
	}
}

/*
 * Copy a part.  Return false if it cannot be part of a shape: it has too few
 * points, or is a ring that is not closed or has a very short edge.
 */
static bool
copy_part(Maker *maker, const char *points, uint32 count, bool hole)
{
	SpqGisShape *shape = maker->shape;
	SpqGisPart *part = &shape->parts[maker->nparts];
	const SpqGisPoint *first = &shape->points[maker->npoints],
			   *last;
	bool		usual = false;
	int			n = count;

	if (maker->reader.axes == 2)
	{
		memcpy(&shape->points[maker->npoints], points, count * sizeof(SpqGisPoint));
		usual = are_usual(first, count);
	}
	if (!usual)
		n = copy_points(&shape->points[maker->npoints], points, count, maker->reader.axes);

	if (n < 1 || (shape->dimension > 0 && n < 2) || (shape->dimension == 2 && n < 4))
		return false;
	if (shape->dimension == 2 && !usual && has_short_edge(first, n))
		return false;
	last = first + n - 1;
	if (shape->dimension == 2 && (first->x != last->x || first->y != last->y))
		return false;
	part->first = maker->npoints;
	part->count = n;
	part->hole = hole;
	part->first_run = maker->nruns;
	part->end_run = maker->nruns + (shape->dimension > 0 ? RUNS_OF(n) : 0);
	if (shape->dimension > 0)
		make_runs(shape, part, &shape->runs[maker->nruns]);
	maker->nruns = part->end_run;
	return true;
}

/* Count or copy a part. */
static bool
do_part(void *context, const char *points, uint32 count, uint32 ring)
{
	Maker	   *maker = context;

	if (count == 0 || count > PG_INT32_MAX / 64)
		return false;
	if (maker->shape)
	{
		if (!copy_part(maker, points, count, ring > 0))
			return false;
		maker->npoints += maker->shape->parts[maker->nparts].count;
	}
	else
	{
		maker->npoints += count;
		maker->nruns += RUNS_OF(count) + 1;
	}
	maker->nparts++;
	return true;
}

/* Start to read a geometry.  Return its type, or 0 if it has no shape. */
static uint32
start(Maker *maker, const char *bytes, Size length)
{
	SpqGisHeader header;
	uint32		type;

	memset(maker, 0, sizeof(*maker));
	type = spq_gis_start_parts(bytes, length, &header, &maker->reader);
	if (type == 0 || header.geodetic)
		return 0;
	memcpy(maker->srid, header.srid, sizeof(header.srid));
	return type;
}

static inline int
dimension_of(uint32 type)
{
	return (type - SPQ_GIS_POINT) % 3;
}

static int
groups_of(int n)
{
	return (n + SPQ_GIS_GROUP_RUNS - 1) / SPQ_GIS_GROUP_RUNS;
}

/* Return the number of groups that a number of runs has, on all levels. */
static int
all_groups(int nruns)
{
	int			level = groups_of(nruns),
				all = level;

	while (level > SPQ_GIS_GROUP_RUNS)
	{
		level = groups_of(level);
		all += level;
	}
	return all;
}

/* Make the boxes of groups of groups. */
static void
make_levels(SpqGisShape *shape)
{
	SpqGisBox  *inner = shape->groups;
	int			ninner = shape->ngroups;

	shape->nlevels = ninner > 1;	/* the box of one group is that of the
									 * shape */
	while (ninner > SPQ_GIS_GROUP_RUNS)
	{
		SpqGisBox  *outer = inner + ninner;

		for (int i = 0; i < ninner; i++)
		{
			if (i % SPQ_GIS_GROUP_RUNS == 0)
				outer[i / SPQ_GIS_GROUP_RUNS] = inner[i];
			else
				unite(&outer[i / SPQ_GIS_GROUP_RUNS], &inner[i]);
		}
		inner = outer;
		ninner = groups_of(ninner);
		shape->nlevels++;
	}
}

/* Smaller polygons have no cells: points are located in them fast enough. */
#define LEAST_FOR_CELLS	64

/* The cells are made after this part of as many points as the polygon has. */
#define PART_AWAITED	4

/* Return the number of columns of cells of a polygon with this number of points. */
static int
side_of(int npoints)
{
	return (int) sqrt((double) npoints);
}

/* Return the memory for the cells of a polygon with this number of points; 0: none. */
static Size
cells_size(int npoints)
{
	return npoints < LEAST_FOR_CELLS ? 0 :
		MAXALIGN(offsetof(SpqGisCells, places) + spq_gis_places_size(side_of(npoints)));
}

/* Wait for points, after which the cells are made in this memory. */
static SpqGisCells *
await_cells(void *memory, int npoints)
{
	SpqGisCells *cells = memory;

	cells->side = side_of(npoints);
	cells->awaited = npoints / PART_AWAITED;
	cells->made = false;
	return cells;
}

/*
 * Set the remaining members after copying: numbers, boxes of groups, box of
 * the shape.
 */
static void
finish(Maker *maker)
{
	SpqGisShape *shape = maker->shape;

	memcpy(shape->srid, maker->srid, sizeof(shape->srid));
	shape->itself = 0;
	shape->cells = NULL;
	shape->nparts = maker->nparts;
	shape->npoints = maker->npoints;
	shape->nruns = maker->nruns;
	for (int i = 0; i < shape->nruns; i++)
	{
		if (i % SPQ_GIS_GROUP_RUNS == 0)
			shape->groups[i / SPQ_GIS_GROUP_RUNS] = shape->runs[i].box;
		else
			unite(&shape->groups[i / SPQ_GIS_GROUP_RUNS], &shape->runs[i].box);
	}
	shape->ngroups = groups_of(shape->nruns);
	make_levels(shape);
	if (shape->ngroups > 0)
	{
		shape->box = shape->groups[0];
		for (int i = 1; i < shape->ngroups; i++)
			unite(&shape->box, &shape->groups[i]);
	}
	else
	{
		start_box(&shape->box, &shape->points[0]);
		for (int i = 1; i < shape->npoints; i++)
			add_to_box(&shape->box, &shape->points[i]);
	}
}

/* Return whether a geometry may be short enough for spq_gis_small_shape(). */
bool
spq_gis_is_small(const char *bytes, Size length)
{
	return length <= SPQ_GIS_HEADER_SIZE + SPQ_GIS_SMALL_POINTS * 2 * sizeof(float8);
}

/*
 * Make the shape of a point in two dimensions without a box, as nearly all points
 * are.  Return NULL if these bytes are anything else.  This is the general way of
 * spq_gis_small_shape(), with everything else left out.
 */
static SpqGisShape *
point_shape(const char *bytes, Size length, SpqGisSmallShape *room)
{
	static const uint32 body[2] = {SPQ_GIS_POINT, 1};
	SpqGisShape *shape = &room->shape;
	SpqGisPoint *p = &room->points[0];

	if (length != SPQ_GIS_PLAIN_POINT_SIZE || !spq_gis_is_plain(bytes) ||
		memcmp(bytes + SPQ_GIS_PLAIN_BODY, body, sizeof(body)) != 0)
		return NULL;
	memcpy(p, bytes + SPQ_GIS_PLAIN_BODY + sizeof(body), sizeof(*p));
	if (!(fabs(p->x) < LARGEST && fabs(p->y) < LARGEST))
		return NULL;
	memset(shape, 0, sizeof(*shape));
	memcpy(shape->srid, bytes, sizeof(shape->srid));
	shape->npoints = shape->nparts = 1;
	shape->points = p;
	shape->parts = &room->part;
	shape->runs = &room->run;
	shape->groups = &shape->box;
	shape->size = sizeof(SpqGisSmallShape);
	memset(&room->part, 0, sizeof(room->part));
	room->part.count = 1;
	start_box(&shape->box, p);
	return shape;
}

/*
 * Make the shape of a point, or of a line or a polygon without holes that has
 * few points, in memory of the caller.  Return NULL for other geometries.
 */
SpqGisShape *
spq_gis_small_shape(const char *bytes, Size length, SpqGisSmallShape *room)
{
	Maker		maker;
	uint32		type,
				count;
	SpqGisShape *shape = point_shape(bytes, length, room);
	SpqGisReader *reader = &maker.reader;
	const char *points;

	if (shape)
		return shape;
	shape = &room->shape;
	type = start(&maker, bytes, length);
	if (type < SPQ_GIS_POINT || type > SPQ_GIS_POLYGON ||
		!spq_gis_read_counts(reader, &type, &count))
		return NULL;
	shape->dimension = dimension_of(type);
	shape->points = room->points;
	shape->parts = &room->part;
	shape->runs = &room->run;
	shape->groups = &shape->box;
	shape->size = sizeof(SpqGisSmallShape);
	if (shape->dimension == 2 &&
		(count != 1 || !spq_gis_read_number(reader, &count) ||
		 reader->length - reader->at < sizeof(uint32)))
		return NULL;
	if (shape->dimension == 2)
		reader->at += sizeof(uint32);
	if (count > SPQ_GIS_SMALL_POINTS || (shape->dimension == 0 && count != 1))
		return NULL;
	maker.shape = shape;
	points = spq_gis_read_points(reader, count);
	if (points == NULL || !do_part(&maker, points, count, 0))
		return NULL;
	finish(&maker);
	return shape;
}

/*
 * Make the shape of a geometry, in one chunk of the current memory context.
 * Return NULL if it has none.
 */
SpqGisShape *
spq_gis_make_shape(const char *bytes, Size length)
{
	Maker		maker,
				counted;
	uint32		type = start(&counted, bytes, length);
	SpqGisShape *shape;
	Size		runs,
				groups,
				parts,
				points,
				cells,
				size;
	char	   *memory;

	if (type == 0)
		return NULL;
	maker = counted;
	if (!spq_gis_read_parts(&counted.reader, do_part, &counted))
		return NULL;
	runs = dimension_of(type) > 0 ? counted.nruns : 0;
	groups = all_groups(runs);
	parts = MAXALIGN(sizeof(SpqGisShape));
	points = parts + counted.nparts * sizeof(SpqGisPart);
	points = MAXALIGN(points);
	cells = points + counted.npoints * sizeof(SpqGisPoint);
	size = cells + (dimension_of(type) == 2 ? cells_size(counted.npoints) : 0);
	memory = MemoryContextAllocHuge(CurrentMemoryContext,
									size + runs * sizeof(SpqGisRun) + groups * sizeof(SpqGisBox));
	shape = (SpqGisShape *) memory;
	memset(shape, 0, sizeof(*shape));
	shape->dimension = dimension_of(type);
	shape->parts = (SpqGisPart *) (memory + parts);
	shape->points = (SpqGisPoint *) (memory + points);
	shape->runs = (SpqGisRun *) (memory + size);
	shape->groups = (SpqGisBox *) (shape->runs + runs);
	shape->size = size + runs * sizeof(SpqGisRun) + groups * sizeof(SpqGisBox);
	maker.shape = shape;
	if (!spq_gis_read_parts(&maker.reader, do_part, &maker))
	{
		pfree(shape);
		return NULL;
	}
	finish(&maker);
	if (size > cells)
		shape->cells = await_cells(memory + cells, counted.npoints);
	return shape;
}
