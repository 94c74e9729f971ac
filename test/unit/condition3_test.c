/*-------------------------------------------------------------------------
 *
 * condition3_test.c
 *	  The same as condition_test.c, in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "condition_test.c"
