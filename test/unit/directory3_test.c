/*-------------------------------------------------------------------------
 *
 * directory3_test.c
 *	  directory_test.c in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "directory_test.c"
