/*-------------------------------------------------------------------------
 *
 * path_type.c
 *	  The type path.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "types/plane/plane.h"

#include "catalog/pg_type_d.h"

static void
free_copy(PATH *path, Datum value)
{
	if ((Pointer) path != DatumGetPointer(value))
		pfree(path);
}

static void
box_of(const SpqTypeBoxOf *how, Datum value, float8 *numbers)
{
	PATH	   *path = DatumGetPathP(value);

	spq_type_points_bounds(path->p, path->npts, (BOX *) numbers);
	if (!how->exact)
		spq_type_cover_edges((BOX *) numbers);
	free_copy(path, value);
}

/*
 * An open path of one point has no edge: for PostgreSQL, its distance from any
 * point is 0.
 */
static bool
excludes(Datum value)
{
	PATH	   *path = DatumGetPathP(value);
	bool		result = path->closed || path->npts > 1;

	free_copy(path, value);
	return result;
}

static const SpqTypeOperator operators[] = {
	BUILTIN(3, "?#", path, path, F_PATH_INTER, SPQ_BOX_OVERLAPS, SEGMENTS_CROSS),
	BUILTIN(16, "@>", path, point, F_PATH_CONTAIN_PT, SPQ_BOX_OVERLAPS, POLYGON_CONTAINS),
	BUILTIN(108, "<@", point, path, F_ON_PPATH, SPQ_BOX_OVERLAPS, POLYGON_CONTAINS),
	SPQ_TYPE_NO_OPERATOR
};

static const SpqTypeOperator orders[] = {
	BUILTIN_ORDER(15, "<->", path, point, F_DIST_PATHP),
	BUILTIN_ORDER(17, "<->", path, path, F_PATH_DISTANCE),
	BUILTIN_ORDER(115, "<->", point, path, F_DIST_PPATH),
	SPQ_TYPE_NO_OPERATOR
};

const SpqType spq_type_path = {
	.name = "path",
	.oid = PATHOID,
	.axes = 2,
	.is_long = true,
	.box = box_of,
	.operators = operators,
	.orders = orders,
	.excludes = excludes,
};
