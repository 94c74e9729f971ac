/*-------------------------------------------------------------------------
 *
 * rows.h
 *	  Rows in memory: ids and boxes, in two arrays that grow.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_NEAREST_JOIN_ROWS_H
#define SPQ_NEAREST_JOIN_ROWS_H

#include "storage/buffile.h"

typedef struct SpqNearestRows
{
	int			axes;
	uint32		count;
	uint32		size;			/* of the arrays */
	uint32		most;			/* rows that memory allows */
	int64	   *ids;
	float8	   *boxes;			/* high ends, then low ends of each */
} SpqNearestRows;

/* Begin with no rows, in the current memory context. */
extern void spq_nearest_rows_begin(SpqNearestRows *rows, int axes, uint64 most);

/*
 * Add a row, which must not exceed what memory allows, with its ends in order.
 * Return false if it has a NaN and was not added.
 */
extern bool spq_nearest_rows_add(SpqNearestRows *rows, int64 id, const float8 *box);

/* Append all rows to a file, or read as many as memory allows from it. */
extern void spq_nearest_rows_write(const SpqNearestRows *rows, BufFile *file);
extern void spq_nearest_rows_read(SpqNearestRows *rows, BufFile *file, uint64 remaining);

extern void spq_nearest_rows_end(SpqNearestRows *rows);

static inline const float8 *
spq_nearest_rows_box(const SpqNearestRows *rows, uint32 row)
{
	return rows->boxes + 2 * rows->axes * (Size) row;
}

#endif							/* SPQ_NEAREST_JOIN_ROWS_H */
