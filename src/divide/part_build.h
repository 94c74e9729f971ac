/*-------------------------------------------------------------------------
 *
 * part_build.h
 *	  Build a partitioning from a sample of boxes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DIVIDE_PART_BUILD_H
#define SPQ_DIVIDE_PART_BUILD_H

#include "divide/part_tree.h"

/* Bytes that spq_part_build() needs for each box, besides the box itself. */
#define SPQ_PART_BUILD_BYTES (40 * sizeof(float8))

extern SpqPartTree *spq_part_build(const float8 *boxes, int count, int axes, int parts,
								   int max_copies);

#endif							/* SPQ_DIVIDE_PART_BUILD_H */
