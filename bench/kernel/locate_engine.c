/*-------------------------------------------------------------------------
 *
 * locate_engine.c
 *	  Points in a huge polygon, located as the companion for PostGIS does it.
 *
 *		locate_engine VERTICES POINTS
 *
 * Prints milliseconds of processor time to make the polygon's shape, to locate
 * the points, and to locate other ones after these; and how many of each are in
 * the polygon.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "coasts.h"
#include "geometry/pure_cells.h"
#include "shapes.h"

#undef printf
#undef fprintf

StaticAssertDecl(sizeof(Place) == sizeof(SpqGisPoint), "a Place is a point");

/* Put a number, and return what comes after it. */
static char *
put(char *at, uint32 number)
{
	memcpy(at, &number, sizeof(number));
	return at + sizeof(number);
}

/* Make the shape of a polygon from PostGIS' bytes. */
static SpqGisShape *
make_shape_of(const Coast *coast, double *milliseconds)
{
	const uint8 header[4] = {0, 0, 0, 0x40};
	Size		points = (coast->vertices + 1) * sizeof(Place),
				length = sizeof(header) + 4 * sizeof(uint32) + points;
	char	   *bytes = palloc(length),
			   *at = bytes;
	SpqGisShape *shape;
	double		start;

	memcpy(at, header, sizeof(header));
	at = put(at + sizeof(header), SPQ_GIS_POLYGON);
	at = put(at, 1);			/* rings */
	at = put(at, coast->vertices + 1);
	at = put(at, 0);			/* padding */
	memcpy(at, coast->place, points);
	start = cpu_time();
	shape = spq_gis_make_shape(bytes, length);
	*milliseconds = cpu_time() - start;
	return shape;
}

/* Locate points.  Return how many are in the polygon; uncertain ones count as many. */
static long
locate(const SpqGisShape *shape, const Place *places, int count, double *milliseconds)
{
	double		start = cpu_time();
	long		inside = 0;

	for (int i = 0; i < count; i++)
	{
		SpqGisPlace place = spq_gis_locate(shape, (const SpqGisPoint *) &places[i]);

		inside += place == SPQ_GIS_PLACE_UNSURE ? count : place == SPQ_GIS_INSIDE;
	}
	*milliseconds = cpu_time() - start;
	return inside;
}

int
main(int argc, char **argv)
{
	Coast		coast;
	Place	   *places;
	SpqGisShape *shape;
	int			count;
	double		made,
				first,
				later;
	long		of_first,
				of_later;

	if (argc != 3)
	{
		fprintf(stderr, "usage: locate_engine VERTICES POINTS\n");
		return 1;
	}
	coast = make_coast(atoi(argv[1]));
	count = atoi(argv[2]);
	places = make_places(&coast, 2 * count);
	shape = make_shape_of(&coast, &made);
	of_first = locate(shape, places, count, &first);
	of_later = locate(shape, places + count, count, &later);
	printf("%.4f %.4f %.4f %ld %ld\n", made, first, later, of_first, of_later);
	return 0;
}
