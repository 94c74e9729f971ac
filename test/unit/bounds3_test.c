/*-------------------------------------------------------------------------
 *
 * bounds3_test.c
 *	  The same as bounds_test.c, in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "bounds_test.c"
