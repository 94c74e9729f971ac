/*-------------------------------------------------------------------------
 *
 * linear_ranges.h
 *	  Ranges of numbers that contain the cells of all boxes that overlap a
 *	  query.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DIVIDE_LINEAR_RANGES_H
#define SPQ_DIVIDE_LINEAR_RANGES_H

#include "divide/linear_frame.h"

/* Maximum number of cells of a level that are listed one by one. */
#define SPQ_LINEAR_MAX_CELLS	4096

typedef struct SpqLinearRange
{
	int64		first;
	int64		last;
} SpqLinearRange;

extern int	spq_linear_ranges(const BOX *query, const BOX *frame, int max_level,
							  int max_cells, SpqLinearRange *ranges);

#endif							/* SPQ_DIVIDE_LINEAR_RANGES_H */
