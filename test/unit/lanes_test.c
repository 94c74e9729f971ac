/*-------------------------------------------------------------------------
 *
 * lanes_test.c
 *	  Operations on a few numbers at once: box/lanes.h.
 *
 *		operations		against their definition, lane by lane
 *		kernels			with the bodies for this machine against those for all
 *
 * The results are compared by their bits.
 *
 *-------------------------------------------------------------------------
 */
#include "shapes.h"

#include <math.h>

#include "lane_results.h"

#include "box/lanes.h"
#include "rtree/page/page.h"

/* A number of any kind, also a denormal one or any bits, which may be a NaN. */
static float8
make_double(void)
{
	uint64		bits = (uint64) lrand48() << 62 ^ (uint64) lrand48() << 31 ^ lrand48();
	float8		number;

	switch (random_int(0, 7))
	{
		case 0:
			bits &= UINT64CONST(0x800fffffffffffff);
			/* FALLTHROUGH */
		case 1:
			memcpy(&number, &bits, sizeof(number));
			return number;
		case 2:
			return random_int(0, 1) ? 0.0 : -0.0;
		default:
			return any_number();
	}
}

static float4
make_float(void)
{
	uint32		bits = (uint32) lrand48() << 1 ^ (uint32) lrand48();
	float4		number;

	switch (random_int(0, 7))
	{
		case 0:
			bits &= 0x807fffff;
			/* FALLTHROUGH */
		case 1:
			memcpy(&number, &bits, sizeof(number));
			return number;
		case 2:
			return random_int(0, 1) ? 0.0f : -0.0f;
		case 3:
			return random_int(-2, 257) + random_int(-1, 1) / 4.0f;
		default:
			return (float4) any_number();
	}
}

/* Fill an inner page. */
static void
make_page(Page page, uint16 flags)
{
	int			kind = random_int(0, SHAPES - 1),
				count = random_int(1, 60);

	spq_rtree_page_init(page, 1, flags);
	for (int i = 0; i < count; i++)
	{
		SpqRtreeDownlink downlink = {shape(kind, i), i, i + 1};

		downlink.bounds.low[2] = downlink.bounds.low[0];
		downlink.bounds.high[2] = downlink.bounds.high[0];
		spq_rtree_append_downlink(page, &downlink);
	}
}

static void
make_numbers(Numbers *numbers)
{
	bool		repeat = random_int(0, 1);

	for (int i = 0; i < NUMBERS; i++)
	{
		numbers->doubles[i] = make_double();
		numbers->floats[i] = make_float();
		numbers->bytes[i] = random_int(0, 2) ? random_int(0, 255) : random_int(0, 1) * 255;
		numbers->shorts[i] = random_int(0, 1) ? random_int(-2, 2) : random_int(PG_INT16_MIN, PG_INT16_MAX);
		/* comparisons that are of equal numbers */
		if (repeat && i > 0 && random_int(0, 1))
		{
			numbers->doubles[i] = numbers->doubles[random_int(0, i - 1)];
			numbers->floats[i] = numbers->floats[random_int(0, i - 1)];
			numbers->shorts[i] = numbers->shorts[random_int(0, i - 1)];
			numbers->bytes[i] = numbers->bytes[random_int(0, i - 1)];
		}
	}
	make_page(numbers->page, 0);
	make_page(numbers->page3, SPQ_RTREE_THREE_AXES);
	numbers->bounds = shape(random_int(0, ENDLESS - 1), 0);
	numbers->bounds.low[2] = numbers->bounds.low[0];
	numbers->bounds.high[2] = numbers->bounds.high[0];
}

/* Add the lanes of an operation, made one by one of x and y. */
#define DEFINE(number, lanes, name, result) \
	do { \
		number		lane[lanes]; \
		for (int i = 0; i < lanes; i++) \
		{ \
			number		x pg_attribute_unused() = a[i], \
						y pg_attribute_unused() = a[lanes + i]; \
			lane[i] = result; \
		} \
		add_bytes(results, name, lane, sizeof(lane)); \
	} while (0)

