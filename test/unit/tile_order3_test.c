/*-------------------------------------------------------------------------
 *
 * tile_order3_test.c
 *	  Boxes in the order of tiles, in three dimensions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3
#include "tile_order_test.c"
