/*-------------------------------------------------------------------------
 *
 * boxes3.c
 *	  Rows and their boxes in three dimensions: the sources of this room,
 *	  compiled once more, except for the sweep.
 *
 * dimension.h gives the functions other names.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3

#include "join/boxes/directory.c"
#include "join/boxes/items.c"
#include "join/boxes/partition.c"
#include "join/boxes/spool.c"
#include "join/boxes/tile_order.c"
