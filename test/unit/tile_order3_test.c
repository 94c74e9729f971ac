/*-------------------------------------------------------------------------
 *
 * tile_order3_test.c
 *	  tile_order_test.c in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "tile_order_test.c"
