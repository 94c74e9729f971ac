/*-------------------------------------------------------------------------
 *
 * lanes.h
 *	  A few numbers at once: two doubles, four floats or words, eight short integers,
 *	  or sixteen bytes.
 *
 * Kernels that compare one box with many are written with these types, once for
 * all machines.  The types are vectors of gcc and clang, so operators work on
 * them, lane by lane: a + b, a <= b.  The compiler uses vector instructions of
 * the machine if it has any.  A comparison returns a mask: all bits of a lane are
 * set where it is true.
 *
 * The functions do what operators cannot express.  Some have two bodies: an
 * instruction of SSE2, which every x86-64 has, and code for all machines.  Both
 * return the same bits for all operands, including NaN, infinities, -0 and
 * denormal numbers.  Only the sign and the payload of a NaN that arithmetic
 * makes depend on the machine.
 *
 * PostgreSQL's port/simd.h is not used: PostgreSQL 15 does not have it, and
 * later versions have vectors of integers, but none of doubles or floats.
 *
 * SPQ_LANES_PLAIN selects the second bodies on x86, too.  A unit test
 * (test/unit/lanes_test.c) compares the two, and the kernels made of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_BOX_LANES_H
#define SPQ_BOX_LANES_H

#if defined(__SSE2__) && !defined(SPQ_LANES_PLAIN)
#define SPQ_LANES_SSE2
#include <emmintrin.h>
#endif

/* Numbers of lanes. */
#define SPQ_DOUBLES	2
#define SPQ_FLOATS	4
#define SPQ_WORDS	4
#define SPQ_SHORTS	8
#define SPQ_BYTES	16

typedef float8 SpqDoubles __attribute__((vector_size(16)));
typedef int64 SpqDoublesMask __attribute__((vector_size(16)));
typedef float4 SpqFloats __attribute__((vector_size(16)));
typedef int32 SpqFloatsMask __attribute__((vector_size(16)));
typedef uint32 SpqWords __attribute__((vector_size(16)));
typedef int16 SpqShorts __attribute__((vector_size(16)));
typedef uint8 SpqBytes __attribute__((vector_size(16)));

/* The same in memory, where they need not be aligned. */
typedef float8 SpqDoublesInMemory __attribute__((vector_size(16), aligned(8), may_alias));
typedef float4 SpqFloatsInMemory __attribute__((vector_size(16), aligned(4), may_alias));
typedef int16 SpqShortsInMemory __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint8 SpqBytesInMemory __attribute__((vector_size(16), aligned(1), may_alias));

static pg_attribute_always_inline SpqDoubles
spq_doubles_load(const float8 *numbers)
{
	return *(const SpqDoublesInMemory *) numbers;
}

static pg_attribute_always_inline void
spq_doubles_store(float8 *numbers, SpqDoubles a)
{
	*(SpqDoublesInMemory *) numbers = a;
}

/* Return one number in all lanes. */
static pg_attribute_always_inline SpqDoubles
spq_doubles_set(float8 number)
{
	SpqDoubles	a = {number, number};

	return a;
}

/* Return a in the lanes of a mask, and b in the others. */
static pg_attribute_always_inline SpqDoubles
spq_doubles_choose(SpqDoublesMask mask, SpqDoubles a, SpqDoubles b)
{
	return (SpqDoubles) ((~mask & (SpqDoublesMask) b) | (mask & (SpqDoublesMask) a));
}

/* Return a in the lanes of a mask, and 0 in the others. */
static pg_attribute_always_inline SpqDoubles
spq_doubles_keep(SpqDoublesMask mask, SpqDoubles a)
{
#ifdef SPQ_LANES_SSE2
	return _mm_and_pd((__m128d) mask, a);
#else
	return (SpqDoubles) ((SpqDoublesMask) a & mask);
#endif
}

/*
 * Return the lesser numbers, or the greater ones: a < b ? a : b, and a > b ? a : b.
 * So if one is NaN, and if both are zeros, the result is b.
 */
