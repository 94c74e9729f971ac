/*-------------------------------------------------------------------------
 *
 * gserialized.c
 *	  Reading PostGIS' stored geometries.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "gserialized.h"

#define FLAG_Z			0x01
#define FLAG_M			0x02
#define FLAG_BOX		0x04
#define FLAG_GEODETIC	0x08
#define FLAG_EXTENDED	0x10	/* version 2 only */
#define FLAG_VERSION2	0x40

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
