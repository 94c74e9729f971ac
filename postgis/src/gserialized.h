/*-------------------------------------------------------------------------
 *
 * gserialized.h
 *	  How PostGIS stores a geometry: what is read of it here.
 *
 *		varlena header | srid 3 | flags 1 | more flags 8 ? | box ? | body
 *
 *		box		floats: xmin xmax ymin ymax, and of further axes; of a geography
 *				x, y and z of the unit sphere
 *		body	type 4 | count 4 | ...
 *				point, line, triangle, circular string
 *								count points
 *				polygon			count rings: their numbers of points, 4 bytes each, and
 *								4 more if count is odd; then all points
 *				all others		count bodies
 *
 * Two versions of this exist, of PostGIS 2 and 3; they differ in the meaning of flags.
 * Points, lines of two points and single-element collections of these have no box.
 * Nothing here trusts the contents: what is not as above is not read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_GIS_GSERIALIZED_H
#define SPQ_GIS_GSERIALIZED_H

#include <float.h>
#include <math.h>

/* Types of bodies, as PostGIS numbers them. */
enum
{
	SPQ_GIS_POINT = 1,
	SPQ_GIS_LINE,
	SPQ_GIS_POLYGON,
	SPQ_GIS_MULTIPOINT,
	SPQ_GIS_MULTILINE,
	SPQ_GIS_MULTIPOLYGON,
	SPQ_GIS_COLLECTION,
	SPQ_GIS_CIRCULAR,
	SPQ_GIS_COMPOUND_CURVE,
	SPQ_GIS_CURVE_POLYGON,
	SPQ_GIS_MULTICURVE,
	SPQ_GIS_MULTISURFACE,
	SPQ_GIS_POLYHEDRAL_SURFACE,
	SPQ_GIS_TRIANGLE,
	SPQ_GIS_TIN
};

/* The most bytes before a body, with those of its type and count. */
#define SPQ_GIS_HEADER_SIZE		(4 + 8 + 8 * sizeof(float4) + 8)

/* What the header says. */
typedef struct SpqGisHeader
{
	uint8		srid[3];
	bool		geodetic;
	bool		has_z;
	bool		has_box;
	int			axes;			/* numbers of a point */
	float4		box[6];			/* xmin xmax ymin ymax, and of the third axis */
	Size		body;			/* where it begins */
} SpqGisHeader;

/* A body being read. */
typedef struct SpqGisReader
{
	const char *bytes;			/* of the whole, after the varlena header */
	Size		length;
	Size		at;
	int			axes;
} SpqGisReader;

/* Boxes are compared in single precision, rounded outward. */
static inline float8
spq_gis_round_down(float8 x)
{
	float4		result = (float4) x;

	return (float8) result <= x ? result : nextafterf(result, -FLT_MAX);
}

static inline float8
spq_gis_round_up(float8 x)
{
	float4		result = (float4) x;

	return (float8) result >= x ? result : nextafterf(result, FLT_MAX);
}

/* header.c */
extern struct varlena *spq_gis_get_header(Datum value);

/* gserialized.c */
extern bool spq_gis_read_header(const char *bytes, Size length, SpqGisHeader *header);
extern bool spq_gis_read_counts(SpqGisReader *reader, uint32 *type, uint32 *count);
extern bool spq_gis_read_number(SpqGisReader *reader, uint32 *number);
extern const char *spq_gis_read_points(SpqGisReader *reader, uint32 count);

#endif							/* SPQ_GIS_GSERIALIZED_H */
