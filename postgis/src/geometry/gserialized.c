/*-------------------------------------------------------------------------
 *
 * gserialized.c
 *	  Reading PostGIS' stored geometries.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "geometry/gserialized.h"

#define FLAG_Z			0x01
#define FLAG_M			0x02
#define FLAG_BOX		0x04
#define FLAG_GEODETIC	0x08
#define FLAG_EXTENDED	0x10	/* version 2 only */
#define FLAG_VERSION2	0x40

/*
 * Return whether a header, of at least SPQ_GIS_PLAIN_BODY bytes, is that of a
 * geometry of two axes without a box and extended flags.
 */
bool
spq_gis_is_plain(const char *bytes)
{
	return (bytes[3] & (FLAG_Z | FLAG_M | FLAG_BOX | FLAG_GEODETIC | FLAG_EXTENDED)) == 0;
}

/*
 * Read a header from the bytes after the varlena header.  The first
 * SPQ_GIS_HEADER_SIZE bytes are enough.  Return false if they are not a header.
 */
bool
spq_gis_read_header(const char *bytes, Size length, SpqGisHeader *header)
{
	uint8		flags;
	int			floats;

	if (length < 4)
		return false;
	memcpy(header->srid, bytes, sizeof(header->srid));
	flags = (uint8) bytes[3];
	header->axes = 2 + ((flags & FLAG_Z) != 0) + ((flags & FLAG_M) != 0);
	header->has_z = (flags & FLAG_Z) != 0;
	header->geodetic = (flags & FLAG_GEODETIC) != 0;
	header->has_box = (flags & FLAG_BOX) != 0;
	header->body = 4;
	if ((flags & FLAG_VERSION2) && (flags & FLAG_EXTENDED))
		header->body += 8;
	if (header->has_box)
	{
		floats = header->geodetic ? 6 : 2 * header->axes;
		if (length < header->body + floats * sizeof(float4))
			return false;
		memcpy(header->box, bytes + header->body, Min(floats, 6) * sizeof(float4));
		header->body += floats * sizeof(float4);
	}
	return length >= header->body + 8;
}

bool
spq_gis_read_number(SpqGisReader *reader, uint32 *number)
{
	if (reader->length - reader->at < sizeof(uint32))
		return false;
	memcpy(number, reader->bytes + reader->at, sizeof(uint32));
	reader->at += sizeof(uint32);
	return true;
}

/* Read a body's type and count. */
bool
spq_gis_read_counts(SpqGisReader *reader, uint32 *type, uint32 *count)
{
	return spq_gis_read_number(reader, type) && spq_gis_read_number(reader, count);
}

/* Skip points, and return their position; NULL if the bytes end before. */
const char *
spq_gis_read_points(SpqGisReader *reader, uint32 count)
{
	Size		size = (Size) count * reader->axes * sizeof(float8);
	const char *points = reader->bytes + reader->at;

	if (size > reader->length - reader->at)
		return NULL;
	reader->at += size;
	return points;
}

/*
 * Start to read a geometry or geography of points, lines or polygons.  Return its
 * type, or 0 if it is anything else.
 */
uint32
spq_gis_start_parts(const char *bytes, Size length, SpqGisHeader *header,
					SpqGisReader *reader)
{
	uint32		type;

	if (!spq_gis_read_header(bytes, length, header))
		return 0;
	reader->bytes = bytes;
	reader->length = length;
	reader->at = header->body;
	reader->axes = header->axes;
	memcpy(&type, bytes + header->body, sizeof(type));
	return type >= SPQ_GIS_POINT && type <= SPQ_GIS_MULTIPOLYGON ? type : 0;
}

static bool
read_rings(SpqGisReader *reader, uint32 nrings, SpqGisPartFunction do_part, void *context)
{
	SpqGisReader counts = *reader;
	Size		size = ((Size) nrings + nrings % 2) * sizeof(uint32);

	if (nrings == 0 || size > counts.length - counts.at)
		return false;
	reader->at += size;
	for (uint32 ring = 0; ring < nrings; ring++)
	{
		const char *points;
		uint32		count;

		if (!spq_gis_read_number(&counts, &count) ||
			(points = spq_gis_read_points(reader, count)) == NULL ||
			!do_part(context, points, count, ring))
			return false;
	}
	return true;
}

/* Read the parts of a body.  "only" is its type, or 0 if it may be any. */
static bool
read_parts(SpqGisReader *reader, uint32 only, SpqGisPartFunction do_part, void *context)
{
	const char *points;
	uint32		type,
				count;

	if (!spq_gis_read_counts(reader, &type, &count) || (only != 0 && type != only))
		return false;
	switch (type)
	{
		case SPQ_GIS_POINT:
		case SPQ_GIS_LINE:
			if (type == SPQ_GIS_POINT && count != 1)
				return false;
			points = spq_gis_read_points(reader, count);
			return points != NULL && do_part(context, points, count, 0);
		case SPQ_GIS_POLYGON:
			return read_rings(reader, count, do_part, context);
		case SPQ_GIS_MULTIPOINT:
		case SPQ_GIS_MULTILINE:
		case SPQ_GIS_MULTIPOLYGON:
			if (count == 0)
				return false;
			for (uint32 i = 0; i < count; i++)
				if (!read_parts(reader, type - SPQ_GIS_MULTIPOINT + SPQ_GIS_POINT, do_part, context))
					return false;
			return true;
		default:
			return false;
	}
}

/*
 * Call a function for each part of a body of points, lines or polygons.  Return
 * false if the function did, or the body is anything else or has an empty part of
 * these types: a point, polygon or multi-type without contents.
 */
bool
spq_gis_read_parts(SpqGisReader *reader, SpqGisPartFunction do_part, void *context)
{
	return read_parts(reader, 0, do_part, context);
}

/* Skip a body.  Return false if it is empty, or has an empty part, or its type is not known. */
static bool
skip_filled(SpqGisReader *reader, int depth)
{
	SpqGisReader counts;
	uint32		type,
				count,
				npoints;

	if (depth > 16 || !spq_gis_read_counts(reader, &type, &count) || count == 0)
		return false;
	switch (type)
	{
		case SPQ_GIS_POINT:
		case SPQ_GIS_LINE:
		case SPQ_GIS_TRIANGLE:
		case SPQ_GIS_CIRCULAR:
			return spq_gis_read_points(reader, count) != NULL;
		case SPQ_GIS_POLYGON:
			counts = *reader;
			for (uint32 i = 0; i < count + count % 2; i++)
				if (!spq_gis_read_number(reader, &npoints))
					return false;
			for (uint32 i = 0; i < count; i++)
				if (!spq_gis_read_number(&counts, &npoints) || npoints == 0 ||
					spq_gis_read_points(reader, npoints) == NULL)
					return false;
			return true;
		default:
			if (!spq_gis_has_bodies(type))
				return false;
			for (uint32 i = 0; i < count; i++)
				if (!skip_filled(reader, depth + 1))
					return false;
			return true;
	}
}

/* Return whether a body of several parts has an empty one, or cannot be read.  One without parts has none. */
bool
spq_gis_has_empty_part(SpqGisReader *reader)
{
	SpqGisReader counts = *reader;
	uint32		type,
				count;

	return !spq_gis_read_counts(&counts, &type, &count) || (count > 0 && !skip_filled(reader, 0));
}
