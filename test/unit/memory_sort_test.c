/*-------------------------------------------------------------------------
 *
 * memory_sort_test.c
 *	  The sort of a build in memory: build_memory.c.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "compat.h"
#include "rtree/bulk_load/build_memory.h"
#include "stubs.h"

#define LARGEST		300
#define NUMBER_SIZE	4

/* How values differ. */
typedef enum Kind
{
	ANYWHERE,					/* in all bytes */
	LATE,						/* only behind many equal ones */
	CROWDED,					/* most in one place of 64 bits, or in few */
	EQUAL,						/* in their numbers only */
	KINDS
} Kind;

/*
 * Write a value: a varlena of this size, with a short or a long header.  Its number,
 * which makes it unique, is at its end.
 */
static void
write_value(struct varlena *value, Size size, Kind kind, uint32 number)
{
	bool		is_short = size <= 100;
	uint8	   *content;
	Size		length;

	if (is_short)
		SET_VARSIZE_SHORT(value, size);
	else
		SET_VARSIZE(value, size);
	content = (uint8 *) VARDATA_ANY(value);
	length = VARSIZE_ANY_EXHDR(value) - NUMBER_SIZE;
	memset(content, kind == EQUAL ? 0 : 0xFF, length);
	switch (kind)
	{
		case ANYWHERE:
			for (Size i = 0; i < length; i++)
				content[i] = random_int(0, 255);
			break;
		case LATE:
			for (Size i = length * 3 / 4; i < length; i++)
				content[i] = random_int(0, 3);
			break;
		case CROWDED:
			for (Size i = 0; i < Min(length, 8); i++)
				content[i] = random_int(0, 3) > 0 ? 7 : random_int(0, 255);
			break;
		default:
			break;
	}
	for (int i = 0; i < NUMBER_SIZE; i++)
		content[length + i] = number >> (8 * (NUMBER_SIZE - 1 - i));
}

static int
compare_values(const void *a, const void *b)
{
	struct varlena *x = *(struct varlena *const *) a,
			   *y = *(struct varlena *const *) b;
	Size		xs = VARSIZE_ANY_EXHDR(x),
				ys = VARSIZE_ANY_EXHDR(y);
	int			order = memcmp(VARDATA_ANY(x), VARDATA_ANY(y), Min(xs, ys));

	return order != 0 ? order : xs < ys ? -1 : xs > ys;
}

static void
check_value(struct varlena *value, struct varlena *expected, int i)
{
	check(value != NULL && VARSIZE_ANY(value) == VARSIZE_ANY(expected) &&
		  memcmp(value, expected, VARSIZE_ANY(expected)) == 0, "value %d", i);
}

/* The values that were taken out of a sort. */
typedef struct Taken
{
	struct varlena **values;	/* expected */
	int			count;
	int			flushed;
} Taken;

static void
take(void *arg, struct varlena *value)
{
	Taken	   *taken = arg;

	check_value(value, taken->values[taken->count], taken->count);
	taken->count++;
}

static void
flush(void *arg)
{
	Taken	   *taken = arg;

	taken->flushed = taken->count;
}

static void
try_sort(Kind kind, int n, int size, bool same_size, int memory)
{
	SpqRtreeMemorySort *sort = spq_rtree_memory_sort_begin(memory);
	struct varlena **values = palloc(n * sizeof(struct varlena *));
	long		bytes = stub_bytes;
	long		size_of_values = 0;
	int			added;

	for (added = 0; added < n; added++)
	{
		Size		this_size = same_size ? size : random_int(size, LARGEST);
		struct varlena *place;

		values[added] = palloc(this_size);
		bytes += this_size;
		write_value(values[added], this_size, kind, added);
		place = spq_rtree_memory_sort_add(sort, this_size);
		if (place == NULL)
			break;
		memcpy(place, values[added], this_size);
		size_of_values += this_size;
	}
	check(stub_bytes - bytes <= memory * 1024L + 1024, "%ld bytes for values", stub_bytes - bytes);
	check(added == n || memory < 256 || size_of_values + 32 * added >= memory * 1024L / 2,
		  "only %d values in %d kB", added, memory);
	if (added < n || random_int(0, 3) == 0)
	{
		Taken		taken = {values, 0, 0};

		spq_rtree_memory_sort_empty(sort, take, flush, &taken);
		check(taken.count == added && taken.flushed == added, "%d taken", taken.count);
	}
	else
	{
		stub_peak_bytes = stub_bytes;
		spq_rtree_memory_sort_perform(sort);
		check(stub_peak_bytes - bytes <= memory * 1024L + 1024, "%ld bytes to sort",
			  stub_peak_bytes - bytes);
		qsort(values, n, sizeof(values[0]), compare_values);
		for (int i = 0; i < n; i++)
			check_value(spq_rtree_memory_sort_next(sort), values[i], i);
		check(spq_rtree_memory_sort_next(sort) == NULL, "one more");
	}
	spq_rtree_memory_sort_end(sort);
	for (int i = 0; i < Min(added + 1, n); i++)
		pfree(values[i]);
	pfree(values);
}

static void
test_sort(void)
{
	for (int kind = 0; kind < KINDS; kind++)
	{
		for (int round = 0; round < 30; round++)
			try_sort(kind, random_int(0, 3000), random_int(10, 60), random_int(0, 1),
					 random_int(0, 1) ? 65536 : random_int(64, 1024));
		try_sort(kind, 40000, 63, true, 65536);
		try_sort(kind, 40000, 63, true, 3000);
	}
	finish_test("sort in memory");
}

int
main(int argc, char **argv)
{
	start_tests(argc, argv);
	test_sort();
	return tests_failed > 0;
}