/* Add the bits of a mask. */
#define DEFINE_BITS(number, lanes, name, condition) \
	do { \
		uint64		bits = 0; \
		for (int i = 0; i < lanes; i++) \
		{ \
			number		x pg_attribute_unused() = a[i], \
						y pg_attribute_unused() = a[lanes + i]; \
			bits |= (uint64) (condition) << i; \
		} \
		add_result(results, name, bits); \
	} while (0)

static inline float8
without_payload(float8 number)
{
	return isnan(number) ? get_float8_nan() : number;
}

static inline float4
float_without_payload(float4 number)
{
	return isnan(number) ? get_float4_nan() : number;
}

/* Add the results of run_doubles() in run_lanes.c, in the same order. */
static void
define_doubles(const float8 *a, Results *results)
{
	float8		least = a[1] < a[0] ? a[1] : a[0];
	float4		floats[4];
	uint32		words[4];
	uint64		of_four = 0;

	DEFINE(float8, 2, "load", x);
	DEFINE(float8, 2, "set", a[0]);
	DEFINE(float8, 2, "+", without_payload(x + y));
	DEFINE(float8, 2, "-", without_payload(x - y));
	DEFINE(float8, 2, "*", without_payload(x * y));
	DEFINE(float8, 2, "min", x < y ? x : y);
	DEFINE(float8, 2, "max", x > y ? x : y);
	DEFINE(float8, 2, "abs", fabs(x));
	DEFINE(float8, 2, "choose", x < y ? a[4 + i] : a[6 + i]);
	DEFINE(float8, 2, "keep", x < y ? a[4 + i] : 0);
	add_bytes(results, "least", &least, sizeof(least));
	DEFINE_BITS(float8, 2, "<", x < y);
	DEFINE_BITS(float8, 2, "<=", x <= y);
	DEFINE_BITS(float8, 2, "==", x == y);
	DEFINE_BITS(float8, 2, ">=", x >= y);
	for (int i = 0; i < 8; i++)
		of_four |= (uint64) (a[i] <= a[(i + 2) % 8]) << i;
	add_result(results, "bits_of_four", of_four);
	for (int i = 0; i < 4; i++)
		floats[i] = float_without_payload((float4) a[i]);
	add_bytes(results, "floats_of_doubles", floats, sizeof(floats));
	for (int i = 0; i < 4; i++)
		words[i] = !(a[i] < PG_INT32_MAX) ? PG_INT32_MAX : a[i] > 0 ? (uint32) a[i] : 0;
	add_bytes(results, "words_of_doubles", words, sizeof(words));
}

/* Return the byte of a number. */
static uint8
byte_of(float4 number)
{
	return number > 255 ? 255 : number > 0 ? (uint8) number : 0;
}

/* The same of run_floats(). */
static void
define_floats(const float4 *a, Results *results)
{
	uint8		bytes[SPQ_BYTES];

	DEFINE(float4, 4, "floats load", x);
	DEFINE(float4, 4, "floats set", a[0]);
	DEFINE(float4, 4, "floats -", float_without_payload(x - y));
	DEFINE(float4, 4, "floats *", float_without_payload(x * y));
	DEFINE(float4, 4, "floats /", float_without_payload(x / y));
	DEFINE(float4, 4, "floats min", x < y ? x : y);
	DEFINE(float4, 4, "floats max", x > y ? x : y);
	DEFINE(float4, 4, "floats choose", x < y ? a[8 + i] : a[12 + i]);
	DEFINE(float4, 4, "first_half", a[i % 2]);
	DEFINE(float4, 4, "second_half", a[2 + i % 2]);
	DEFINE(float4, 4, "halves", i < 2 ? x : y);
	DEFINE_BITS(float4, 4, "floats <=", x <= y);
	DEFINE_BITS(float4, 4, "floats &", x <= y && a[8 + i] <= a[12 + i]);
	for (int i = 0; i < SPQ_BYTES; i++)
		bytes[i] = byte_of(a[i % 8]);
	add_bytes(results, "bytes_of_floats", bytes, sizeof(bytes));
	add_bytes(results, "store_half", bytes, sizeof(bytes) / 2);
}

