/*-------------------------------------------------------------------------
 *
 * shared3.c
 *	  Shared build sides in three dimensions: the same sources, compiled again.
 *
 * join/boxes/dimension.h renames the functions.
 *
 *-------------------------------------------------------------------------
 */
#define SPQ_DIM 3

#include "join/shared/shared_build.c"
#include "join/shared/shared_order.c"
#include "join/shared/shared_payload.c"
#include "join/shared/shared_phase.c"
#include "join/shared/shared_ranges.c"
