/*-------------------------------------------------------------------------
 *
 * rows.c
 *	  Rows in memory: ids and boxes.  See rows.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "large_memory.h"
#include "nearest_join/rows.h"

#define FIRST_SIZE	256

/* Rows from one check for interrupts to the next. */
#define ROWS_BETWEEN_CHECKS	65536

/* The most: entries of a tree have numbers of 32 bits. */
#define MOST_ROWS	((uint64) PG_INT32_MAX / 2)

static Size
box_size(const SpqNearestRows *rows)
{
	return 2 * rows->axes * sizeof(float8);
}

void
spq_nearest_rows_begin(SpqNearestRows *rows, int axes, uint64 most)
{
	rows->axes = axes;
	rows->count = 0;
	rows->most = Max(Min(most, MOST_ROWS), 1);
	rows->size = FIRST_SIZE;
	rows->ids = palloc(rows->size * sizeof(int64));
	rows->boxes = palloc(rows->size * box_size(rows));
}

/* Make room for another number of rows. */
static void
resize(SpqNearestRows *rows, uint32 size)
{
	rows->size = size;
	rows->ids = spq_large_realloc(rows->ids, size * sizeof(int64));
	rows->boxes = spq_large_realloc(rows->boxes, size * box_size(rows));
}

bool
spq_nearest_rows_add(SpqNearestRows *rows, int64 id, const float8 *box)
{
	float8	   *ends;

	for (int end = 0; end < 2 * rows->axes; end++)
		if (isnan(box[end]))
			return false;
	Assert(rows->count < rows->most);
	if (rows->count == rows->size)
		resize(rows, Min(2 * rows->size, rows->most));
	ends = rows->boxes + 2 * rows->axes * (Size) rows->count;
	for (int axis = 0; axis < rows->axes; axis++)
	{
		ends[axis] = Max(box[axis], box[rows->axes + axis]);
		ends[rows->axes + axis] = Min(box[axis], box[rows->axes + axis]);
	}
	rows->ids[rows->count++] = id;
	return true;
}

void
spq_nearest_rows_write(const SpqNearestRows *rows, BufFile *file)
{
	for (uint32 row = 0; row < rows->count; row++)
	{
		if (row % ROWS_BETWEEN_CHECKS == 0)
			CHECK_FOR_INTERRUPTS();
		spq_file_write(file, &rows->ids[row], sizeof(int64));
		spq_file_write(file, spq_nearest_rows_box(rows, row), box_size(rows));
	}
}

void
spq_nearest_rows_read(SpqNearestRows *rows, BufFile *file, uint64 remaining)
{
	rows->count = Min(remaining, rows->most);
	if (rows->count > rows->size)
		resize(rows, rows->count);
	for (uint32 row = 0; row < rows->count; row++)
	{
		if (row % ROWS_BETWEEN_CHECKS == 0)
			CHECK_FOR_INTERRUPTS();
		spq_file_read(file, &rows->ids[row], sizeof(int64));
		spq_file_read(file, rows->boxes + 2 * rows->axes * (Size) row, box_size(rows));
	}
}

void
spq_nearest_rows_end(SpqNearestRows *rows)
{
	if (rows->ids)
	{
		pfree(rows->ids);
		pfree(rows->boxes);
	}
	rows->ids = NULL;
	rows->boxes = NULL;
	rows->count = rows->size = 0;
}
