/*-------------------------------------------------------------------------
 *
 * join3.c
 *	  The join engine in three dimensions: its sources, compiled once more.
 *
 * dimension.h gives the functions other names.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3

#include "join/batches.c"
#include "join/build_side.c"
#include "join/directory.c"
#include "join/engine.c"
#include "join/items.c"
#include "join/join.c"
#include "join/partition.c"
#include "join/private_build.c"
#include "join/probe_block.c"
#include "join/spill.c"
#include "join/spool.c"
#include "join/sweep.c"
#include "join/tile_order.c"
