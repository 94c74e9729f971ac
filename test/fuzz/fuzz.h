/*-------------------------------------------------------------------------
 *
 * fuzz.h
 *	  Common to the fuzzers: boxes from bytes, and requirements.
 *
 * A fuzzer changes bytes, and keeps inputs that reach new code.  So the meaning
 * of a byte should not depend on the bytes before it, and interesting numbers
 * (equal, EPSILON apart, powers of two) should take few bytes:
 *
 *		+------+ +---------------+
 *		| form | | 0 .. 8 bytes  |		one number
 *		+------+ +---------------+
 *
 * An input that is too short continues with zeros.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_FUZZ_FUZZ_H
#define SPQ_FUZZ_FUZZ_H

#include "postgres.h"

#include <stdio.h>

/* the C library's, not the server's */
#undef printf
#undef fprintf
#undef snprintf

#include "utils/float.h"
#include "utils/geo_decls.h"

typedef struct Input
{
	const uint8 *data;
	size_t		left;
	float8		last;			/* number */
} Input;

#define require(condition, ...) \
	do { \
		if (unlikely(!(condition))) \
		{ \
			fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
			fprintf(stderr, __VA_ARGS__); \
			fprintf(stderr, "\n"); \
			abort(); \
		} \
	} while (0)

static inline uint8
take_byte(Input *input)
{
	if (input->left == 0)
		return 0;
	input->left--;
	return *input->data++;
}

/* Take an integer from low to high. */
static inline int
take_int(Input *input, int low, int high)
{
	int			value = take_byte(input);

	if (high - low > 255)
		value = value << 8 | take_byte(input);
	return low + value % (high - low + 1);
}

static inline float8
take_number(Input *input)
{
	static const float8 special[] = {
		0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 2.2250738585072014e-308,
		1.7976931348623157e308, -1.7976931348623157e308, EPSILON, -EPSILON,
		1e300, -1e300, 1e-300, 4503599627370496.0, 9007199254740993.0
	};
	uint8		form = take_byte(input);
	uint64		bits = 0;
	float8		value;

	switch (form % 12)
	{
		case 0:
			value = input->last;
			break;
		case 1:
			value = input->last + (int8) take_byte(input);
			break;
		case 2:
			value = input->last + (int8) take_byte(input) * (EPSILON / 2);
			break;
		case 3:
			value = nextafter(input->last, form & 16 ? 1e308 : -1e308);
			break;
		case 4:
			value = special[take_byte(input) % lengthof(special)];
			break;
		case 5:
			value = form & 16 ? get_float8_infinity() : -get_float8_infinity();
			break;
		case 6:
			value = get_float8_nan();
			break;
		case 7:
			/* a power of two, or slightly less */
			value = ldexp(form & 16 ? 1.0 : -1.0, take_int(input, -1074, 1023));
			if (form & 32)
				value = nextafter(value, 0.0);
			break;
		case 8:
			for (int i = 0; i < 8; i++)
				bits = bits << 8 | take_byte(input);
			memcpy(&value, &bits, sizeof(value));
			break;
		case 9:
			value = take_int(input, -32768, 32767) / 64.0;
			break;
		default:
			value = (int8) take_byte(input);
	}
	if (isfinite(value))
		input->last = value;
	return value;
}

/* Take a box with its corners in order, as the server stores them. */
static inline BOX
take_box(Input *input)
{
	float8		x1 = take_number(input),
				y1 = take_number(input),
				x2,
				y2;
	BOX			box;

	input->last = isfinite(x1) ? x1 : 0.0;
	x2 = take_number(input);
	input->last = isfinite(y1) ? y1 : 0.0;
	y2 = take_number(input);
	box.low.x = float8_min(x1, x2);
	box.high.x = float8_max(x1, x2);
	box.low.y = float8_min(y1, y2);
	box.high.y = float8_max(y1, y2);
	return box;
}

/* Test one input; called by libFuzzer and replay.c. */
extern int	LLVMFuzzerTestOneInput(const uint8 *data, size_t size);

#endif							/* SPQ_FUZZ_FUZZ_H */