static pg_attribute_always_inline SpqDoubles
spq_doubles_min(SpqDoubles a, SpqDoubles b)
{
#ifdef SPQ_LANES_SSE2
	return _mm_min_pd(a, b);
#else
	return spq_doubles_choose(a < b, a, b);
#endif
}

static pg_attribute_always_inline SpqDoubles
spq_doubles_max(SpqDoubles a, SpqDoubles b)
{
#ifdef SPQ_LANES_SSE2
	return _mm_max_pd(a, b);
#else
	return spq_doubles_choose(a > b, a, b);
#endif
}

/* Return the lesser of the two lanes, as min(second, first). */
static pg_attribute_always_inline float8
spq_doubles_least(SpqDoubles a)
{
#ifdef SPQ_LANES_SSE2
	return _mm_cvtsd_f64(_mm_min_sd(_mm_unpackhi_pd(a, a), a));
#else
	return a[1] < a[0] ? a[1] : a[0];
#endif
}

static pg_attribute_always_inline SpqDoubles
spq_doubles_abs(SpqDoubles a)
{
	return (SpqDoubles) (~(SpqDoublesMask) spq_doubles_set(-0.0) & (SpqDoublesMask) a);
}

/* Return a mask as bits: bit i is for lane i. */
static pg_attribute_always_inline uint32
spq_doubles_bits(SpqDoublesMask mask)
{
#ifdef SPQ_LANES_SSE2
	return _mm_movemask_pd((__m128d) mask);
#else
	return (mask[0] & 1) | (mask[1] & 2);
#endif
}

/* Return four masks as eight bits.  Those of the first are the lowest. */
static pg_attribute_always_inline uint32
spq_doubles_bits_of_four(SpqDoublesMask a, SpqDoublesMask b, SpqDoublesMask c, SpqDoublesMask d)
{
#ifdef SPQ_LANES_SSE2
	/* eight masks of 64 bits, of 32, 16, 8, 1 */
	__m128i		low = _mm_castps_si128(_mm_shuffle_ps((__m128) a, (__m128) b, 0x88)),
				high = _mm_castps_si128(_mm_shuffle_ps((__m128) c, (__m128) d, 0x88));

	low = _mm_packs_epi32(low, high);
	return _mm_movemask_epi8(_mm_packs_epi16(low, low)) & 0xff;
#else
	return spq_doubles_bits(a) | spq_doubles_bits(b) << 2 |
		spq_doubles_bits(c) << 4 | spq_doubles_bits(d) << 6;
#endif
}

static pg_attribute_always_inline SpqFloats
spq_floats_load(const float4 *numbers)
{
	return *(const SpqFloatsInMemory *) numbers;
}

static pg_attribute_always_inline void
spq_floats_store(float4 *numbers, SpqFloats a)
{
	*(SpqFloatsInMemory *) numbers = a;
}

/* Return one number in all lanes. */
static pg_attribute_always_inline SpqFloats
spq_floats_set(float4 number)
{
	SpqFloats	a = {number, number, number, number};

	return a;
}

/* Return the first half twice, or the second half. */
static pg_attribute_always_inline SpqFloats
spq_floats_first_half(SpqFloats a)
{
	SpqFloats	twice = {a[0], a[1], a[0], a[1]};

	return twice;
}

static pg_attribute_always_inline SpqFloats
spq_floats_second_half(SpqFloats a)
{
	SpqFloats	twice = {a[2], a[3], a[2], a[3]};

	return twice;
}

/* Return the first half of a, and the second half of b. */
static pg_attribute_always_inline SpqFloats
spq_floats_halves(SpqFloats a, SpqFloats b)
{
	SpqFloats	halves = {a[0], a[1], b[2], b[3]};

	return halves;
}

/* As spq_doubles_choose(), spq_doubles_min() and spq_doubles_max(). */
static pg_attribute_always_inline SpqFloats
spq_floats_choose(SpqFloatsMask mask, SpqFloats a, SpqFloats b)
{
	return (SpqFloats) ((~mask & (SpqFloatsMask) b) | (mask & (SpqFloatsMask) a));
}

