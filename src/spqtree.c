/*-------------------------------------------------------------------------
 *
 * spqtree.c
 *	  Entry point of the shared library.
 *
 * The work is done in one folder per capability:
 *
 *	  quadtree/		the SP-GiST operator class for boxes
 *	  join/			the spatial join engine
 *	  join_functions/	the join as SQL functions
 *	  cells/		cells of a grid, as SQL functions
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"

SPQ_MODULE_MAGIC("spqtree", SPQ_VERSION);
