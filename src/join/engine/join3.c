/*-------------------------------------------------------------------------
 *
 * join3.c
 *	  The join engine in three dimensions: its sources, compiled again.
 *
 * dimension.h gives the functions other names.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3

#include "join/boxes/directory.c"
#include "join/boxes/items.c"
#include "join/boxes/origin.c"
#include "join/boxes/sweep.c"
#include "join/boxes/tile_order.c"
#include "join/engine/batches.c"
#include "join/engine/build_side.c"
#include "join/engine/join.c"
#include "join/engine/probe_block.c"
#include "join/engine/spill.c"
#include "join/bins/cuts.c"
#include "join/bins/bins.c"
#include "join/bins/spool.c"
