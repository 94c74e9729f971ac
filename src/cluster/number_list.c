/*-------------------------------------------------------------------------
 *
 * number_list.c
 *	  A list of numbers: in memory up to a limit, and on disk beyond it.
 *
 * Invariant: the numbers in memory come before those in the file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/buffile.h"
#include "utils/memutils.h"

#include "cluster/number_list.h"
#include "compat.h"
#include "large_memory.h"

#define FIRST_ROOM	1024

struct SpqNumbers
{
	MemoryContext context;
	int64	   *item;
	uint64		room;
	uint64		limit;			/* of the numbers in memory */
	uint64		count;			/* in memory */
	BufFile    *file;			/* NULL: all are in memory */
	uint64		nfile;
	uint64		next;			/* to be read */
};

/* Create a list, in a context below the current one. */
SpqNumbers *
spq_numbers_begin(Size memory)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "spatial cluster numbers",
												  ALLOCSET_DEFAULT_SIZES);
	SpqNumbers *numbers = MemoryContextAllocZero(context, sizeof(SpqNumbers));

	numbers->context = context;
	numbers->limit = Max(memory / sizeof(int64), FIRST_ROOM);
	numbers->room = FIRST_ROOM;
	numbers->item = spq_large_alloc(context, numbers->room * sizeof(int64));
	return numbers;
}

static void
write_number(SpqNumbers *numbers, int64 number)
{
	if (numbers->file == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(numbers->context);

		numbers->file = BufFileCreateTemp(false);
		MemoryContextSwitchTo(old);
	}
	spq_file_write(numbers->file, &number, sizeof(number));
	numbers->nfile++;
}

void
spq_numbers_append(SpqNumbers *numbers, int64 number)
{
	if (numbers->count == numbers->limit)
	{
		write_number(numbers, number);
		return;
	}
	if (numbers->count == numbers->room)
	{
		numbers->room = Min(2 * numbers->room, numbers->limit);
		numbers->item = spq_large_realloc(numbers->item, numbers->room * sizeof(int64));
	}
	numbers->item[numbers->count++] = number;
}

/* Continue reading at the first number.  No more may be appended. */
void
spq_numbers_rewind(SpqNumbers *numbers)
{
	if (numbers->file != NULL && BufFileSeek(numbers->file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind a temporary file of spatial clusters")));
	numbers->next = 0;
}

/* Read the next number.  Return false at the end. */
bool
spq_numbers_next(SpqNumbers *numbers, int64 *number)
{
	if (numbers->next < numbers->count)
		*number = numbers->item[numbers->next];
	else if (numbers->next < numbers->count + numbers->nfile)
		spq_file_read(numbers->file, number, sizeof(*number));
	else
		return false;
	numbers->next++;
	return true;
}

/* After an error, the resource owner closes the file. */
void
spq_numbers_end(SpqNumbers *numbers)
{
	if (numbers->file != NULL)
		BufFileClose(numbers->file);
	MemoryContextDelete(numbers->context);
}
