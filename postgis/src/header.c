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

/* Return the number by which a value names its spatial reference system, as it is stored. */
uint32
spq_gis_srid(Datum value)
{
	const uint8 *bytes = (const uint8 *) VARDATA_ANY(spq_gis_get_header(value));

	return bytes[0] | bytes[1] << 8 | bytes[2] << 16;
}
