/*-------------------------------------------------------------------------
 *
 * geography_index.c
 *	  The box of a geography that && compares, for indexes, and spqtree_bounds3().
 *
 * PostGIS compares boxes in space, of single precision, around the geography
 * on a sphere of radius 1.  If an index has the same numbers, && need not be
 * evaluated for the rows that it finds:
 *
 *		header has a box		that box; PostGIS does not change it
 *		point					its place, rounded outward to float4
 *		all others				from PostGIS itself
 *
 * All others are lines of two points, and collections of one point or of one
 * such line.  Their boxes are what PostGIS' GiST class stores, so the function
 * that makes its keys is called.  It is also called for points that are so
 * near to a float4 that the last bits of a sine could change the result: all
 * those on the equator or at a pole, and very few others.
 *
 * On an axis on which a box is not known, it is infinite.  Then the index
 * evaluates the operator.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/gist.h"
#include "catalog/pg_am_d.h"
#include "commands/defrem.h"
#include "fmgr.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat.h"
#include "geometry/gserialized.h"
#include "geometry/sphere.h"
#include "solid/geometry/solid.h"

#include "descriptors.h"

PG_FUNCTION_INFO_V1(spq_gis_geography_bounds3);

/*
 * More than the difference of two computations of a coordinate on the unit
 * sphere.
 */
#define LAST_BITS	1e-14

/*
 * PostGIS finds points opposite that are much nearer to it than this.
 */
#define NEARLY_OPPOSITE	1e-9

static void
set_everything(SpqBox3 *box, int axis)
{
	box->low[axis] = -get_float8_infinity();
	box->high[axis] = get_float8_infinity();
}

static void
set_unknown(SpqBox3 *box)
{
	for (int axis = 0; axis < 3; axis++)
		set_everything(box, axis);
}

/*
 * Set the box from PostGIS' floats: low and high end of each axis.  PostGIS
 * compares NaN as if the box were infinite.
 */
static void
set_floats(SpqBox3 *box, const float4 *floats)
{
	for (int axis = 0; axis < 3; axis++)
	{
		box->low[axis] = floats[2 * axis];
		box->high[axis] = floats[2 * axis + 1];
		if (!(box->low[axis] <= box->high[axis]))
			set_everything(box, axis);
	}
}

/*
 * Set the box of a point.  Return false if last bits of its coordinates might
 * change it.
 */
static bool
set_point(SpqBox3 *box, const char *stored)
{
	float8		x[3];

	spq_gis_place_on_sphere(stored, x);
	for (int axis = 0; axis < 3; axis++)
	{
		box->low[axis] = spq_gis_round_down(x[axis] - LAST_BITS);
		box->high[axis] = spq_gis_round_up(x[axis] + LAST_BITS);
		if (!(box->low[axis] == spq_gis_round_down(x[axis] + LAST_BITS) &&
			  box->high[axis] == spq_gis_round_up(x[axis] - LAST_BITS)))
			return false;
	}
	return true;
}

/*
 * Return the function that makes keys of the default GiST class of geography,
 * whose OID is "type", or NULL.  It is found once; it stays where it is even if
 * the extension is dropped and made again.
 */
static FmgrInfo *
find_key_function(Oid type)
{
	static FmgrInfo function;
	Oid			class,
				key_function = InvalidOid;

	if (OidIsValid(function.fn_oid))
		return &function;
	class = GetDefaultOpClass(type, GIST_AM_OID);
	if (OidIsValid(class))
		key_function = get_opfamily_proc(get_opclass_family(class), type, type,
										 GIST_COMPRESS_PROC);
	if (!OidIsValid(key_function))
		return NULL;
	fmgr_info_cxt(key_function, &function, TopMemoryContext);
	return &function;
}

/*
 * Set the box to the key that PostGIS' GiST class makes, a varlena of floats.
 * For some values it makes none, although they have a box.
 */
