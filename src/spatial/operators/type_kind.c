/*-------------------------------------------------------------------------
 *
 * type_kind.c
 *	  How the values of a type yield their box.
 *
 * PostgreSQL's types have fixed OIDs.  Ours are known by their input functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "utils/lsyscache.h"

#include "spatial/operators/own_function.h"
#include "spatial/operators/type_kind.h"

static const char *const input_symbols[] = {
	"spq_box3_in", "spq_point3_in", "spq_sphere3_in"
};

static const SpqSpatialKind own_kinds[] = {
	SPQ_SPATIAL_BOX3, SPQ_SPATIAL_POINT3, SPQ_SPATIAL_SPHERE3
};

StaticAssertDecl(lengthof(input_symbols) == lengthof(own_kinds), "each type has a kind");

bool
spq_spatial_kind_of_type(Oid type, SpqSpatialKind *kind)
{
	Oid			input,
				param;
	int			place;

	switch (type)
	{
		case BOXOID:
			*kind = SPQ_SPATIAL_BOX;
			return true;
		case POINTOID:
			*kind = SPQ_SPATIAL_POINT;
			return true;
		case CIRCLEOID:
			*kind = SPQ_SPATIAL_CIRCLE;
			return true;
		case POLYGONOID:
			*kind = SPQ_SPATIAL_POLYGON;
			return true;
	}
	getTypeInputInfo(type, &input, &param);
	place = spq_spatial_own_symbol(input, input_symbols, lengthof(input_symbols));
	if (place >= 0)
		*kind = own_kinds[place];
	return place >= 0;
}
