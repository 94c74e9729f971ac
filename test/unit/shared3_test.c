/*-------------------------------------------------------------------------
 *
 * shared3_test.c
 *	  A shared build side against the double loop, in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "shared_test.c"
