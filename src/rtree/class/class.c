/*-------------------------------------------------------------------------
 *
 * class.c
 *	  Code common to all operator classes.  See class.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "rtree/class/class.h"

SpqRtreeAnswer
spq_rtree_ask_executor(const ScanKeyData *key, Datum argument, const float8 *ends)
{
	return SPQ_RTREE_RECHECK;
}
