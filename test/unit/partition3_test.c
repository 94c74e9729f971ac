/*-------------------------------------------------------------------------
 *
 * partition3_test.c
 *	  Parts of space, in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "partition_test.c"
