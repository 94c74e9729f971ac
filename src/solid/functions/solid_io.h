/*-------------------------------------------------------------------------
 *
 * solid_io.h
 *	  Text and binary form of values that consist of numbers.
 *
 * A cursor reads the input of a type from left to right.  Its functions report
 * an error and return false.  From PostgreSQL 16 on the error may be a soft
 * one, so the type's input function then returns NULL.
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
	char	   *at;				/* the rest of the string */
	char	   *string;			/* the whole string, for errors */
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
