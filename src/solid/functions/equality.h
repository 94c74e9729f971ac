/*-------------------------------------------------------------------------
 *
 * equality.h
 *	  Equality and hash of values that consist of numbers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SOLID_FUNCTIONS_EQUALITY_H
#define SPQ_SOLID_FUNCTIONS_EQUALITY_H

#include "postgres.h"

extern bool spq_numbers_equal(const float8 *a, const float8 *b, int count);
extern Datum spq_numbers_hash(const float8 *numbers, int count);
extern Datum spq_numbers_hash_extended(const float8 *numbers, int count, Datum seed);

#endif							/* SPQ_SOLID_FUNCTIONS_EQUALITY_H */
