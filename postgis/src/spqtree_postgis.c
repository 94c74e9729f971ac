/*-------------------------------------------------------------------------
 *
 * spqtree_postgis.c
 *	  The library of the extension spqtree_postgis.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"

SPQ_MODULE_MAGIC("spqtree_postgis", SPQ_VERSION);
