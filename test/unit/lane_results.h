/*-------------------------------------------------------------------------
 *
 * lane_results.h
 *	  The numbers that the operations of box/lanes.h get in a test, and their results.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_TEST_LANE_RESULTS_H
#define SPQ_TEST_LANE_RESULTS_H

#include "postgres.h"

#include "storage/bufpage.h"

#include "rtree/page/bounds.h"

#define NUMBERS		64
#define RESULTS		4000

typedef struct Numbers
{
	float8		doubles[NUMBERS];
	float4		floats[NUMBERS];
	int16		shorts[NUMBERS];
	uint8		bytes[NUMBERS];
	Page		page;			/* an inner page of the access method, in two
								 * dimensions and in three */
	Page		page3;
	SpqRtreeBounds bounds;		/* of a row that goes to one of its children */
} Numbers;

/* Results of operations and kernels, and their names. */
typedef struct Results
{
	int			count;
	const char *name[RESULTS];
	uint64		bits[RESULTS];
} Results;

/*
 * Run everything, with the bodies for this machine or with those for all, in two
 * dimensions or in three: run_lanes.c.
 */
extern void run_lanes(const Numbers *numbers, Results *results);
extern void run_plain_lanes(const Numbers *numbers, Results *results);
extern void run_lanes3(const Numbers *numbers, Results *results);
extern void run_plain_lanes3(const Numbers *numbers, Results *results);

static inline void
add_result(Results *results, const char *name, uint64 bits)
{
	Assert(results->count < RESULTS);
	results->name[results->count] = name;
	results->bits[results->count++] = bits;
}

/* Add all bytes of something. */
static inline void
add_bytes(Results *results, const char *name, const void *bytes, Size size)
{
	for (Size i = 0; i < size; i += sizeof(uint64))
	{
		uint64		bits = 0;

		memcpy(&bits, (const char *) bytes + i, Min(sizeof(bits), size - i));
		add_result(results, name, bits);
	}
}

#endif							/* SPQ_TEST_LANE_RESULTS_H */
