/*-------------------------------------------------------------------------
 *
 * solid_order.c
 *	  Equality, hash and order of the types, in SQL.
 *
 * The order compares the numbers one after the other, as stored.  It has no
 * meaning in space, but allows DISTINCT, GROUP BY and merge joins by sorting.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/float.h"

#include "solid/functions/equality.h"
#include "solid/geometry/solid.h"
#include "sql_function.h"

static int
compare(FunctionCallInfo fcinfo, int count)
{
	const float8 *a = (const float8 *) PG_GETARG_POINTER(0),
			   *b = (const float8 *) PG_GETARG_POINTER(1);

	for (int i = 0; i < count; i++)
	{
		int			order = float8_cmp_internal(a[i], b[i]);

		if (order != 0)
			return order;
	}
	return 0;
}

static bool
equal(FunctionCallInfo fcinfo, int count)
{
	return spq_numbers_equal((const float8 *) PG_GETARG_POINTER(0),
							 (const float8 *) PG_GETARG_POINTER(1), count);
}

/* Define all functions of a type. */
#define FUNCTIONS(type, numbers) \
SPQ_SQL_FUNCTION(spq_##type##_eq, PG_RETURN_BOOL(equal(fcinfo, numbers))) \
SPQ_SQL_FUNCTION(spq_##type##_ne, PG_RETURN_BOOL(!equal(fcinfo, numbers))) \
SPQ_SQL_FUNCTION(spq_##type##_lt, PG_RETURN_BOOL(compare(fcinfo, numbers) < 0)) \
SPQ_SQL_FUNCTION(spq_##type##_le, PG_RETURN_BOOL(compare(fcinfo, numbers) <= 0)) \
SPQ_SQL_FUNCTION(spq_##type##_ge, PG_RETURN_BOOL(compare(fcinfo, numbers) >= 0)) \
SPQ_SQL_FUNCTION(spq_##type##_gt, PG_RETURN_BOOL(compare(fcinfo, numbers) > 0)) \
SPQ_SQL_FUNCTION(spq_##type##_cmp, PG_RETURN_INT32(compare(fcinfo, numbers))) \
SPQ_SQL_FUNCTION(spq_##type##_hash, \
		 return spq_numbers_hash((const float8 *) PG_GETARG_POINTER(0), numbers)) \
SPQ_SQL_FUNCTION(spq_##type##_hash_extended, \
		 return spq_numbers_hash_extended((const float8 *) PG_GETARG_POINTER(0), \
										  numbers, PG_GETARG_DATUM(1)))

FUNCTIONS(point3, sizeof(SpqPoint3) / sizeof(float8))
FUNCTIONS(box3, sizeof(SpqBox3) / sizeof(float8))
FUNCTIONS(lseg3, sizeof(SpqSegment3) / sizeof(float8))
FUNCTIONS(sphere3, sizeof(SpqSphere3) / sizeof(float8))
FUNCTIONS(ray3, sizeof(SpqRay3) / sizeof(float8))
FUNCTIONS(frustum3, sizeof(SpqFrustum3) / sizeof(float8))
