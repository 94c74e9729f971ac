/*-------------------------------------------------------------------------
 *
 * sample.h
 *	  Boxes of some rows of a relation, read during planning.
 *
 * The relation is divided into equal stretches.  From each, one block is
 * drawn, and from each block a few rows:
 *
 *		relation  |----x----|-x-------|-------x-|--x------|
 *					   3rd     1st         4th     2nd		read in this order
 *
 * The order jumps about, so that the blocks are spread over the whole relation
 * wherever reading ends.  It ends after a number of blocks, of rows, or of
 * values fetched from TOAST tables, never by the clock.  The choice of blocks
 * and rows depends only on the names of the relation and its schema and on its
 * number of blocks.  So the same table gives the same sample, and the same
 * plan, in each session.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_ESTIMATE_SAMPLE_SAMPLE_H
#define SPQ_ESTIMATE_SAMPLE_SAMPLE_H

#include "nodes/pg_list.h"

#include "estimate/sample/sample_boxes.h"

/*
 * Rows to take from a block, if there are enough blocks.  The first access of
 * a session to a block costs as much as a dozen rows, so a join, which samples
 * two tables, takes many.  A scan takes few: in a table stored in spatial
 * order, a small window lies in few blocks, which a sample of few blocks
 * misses.
 */
#define SPQ_ESTIMATE_JOIN_BLOCK_ROWS	16
#define SPQ_ESTIMATE_SCAN_BLOCK_ROWS	4

extern double spq_estimate_mean_side(const SpqEstimateSample *sample, int axis);
extern void spq_estimate_take_sample(SpqEstimateSample *sample, List *children,
									 const SpqTypeOperand *operand,
									 int rows, int block_rows);

#endif							/* SPQ_ESTIMATE_SAMPLE_SAMPLE_H */