/* The same of run_shorts(). */
static void
define_shorts(const int16 *a, Results *results)
{
	const uint8 *bytes = (const uint8 *) a;
	int16		of_bytes[8];

	DEFINE(int16, 8, "shorts load", x);
	DEFINE(int16, 8, "shorts set", a[0]);
	DEFINE(int16, 8, "shorts min", Min(x, y));
	for (int i = 0; i < 8; i++)
		of_bytes[i] = bytes[i];
	add_bytes(results, "shorts of bytes", of_bytes, sizeof(of_bytes));
	add_result(results, "shorts negative", 0);
	for (int i = 0; i < 16; i++)
		results->bits[results->count - 1] |= (uint64) (a[i] < 0) << i;
}

/* The same of run_bytes(). */
static void
define_bytes(const uint8 *a, Results *results)
{
	uint8		each[SPQ_BYTES / 2][SPQ_BYTES];

	for (int i = 0; i < SPQ_BYTES / 2; i++)
		memset(each[i], a[i], SPQ_BYTES);
	DEFINE(uint8, 16, "excess", x > y ? x - y : 0);
	DEFINE(uint8, 16, "|", x | y);
	add_bytes(results, "spread", each, sizeof(each));
	DEFINE_BITS(uint8, 16, "zero_bits", x == 0);
	DEFINE_BITS(uint8, 16, "zero_bits of excess", x <= y);
}

static void
define(const Numbers *numbers, Results *results)
{
	results->count = 0;
	for (int i = 0; i + 8 <= NUMBERS; i += 8)
		define_doubles(numbers->doubles + i, results);
	for (int i = 0; i + 16 <= NUMBERS; i += 16)
		define_floats(numbers->floats + i, results);
	for (int i = 0; i + 16 <= NUMBERS; i += 16)
		define_shorts(numbers->shorts + i, results);
	for (int i = 0; i + 32 <= NUMBERS; i += 32)
		define_bytes(numbers->bytes + i, results);
}

/* Compare results with the first of others. */
static void
compare(const Results *some, const Results *others)
{
	check(some->count <= others->count, "%d of %d", some->count, others->count);
	if (memcmp(some->bits, others->bits, some->count * sizeof(uint64)) == 0)
		return;
	for (int i = 0; i < some->count; i++)
	{
		check(strcmp(some->name[i], others->name[i]) == 0, "%s, %s", some->name[i],
			  others->name[i]);
		check(some->bits[i] == others->bits[i], "%s: %llx, %llx", some->name[i],
			  (unsigned long long) some->bits[i], (unsigned long long) others->bits[i]);
	}
}

int
main(int argc, char **argv)
{
	static Results defined,
				results,
				plain;
	Numbers		numbers;

	start_tests(argc, argv);
	numbers.page = palloc(BLCKSZ);
	numbers.page3 = palloc(BLCKSZ);
	for (int round = 0; round < cases(5000); round++)
	{
		make_numbers(&numbers);
		define(&numbers, &defined);
		run_lanes(&numbers, &results);
		run_plain_lanes(&numbers, &plain);
		compare(&defined, &results);
		compare(&results, &plain);
		run_lanes3(&numbers, &results);
		run_plain_lanes3(&numbers, &plain);
		compare(&results, &plain);
	}
	pfree(numbers.page);
	pfree(numbers.page3);
	finish_test("operations on a few numbers at once, and the kernels made of them");
	return tests_failed > 0;
}
