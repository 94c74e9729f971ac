/*-------------------------------------------------------------------------
 *
 * distance_bound.c
 *	  Functions whose result is at least the distance of two boxes.  See
 *	  distance_bound.h.
 *
 * PostgreSQL's distances are those of points in the boxes of both values, up to
 * rounding.  There is one tolerance: the distance from a side of a box or polygon
 * is that from its line, if the nearest point of the line is on the side or up to
 * EPSILON beyond its ends.
 *
 * The distances of other extensions are in the descriptors of their types.  Those
 * of PostGIS are of closest points, in the plane, in space, or on the Earth.  There
 * the boxes are on a sphere of radius 1, along whose surface a distance is at least
 * that through the sphere.  Their margin is that of indexes (rtree/extension_class/extension_order.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "access/transam.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/geo_decls.h"
#include "utils/lsyscache.h"

#include "spatial/distance/distance_bound.h"
#include "spatial/extension/member.h"
#include "types/own_function.h"
#include "types/registry.h"

bool
spq_spatial_is_own_distance(Oid function)
{
	bool		fuzzy;

	return spq_type_is_distance(function, &fuzzy);
}

/* Describe a distance of types that PostgreSQL or this extension has. */
static bool
own_distance(SpqSpatialDistance *distance)
{
	bool		fuzzy;

	if (list_length(distance->args) != 2 || !spq_type_is_distance(distance->function, &fuzzy))
		return false;
	for (int i = 0; i < 2; i++)
	{
		distance->bounds[i] = list_nth(distance->args, i);
		distance->type[i] = spq_type_of(exprType(distance->bounds[i]));
		if (distance->type[i] == NULL || distance->type[i]->version != 0)
			return false;
	}
	distance->unit = 1;
	distance->margin = fuzzy ? 2 * EPSILON : 0;
	distance->factor = 256 * DBL_EPSILON;
	return true;
}

/* Describe a distance of types of another extension. */
static bool
extension_distance(SpqSpatialDistance *distance)
{
	Oid			type = exprType(linitial(distance->args)),
				bounds;

	if (!spq_spatial_is_distance(distance->function) || exprType(lsecond(distance->args)) != type ||
		!OidIsValid(bounds = spq_spatial_bounds_function(type, false)))
		return false;
	for (int i = 0; i < 2; i++)
	{
		distance->bounds[i] = (Node *) makeFuncExpr(bounds, get_func_rettype(bounds),
													list_make1(list_nth(distance->args, i)),
													InvalidOid, InvalidOid,
													COERCE_EXPLICIT_CALL);
		distance->type[i] = spq_type_of(get_func_rettype(bounds));
		if (distance->type[i] == NULL)
			return false;
	}
	distance->unit = spq_spatial_member_type(type)->unit;
	distance->margin = distance->factor = 1e-12;
	return true;
}

bool
spq_spatial_distance(Node *call, SpqSpatialDistance *distance)
{
	if (IsA(call, OpExpr))
	{
		set_opfuncid((OpExpr *) call);
		distance->function = ((OpExpr *) call)->opfuncid;
		distance->collation = ((OpExpr *) call)->inputcollid;
		distance->args = ((OpExpr *) call)->args;
	}
	else if (IsA(call, FuncExpr) && !((FuncExpr *) call)->funcretset)
	{
		distance->function = ((FuncExpr *) call)->funcid;
		distance->collation = ((FuncExpr *) call)->inputcollid;
		distance->args = ((FuncExpr *) call)->args;
	}
	else
		return false;
	if (exprType(call) != FLOAT8OID || list_length(distance->args) < 2 ||
		(!own_distance(distance) && !extension_distance(distance)))
		return false;
	distance->axes = distance->type[0]->axes;
	return distance->type[1]->axes == distance->axes;
}
