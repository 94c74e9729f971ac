/*-------------------------------------------------------------------------
 *
 * bucket3_test.c
 *	  The buckets that choose candidates for joins, in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "bucket_test.c"