static void
set_key(Oid type, Datum geography, SpqBox3 *box)
{
	FmgrInfo   *function = find_key_function(type);
	GISTENTRY	entry,
			   *result;
	struct varlena *key;
	float4		floats[6];

	set_unknown(box);
	if (function == NULL)
		return;
	gistentryinit(entry, geography, NULL, NULL, 0, true);
	result = (GISTENTRY *) DatumGetPointer(FunctionCall1(function, PointerGetDatum(&entry)));
	key = (struct varlena *) DatumGetPointer(result->key);
	if (key != NULL && VARSIZE_ANY_EXHDR(key) == sizeof(floats))
	{
		memcpy(floats, VARDATA_ANY(key), sizeof(floats));
		set_floats(box, floats);
	}
}

/*
 * Return whether a geography without a box in its header is a line between
 * opposite points, or nearly so, alone or in a collection.  PostGIS raises an
 * error when it makes a box of such a line.
 */
static bool
is_half_circle(const char *bytes, Size length, const SpqGisHeader *header)
{
	SpqGisReader reader = {bytes, length, header->body, header->axes};
	const char *points;
	uint32		type,
				count;
	float8		a[3],
				b[3];

	do
	{
		if (!spq_gis_read_counts(&reader, &type, &count))
			return false;
	} while (type >= SPQ_GIS_MULTIPOINT && count == 1);
	if (type != SPQ_GIS_LINE || count != 2)
		return false;
	points = spq_gis_read_points(&reader, count);
	if (points == NULL)
		return false;
	spq_gis_place_on_sphere(points, a);
	spq_gis_place_on_sphere(points + header->axes * sizeof(float8), b);
	return fabs(a[0] + b[0]) < NEARLY_OPPOSITE && fabs(a[1] + b[1]) < NEARLY_OPPOSITE &&
		fabs(a[2] + b[2]) < NEARLY_OPPOSITE;
}

/* Set the box.  Return false if the geography is empty. */
static bool
get_box(Oid type, Datum geography, SpqBox3 *box)
{
	struct varlena *start = spq_gis_get_header(geography);
	const char *bytes = VARDATA_ANY(start);
	Size		length = VARSIZE_ANY_EXHDR(start);
	SpqGisHeader header;
	uint32		counts[2];		/* type, count */

	if (!spq_gis_read_header(bytes, length, &header) || !header.geodetic)
	{
		set_unknown(box);
		return true;
	}
	if (header.has_box)
	{
		set_floats(box, header.box);

		/*
		 * PostGIS does not compare z if there is a measure only, except with
		 * others of this kind.
		 */
		if (header.axes == 3 && !header.has_z)
			set_everything(box, 2);
		return true;
	}
	memcpy(counts, bytes + header.body, sizeof(counts));
	if (counts[1] == 0)
		return false;
	if (counts[0] == SPQ_GIS_POINT && counts[1] == 1 &&
		length >= header.body + sizeof(counts) + 2 * sizeof(float8) &&
		set_point(box, bytes + header.body + sizeof(counts)))
		return true;
	start = PG_DETOAST_DATUM_PACKED(geography);
	if (is_half_circle(VARDATA_ANY(start), VARSIZE_ANY_EXHDR(start), &header))
		set_unknown(box);
	else
		set_key(type, geography, box);
	return true;
}

/* Set the box, which is empty if the geography is (src/types/type.h). */
void
spq_gis_geography_box(const SpqTypeBoxOf *how, Datum geography, float8 *numbers)
{
	SpqBox3    *box = (SpqBox3 *) numbers;

	if (get_box(how->oid, geography, box))
		return;
	for (int axis = 0; axis < 3; axis++)
	{
		box->high[axis] = -get_float8_infinity();
		box->low[axis] = get_float8_infinity();
	}
}

/*
 * spqtree_bounds3(geography) returns box3
 *
 * Return the box that PostGIS' operator && compares; NULL for an empty
 * geography.
 */
Datum
spq_gis_geography_bounds3(PG_FUNCTION_ARGS)
{
	SpqBox3    *box = palloc(sizeof(SpqBox3));
	Oid		   *types;
	int			nargs;

	(void) get_func_signature(fcinfo->flinfo->fn_oid, &types, &nargs);
	if (!get_box(types[0], PG_GETARG_DATUM(0), box))
		PG_RETURN_NULL();
	PG_RETURN_POINTER(box);
}
