/*-------------------------------------------------------------------------
 *
 * join3_test.c
 *	  The whole spatial join engine against the double loop, in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "join_test.c"