static pg_attribute_always_inline SpqFloats
spq_floats_min(SpqFloats a, SpqFloats b)
{
#ifdef SPQ_LANES_SSE2
	return _mm_min_ps(a, b);
#else
	return spq_floats_choose(a < b, a, b);
#endif
}

static pg_attribute_always_inline SpqFloats
spq_floats_max(SpqFloats a, SpqFloats b)
{
#ifdef SPQ_LANES_SSE2
	return _mm_max_ps(a, b);
#else
	return spq_floats_choose(a > b, a, b);
#endif
}

/* Return a mask as bits: bit i is for lane i. */
static pg_attribute_always_inline uint32
spq_floats_bits(SpqFloatsMask mask)
{
#ifdef SPQ_LANES_SSE2
	return _mm_movemask_ps((__m128) mask);
#else
	return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8);
#endif
}

/* Round doubles to floats: those of a, then those of b. */
static pg_attribute_always_inline SpqFloats
spq_floats_of_doubles(SpqDoubles a, SpqDoubles b)
{
#ifdef SPQ_LANES_SSE2
	return _mm_movelh_ps(_mm_cvtpd_ps(a), _mm_cvtpd_ps(b));
#else
	SpqFloats	floats = {(float4) a[0], (float4) a[1], (float4) b[0], (float4) b[1]};

	return floats;
#endif
}

/*
 * Return doubles as words: those of a, then those of b.  They are rounded toward 0,
 * and must be from 0 to the largest int32.
 */
static pg_attribute_always_inline SpqWords
spq_words_of_doubles(SpqDoubles a, SpqDoubles b)
{
#ifdef SPQ_LANES_SSE2
	return (SpqWords) _mm_unpacklo_epi64(_mm_cvttpd_epi32(a), _mm_cvttpd_epi32(b));
#else
	SpqWords	words = {(uint32) a[0], (uint32) a[1], (uint32) b[0], (uint32) b[1]};

	return words;
#endif
}

static pg_attribute_always_inline SpqShorts
spq_shorts_load(const int16 *numbers)
{
	return *(const SpqShortsInMemory *) numbers;
}

/* Return one number in all lanes. */
static pg_attribute_always_inline SpqShorts
spq_shorts_set(int16 number)
{
	const SpqShorts zero = {0};

	return zero + number;
}

static pg_attribute_always_inline SpqShorts
spq_shorts_min(SpqShorts a, SpqShorts b)
{
#ifdef SPQ_LANES_SSE2
	return (SpqShorts) _mm_min_epi16((__m128i) a, (__m128i) b);
#else
	SpqShorts	less = (SpqShorts) (a < b);

	return (less & a) | (~less & b);
#endif
}

/*
 * Return a bit for each lane below 0.  Those of a are the lowest eight.
 */
static pg_attribute_always_inline uint32
spq_shorts_negative(SpqShorts a, SpqShorts b)
{
#ifdef SPQ_LANES_SSE2
	return _mm_movemask_epi8(_mm_packs_epi16((__m128i) a, (__m128i) b));
#else
	const SpqShorts bits = {1, 2, 4, 8, 16, 32, 64, 128};
	uint32		sum = 0;

	a = (SpqShorts) (a < 0) & bits;
	b = (SpqShorts) (b < 0) & bits;
	for (int i = 0; i < SPQ_SHORTS; i++)
		sum |= a[i] | b[i] << SPQ_SHORTS;
	return sum;
#endif
}

/* Load eight bytes as short integers. */
static pg_attribute_always_inline SpqShorts
spq_shorts_of_bytes(const uint8 *bytes)
{
#ifdef SPQ_LANES_SSE2
	return (SpqShorts) _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *) bytes),
										 _mm_setzero_si128());
#else
	SpqShorts	shorts;

	for (int i = 0; i < SPQ_SHORTS; i++)
		shorts[i] = bytes[i];
	return shorts;
#endif
}

static pg_attribute_always_inline SpqBytes
spq_bytes_load(const uint8 *bytes)
{
	return *(const SpqBytesInMemory *) bytes;
}

