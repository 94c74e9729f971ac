/*-------------------------------------------------------------------------
 *
 * solid_io.c
 *	  Text and binary form of values that consist of numbers.  See solid_io.h.
 *
 * The syntax is that of PostgreSQL's geometric types (geo_ops.c), with three
 * coordinates instead of two, but the comma between points is not optional.
 * Numbers have the syntax of type double precision.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "utils/float.h"

#include "compat.h"
#include "solid/functions/solid_io.h"

/* Return a cursor at the start of the input function's string. */
SpqInput
spq_input(FunctionCallInfo fcinfo, const char *type)
{
	SpqInput	input;

	input.at = input.string = PG_GETARG_CSTRING(0);
	input.type = type;
	input.escontext = fcinfo->context;
	return input;
}

/* Report that the string is not a value of the type.  Return false. */
bool
spq_input_invalid(SpqInput *input)
{
	spq_ereturn(input->escontext, false,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s\"",
						input->type, input->string)));
}

static char *
skip_spaces(char *at)
{
	while (isspace((unsigned char) *at))
		at++;
	return at;
}

/*
 * Read this character, and white space before it, if it comes next.  Otherwise
 * read nothing and return false.
 */
bool
spq_input_take(SpqInput *input, char c)
{
	char	   *at = skip_spaces(input->at);

	if (*at != c)
		return false;
	input->at = at + 1;
	return true;
}

/* Read this character; report an error if it does not come next. */
bool
spq_input_expect(SpqInput *input, char c)
{
	return spq_input_take(input, c) || spq_input_invalid(input);
}

/* Read a number as float8in() does, with white space around it. */
bool
spq_input_number(SpqInput *input, float8 *number)
{
	*number = spq_float8_in(input->at, &input->at, input->type, input->string,
							input->escontext);
	return !spq_soft_error_occurred(input->escontext);
}

/* Read "x, y, z". */
static bool
coordinates(SpqInput *input, SpqPoint3 *point)
{
	return spq_input_number(input, &point->x[0]) && spq_input_expect(input, ',') &&
		spq_input_number(input, &point->x[1]) && spq_input_expect(input, ',') &&
		spq_input_number(input, &point->x[2]);
}

/* Read "(x, y, z)" or "x, y, z". */
bool
spq_input_point(SpqInput *input, SpqPoint3 *point)
{
	if (spq_input_take(input, '('))
		return coordinates(input, point) && spq_input_expect(input, ')');
	return coordinates(input, point);
}

/*
 * Read several points with commas between them.  Parentheses may enclose all
 * points, and so may brackets, if "brackets" allows it.
 *
 * A parenthesis encloses all points if another one follows immediately, or if
 * the string has no other.
 */
bool
spq_input_points(SpqInput *input, bool brackets, int npoints, SpqPoint3 *points)
{
	char	   *at = skip_spaces(input->at);
	char		close = '\0';

	if (*at == '[' && brackets)
		close = ']';
	else if (*at == '(' &&
			 (*skip_spaces(at + 1) == '(' || strchr(at + 1, '(') == NULL))
		close = ')';
	if (close != '\0')
		input->at = at + 1;
	for (int i = 0; i < npoints; i++)
		if ((i > 0 && !spq_input_expect(input, ',')) ||
			!spq_input_point(input, &points[i]))
			return false;
	return close == '\0' || spq_input_expect(input, close);
}

/* Check that only white space is left. */
bool
spq_input_end(SpqInput *input)
{
	return *skip_spaces(input->at) == '\0' || spq_input_invalid(input);
}

/* Append a number, by default in the shortest form that is exact. */
void
spq_output_number(StringInfo out, float8 number)
{
	char	   *digits = float8out_internal(number);

	appendStringInfoString(out, digits);
	pfree(digits);
}

/* Append "(x,y,z)". */
void
spq_output_point(StringInfo out, const SpqPoint3 *point)
{
	for (int axis = 0; axis < 3; axis++)
	{
		appendStringInfoChar(out, axis == 0 ? '(' : ',');
		spq_output_number(out, point->x[axis]);
	}
	appendStringInfoChar(out, ')');
}

/* Read numbers from the receive function's argument. */
void
spq_receive_numbers(FunctionCallInfo fcinfo, float8 *numbers, int n)
{
	StringInfo	message = (StringInfo) PG_GETARG_POINTER(0);

	for (int i = 0; i < n; i++)
		numbers[i] = pq_getmsgfloat8(message);
}

/* Return the result of a send function: numbers in binary form. */
Datum
spq_send_numbers(const float8 *numbers, int n)
{
	StringInfoData message;

	pq_begintypsend(&message);
	for (int i = 0; i < n; i++)
		pq_sendfloat8(&message, numbers[i]);
	PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}
