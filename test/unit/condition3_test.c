/*-------------------------------------------------------------------------
 *
 * condition3_test.c
 *	  condition_test.c in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "condition_test.c"
