/*-------------------------------------------------------------------------
 *
 * partition3_test.c
 *	  partition_test.c in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "partition_test.c"
