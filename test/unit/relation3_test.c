/*-------------------------------------------------------------------------
 *
 * relation3_test.c
 *	  relation_test.c in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "relation_test.c"
