/*-------------------------------------------------------------------------
 *
 * part_text.h
 *	  Text form of a partitioning.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SPQ_DIVIDE_PART_TEXT_H
#define SPQ_DIVIDE_PART_TEXT_H

#include "fmgr.h"

#include "divide/part_tree.h"

#define PG_GETARG_PART_TREE(n) ((SpqPartTree *) PG_DETOAST_DATUM(PG_GETARG_DATUM(n)))

extern bool spq_part_numbers_valid(const SpqPartTree *tree, int32 *wrong);

#endif							/* SPQ_DIVIDE_PART_TEXT_H */
