/*-------------------------------------------------------------------------
 *
 * solid_io.h
 *	  Text and binary form of values that consist of numbers.
 *
 * The input of a type is read from left to right by a cursor.  Its functions
 * return false after an error, which has been reported: from PostgreSQL 16 on
 * perhaps softly, so a type's input function then returns NULL.
 *
 *		SpqInput	input = spq_input(fcinfo, "sphere3");
 *
 *		if (!spq_input_expect(&input, '<') ||
 *			!spq_input_point(&input, &sphere->center) || ...
 *			!spq_input_end(&input))
 *			PG_RETURN_NULL();
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_SOLID_FUNCTIONS_SOLID_IO_H
#define SPQ_SOLID_FUNCTIONS_SOLID_IO_H

#include "lib/stringinfo.h"

#include "solid/geometry/solid.h"

typedef struct SpqInput
{
	char	   *at;				/* what has not been read yet */
	char	   *string;			/* all of it, for errors */
	const char *type;
	struct Node *escontext;		/* where soft errors go */
} SpqInput;

extern SpqInput spq_input(FunctionCallInfo fcinfo, const char *type);
extern bool spq_input_take(SpqInput *input, char c);
extern bool spq_input_expect(SpqInput *input, char c);
extern bool spq_input_number(SpqInput *input, float8 *number);
extern bool spq_input_point(SpqInput *input, SpqPoint3 *point);
extern bool spq_input_points(SpqInput *input, bool brackets, int npoints, SpqPoint3 *points);
extern bool spq_input_end(SpqInput *input);
extern bool spq_input_invalid(SpqInput *input);

extern void spq_output_number(StringInfo out, float8 number);
extern void spq_output_point(StringInfo out, const SpqPoint3 *point);

extern void spq_receive_numbers(FunctionCallInfo fcinfo, float8 *numbers, int n);
extern Datum spq_send_numbers(const float8 *numbers, int n);

#endif							/* SPQ_SOLID_FUNCTIONS_SOLID_IO_H */
