/*-------------------------------------------------------------------------
 *
 * registry.c
 *	  All types.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/registry.h"

const SpqType *const spq_types[] = {
	&spq_type_box,
	&spq_type_point,
	&spq_type_circle,
	&spq_type_polygon,
	&spq_type_lseg,
	&spq_type_path,

	&spq_type_box3,
	&spq_type_point3,
	&spq_type_lseg3,
	&spq_type_sphere3,
	&spq_type_ray3,
	&spq_type_frustum3,

	&spq_type_inet,

	&spq_type_as_is,
	&spq_type_function,
	NULL
};

int
spq_type_number(const SpqType *type, Oid oid)
{
	for (int i = 0; spq_types[i]; i++)
		if (spq_types[i] == type)
			return i;
	Assert(OidIsValid(oid));
	return (int) oid;
}
