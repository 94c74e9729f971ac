/*-------------------------------------------------------------------------
 *
 * reach3_functions.c
 *	  _spqtree_reach(shape, distance) in space: the box that meets every value
 *	  for which <-> may return at most this distance.  See
 *	  shapes/functions/reach_functions.c.
 *
 * <-> is NaN if one of the shapes has a NaN, and only then; and NaN is above
 * all numbers.  So if the shape or the distance has a NaN, the result is all
 * of space.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "utils/float.h"

#include "solid/geometry/box3.h"
#include "sql_function.h"


static Datum
reach(FunctionCallInfo fcinfo, SpqBoxCorners core)
{
	float8		distance = PG_GETARG_FLOAT8(1);
	SpqBox3    *result;

	if (distance < 0)
		PG_RETURN_NULL();
	result = palloc(sizeof(SpqBox3));
	if (isnan(distance) || !spq_box3_expanded(core, distance, result))
		for (int axis = 0; axis < SPQ_DIM; axis++)
		{
			result->high[axis] = get_float8_infinity();
			result->low[axis] = -get_float8_infinity();
		}
	PG_RETURN_POINTER(result);
}

SPQ_SQL_FUNCTION(spq_reach_box3, return reach(fcinfo, spq_box_corners(PG_GETARG_BOX3_P(0))))

SPQ_SQL_FUNCTION(spq_reach_point3, return reach(fcinfo, spq_point3_corners(PG_GETARG_POINT3_P(0))))
