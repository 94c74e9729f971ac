/*-------------------------------------------------------------------------
 *
 * directory3_test.c
 *	  Buckets over boxes in tile order, in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "directory_test.c"
