/*-------------------------------------------------------------------------
 *
 * gserialized.h
 *	  PostGIS' format of stored geometries.
 *
 *		varlena header | srid 3 | flags 1 | more flags 8 ? | box ? | body
 *
 *		box		floats: xmin xmax ymin ymax, and of further axes; of a geography
 *				x, y and z of the unit sphere
 *		body	type 4 | count 4 | ...
 *				point, line, triangle, circular string
 *								count points
 *				polygon			numbers of points of count rings, 4 bytes each,
 *								and 4 more if count is odd; then all points
 *				all others		count bodies
 *
 * There are two versions of this format, of PostGIS 2 and 3, which differ in
 * the meaning of flags.  Points, lines of two points, and collections of only
 * one of these have no box.  The contents are not trusted: a value that
 * differs from this description is not read further.
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

/* Return whether the contents of a body are bodies. */
static inline bool
spq_gis_has_bodies(uint32 type)
{
	return type >= SPQ_GIS_MULTIPOINT && type <= SPQ_GIS_TIN && type != SPQ_GIS_CIRCULAR && type != SPQ_GIS_TRIANGLE;
}

/* Maximum number of bytes before a body, plus those of its type and count. */
#define SPQ_GIS_HEADER_SIZE		(4 + 8 + 8 * sizeof(float4) + 8)

/*
 * Offset of the body if the header has neither a box nor extended flags, and the
 * size of a point of two axes with such a header.
 */
#define SPQ_GIS_PLAIN_BODY			4
#define SPQ_GIS_PLAIN_POINT_SIZE	(SPQ_GIS_PLAIN_BODY + 8 + 2 * sizeof(float8))

/* The contents of a header. */
typedef struct SpqGisHeader
{
	uint8		srid[3];
	bool		geodetic;
	bool		has_z;
	bool		has_box;
	int			axes;			/* numbers in a point */
	float4		box[6];			/* xmin xmax ymin ymax, then the third axis */
	Size		body;			/* offset of the body */
} SpqGisHeader;

/* A position in a body being read. */
typedef struct SpqGisReader
{
	const char *bytes;			/* the whole value, after the varlena header */
	Size		length;
	Size		at;
	int			axes;
} SpqGisReader;

/*
 * Called for each part: a point, a line, or a ring of a polygon, which has number
 * "ring" there.  If it returns false, reading ends.
 */
typedef bool (*SpqGisPartFunction) (void *context, const char *points, uint32 count,
									uint32 ring);

/* PostGIS compares boxes in single precision, rounded outward. */
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
extern uint32 spq_gis_reference(Datum value);

/* gserialized.c */
extern bool spq_gis_is_plain(const char *bytes);
extern bool spq_gis_read_header(const char *bytes, Size length, SpqGisHeader *header);
extern bool spq_gis_read_counts(SpqGisReader *reader, uint32 *type, uint32 *count);
extern bool spq_gis_read_number(SpqGisReader *reader, uint32 *number);
extern const char *spq_gis_read_points(SpqGisReader *reader, uint32 count);
extern uint32 spq_gis_start_parts(const char *bytes, Size length, SpqGisHeader *header,
								  SpqGisReader *reader);
extern bool spq_gis_has_empty_part(SpqGisReader *reader);
extern bool spq_gis_read_parts(SpqGisReader *reader, SpqGisPartFunction do_part, void *context);

#endif							/* SPQ_GIS_GSERIALIZED_H */