/* Load eight bytes; the others are 0. */
static pg_attribute_always_inline SpqBytes
spq_bytes_load_half(const uint8 *bytes)
{
#ifdef SPQ_LANES_SSE2
	return (SpqBytes) _mm_loadl_epi64((const __m128i *) bytes);
#else
	SpqBytes	a = {0};

	memcpy(&a, bytes, SPQ_BYTES / 2);
	return a;
#endif
}

/* Store the first eight. */
static pg_attribute_always_inline void
spq_bytes_store_half(uint8 *bytes, SpqBytes a)
{
	memcpy(bytes, &a, SPQ_BYTES / 2);
}

/*
 * Return numbers as bytes, those of a, then those of b, and the eight once more.
 * They are rounded toward 0; NaN and numbers below 0 become 0.  None may exceed
 * 255.
 */
static pg_attribute_always_inline SpqBytes
spq_bytes_of_floats(SpqFloats a, SpqFloats b)
{
#ifdef SPQ_LANES_SSE2
	/* what no integer can be becomes the least one, and then 0 */
	__m128i		words = _mm_packs_epi32(_mm_cvttps_epi32(a), _mm_cvttps_epi32(b));

	return (SpqBytes) _mm_packus_epi16(words, words);
#else
	SpqBytes	bytes;

	a = spq_floats_max(a, spq_floats_set(0));
	b = spq_floats_max(b, spq_floats_set(0));
	for (int i = 0; i < SPQ_FLOATS; i++)
	{
		bytes[i] = bytes[8 + i] = (uint8) a[i];
		bytes[4 + i] = bytes[12 + i] = (uint8) b[i];
	}
	return bytes;
#endif
}

/* Set each of eight results to one of the first eight bytes, in all lanes. */
static pg_attribute_always_inline void
spq_bytes_spread(SpqBytes a, SpqBytes *each)
{
#ifdef SPQ_LANES_SSE2
	__m128i		twice = _mm_unpacklo_epi8((__m128i) a, (__m128i) a),
				low = _mm_unpacklo_epi16(twice, twice),
				high = _mm_unpackhi_epi16(twice, twice);

	each[0] = (SpqBytes) _mm_shuffle_epi32(low, 0x00);
	each[1] = (SpqBytes) _mm_shuffle_epi32(low, 0x55);
	each[2] = (SpqBytes) _mm_shuffle_epi32(low, 0xaa);
	each[3] = (SpqBytes) _mm_shuffle_epi32(low, 0xff);
	each[4] = (SpqBytes) _mm_shuffle_epi32(high, 0x00);
	each[5] = (SpqBytes) _mm_shuffle_epi32(high, 0x55);
	each[6] = (SpqBytes) _mm_shuffle_epi32(high, 0xaa);
	each[7] = (SpqBytes) _mm_shuffle_epi32(high, 0xff);
#else
	const SpqBytes zero = {0};

	for (int i = 0; i < SPQ_BYTES / 2; i++)
		each[i] = zero + a[i];
#endif
}

/* Return by how much bytes of a exceed those of b, or 0. */
static pg_attribute_always_inline SpqBytes
spq_bytes_excess(SpqBytes a, SpqBytes b)
{
#ifdef SPQ_LANES_SSE2
	return (SpqBytes) _mm_subs_epu8((__m128i) a, (__m128i) b);
#else
	return (a - b) & (SpqBytes) (a > b);
#endif
}

/* Return which bytes are 0: bit i is for lane i. */
static pg_attribute_always_inline uint32
spq_bytes_zero_bits(SpqBytes a)
{
#ifdef SPQ_LANES_SSE2
	return _mm_movemask_epi8((__m128i) (a == 0));
#else
	/* the sum of a half's bits is in the highest byte of the product */
	const uint64 ones = UINT64CONST(0x0101010101010101);
	SpqBytes	bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	SpqDoublesMask halves = (SpqDoublesMask) (bits & (SpqBytes) (a == 0));

	return (uint32) (((uint64) halves[0] * ones) >> 56 |
					 ((uint64) halves[1] * ones) >> 56 << 8);
#endif
}

#endif							/* SPQ_BOX_LANES_H */
