/*-------------------------------------------------------------------------
 *
 * kernel.c
 *	  A join of two arrays of boxes in plain C, as a lower bound.
 *
 *		kernel SHAPE SHARE
 *
 * Prints milliseconds of processor time, in memory that was not used before, and
 * the number of pairs.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>

#include "parts.h"

typedef struct Taken
{
	uint64_t	pairs,
				check;
} Taken;

static void
take(void *argument, const Pair *pairs, uint32_t count)
{
	Taken	   *taken = argument;

	taken->pairs += count;
	for (uint32_t i = 0; i < count; i++)
		taken->check += pairs[i].left ^ pairs[i].right;
}

int
main(int argc, char **argv)
{
	Rects		left,
				right;
	Taken		taken = {0};
	double		start;

	if (argc != 3)
	{
		fprintf(stderr, "usage: kernel SHAPE SHARE\n");
		return 1;
	}
	make_shape(argv[1], atof(argv[2]), &left, &right);
	start = cpu_time();
	join_in_parts(left, right, take, &taken);
	printf("%.3f %llu\n", cpu_time() - start, (unsigned long long) taken.pairs);
	/* use the pairs, so that the compiler keeps them */
	return taken.check == 1 && taken.pairs == 0;
}
