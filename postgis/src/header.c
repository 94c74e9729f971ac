/*-------------------------------------------------------------------------
 *
 * header.c
 *	  The first bytes of a stored geometry, without fetching the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "geometry/gserialized.h"
#include "types/type.h"

/*
 * Return the first SPQ_GIS_HEADER_SIZE bytes of a value that is compressed or
 * out of line, detoasted; otherwise the value itself.
 */
struct varlena *
spq_gis_get_header(Datum value)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(value);

	if (VARATT_IS_EXTERNAL(stored) || VARATT_IS_COMPRESSED(stored))
		return PG_DETOAST_DATUM_SLICE(value, 0, SPQ_GIS_HEADER_SIZE);
	return stored;
}

/*
 * Return the number by which a value names its spatial reference system, as it is stored, or
 * SPQ_TYPE_NO_REFERENCE if it has empty parts beside others: the distances that functions of PostGIS
 * 3.3.2 return of these depend on the order of arguments (test/sql/clusters.sql).
 */
uint32
spq_gis_reference(Datum value)
{
	struct varlena *part = spq_gis_get_header(value),
			   *whole;
	const uint8 *bytes = (const uint8 *) VARDATA_ANY(part);
	SpqGisHeader header;
	SpqGisReader reader;
	uint32		type;

	if (!spq_gis_read_header((const char *) bytes, VARSIZE_ANY_EXHDR(part), &header))
		return SPQ_TYPE_NO_REFERENCE;
	memcpy(&type, bytes + header.body, sizeof(type));
	if (spq_gis_has_bodies(type))
	{
		whole = PG_DETOAST_DATUM_PACKED(value);
		reader.bytes = VARDATA_ANY(whole);
		reader.length = VARSIZE_ANY_EXHDR(whole);
		reader.at = header.body;
		reader.axes = header.axes;
		if (spq_gis_has_empty_part(&reader))
			return SPQ_TYPE_NO_REFERENCE;
	}
	return header.srid[0] | header.srid[1] << 8 | header.srid[2] << 16;
}
