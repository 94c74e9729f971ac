/*-------------------------------------------------------------------------
 *
 * relation3_test.c
 *	  The relations of boxes in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "relation_test.c"
