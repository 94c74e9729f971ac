/*-------------------------------------------------------------------------
 *
 * join3.c
 *	  The join engine in three dimensions: its sources, compiled once more.
 *
 * join/boxes/dimension.h gives the functions other names.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3

#include "join/engine/batches.c"
#include "join/engine/build_side.c"
#include "join/engine/engine.c"
#include "join/engine/join.c"
#include "join/engine/private_build.c"
#include "join/engine/probe_block.c"
#include "join/engine/spill.c"
