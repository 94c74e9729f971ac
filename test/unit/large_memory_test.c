/*-------------------------------------------------------------------------
 *
 * large_memory_test.c
 *	  Memory in huge pages: large_memory.h.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "large_memory.h"
#include "stubs.h"

/*
 * Return whether all of this memory is in one area of the process.  Where the
 * system does not say so, return true.
 */
static bool
in_one_area(const char *memory, Size size)
{
	FILE	   *maps = fopen("/proc/self/maps", "r");
	char		line[1024];
	bool		found = maps == NULL;

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
	{
		unsigned long low,
					high;

		if (sscanf(line, "%lx-%lx", &low, &high) == 2)
			found |= low <= (uintptr_t) memory && (uintptr_t) memory + size <= high;
	}
	if (maps != NULL)
		fclose(maps);
	return found;
}

/* realloc() moves memory that is in one area, and copies any other. */
static void
test_areas(void)
{
	static const Size sizes[] = {1, 8192, 1500000, 2097152, 3000000, 12582912, 50331648};

	for (int i = 0; i < (int) lengthof(sizes); i++)
	{
		char	   *memory = spq_large_alloc(CurrentMemoryContext, sizes[i]);

		memory[0] = 1;
		memory[sizes[i] - 1] = 2;
		check(in_one_area(memory, sizes[i]), "%zu bytes", sizes[i]);
		memory = spq_large_realloc(memory, 2 * sizes[i]);
		memory[2 * sizes[i] - 1] = 3;
		check(in_one_area(memory, 2 * sizes[i]), "twice %zu bytes", sizes[i]);
		check(sizes[i] == 1 || (memory[0] == 1 && memory[sizes[i] - 1] == 2), "contents");
		pfree(memory);
	}
	finish_test("memory in one area");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_areas();
	return tests_failed > 0;
}
