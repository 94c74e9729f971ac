/*-------------------------------------------------------------------------
 *
 * equality.c
 *	  Equality and hash of values that consist of numbers.
 *
 * Numbers are equal as values of type float8 are: 0 equals -0, and NaN equals
 * NaN.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/float.h"

#include "solid/functions/equality.h"
#include "solid/geometry/solid.h"

#define MAX_NUMBERS (sizeof(SpqFrustum3) / sizeof(float8))

bool
spq_numbers_equal(const float8 *a, const float8 *b, int count)
{
	for (int i = 0; i < count; i++)
		if (!float8_eq(a[i], b[i]))
			return false;
	return true;
}

/* Copy numbers, so that equal numbers have the same bytes. */
static void
normalize(const float8 *numbers, int count, float8 *result)
{
	Assert(count <= (int) MAX_NUMBERS);
	for (int i = 0; i < count; i++)
		result[i] = isnan(numbers[i]) ? get_float8_nan() :
			numbers[i] == 0 ? 0 : numbers[i];
}

Datum
spq_numbers_hash(const float8 *numbers, int count)
{
	float8		normal[MAX_NUMBERS];

	normalize(numbers, count, normal);
	return hash_any((unsigned char *) normal, count * sizeof(float8));
}

Datum
spq_numbers_hash_extended(const float8 *numbers, int count, Datum seed)
{
	float8		normal[MAX_NUMBERS];

	normalize(numbers, count, normal);
	return hash_any_extended((unsigned char *) normal, count * sizeof(float8),
							 DatumGetInt64(seed));
}
